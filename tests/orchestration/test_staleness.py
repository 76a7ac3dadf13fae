"""A changed rule, or changed code, re-materializes exactly what it affects, and Dagster shows the same."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.loader import LoadingContextForTest

from pipeline.chunks.stage import ChunksStage
from pipeline.home import Home
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.runs import due_partitions
from pipeline.staleness import Due
from pipeline.workers import Workers
from tests.orchestration.conftest import Ingest

ASSETS = ("documents", "normalized_text", "chunk_plans", "chunks", "extractions")
KEYS = ("docs/a-1.md", "docs/b-1.md", "docs/b-2.md", "docs/c-1.md")
RULE = {"name": "b", "match": {"uri": "*/b-*"}, "strategy": {"name": "chonkie_token", "target": 40}}
Stale = set[tuple[str, str]]
"""Assets and documents."""


@pytest.fixture
def ingested(docs: Path, run: Ingest) -> None:
    """Four documents of several chunks."""
    for key in KEYS:
        name = key.removeprefix("docs/")
        lines = [f"Vantor Rail owns Mill {name[0].upper()}{number}." for number in range(60)]
        (docs / name).write_text(f"# {name}\n\n" + "\n\n".join(lines) + "\n")
    assert run().succeeded


def _materialized(home: Home, run_id: str) -> dict[str, set[str]]:
    with open_instance(home) as instance:
        found: dict[str, set[str]] = {}
        for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION):
            event = entry.asset_materialization
            if event is not None and event.partition is not None:
                found.setdefault(event.asset_key.to_user_string(), set()).add(str(event.partition))
        return found


def _looked_at(home: Home, run_id: str) -> dict[str, set[object]]:
    """How many documents each asset's checks looked at."""
    with open_instance(home) as instance:
        found: dict[str, set[object]] = {}
        for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION):
            assert entry.dagster_event is not None
            evaluation = entry.dagster_event.asset_check_evaluation_data
            documents = evaluation.metadata["documents"].value
            found.setdefault(evaluation.asset_key.to_user_string(), set()).add(documents)
        return found


def _stale_in_dagster(home: Home) -> Stale:
    with open_instance(home) as instance:
        graph = build_definitions(home, workers=Workers(0)).resolve_asset_graph()
        resolver = CachingStaleStatusResolver(instance, graph, LoadingContextForTest(instance))
        return {
            (asset, key)
            for asset in ASSETS
            for key in KEYS
            if resolver.get_status(dg.AssetKey(asset), key) is not StaleStatus.FRESH
        }


def _due(home: Home) -> set[Due]:
    with open_instance(home) as instance:
        return set(due_partitions(home, instance, Extractors(), retry=True))


@pytest.mark.usefixtures("ingested")
def test_a_changed_rule_touches_exactly_its_documents(home: Home, run: Ingest) -> None:
    assert _stale_in_dagster(home) == set() and _due(home) == set()
    home.config_file.write_text(yaml.safe_dump({"chunking": {"rules": [RULE]}}))
    affected = {"docs/b-1.md", "docs/b-2.md"}
    assert _due(home) == {Due(key, "chunk_plans", "settings") for key in affected}
    [run_id] = run().run_ids
    assert _materialized(home, run_id) == dict.fromkeys(("chunk_plans", "chunks", "extractions"), affected)
    assert _looked_at(home, run_id)["chunks"] == {len(affected)}
    assert _stale_in_dagster(home) == set() and _due(home) == set()
    assert run().run_ids == []


@pytest.mark.usefixtures("ingested")
def test_changed_code_is_stale_in_its_asset_until_it_ran(
    home: Home, run: Ingest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChunksStage, "code_version", "changed")
    assert _due(home) == {Due(key, "chunks", "settings") for key in KEYS}
    [run_id] = run().run_ids
    # The chunks come out as before, so what is made of them stays.
    assert _materialized(home, run_id) == {"chunks": set(KEYS)}
    assert _due(home) == set()


@pytest.mark.usefixtures("ingested")
def test_dagster_shows_changed_code_as_stale(home: Home, run: Ingest) -> None:
    with open_instance(home) as instance:
        [record] = instance.fetch_materializations(
            dg.AssetRecordsFilter(dg.AssetKey("chunks"), asset_partitions=["docs/b-1.md"]), limit=1
        ).records
        old = record.asset_materialization
        assert old is not None and old.tags is not None
        # What another version of the code would have left behind.
        instance.report_runless_asset_event(
            dg.AssetMaterialization(
                "chunks", partition="docs/b-1.md", tags={**old.tags, "dagster/code_version": "0"}
            )
        )
    assert _stale_in_dagster(home) == {("chunks", "docs/b-1.md")}

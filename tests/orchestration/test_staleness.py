"""A changed rule, or changed code, re-materializes exactly what it affects, and Dagster shows the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.loader import LoadingContextForTest
from dagster._core.test_utils import in_process_test_workspace
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster_graphql.test.utils import execute_dagster_graphql

from pipeline.chunks.stage import ChunksStage
from pipeline.home import Home
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.runs import due_partitions
from pipeline.orchestration.sensor import build_sensor
from pipeline.orchestration.settings import SensorSettings
from pipeline.staleness import Due
from pipeline.workers import Workers
from tests.orchestration.conftest import Ingest

ASSETS = ("documents", "normalized_text", "chunk_plans", "chunks", "extractions")
KEYS = ("docs/a-1.md", "docs/b-1.md", "docs/b-2.md", "docs/c-1.md", "docs/d-1.md")
RULE = {"name": "b", "match": {"uri": "*/b-*"}, "strategy": {"name": "chonkie_token", "target": 40}}
AT_ONCE = {"orchestration": {"sensor": {"settle_seconds": 0}}}
QUESTION = """query ($key: AssetKeyInput!, $partition: String!) {
  assetNodes(assetKeys: [$key]) {
    staleStatus(partition: $partition)
    staleCauses(partition: $partition) { reason key { path } }
  }
}"""
Stale = set[tuple[str, str]]
"""Assets and documents."""


@pytest.fixture
def ingested(docs: Path, run: Ingest) -> None:
    """Five documents of several chunks."""
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


def _settings(home: Home, **groups: object) -> None:
    home.config_file.write_text(yaml.safe_dump({**AT_ONCE, **groups}))


def _look(home: Home) -> set[tuple[str, str | None]]:
    """One look of the sensor, its events stored as the daemon does; the inputs and documents it reported."""
    with open_instance(home) as instance:
        sensor = build_sensor(home, Extractors(), SensorSettings())
        tick = sensor.evaluate_tick(dg.build_sensor_context(instance=instance))
        for event in tick.asset_events:
            instance.report_runless_asset_event(event)
        return {(event.asset_key.to_user_string(), event.partition) for event in tick.asset_events}


def _materialize_by_hand(home: Home, asset: str, key: str) -> None:
    with open_instance(home) as instance:
        job = build_definitions(home, workers=Workers(0)).resolve_implicit_global_asset_job_def()
        assert job.execute_in_process(
            instance=instance, asset_selection=[dg.AssetKey(asset)], partition_key=key
        ).success


def _stale_in_user_interface(home: Home, folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Asset, document, cause and where it lies, of what the user interface's own question shows as stale."""
    code = folder / "definitions_of_home.py"
    code.write_text(
        "from pathlib import Path\n"
        "from pipeline.home import Home\n"
        "from pipeline.orchestration.definitions import build_definitions\n"
        f"defs = build_definitions(Home(Path({str(home.folder)!r})))\n"
    )
    origin = LoadableTargetOrigin(python_file=str(code), attribute="defs")
    with open_instance(home) as instance, in_process_test_workspace(instance, origin) as workspace:
        for asset in ASSETS:
            for key in KEYS:
                variables = {"key": {"path": [asset]}, "partition": key}
                [node] = execute_dagster_graphql(workspace, QUESTION, variables).data["assetNodes"]
                assert (node["staleStatus"] == "FRESH") == (node["staleCauses"] == [])
                for cause in node["staleCauses"]:
                    yield asset, key, cause["reason"], "/".join(cause["key"]["path"])


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
def test_an_edited_rule_is_stale_in_dagster_before_a_run_and_fresh_when_taken_back(
    home: Home, run: Ingest
) -> None:
    affected = {("chunk_plans", "docs/b-1.md"), ("chunk_plans", "docs/b-2.md")}
    reported = {("chunking_settings", key) for _, key in affected}
    rule = {"chunking": {"rules": [RULE]}}
    _settings(home)
    assert _look(home) == set() and _stale_in_dagster(home) == set()
    for _ in range(2):
        _settings(home, **rule)
        assert _look(home) == reported and _stale_in_dagster(home) == affected
        assert _look(home) == set()
        _settings(home)
        assert _look(home) == reported and _stale_in_dagster(home) == set()
    _settings(home, **rule)
    _look(home)
    run()
    assert _stale_in_dagster(home) == set() and _look(home) == set()
    # The other way round: the rule is in force, and its removal is the edit.
    _settings(home)
    assert _look(home) == reported and _stale_in_dagster(home) == affected
    _settings(home, **rule)
    assert _look(home) == reported and _stale_in_dagster(home) == set()


@pytest.mark.usefixtures("ingested")
def test_settings_of_two_assets_are_each_stale_where_they_matter(home: Home) -> None:
    _settings(home, chunking={"rules": [RULE]}, normalization={"unicode_form": "none"})
    _look(home)
    plans = {("chunk_plans", "docs/b-1.md"), ("chunk_plans", "docs/b-2.md")}
    assert _stale_in_dagster(home) == {("normalized_text", key) for key in KEYS} | plans


@pytest.mark.usefixtures("ingested")
def test_an_edited_file_is_stale_in_dagster_until_it_ran(home: Home, docs: Path, run: Ingest) -> None:
    _settings(home)
    (docs / "c-1.md").write_text("# c\n\nVantor Rail owns Mill Z.\n")
    assert _look(home) == {("source_files", "docs/c-1.md")}
    assert _stale_in_dagster(home) == {("documents", "docs/c-1.md")}
    run()
    assert _stale_in_dagster(home) == set() and _look(home) == set()


@pytest.mark.usefixtures("ingested")
def test_a_partition_made_by_hand_is_fresh_and_follows_the_next_edit(home: Home) -> None:
    _settings(home, chunking={"rules": [RULE]})
    _look(home)
    _materialize_by_hand(home, "chunk_plans", "docs/b-1.md")
    assert ("chunk_plans", "docs/b-1.md") not in _stale_in_dagster(home)
    assert ("chunk_plans", "docs/b-2.md") in _stale_in_dagster(home)
    _settings(home)
    _look(home)
    assert ("chunk_plans", "docs/b-1.md") in _stale_in_dagster(home)
    assert ("chunk_plans", "docs/b-2.md") not in _stale_in_dagster(home)


@pytest.mark.usefixtures("ingested")
def test_the_user_interface_names_the_settings_as_the_cause(home: Home, tmp_path: Path) -> None:
    _settings(home, chunking={"rules": [RULE]})
    _look(home)
    reason = "has a new data version"
    assert set(_stale_in_user_interface(home, tmp_path)) == {
        ("chunk_plans", key, reason, "chunking_settings") for key in ("docs/b-1.md", "docs/b-2.md")
    }


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

"""The automation condition requests exactly what the ledger says is due, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml

from pipeline.home import Home
from pipeline.orchestration.automation import build_automation
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DEFER_EVENTS, range_tags
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.runs import INGEST_JOB
from pipeline.workers import Workers
from tests.orchestration.conftest import Ingest

RULE = {"name": "b", "match": {"uri": "*/b-*"}, "strategy": {"name": "chonkie_token", "target": 40}}
AFFECTED = {"docs/b-1.md", "docs/b-2.md"}
Requested = dict[str, set[str]]
"""The partitions requested of each asset; the empty set for one without partitions."""


class Ticks:
    """The automation's ticks, one after the other, as the daemon makes them."""

    def __init__(self, home: Home, instance: dg.DagsterInstance) -> None:
        self.instance = instance
        self.definitions = build_definitions(home, workers=Workers(0))
        self.automation = build_automation(home, Extractors())
        self.cursor: str | None = None

    def tick(self) -> Requested:
        """What one tick requests."""
        context = dg.build_sensor_context(
            instance=self.instance,
            cursor=self.cursor,
            repository_def=self.definitions.get_repository_def(),
        )
        data = self.automation.evaluate_tick(context)
        self.cursor = data.cursor
        requested: Requested = {}
        for request in data.run_requests or ():
            assert request.tags[DEFER_EVENTS] == "true"
            if request.asset_graph_subset is not None:
                for key in request.asset_graph_subset.asset_keys:
                    subset = request.asset_graph_subset.partitions_subsets_by_asset_key.get(key)
                    found = set(subset.get_partition_keys()) if subset is not None else set()
                    requested.setdefault(key.to_user_string(), set()).update(found)
            else:
                for key in request.asset_selection or ():
                    found = {request.partition_key} if request.partition_key else set()
                    requested.setdefault(key.to_user_string(), set()).update(found)
        return requested

    def run(self, first: str, last: str, requested: Requested) -> None:
        """The run over a range that follows a request."""
        job = self.definitions.resolve_job_def(INGEST_JOB)
        assets = [dg.AssetKey(asset) for asset in requested]
        tags = range_tags(first, last)
        assert job.execute_in_process(instance=self.instance, tags=tags, asset_selection=assets).success


@pytest.fixture
def ticks(home: Home, docs: Path, run: Ingest) -> Iterator[Ticks]:
    """The automation of four ingested documents."""
    for name in ("a-1", "b-1", "b-2", "c-1"):
        lines = [f"Vantor Rail owns Mill {name[0].upper()}{number}." for number in range(60)]
        (docs / f"{name}.md").write_text(f"# {name}\n\n" + "\n\n".join(lines) + "\n")
    assert run().succeeded
    with open_instance(home) as instance:
        yield Ticks(home, instance)


def test_a_changed_rule_requests_its_documents_once(home: Home, ticks: Ticks) -> None:
    assert ticks.tick() == {}
    home.config_file.write_text(yaml.safe_dump({"chunking": {"rules": [RULE]}}))
    requested = ticks.tick()
    assert requested == dict.fromkeys(("chunk_plans", "chunks", "extractions"), AFFECTED)
    assert ticks.tick() == {}  # not again where the run has not come, or has failed
    ticks.run("docs/b-1.md", "docs/b-2.md", requested)
    assert ticks.tick() == {"resolved_entities": set(), "graph_edges": set()}
    assert ticks.tick() == {}


def test_a_changed_file_requests_every_layer_when_no_run_is_in_flight(docs: Path, ticks: Ticks) -> None:
    assert ticks.tick() == {}
    (docs / "c-1.md").write_text("Vantor Rail owns Brack Mill.\n")
    job = ticks.definitions.resolve_job_def(INGEST_JOB)
    waiting = ticks.instance.create_run_for_job(job, status=dg.DagsterRunStatus.NOT_STARTED)
    assert ticks.tick() == {}
    ticks.instance.report_run_canceled(waiting)
    layers = ("documents", "normalized_text", "chunk_plans", "chunks", "extractions")
    assert ticks.tick() == {layer: {"docs/c-1.md"} for layer in layers}


def test_it_is_off_until_it_is_switched_on(home: Home) -> None:
    assert build_automation(home, Extractors()).default_status is dg.DefaultSensorStatus.STOPPED

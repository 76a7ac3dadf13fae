"""How long one look of the sensor takes: at many new files, and at many files of which none changed.

    python -m benchmarks.sensor [--new 2500] [--unchanged 10000]

Prints a Markdown table. Nothing is extracted; that changes what a run costs and not what a look costs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import yaml

from pipeline.checks import load_checks
from pipeline.corpus import GRAPH_EDGES, RESOLVED_ENTITIES, rebuild
from pipeline.discovery import remember_source
from pipeline.documents.files import GRAIN_SECONDS
from pipeline.documents.sources import Source
from pipeline.extractions.model import Extraction, ExtractionRequest, ExtractorIdentity
from pipeline.home import Home
from pipeline.incremental import run_stage, wanted_inputs
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.sensor import SENSOR
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import gate_of, judge
from pipeline.storage.store import LedgerEntry, Replacement
from pipeline.workers import Workers


@dataclass(frozen=True)
class ReadsNothing:
    """An extractor without findings."""

    @property
    def identity(self) -> ExtractorIdentity:
        """Its name."""
        return ExtractorIdentity("nothing", "none", "1")

    def extract(self, request: ExtractionRequest) -> Extraction:
        """Nothing."""
        del request
        return Extraction((), ())


EXTRACTORS = Extractors(lambda _config: ReadsNothing())


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", type=int, default=2500)
    parser.add_argument("--unchanged", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sensor-") as folder:
        base = Path(folder)
        home = Home(base / "home")
        home.store().create()
        remember_source(home.store(), Source("docs", base / "docs", watched=True))
        home.config_file.write_text(yaml.safe_dump({"orchestration": {"sensor": {"settle_seconds": 0}}}))
        sys.stdout.write("| what | seconds | CPU seconds |\n|---|---|---|\n")
        with open_instance(home) as instance:
            _write(base / "docs", 0, arguments.new)
            _look(home, instance, None, f"{arguments.new:,} new files, first look")
            _write(base / "docs", arguments.new, arguments.unchanged)
            _look(home, instance, None, f"{arguments.unchanged:,} files, three quarters of them new")
            _take_as_done(home, instance)
            cursor = _look(home, instance, None, f"{arguments.unchanged:,} unchanged files, after a start")
            for _ in range(3):
                cursor = _look(home, instance, cursor, f"{arguments.unchanged:,} unchanged files")
            (base / "docs" / "0" / "note-0.md").write_text("Vantor Rail owns Gate One.\n")
            _look(home, instance, cursor, f"{arguments.unchanged:,} files, one changed")


def _write(docs: Path, first: int, end: int) -> None:
    for number in range(first, end):
        file = docs / str(number % 100) / f"note-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Note {number}\n\nVantor Rail owns Shed {number}.\n")
    time.sleep(GRAIN_SECONDS)  # what is younger is opened at every look


def _look(home: Home, instance: dg.DagsterInstance, cursor: str | None, what: str) -> str | None:
    sensor = build_definitions(home, extractors=EXTRACTORS).resolve_sensor_def(SENSOR)
    context = dg.build_sensor_context(instance=instance, cursor=cursor)
    wall, cpu = time.perf_counter(), os.times()
    result = sensor.evaluate_tick(context)
    spent = os.times()
    seconds = spent.user + spent.system - cpu.user - cpu.system
    requests = len(result.run_requests or [])
    sys.stdout.write(
        f"| {what}: {requests} run requested | {time.perf_counter() - wall:.2f} | {seconds:.2f} |\n"
    )
    sys.stdout.flush()
    return result.cursor


def _take_as_done(home: Home, instance: dg.DagsterInstance) -> None:
    """Read all files, and let the ledger say that every later stage is up to date. What a look costs does not
    depend on the texts."""
    store, config = home.store(), home.config()
    keys = list(instance.get_dynamic_partitions(DOCUMENTS))
    first, *later = document_stages(store, home, config, Workers(0), EXTRACTORS.build(config))
    gate = gate_of(load_checks(home.checks))
    run_stage(store, first, keys, "run", gate)
    for stage in later:
        wanted = wanted_inputs(store, stage, keys, gate)
        entries = [Replacement(key, (), LedgerEntry(inputs, "output")) for key, inputs in wanted.items()]
        store.replace(stage.asset, entries, "run")
        judge(store, stage.asset, gate, keys)
    for asset in (RESOLVED_ENTITIES, GRAPH_EDGES):
        rebuild(store, asset, "run")


if __name__ == "__main__":
    main()

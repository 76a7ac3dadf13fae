"""Ingest 125 real design documents and show, with queries over all rows, that every promise holds.

    python -m benchmarks.kep [--documents FOLDER] [--home FOLDER]

Prints one Markdown table: sizes, seconds of each asset (Dagster's own step times), peak memory of the largest
process, and the number of rows that break each promise. Needs the folder of documents, by default
``../shared/corpora/kep``.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dagster as dg

from pipeline.checks import load_checks, run_checks
from pipeline.home import Home
from pipeline.orchestration.instance import open_instance
from pipeline.summary import summarize


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path, default=Path("../shared/corpora/kep"))
    parser.add_argument("--home", type=Path, default=None)
    arguments = parser.parse_args()
    home = Home((arguments.home or Path(tempfile.mkdtemp(prefix="kep-"))).resolve())
    first = _ingest(arguments.documents, home)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    second = _ingest(arguments.documents, home)
    summary = summarize(home.store())
    rows: list[tuple[str, str]] = [
        ("documents", ", ".join(f"{count} {status}" for status, count in summary.documents.items())),
        ("tokens", f"{_one(home, 'select sum(token_count) from normalized_text'):,}"),
        ("chunks", f"{summary.chunks:,}"),
        ("claims, entities, edges", f"{summary.claims:,}, {summary.entities:,}, {summary.edges:,}"),
        ("seconds of the first ingest", f"{first:.0f}"),
        *((f"… {asset}", f"{seconds:.1f}") for asset, seconds in _step_seconds(home)),
        ("seconds of the second ingest (nothing changed)", f"{second:.0f}"),
        ("peak memory of the largest process", f"{peak:,.0f} MiB"),
    ]
    rows += [
        (f"rows against {result.check.name}", str(result.failing_rows))
        for result in run_checks(home.store(), load_checks())
    ]
    sys.stdout.write("| what | measured |\n|---|---|\n")
    for name, value in rows:
        sys.stdout.write(f"| {name} | {value} |\n")


def _ingest(documents: Path, home: Home) -> float:
    started = time.monotonic()
    command = [sys.executable, "-m", "pipeline.cli.main", "ingest", str(documents)]
    subprocess.run([*command, "--home", str(home.folder), "--json"], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - started


def _step_seconds(home: Home) -> list[tuple[str, float]]:
    with open_instance(home) as instance:
        [run] = instance.get_runs(dg.RunsFilter(), limit=1)
        stats = instance.get_run_step_stats(run.run_id)
    return [
        (step.step_key, step.end_time - step.start_time)
        for step in sorted(stats, key=lambda step: step.start_time or 0)
        if step.start_time and step.end_time
    ]


def _one(home: Home, sql: str) -> int:
    with home.store().connect(read_only=True) as connection:
        return connection.execute(sql).fetchall()[0][0]


if __name__ == "__main__":
    main()

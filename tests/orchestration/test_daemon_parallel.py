"""Eight runs of one home that a Dagster daemon takes from its queue at once, and a reader beside them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from pipeline.discovery import discover
from pipeline.home import Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.partitions import DOCUMENTS, range_tags
from pipeline.orchestration.runs import INGEST_JOB
from pipeline.storage.tables import DOCUMENT_ASSETS
from pipeline.workers import Workers
from tests.orchestration.conftest import digest, query
from tests.orchestration.daemon import DEFINITIONS, SECONDS, Daemon

ENDED = {dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    daemon = Daemon(tmp_path, max_concurrent_runs=8)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.end()


def _launch(daemon: Daemon, first: str, last: str) -> subprocess.Popen[bytes]:
    """Put a run over a range of documents into the queue."""
    tags = json.dumps(range_tags(first, last))
    command = [sys.executable, "-m", "dagster", "job", "launch", "-j", INGEST_JOB, "--tags", tags]
    return subprocess.Popen(
        [*command, *DEFINITIONS], env=daemon.environment(), cwd=daemon.base, stdout=subprocess.DEVNULL
    )


def test_parallel_runs_and_a_reader(daemon: Daemon, cases_dir: Path, tmp_path: Path) -> None:
    plan = json.loads((cases_dir / "057-duckdb-parallel-writers" / "plan.json").read_text())
    processes, each, rows = (plan[name] for name in ("processes", "partitions_each", "rows_per_partition"))
    for number in range(processes * each):
        says = [f"Vantor Rail owns Mill {chr(65 + number % 26)}{place}." for place in range(rows)]
        (daemon.docs / f"{number:02}.md").write_text("\n\n".join(says) + "\n")
    store = daemon.home.store()
    keys = list(discover(daemon.home, [daemon.docs], daemon.home.config()).found)
    daemon.instance.add_dynamic_partitions(DOCUMENTS, keys)
    launches = [_launch(daemon, keys[at], keys[at + each - 1]) for at in range(0, len(keys), each)]

    seen: set[int] = set()
    at_once = 0
    deadline = time.monotonic() + SECONDS
    statuses: list[dg.DagsterRunStatus] = []
    while len(statuses) < processes or not ENDED.issuperset(statuses):
        assert time.monotonic() < deadline, (daemon.base / "daemon.log").read_text()[-5000:]
        seen |= {count for (count,) in query(store, "select count(*) from blocks group by document_id")}
        time.sleep(0.1)  # as a person looks now and then
        statuses = [run.status for run in daemon.instance.get_runs()]
        at_once = max(at_once, statuses.count(dg.DagsterRunStatus.STARTED))
    assert [launch.wait() for launch in launches] == [0] * processes
    assert set(statuses) == {dg.DagsterRunStatus.SUCCESS} and at_once > 1
    assert seen <= {rows}, "half a partition was seen"
    assert query(store, "select count(*), count(distinct document_id) from blocks") == [
        (processes * each * rows, processes * each)
    ]
    for asset in DOCUMENT_ASSETS:
        found = daemon.instance.fetch_materializations(dg.AssetKey(asset), limit=1000).records
        assert Counter(record.partition_key for record in found) == Counter(keys)

    clean = Home(tmp_path / "clean")
    assert ingest(clean, [daemon.docs], workers=Workers(2)).succeeded
    assert digest(store) == digest(clean.store())

"""A day of a watched folder with a real Dagster daemon, which is killed twice; a run is killed too.

What the day is made of are files on which other pipelines failed: odd names, two names for one content,
documents that shrink. It ends in the tables of a clean ingest, and no document was processed once too often.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml

from pipeline.discovery import remember_source
from pipeline.documents.sources import Source
from pipeline.home import HOME_VARIABLE, Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.sensor import SENSOR
from pipeline.summary import document_statuses
from pipeline.workers import Workers
from tests.orchestration.conftest import digest, edges, query

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
DEFINITIONS = ("-m", "pipeline.orchestration.definitions")


class Daemon:
    """A home that watches a folder, and a daemon that can be killed and started again."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.docs = base / "docs"
        self.docs.mkdir()
        self.home = Home(base / "home")
        self.home.store().create()
        remember_source(self.home.store(), Source("docs", self.docs, watched=True))
        sensor = {"interval_seconds": 1, "settle_seconds": 0.5}
        self.home.config_file.write_text(yaml.safe_dump({"orchestration": {"sensor": sensor}}))
        self.instance = open_instance(self.home)
        self.processes: list[subprocess.Popen[bytes]] = []

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DAGSTER_HOME": str(self.home.dagster),
            HOME_VARIABLE: str(self.home.folder),
        }

    def turn_on(self) -> None:
        """Turn the sensor on, as its switch in the user interface does."""
        command = [sys.executable, "-m", "dagster", "sensor", "start", SENSOR, *DEFINITIONS]
        subprocess.run(command, env=self._environment(), cwd=self.base, check=True, capture_output=True)

    def start(self) -> None:
        command = [sys.executable, "-m", "dagster._daemon", "run", *DEFINITIONS]
        with (self.base / "daemon.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                env=self._environment(),
                cwd=self.base,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes.append(process)

    def kill(self) -> None:
        """Kill the daemon only; what it started is left to itself."""
        self.processes[-1].kill()
        self.processes[-1].wait()

    def end(self) -> None:
        """Leave no process behind."""
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def run_at_work(self) -> dg.DagsterRun | None:
        runs = self.instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED]))
        return runs[0] if runs and self.process_of(runs[0]) else None

    def process_of(self, run: dg.DagsterRun) -> int | None:
        """The process that executes the steps of a run."""
        for entry in self.instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ENGINE_EVENT):
            found = re.search(r"Executing steps in process \(pid: (\d+)\)", entry.message)
            if found:
                return int(found[1])
        return None

    def wait_until_nothing_is_due(self) -> None:
        begun = time.time()

        def quiet() -> bool:
            states = self.instance.all_instigator_state()
            ticks = [
                tick
                for state in states
                for tick in self.instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=1)
            ]
            return any(
                tick.timestamp > begun
                and "nothing is due" in (tick.skip_reason or "")
                and "being written" not in (tick.skip_reason or "")
                for tick in ticks
            )

        wait_for(quiet, self.base / "daemon.log")

    def materializations(self) -> Counter[str]:
        """How often each document of the first asset was reported."""
        found = self.instance.fetch_materializations(dg.AssetKey("documents"), limit=1000)
        events = [record.asset_materialization for record in found.records]
        return Counter(event.partition for event in events if event is not None and event.partition)


def wait_for(condition: Callable[[], object], log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"did not happen within {SECONDS} s\n{log.read_text()[-5000:]}")
        time.sleep(0.2)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    daemon = Daemon(tmp_path_factory.mktemp("daemon"))
    try:
        yield daemon
    finally:
        daemon.end()


def _ids(daemon: Daemon, like: str) -> list[str]:
    found = query(daemon.home.store(), "select document_id from documents where path like ?", [like])
    return [row[0] for row in found]


def test_a_day(daemon: Daemon, cases_dir: Path) -> None:
    log = daemon.base / "daemon.log"
    store = daemon.home.store()
    shrunk, same = cases_dir / "040-shrunk-document", cases_dir / "038-same-content-two-names"
    script = cases_dir / "035-odd-file-names" / "make_files.py"
    subprocess.run([sys.executable, str(script), str(daemon.docs)], check=True)
    for name in ("orders.md", "orders copy.md"):
        shutil.copy(same / name, daemon.docs / name)
    shutil.copy(cases_dir / "039-reingest-idempotent" / "input.md", daemon.docs / "input.md")
    shutil.copy(shrunk / "v1.md", daemon.docs / "doc.md")

    # Morning: many new files. The process of their run is killed before it could write a row.
    daemon.start()
    daemon.turn_on()
    wait_for(lambda: daemon.instance.all_instigator_state(), log)
    wait_for(daemon.run_at_work, log)
    run = daemon.run_at_work()
    if run is not None:
        os.kill(daemon.process_of(run) or 0, signal.SIGKILL)
    daemon.wait_until_nothing_is_due()
    assert len(document_statuses(store)) == 18
    assert {status.status for status in document_statuses(store)} == {"ingested"}
    odd = query(store, "select count(distinct document_id) from edge_lineage where object like 'Shed%'")
    assert odd == [(14,)]
    assert query(store, "select min(support), max(documents) from edges where documents = 2") == [(2, 2)]
    assert "Wharf Alpha" in {name for edge in edges(store) for name in (edge[0], edge[2])}
    idempotent = query(store, "select * from claims where document_id = 'docs/input.md' order by all")

    # Noon: the daemon is killed, and files change while nobody looks.
    daemon.kill()
    shutil.copy(shrunk / "v2.md", daemon.docs / "doc.md")
    (daemon.docs / "orders copy.md").unlink()
    times = (daemon.docs / "input.md").stat()
    os.utime(daemon.docs / "input.md", ns=(times.st_atime_ns, times.st_mtime_ns))
    daemon.start()

    # Afternoon: it is killed again while a run is at work, and a file is renamed meanwhile.
    wait_for(daemon.run_at_work, log)
    daemon.kill()
    (daemon.docs / "sub" / "dir" / "deep.md").rename(daemon.docs / "deeper.md")
    daemon.start()
    daemon.wait_until_nothing_is_due()

    names = {name for edge in edges(store) for name in (edge[0], edge[2])}
    assert not {"Wharf Alpha", "Gauge Omega"} & names and {"Brack Mill", "Gate One"} <= names
    assert query(store, "select count(*) from chunks where document_id = 'docs/doc.md'") == [(1,)]
    assert query(store, "select * from edge_lineage where path like '%copy%'") == []
    assert _ids(daemon, "%copy%") == _ids(daemon, "%deep.md") == [] and _ids(daemon, "deeper.md")
    assert idempotent == query(store, "select * from claims where document_id = 'docs/input.md' order by all")
    assert set(daemon.instance.get_dynamic_partitions(DOCUMENTS)) == set(_ids(daemon, "%"))

    counts = daemon.materializations()
    assert {counts[key] for key in _ids(daemon, "%") if key != "docs/doc.md"} == {1}
    assert counts["docs/doc.md"] == 2

    clean = Home(daemon.base / "clean")
    assert ingest(clean, [daemon.docs], workers=Workers(2)).succeeded
    wanted, found = digest(clean.store()), digest(store)
    assert {k: v for k, v in found.items() if k != "memo"} == {k: v for k, v in wanted.items() if k != "memo"}

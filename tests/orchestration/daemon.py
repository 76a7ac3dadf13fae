"""A real Dagster daemon over a home that watches a folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import dagster as dg
import yaml
from dagster._core.scheduler.instigation import InstigatorTick

from pipeline.discovery import remember_source
from pipeline.documents.sources import Source
from pipeline.home import HOME_VARIABLE, Home
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import REASON
from pipeline.orchestration.sensor import REQUEST, SENSOR

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
DEFINITIONS = ("-m", "pipeline.orchestration.definitions")


class Daemon:
    """A home that watches a folder, and a daemon that can be killed and started again."""

    def __init__(self, base: Path, settle_seconds: float = 0.5, max_concurrent_runs: int = 1) -> None:
        self.base = base
        self.docs = base / "docs"
        self.docs.mkdir()
        self.home = Home(base / "home")
        self.home.store().create()
        remember_source(self.home.store(), Source("docs", self.docs, watched=True))
        sensor = {"interval_seconds": 1, "settle_seconds": settle_seconds}
        settings = {"sensor": sensor, "max_concurrent_runs": max_concurrent_runs}
        self.home.config_file.write_text(yaml.safe_dump({"orchestration": settings}))
        self.instance = open_instance(self.home)
        self.processes: list[subprocess.Popen[bytes]] = []

    def environment(self) -> dict[str, str]:
        """What Dagster's processes find the home and the code by."""
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DAGSTER_HOME": str(self.home.dagster),
            HOME_VARIABLE: str(self.home.folder),
        }

    def turn_on(self) -> None:
        """Turn the sensor on, as its switch in the user interface does."""
        command = [sys.executable, "-m", "dagster", "sensor", "start", SENSOR, *DEFINITIONS]
        subprocess.run(command, env=self.environment(), cwd=self.base, check=True, capture_output=True)

    def start(self) -> None:
        command = [sys.executable, "-m", "dagster._daemon", "run", *DEFINITIONS]
        with (self.base / "daemon.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                env=self.environment(),
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
            return any(
                tick.timestamp > begun
                and "nothing is due" in (tick.skip_reason or "")
                and "being written" not in (tick.skip_reason or "")
                for tick in self.looks(limit=1)
            )

        wait_for(quiet, self.base / "daemon.log")

    def looks(self, limit: int | None = None) -> list[InstigatorTick]:
        """The ticks of the sensor, newest first."""
        return [
            tick
            for state in self.instance.all_instigator_state()
            for tick in self.instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=limit)
        ]

    def requested(self) -> list[str]:
        """Why each run was requested, oldest first."""
        runs = self.instance.get_runs()
        return [run.tags[REASON] for run in reversed(runs) if REQUEST in run.tags]

    def materializations(self) -> Counter[str]:
        """How often each document of the first asset was reported."""
        found = self.instance.fetch_materializations(dg.AssetKey("documents"), limit=10_000)
        events = [record.asset_materialization for record in found.records]
        return Counter(event.partition for event in events if event is not None and event.partition)


def wait_for(condition: Callable[[], object], log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"did not happen within {SECONDS} s\n{log.read_text()[-5000:]}")
        time.sleep(0.2)

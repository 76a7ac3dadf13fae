"""Which runs are alive: the process of a run holds a lock file for as long as it lives, however it ends.

Dagster learns of the end of a run from the run itself. One whose process was killed together with what
started it stays "started" for ever, and would keep everybody waiting who waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import dagster as dg
from filelock import FileLock, Timeout

from pipeline.home import Home

IN_FLIGHT: Final = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]
START_SECONDS: Final = 300.0
"""How long a run may take from being launched to taking its lock; its process imports for seconds."""

_held: dict[str, FileLock] = {}


def run_lock(home: Home, run_id: str) -> FileLock:
    """The lock of a run, not yet taken."""
    home.run_locks.mkdir(parents=True, exist_ok=True)
    return FileLock(home.run_locks / f"{run_id}.lock", timeout=0, thread_local=False)


def holding_run_lock(executor: dg.ExecutorDefinition, home: Home) -> dg.ExecutorDefinition:
    """The same executor, in a process that holds the lock of its run."""

    def create(context: dg.InitExecutorContext) -> dg.Executor:
        return _LockHolder(executor.executor_creation_fn(context), home)  # pyright: ignore[reportOptionalCall]

    return dg.ExecutorDefinition(
        name=executor.name,
        config_schema=executor.config_schema,  # pyright: ignore[reportArgumentType]
        requirements=executor.get_requirements,
        executor_creation_fn=create,
    )


class _LockHolder(dg.Executor):
    def __init__(self, inner: dg.Executor, home: Home) -> None:
        self._inner = inner
        self._home = home

    @property
    def retries(self) -> Any:
        return self._inner.retries

    @property
    def step_dependency_config(self) -> Any:
        return self._inner.step_dependency_config

    def execute(self, plan_context: Any, execution_plan: Any) -> Iterator[dg.DagsterEvent]:
        # Kept until the process ends: Dagster records the end of a run after its executor has returned.
        lock = _held[plan_context.run_id] = run_lock(self._home, plan_context.run_id)
        lock.acquire()
        yield from self._inner.execute(plan_context, execution_plan)


def runs_in_flight(home: Home, instance: dg.DagsterInstance) -> list[dg.DagsterRun]:
    """The runs that are queued, starting or at work. Those whose process is dead are marked as failed."""
    alive: list[dg.DagsterRun] = []
    for record in instance.get_run_records(dg.RunsFilter(statuses=IN_FLIGHT)):
        if _is_dead(home, record):
            instance.report_run_failed(record.dagster_run, "The process of this run was killed.")
        else:
            alive.append(record.dagster_run)
    _remove_locks(home, {run.run_id for run in alive})
    return alive


def _is_dead(home: Home, record: dg.RunRecord) -> bool:
    run = record.dagster_run
    if run.status is dg.DagsterRunStatus.QUEUED:
        return False
    lock = home.run_locks / f"{run.run_id}.lock"
    if not lock.exists():
        return time.time() - record.update_timestamp.timestamp() > START_SECONDS
    return _is_free(run_lock(home, run.run_id))


def _is_free(lock: FileLock) -> bool:
    try:
        with lock:
            return True
    except Timeout:
        return False


def _remove_locks(home: Home, alive: set[str]) -> None:
    """Remove the lock files of runs that have ended."""
    for file in home.run_locks.glob("*.lock"):
        if file.stem not in alive:
            lock = run_lock(home, file.stem)
            try:
                with lock:
                    file.unlink(missing_ok=True)
            except Timeout:
                continue  # the process of a run that has just begun, or is about to end

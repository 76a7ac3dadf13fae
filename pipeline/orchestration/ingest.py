"""Ingest: discover the files of some paths, and materialize what is missing or stale through Dagster."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from uuid import uuid4

import dagster as dg
from dagster._core.events import RunFailureReason
from filelock import FileLock, Timeout

from pipeline.checks import load_checks
from pipeline.config import Config
from pipeline.corpus import is_graph_stale
from pipeline.discovery import UnusablePath, absolute_path, discover
from pipeline.documents.sources import SkippedPath
from pipeline.extractions.factory import prepare_extractor
from pipeline.home import Home
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import (
    DOCUMENTS,
    REASON,
    covering_range,
    range_tags,
    remove_documents,
)
from pipeline.orchestration.resources import CallLog, Extractors
from pipeline.orchestration.run_locks import run_lock, runs_in_flight
from pipeline.orchestration.runs import GRAPH_ASSETS, INGEST_JOB
from pipeline.orchestration.stages import document_stages
from pipeline.progress import Progress
from pipeline.quarantine import gate_of
from pipeline.staleness import Reason, due_documents
from pipeline.storage.store import StoreOutdated
from pipeline.workers import Workers

LOCK_SECONDS: Final = 5.0
"""How long an ingest waits for the home: longer than the sensor takes to look at ten thousand files."""

QUERY_INTERRUPTED: Final = "RuntimeError: Query interrupted"
"""What becomes of a KeyboardInterrupt while DuckDB is at work."""


class IngestError(RuntimeError):
    """An ingest that cannot start; the message says what to do."""


class HomeBusy(IngestError):
    """Another ingest or a run is at work in the home."""


@dataclass
class IngestReport:
    """What an ingest did. ``run_ids`` is empty where nothing was stale; ``due`` counts by reason what was
    due, and ``removed`` the documents whose files are gone."""

    run_ids: list[str] = field(default_factory=list)
    succeeded: bool = True
    errors: list[str] = field(default_factory=list)
    due: Counter[Reason] = field(default_factory=Counter)
    removed: int = 0
    skipped: tuple[SkippedPath, ...] = ()
    calls_made: int = 0
    seconds: float = 0.0


def ingest(
    home: Home,
    paths: Sequence[Path],
    *,
    progress: Progress | None = None,
    extractors: Extractors | None = None,
    workers: Workers | None = None,
) -> IngestReport:
    """Bring a home up to date with the files under ``paths`` (folders, or single files).

    Files that are gone from a folder take their rows with them. Raises IngestError where a path does not
    exist, cannot be taken in or lies in the home, or another ingest holds the home, ConfigError where the
    home's configuration is not valid, and KeyboardInterrupt where it was interrupted; the next ingest goes on
    from there.
    """
    started = time.monotonic()
    for path in paths:
        if not path.exists():
            raise IngestError(f"{path}: no such file or folder")
        if not path.is_dir() and not path.is_file():
            raise IngestError(f"{path}: neither a folder nor a regular file")
        if absolute_path(path).resolve().is_relative_to(home.folder.resolve()):
            raise IngestError(
                f"{path}: this is the home {home.folder}, or a part of it. What is kept there is no "
                "document. Name the folder of your documents, or use another --home."
            )
    config = home.config()
    try:
        home.folder.mkdir(parents=True, exist_ok=True)
        home.lock_file.touch()  # a lock that cannot be made would look like one that is held
    except OSError as error:
        raise IngestError(f"{home.folder}: cannot be the home: {error.strerror}") from error
    pool = workers or Workers()
    try:
        with FileLock(home.lock_file, timeout=LOCK_SECONDS), open_instance(home) as instance:
            report = _ingest(home, config, paths, instance, pool, extractors or Extractors(), progress)
    except (StoreOutdated, UnusablePath) as error:
        raise IngestError(str(error)) from error
    except Timeout:
        raise HomeBusy(
            f"{home.folder}: another ingest is at work in this home. Wait for it, or use another --home."
        ) from None
    finally:
        pool.close()
    report.seconds = time.monotonic() - started
    return report


def _ingest(
    home: Home,
    config: Config,
    paths: Sequence[Path],
    instance: dg.DagsterInstance,
    workers: Workers,
    extractors: Extractors,
    progress: Progress | None,
) -> IngestReport:
    store = home.store()
    store.create()
    _require_no_run(home, instance)
    known = set(instance.get_dynamic_partitions(DOCUMENTS))
    discovery = discover(home, paths, config, known)
    report = IngestReport(skipped=discovery.skipped)
    remove_documents(store, instance, discovery.gone)
    report.removed = len(discovery.gone)
    new = [key for key in discovery.found if key not in known]
    instance.add_dynamic_partitions(DOCUMENTS, new)

    order = instance.get_dynamic_partitions(DOCUMENTS)
    stages = document_stages(store, home, config, workers, extractors.build(config))
    due = due_documents(store, stages, discovery.found, gate_of(load_checks(home.checks)), retry=True)
    report.due = Counter(item.reason for item in due)
    wanted = covering_range(order, (item.document_id for item in due))
    if wanted is not None:
        workers.start(partial(prepare_extractor, config.extraction), items=len(due))
    call_log = CallLog()
    definitions = build_definitions(
        home, workers=workers, extractors=extractors, call_log=call_log, progress=progress
    )
    if wanted is not None:
        _run(home, definitions, instance, report, tags=range_tags(*wanted))
    elif is_graph_stale(store):
        _run(home, definitions, instance, report, assets=GRAPH_ASSETS)
    report.calls_made = call_log.counts.made
    return report


def _require_no_run(home: Home, instance: dg.DagsterInstance) -> None:
    """Raise HomeBusy where a run is at work: it would do the same work twice, on partitions that may go.

    A run in the queue does not count; without a daemon it would stay there for ever.
    """
    for run in runs_in_flight(home, instance):
        if run.status is not dg.DagsterRunStatus.QUEUED:
            raise HomeBusy(
                f"{home.folder}: run {run.run_id} is at work in Dagster. Wait for it, or cancel it there."
            )


def _run(
    home: Home,
    definitions: dg.Definitions,
    instance: dg.DagsterInstance,
    report: IngestReport,
    *,
    tags: dict[str, str] | None = None,
    assets: Sequence[dg.AssetKey] = (),
) -> None:
    run_id = str(uuid4())
    with run_lock(home, run_id):
        result = definitions.resolve_job_def(INGEST_JOB).execute_in_process(
            instance=instance,
            run_id=run_id,
            tags={**(tags or {}), REASON: "ingest"},
            asset_selection=list(assets) or None,
            # What matters reaches the user through the report; the full log is in the Dagster UI.
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            raise_on_error=False,
        )
    report.run_ids.append(result.run_id)
    report.succeeded = report.succeeded and result.success
    for event in result.all_events:
        if _is_interruption(event):
            raise KeyboardInterrupt
        if event.is_failure and event.is_step_event:
            report.errors.append(f"{event.step_key}: {_root_cause(event)}")


def _is_interruption(event: dg.DagsterEvent) -> bool:
    """Whether this event is of an interrupt, which Dagster and DuckDB take for a failure."""
    if event.is_step_failure:
        return _root_cause(event) == QUERY_INTERRUPTED
    return (
        event.event_type is dg.DagsterEventType.RUN_FAILURE
        and event.job_failure_data.failure_reason is RunFailureReason.UNEXPECTED_TERMINATION
    )


def _root_cause(event: dg.DagsterEvent) -> str:
    """What went wrong first: Dagster wraps it in errors of its own."""
    error = event.step_failure_data.error
    while error is not None and error.cause is not None:
        error = error.cause
    return error.message.strip() if error else event.message or "unknown error"

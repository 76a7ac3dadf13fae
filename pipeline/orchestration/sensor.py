"""The sensor: every few seconds it looks at the sources and requests at most one run for what is due.

It keeps no list of files. What is due follows from the files, the settings and the ledger; the cursor holds
only what was requested last, so that a request that failed is not made again and again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final
from uuid import uuid4

import dagster as dg
from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.checks import CheckError, load_checks
from pipeline.config import Config, ConfigError
from pipeline.corpus import is_graph_stale
from pipeline.extractions.factory import missing_requirement
from pipeline.home import Home
from pipeline.identifiers import fingerprint
from pipeline.orchestration.observations import input_changes
from pipeline.orchestration.partitions import (
    DOCUMENTS,
    REASON,
    SETTLE,
    range_tags,
    remove_documents,
)
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.run_locks import runs_in_flight
from pipeline.orchestration.runs import INGEST_JOB, request_graph
from pipeline.orchestration.settings import SensorSettings
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import Gate, gate_of
from pipeline.staleness import Due, due_documents
from pipeline.storage.store import Store, StoreBusy
from pipeline.storage.tables import DOCUMENT_ASSETS
from pipeline.watching import Survey, survey
from pipeline.wording import count_of
from pipeline.workers import Workers

SENSOR: Final = "watch_sources"
REQUEST: Final = "edgekeeper/request"
"""The run tag with the run key of a request, by which the sensor finds how it ended."""
DATABASE_SECONDS: Final = 5.0
"""How long a look waits for the database; Dagster gives a sensor 60 seconds in all."""
MOST_ATTEMPTS: Final = 3
"""How often the same work is requested when its runs are cut off, or end and leave it due."""
PAUSE_SECONDS: Final = 600.0
"""How long work that its runs left due waits after that: what is in its way, as a full disk, may be nothing
that a look compares."""
PROCESS: Final = str(uuid4())
"""This process. The code of the assets can only change with it."""


class Cursor(BaseModel):
    """What a look leaves for the next one.

    ``chain`` is a digest over all requests so far; ``requested`` the state for which the last one was made,
    ``attempts`` how often; ``quiet`` the last state in which nothing was due.
    """

    model_config = ConfigDict(frozen=True)

    chain: str = ""
    requested: str = ""
    attempts: int = 0
    quiet: str = ""

    @classmethod
    def read(cls, text: str | None) -> Cursor:
        """The cursor that was written; an empty one where there is none that can be read."""
        try:
            return cls.model_validate_json(text or "{}")
        except ValidationError:
            return cls()

    def at_rest(self, state: str) -> Cursor:
        """After a look that found nothing due."""
        return Cursor(chain=self.chain, quiet=state)

    def requesting(self, state: str) -> Cursor:
        """After a request. Its chain is the run key: never the same twice, and the same again where a look
        is repeated because its cursor was lost."""
        attempts = self.attempts + 1 if state == self.requested else 1
        return Cursor(chain=fingerprint(self.chain, state)[:32], requested=state, attempts=attempts)


def build_sensor(home: Home, extractors: Extractors, settings: SensorSettings) -> dg.SensorDefinition:
    """The sensor over a home's sources. Only the interval, and whether it is on from the
    start, are fixed here; the rest is read at every look."""

    @dg.sensor(
        name=SENSOR,
        job_name=INGEST_JOB,
        minimum_interval_seconds=settings.interval_seconds,
        default_status=dg.DefaultSensorStatus.RUNNING if settings.enabled else dg.DefaultSensorStatus.STOPPED,
        description=(
            "Watches the folders that were ingested: new, changed, renamed and deleted files, and documents "
            "that are stale for another reason. Files are taken once they are left alone."
        ),
    )
    def watch_sources(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
        try:
            config, gate = home.config(), gate_of(load_checks(home.checks))
        except (ConfigError, CheckError) as error:
            return dg.SkipReason(f"{error}\nNothing is taken in until this is corrected.")
        missing = missing_requirement(config.extraction)
        if missing is not None:
            return dg.SkipReason(f"{home.config_file}: {missing}")
        if not home.exists():
            return dg.SkipReason("No folder is known yet. Begin with: edgekeeper ingest FOLDER")
        try:
            with FileLock(home.lock_file, timeout=0):
                return _look(home, config, gate, extractors, context)
        except Timeout:
            return dg.SkipReason("An ingest from the command line is at work in this home.")
        except StoreBusy as error:
            return dg.SkipReason(f"Database busy: {error}")

    return watch_sources


def _look(
    home: Home,
    config: Config,
    gate: Gate,
    extractors: Extractors,
    context: dg.SensorEvaluationContext,
) -> dg.SensorResult | dg.SkipReason:
    instance = context.instance
    busy = runs_in_flight(home, instance)
    if busy:
        return dg.SkipReason(f"Run {busy[0].run_id} is in flight; what changes meanwhile waits for its end.")
    settings = config.orchestration.sensor
    store = Store(home.database, lock_timeout=DATABASE_SECONDS)
    partitions = instance.get_dynamic_partitions(DOCUMENTS)
    seen = survey(store, home.folder, config, partitions, settle_seconds=settings.settle_seconds)
    for warning in seen.warnings:
        context.log.warning(warning)
    gone = seen.gone[: settings.documents_per_tick]
    remove_documents(store, instance, gone)
    known = set(partitions)
    # In one statement; through the tick's result Dagster would look every key up first.
    instance.add_dynamic_partitions(DOCUMENTS, [key for key in seen.documents if key not in known])

    cursor = Cursor.read(context.cursor)
    state = _state(store, config, gate, seen)
    if state == cursor.quiet:
        return _rest(cursor, seen, state, [])
    order = [key for key in instance.get_dynamic_partitions(DOCUMENTS) if key in seen.documents]
    stages = document_stages(store, home, config, Workers(0), extractors.build(config))
    behind = due_documents(store, stages, order, gate, retry=True)
    keys = [item.document_id for item in behind]
    changes = input_changes(instance, store, stages, gate, set(order), keys)
    due = [item for item in behind if item.reason != "failed"][: settings.documents_per_tick]
    if not due and not is_graph_stale(store):
        return _rest(cursor, seen, state, changes)
    if state == cursor.requested:
        refusal = _why_not_again(instance, cursor)
        if refusal is not None:
            return dg.SensorResult(skip_reason=refusal, asset_events=changes)
    return _request(cursor.requesting(state), due, gone, settings, changes)


def _state(store: Store, config: Config, gate: Gate, seen: Survey) -> str:
    """A digest of all that decides what is due: files, settings, checks, code, and what the tables were made
    from."""
    with store.connect(read_only=True) as connection:
        tables = connection.execute(
            "select count(*), bit_xor(hash(asset, document_id, inputs, output, checked)) from ledger "
            "union all select count(*), bit_xor(hash(asset, document_id, inputs)) from failures"
        ).fetchall()
    settings = config.model_dump(mode="json", exclude={"orchestration"})
    marks = [gate.mark(asset) for asset in DOCUMENT_ASSETS]
    return fingerprint(PROCESS, sorted(seen.documents.items()), settings, marks, tables)


def _rest(
    cursor: Cursor, seen: Survey, state: str, changes: Sequence[dg.AssetObservation]
) -> dg.SensorResult:
    notes = [f"{count_of(len(seen.documents), 'document')}, nothing is due"]
    if seen.unsettled:
        notes.append(f"being written: {count_of(len(seen.unsettled), 'file')}")
    if seen.postponed:
        notes.append(f"to be read next time: {count_of(len(seen.postponed), 'file')}")
    notes += seen.warnings
    return dg.SensorResult(
        skip_reason="; ".join(notes), cursor=cursor.at_rest(state).model_dump_json(), asset_events=changes
    )


def _why_not_again(instance: dg.DagsterInstance, cursor: Cursor) -> str | None:
    """Why work that was requested before is not requested again; None where its run was only cut off,
    or left it due a while ago."""
    records = instance.get_run_records(dg.RunsFilter(tags={REQUEST: cursor.chain}), limit=1)
    run, ended = (records[0].dagster_run, records[0].end_time or 0.0) if records else (None, 0.0)
    if run and run.status is dg.DagsterRunStatus.CANCELED:
        return f"Run {run.run_id} for this work was canceled; a change, or a run by hand, goes on."
    if run and instance.get_run_stats(run.run_id).steps_failed:
        return f"Run {run.run_id} for this work failed. It is not repeated until something changes."
    if cursor.attempts < MOST_ATTEMPTS:
        return None
    if run and run.status is dg.DagsterRunStatus.SUCCESS:
        if time.time() - ended >= PAUSE_SECONDS:
            return None
        return (
            f"Run {run.run_id} for this work ended and left it due, as where a disk is full. Why: edgekeeper "
            f"status. It is requested again {PAUSE_SECONDS / 60:.0f} minutes after that run."
        )
    return f"This work was requested {cursor.attempts} times, and each time its run was cut off."


def _request(
    cursor: Cursor,
    due: Sequence[Due],
    gone: Sequence[str],
    settings: SensorSettings,
    changes: Sequence[dg.AssetObservation],
) -> dg.SensorResult:
    tags = {
        REQUEST: cursor.chain,
        REASON: _reason([item.reason for item in due] + ["gone"] * len(gone)) or "the graph is stale",
        SETTLE: str(settings.settle_seconds),
    }
    if due:
        span = range_tags(due[0].document_id, due[-1].document_id)
        run = dg.RunRequest(run_key=cursor.chain, tags={**tags, **span})
    else:
        run = request_graph(cursor.chain, tags)
    return dg.SensorResult(run_requests=[run], cursor=cursor.model_dump_json(), asset_events=changes)


def _reason(reasons: Iterable[str]) -> str:
    """Counts in words: ``3 new, 1 changed, 2 settings, 1 gone``."""
    counts = Counter(reasons)
    order = ("new", "changed", "settings", "unchecked", "failed", "gone")
    return ", ".join(f"{counts[name]} {name}" for name in order if counts[name])

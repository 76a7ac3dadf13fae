"""What every way to start a run shares: the job, the runs in flight, and what a home has to do."""

from __future__ import annotations

from typing import Final

import dagster as dg

from pipeline.discovery import known_sources, present
from pipeline.home import Home
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.stages import document_stages
from pipeline.staleness import Due, due_documents
from pipeline.workers import Workers

INGEST_JOB: Final = "ingest"
ACTIVE: Final = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
]


def run_in_flight(instance: dg.DagsterInstance) -> str | None:
    """The id of a run that is waiting or at work, or None. Whoever wants a run waits for it: what is due
    changes only when it ends, and its partitions must not be deleted under it."""
    records = instance.get_run_records(dg.RunsFilter(statuses=ACTIVE), limit=1)
    return records[0].dagster_run.run_id if records else None


def due_partitions(
    home: Home, instance: dg.DagsterInstance, extractors: Extractors, *, retry: bool
) -> tuple[Due, ...]:
    """The due documents among the partitions, in their order. Raises ConfigError.

    A document whose file is gone is not due: to forget it is the ingest's work.
    """
    config, store = home.config(), home.store()
    stages = document_stages(store, home, config, Workers(0), extractors.build(config))
    known = present(known_sources(store), instance.get_dynamic_partitions(DOCUMENTS))
    return due_documents(store, stages, known, retry=retry)

"""What every way to start a run shares: the job, and what a home has to do."""

from __future__ import annotations

from typing import Final

import dagster as dg

from pipeline.checks import load_checks
from pipeline.discovery import known_sources, present
from pipeline.home import Home
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import gate_of
from pipeline.staleness import Due, due_documents
from pipeline.workers import Workers

INGEST_JOB: Final = "ingest"


def due_partitions(
    home: Home, instance: dg.DagsterInstance, extractors: Extractors, *, retry: bool
) -> tuple[Due, ...]:
    """The due documents among the partitions, in their order. Raises ConfigError.

    A document whose file is gone is not due: to forget it is the ingest's work.
    """
    config, store = home.config(), home.store()
    stages = document_stages(store, home, config, Workers(0), extractors.build(config))
    known = present(known_sources(store), instance.get_dynamic_partitions(DOCUMENTS))
    return due_documents(store, stages, known, gate_of(load_checks(home.checks)), retry=retry)

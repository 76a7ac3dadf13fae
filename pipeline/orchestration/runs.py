"""What every way to start a run shares: the job, and what a home has to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import dagster as dg

from pipeline.checks import load_checks
from pipeline.corpus import GRAPH
from pipeline.corpus_profile import CORPUS_PROFILE
from pipeline.discovery import known_sources, present
from pipeline.home import Home
from pipeline.orchestration.partitions import DEFER_EVENTS, DOCUMENTS
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import gate_of
from pipeline.staleness import Due, due_documents
from pipeline.workers import Workers

INGEST_JOB: Final = "ingest"
GRAPH_ASSETS: Final = tuple(dg.AssetKey(name) for name in (*(asset.asset for asset in GRAPH), CORPUS_PROFILE))
"""What a run makes where no document is due and only the graph is stale."""


def request_graph(run_key: str, tags: Mapping[str, str]) -> dg.RunRequest:
    """A run of the job over the graph alone."""
    return dg.RunRequest(
        run_key=run_key, tags={**tags, DEFER_EVENTS: "true"}, asset_selection=list(GRAPH_ASSETS)
    )


def due_partitions(
    home: Home, instance: dg.DagsterInstance, extractors: Extractors, *, retry: bool
) -> tuple[Due, ...]:
    """The due documents among the partitions, in their order. Raises ConfigError, CheckError.

    A document whose file is gone is not due: to forget it is the ingest's work.
    """
    config, store = home.config(), home.store()
    stages = document_stages(store, home, config, Workers(0), extractors.build(config))
    known = present(known_sources(store), instance.get_dynamic_partitions(DOCUMENTS))
    return due_documents(store, stages, known, gate_of(load_checks(home.checks)), retry=retry)

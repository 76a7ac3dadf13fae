"""Everything Dagster knows about a home. ``defs`` is what ``dagster dev`` loads."""

from __future__ import annotations

from typing import Final

import dagster as dg

from assets import (
    chunk_plans,
    chunks,
    corpus_profile,
    documents,
    extractions,
    graph_edges,
    normalized_text,
    resolved_entities,
)
from pipeline.checks import Check, CheckError, load_checks
from pipeline.config import ConfigError
from pipeline.home import Home, find_home
from pipeline.orchestration.asset_checks import build_asset_checks
from pipeline.orchestration.automation import build_automation
from pipeline.orchestration.observations import input_assets
from pipeline.orchestration.resources import (
    CallLog,
    Extractors,
    HomeDuckDB,
    HomeResource,
    closed_afterwards,
)
from pipeline.orchestration.run_locks import holding_run_lock
from pipeline.orchestration.runs import INGEST_JOB
from pipeline.orchestration.schedule import build_nightly_backfill
from pipeline.orchestration.sensor import build_sensor
from pipeline.orchestration.settings import OrchestrationSettings
from pipeline.orchestration.table_metadata import with_table_metadata
from pipeline.progress import Progress
from pipeline.workers import Workers

MODULES: Final = (
    documents,
    normalized_text,
    chunk_plans,
    chunks,
    extractions,
    resolved_entities,
    graph_edges,
    corpus_profile,
)


def build_definitions(
    home: Home,
    *,
    workers: Workers | None = None,
    extractors: Extractors | None = None,
    call_log: CallLog | None = None,
    progress: Progress | None = None,
) -> dg.Definitions:
    """The assets, checks, job, schedule and sensor of a home. What is not handed in is the default."""
    settings = usable_settings(home)
    extractors = extractors or Extractors()
    return dg.Definitions(
        assets=[
            *input_assets(),
            *with_table_metadata(
                [
                    asset
                    for asset in dg.load_assets_from_modules(list(MODULES))
                    if isinstance(asset, dg.AssetsDefinition)
                ],
                home,
            ),
        ],
        asset_checks=build_asset_checks(usable_checks(home)),
        jobs=[
            dg.define_asset_job(
                INGEST_JOB,
                selection=dg.AssetSelection.all(),
                description="Bring every asset up to date for a range of documents, then the graph.",
            )
        ],
        sensors=[build_sensor(home, extractors, settings.sensor), build_automation(home, extractors)],
        schedules=[build_nightly_backfill(home, settings.nightly, extractors)],
        resources={
            "home": HomeResource(folder=str(home.folder)),
            "duckdb": HomeDuckDB(database=str(home.database)),
            "workers": closed_afterwards(workers or Workers()),
            "extractors": extractors,
            "call_log": call_log or CallLog(),
            "progress": progress or Progress(),
        },
        executor=holding_run_lock(choose_executor(settings), home),
    )


def usable_settings(home: Home) -> OrchestrationSettings:
    """How a home's assets are run: by default where its configuration cannot be read.

    So the assets stay loaded in Dagster, and every run and every look of the sensor says what is wrong.
    """
    try:
        return home.config().orchestration
    except ConfigError:
        return OrchestrationSettings()


def usable_checks(home: Home) -> tuple[Check, ...]:
    """The checks of a home: the bundled ones alone where its own cannot be used, as for its settings."""
    try:
        return load_checks(home.checks)
    except CheckError:
        return load_checks()


def choose_executor(settings: OrchestrationSettings) -> dg.ExecutorDefinition:
    """How the steps of a launched run are executed.

    A process for each step costs seconds of imports a step; the steps have worker processes of their own.
    """
    if settings.executor == "in_process":
        return dg.in_process_executor
    return dg.multiprocess_executor.configured({"max_concurrent": settings.max_concurrent_steps})


defs = build_definitions(find_home())

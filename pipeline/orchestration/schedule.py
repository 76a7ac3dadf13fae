"""The nightly backfill: what is missing, stale or failed, in one run within the night's limits."""

from __future__ import annotations

from datetime import datetime

import dagster as dg

from pipeline.backfill import Backfill, Candidate, estimate_tokens, plan_backfill, render_report, summarize
from pipeline.checks import CheckError
from pipeline.config import ConfigError
from pipeline.corpus import is_graph_stale
from pipeline.discovery import known_sources
from pipeline.home import Home
from pipeline.orchestration.partitions import REASON, range_tags
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.run_locks import runs_in_flight
from pipeline.orchestration.runs import INGEST_JOB, due_partitions, request_graph
from pipeline.orchestration.settings import NightlySettings

NIGHTLY = "nightly"
"""Why its runs were started."""
BACKFILL_TAG = "edgekeeper/backfill_"
"""Begins the tags of a run that hold the night's report."""


def build_nightly_backfill(
    home: Home, settings: NightlySettings, extractors: Extractors
) -> dg.ScheduleDefinition:
    """The schedule ``nightly_backfill``, off unless the settings say otherwise. Its limits are read anew each
    night."""

    @dg.schedule(
        name="nightly_backfill",
        job_name=INGEST_JOB,
        cron_schedule=settings.cron,
        default_status=(
            dg.DefaultScheduleStatus.RUNNING if settings.enabled else dg.DefaultScheduleStatus.STOPPED
        ),
        description=(
            "What is missing, stale or failed among the known documents, in one run within the limits of the "
            "night. New and deleted files are the sensor's or an ingest's work."
        ),
    )
    def nightly_backfill(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
        return request_backfill(context, home, extractors)

    return nightly_backfill


def request_backfill(
    context: dg.ScheduleEvaluationContext, home: Home, extractors: Extractors
) -> dg.RunRequest | dg.SkipReason:
    """One night's request, or why there is none. Writes the night's report where anything was due."""
    if not home.exists():
        return dg.SkipReason("nothing was ever ingested here")
    if runs := runs_in_flight(home, context.instance):
        return dg.SkipReason(f"run {runs[0].run_id[:8]} is in flight; the next night takes what is left")
    try:
        backfill = plan_night(home, context.instance, extractors, context.scheduled_execution_time)
    except (ConfigError, CheckError) as error:
        return dg.SkipReason(f"{error}\nNothing is taken until this is corrected.")
    night = context.scheduled_execution_time.date().isoformat()
    summary = summarize(backfill)
    report = "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in summary.items())
    if backfill.chosen or backfill.put_off:
        home.write_report(f"backfill-{night}.md", render_report(backfill, night))
        context.log.info(report)
    if not backfill.chosen:
        # The graph alone may be stale.
        if is_graph_stale(home.store()):
            return request_graph(night, {REASON: NIGHTLY})
        return dg.SkipReason(f"nothing to do: {report}")
    first, last = backfill.chosen[0].due.document_id, backfill.chosen[-1].due.document_id
    tags = {REASON: NIGHTLY, **{f"{BACKFILL_TAG}{name}": value for name, value in summary.items()}}
    return dg.RunRequest(run_key=night, tags={**range_tags(first, last), **tags})


def plan_night(
    home: Home, instance: dg.DagsterInstance, extractors: Extractors, scheduled: datetime
) -> Backfill:
    """What one night takes. Raises ConfigError, CheckError."""
    config, store = home.config(), home.store()
    due = due_partitions(home, instance, extractors, retry=True)
    tokens = estimate_tokens(store, known_sources(store), [item.document_id for item in due])
    return plan_backfill(
        [Candidate(item, tokens[item.document_id]) for item in due],
        config.extraction.dollars_per_million_tokens,
        config.orchestration.nightly.limits(),
        night=scheduled.toordinal(),
    )

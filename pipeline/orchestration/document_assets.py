"""What the five assets over documents share: how they are declared, and how a run brings one up to date."""

from __future__ import annotations

import dataclasses
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dagster as dg

from pipeline.extractions.stage import CallCounts
from pipeline.incremental import Stage, StageOutcome, run_stage
from pipeline.orchestration.event_log import stored_together
from pipeline.orchestration.observations import INPUT_OF, agreements
from pipeline.orchestration.partitions import DEFER_EVENTS, REASON, documents_partitions
from pipeline.orchestration.provenance import latest_event, pointer_tag, provenance_tags
from pipeline.progress import Progress
from pipeline.quarantine import Gate
from pipeline.run_costs import RunCost, record_cost
from pipeline.storage.store import LedgerEntry, Store
from pipeline.wording import count_of

GROUP = "documents"
OWNERS = ["team:knowledge-graph"]
Describe = Callable[[Store, Sequence[str]], Mapping[str, Mapping[str, int | float]]]
"""Numbers about each of some documents, by document id."""


def document_asset(
    *, upstream: str | None, code_version: str, kinds: set[str]
) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Declare an asset with one partition for each document, many of them in one run.

    The function's name is the asset's, its docstring the description.
    """
    # Dagster is pinned to a minor version, which answers the warning that a policy may change with the next.
    warnings.filterwarnings("ignore", category=dg.BetaWarning)

    def declare(function: Callable[..., Any]) -> dg.AssetsDefinition:
        declared = dg.asset(
            deps=[name for name in (upstream, INPUT_OF.get(function.__name__)) if name],
            partitions_def=documents_partitions,
            backfill_policy=dg.BackfillPolicy.single_run(),
            group_name=GROUP,
            owners=OWNERS,
            kinds={*kinds, "duckdb"},
            code_version=code_version,
        )
        return declared(function)

    return declare


def bring_up_to_date(
    context: dg.AssetExecutionContext,
    store: Store,
    stage: Stage,
    gate: Gate,
    progress: Progress,
    describe: Describe = lambda _store, _keys: {},
    calls: CallCounts | None = None,
) -> dg.MaterializeResult:
    """Process the stale documents of this run's partitions and report each one that was processed.

    Documents whose rows do not pass the asset's blocking checks (``gate``) are named as quarantined.
    ``describe`` gives more metadata about documents, shown with each one's materialization. ``calls`` is
    where the stage counts its extraction calls, if it makes any.

    Raises dagster.Failure where the run covers no partition at all (an inverted range does).
    """
    keys = list(context.partition_keys)
    if not keys:
        raise dg.Failure(
            "This run covers no document. Select at least one partition, in the partitions' order."
        )
    calls = calls or CallCounts()
    calls_before, started = dataclasses.replace(calls), time.monotonic()
    outcome = run_stage(store, stage, keys, context.run_id, gate, progress)
    called = calls.since(calls_before)
    with store.connect():
        record_cost(
            store,
            RunCost(
                run_id=context.run_id,
                asset=stage.asset,
                reason=run_reason(context),
                seconds=time.monotonic() - started,
                processed=len(outcome.outputs),
                fresh=len(outcome.fresh),
                failed=len(outcome.failed),
                quarantined=len(outcome.quarantined),
                calls_made=called.made,
                calls_reused=called.reused,
                tokens_read=called.tokens,
            ),
        )
        described = describe(store, list(outcome.outputs))
        upstream = store.ledger(stage.upstream) if stage.upstream else {}
        made = store.ledger(stage.asset)
    pointer = _report(context, stage, outcome, made, upstream, described)
    own = INPUT_OF.get(stage.asset)
    for key, error in outcome.failed.items():
        context.log.error(f"{stage.asset}: {key}: {error}")
    for key, failing in outcome.quarantined.items():
        rows = ", ".join(f"{check} ({count_of(count, 'row')})" for check, count in failing.items())
        context.log.warning(f"{stage.asset}: {key}: quarantined: {rows}")
    return dg.MaterializeResult(
        data_version=dg.DataVersion(outcome.outputs[keys[0]])
        if len(keys) == 1 and keys[0] in outcome.outputs
        else None,
        tags=pointer_tag(own, pointer) if own else None,
        metadata={
            "processed": len(outcome.outputs),
            "fresh": len(outcome.fresh),
            "failed": len(outcome.failed),
            "quarantined": len(outcome.quarantined),
        },
    )


def run_reason(context: dg.AssetExecutionContext) -> str:
    """Why the run was started; ``manual`` where nobody said."""
    return context.run.tags.get(REASON, "manual")


def _report(
    context: dg.AssetExecutionContext,
    stage: Stage,
    outcome: StageOutcome,
    made: Mapping[str, LedgerEntry],
    upstream: Mapping[str, LedgerEntry],
    described: Mapping[str, Mapping[str, int | float]],
) -> int:
    """Tell Dagster of the documents that are up to date; returns the event their inputs point at."""
    for observation in agreements(context.instance, stage.asset, [*outcome.outputs, *outcome.fresh]):
        context.log_event(observation)
    explicit = context.run.tags.get(DEFER_EVENTS) == "true"
    own = INPUT_OF.get(stage.asset)
    pointer = latest_event(context.instance)
    with stored_together(context.instance):
        for key, rows in outcome.row_counts.items():
            metadata = {"dagster/partition_row_count": rows, **described.get(key, {})}
            inputs = {stage.upstream: upstream[key].output} if stage.upstream else {}
            if own:
                inputs[own] = made[key].inputs
            if explicit:
                tags = provenance_tags(outcome.outputs[key], stage.code_version, inputs, pointer)
                context.log_event(
                    dg.AssetMaterialization(stage.asset, partition=key, metadata=metadata, tags=tags)
                )
            else:
                context.add_asset_metadata(metadata, partition_key=key)
    return pointer

"""What the assets over the whole corpus share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import dagster as dg

from pipeline.corpus import CorpusAsset, rebuild
from pipeline.orchestration.document_assets import OWNERS, run_reason
from pipeline.orchestration.partitions import DEFER_EVENTS
from pipeline.run_costs import RunCost, record_cost
from pipeline.storage.store import Store
from pipeline.storage.tables import CORPUS, TABLES_OF

GROUP = "corpus"
Describe = Callable[[], Mapping[str, Any]]
"""Metadata about an asset as it is."""


def corpus_asset(*, upstream: str, kinds: set[str]) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Declare an asset over the whole corpus. The function's name is the asset's, its docstring the
    description."""
    return dg.asset(deps=[upstream], group_name=GROUP, owners=OWNERS, kinds={*kinds, "duckdb"})


def rebuild_if_stale(
    context: dg.AssetExecutionContext,
    store: Store,
    asset: CorpusAsset,
    describe: Describe = dict,
) -> dg.MaterializeResult:
    """Rebuild the asset's tables where the documents' rows changed, and report their sizes.

    ``describe`` gives more metadata, and is called once the tables are up to date.
    """
    started = time.monotonic()
    with store.connect():
        rebuilt = rebuild(store, asset, context.run_id)
        record_cost(
            store,
            RunCost(
                run_id=context.run_id,
                asset=asset.asset,
                reason=run_reason(context),
                seconds=time.monotonic() - started,
                processed=int(rebuilt),
                fresh=int(not rebuilt),
            ),
        )
        version = store.ledger(asset.asset)[CORPUS].output
        counts = _row_counts(store, asset)
        metadata = {
            "rebuilt": rebuilt,
            "dagster/row_count": counts[TABLES_OF[asset.asset][0]],
            **counts,
            **describe(),
        }
    return report(context, asset.asset, metadata, version, changed=rebuilt)


def report(
    context: dg.AssetExecutionContext,
    asset: str,
    metadata: Mapping[str, Any],
    version: str | None = None,
    *,
    changed: bool = True,
) -> dg.MaterializeResult:
    """The materialization of an asset. Where the run's tags keep Dagster from writing it, it is written
    here if anything changed."""
    if changed and context.run.tags.get(DEFER_EVENTS) == "true":
        tags = {"dagster/data_version": version} if version else None
        context.log_event(dg.AssetMaterialization(asset, metadata=metadata, tags=tags))
    return dg.MaterializeResult(data_version=dg.DataVersion(version) if version else None, metadata=metadata)


def _row_counts(store: Store, asset: CorpusAsset) -> dict[str, int]:
    with store.connect(read_only=True) as connection:
        return {
            table: connection.table(table).count("*").fetchall()[0][0] for table in TABLES_OF[asset.asset]
        }

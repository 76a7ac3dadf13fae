"""Mentions become entities."""

import dagster as dg

from pipeline.corpus import RESOLVED_ENTITIES
from pipeline.orchestration.corpus_assets import corpus_asset, rebuild_if_stale
from pipeline.orchestration.resources import HomeDuckDB


@corpus_asset(upstream=RESOLVED_ENTITIES.upstream, kinds={"sql"})
def resolved_entities(context: dg.AssetExecutionContext, duckdb: HomeDuckDB) -> dg.MaterializeResult:
    """Entities of the whole corpus. Named mentions meet by exact or normalized name; each keeps a row
    that says how it was resolved."""
    return rebuild_if_stale(context, duckdb.store(), RESOLVED_ENTITIES)

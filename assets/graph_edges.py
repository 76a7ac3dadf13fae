"""Claims become edges."""

import dagster as dg

from pipeline.corpus import GRAPH_EDGES
from pipeline.orchestration.corpus_assets import corpus_asset, rebuild_if_stale
from pipeline.orchestration.corpus_metadata import edges_metadata
from pipeline.orchestration.resources import HomeDuckDB, HomeResource


@corpus_asset(upstream=GRAPH_EDGES.upstream, kinds={"sql"})
def graph_edges(
    context: dg.AssetExecutionContext, duckdb: HomeDuckDB, home: HomeResource
) -> dg.MaterializeResult:
    """Edges (subject, relation, object) over accepted, affirmed, asserted claims, each with its evidence.

    Support counts distinct sentences, never chunks.
    """
    store = duckdb.store()
    return rebuild_if_stale(
        context, store, GRAPH_EDGES, describe=lambda: edges_metadata(store, home.home(), context.run_id)
    )

"""How each document is cut."""

import dagster as dg

from pipeline.chunk_plans.stage import ChunkPlansStage
from pipeline.orchestration.document_assets import bring_up_to_date, document_asset
from pipeline.orchestration.resources import HomeDuckDB, HomeResource
from pipeline.orchestration.stages import chunk_plans_stage
from pipeline.progress import Progress


@document_asset(upstream="normalized_text", code_version=ChunkPlansStage.code_version, kinds={"python"})
def chunk_plans(
    context: dg.AssetExecutionContext,
    duckdb: HomeDuckDB,
    home: HomeResource,
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult:
    """The rule that matched each document, its tier by token count, and every setting in force.

    A changed rule makes only those documents stale whose plan it changes.
    """
    store = duckdb.store()
    return bring_up_to_date(context, store, chunk_plans_stage(store, home.config()), home.gate(), progress)

"""The extraction units."""

import dagster as dg

from pipeline.chunks.stage import ChunksStage, describe_quality
from pipeline.orchestration.document_assets import bring_up_to_date, document_asset
from pipeline.orchestration.resources import HomeDuckDB, HomeResource
from pipeline.orchestration.stages import chunks_stage
from pipeline.progress import Progress
from pipeline.workers import Workers


@document_asset(upstream="chunk_plans", code_version=ChunksStage.code_version, kinds={"python"})
def chunks(
    context: dg.AssetExecutionContext,
    duckdb: HomeDuckDB,
    home: HomeResource,
    workers: dg.ResourceParam[Workers],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult:
    """Spans of the text: bodies tile it, carried text overlaps, tables and code are whole.

    Each chunk has its header, its seam with the overlap ratio and any exemption, and the floor's verdict.
    """
    store = duckdb.store()
    stage = chunks_stage(store, home.config(), workers)
    return bring_up_to_date(context, store, stage, home.gate(), progress, describe=describe_quality)

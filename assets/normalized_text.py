"""The text that every offset refers to."""

import dagster as dg

from pipeline.normalized_text.stage import NormalizedTextStage
from pipeline.orchestration.document_assets import bring_up_to_date, document_asset
from pipeline.orchestration.resources import HomeDuckDB, HomeResource
from pipeline.orchestration.stages import normalized_text_stage
from pipeline.progress import Progress
from pipeline.workers import Workers


@document_asset(upstream="documents", code_version=NormalizedTextStage.code_version, kinds={"python"})
def normalized_text(
    context: dg.AssetExecutionContext,
    duckdb: HomeDuckDB,
    home: HomeResource,
    workers: dg.ResourceParam[Workers],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult:
    """One immutable text for each document version, with typed blocks and a tree of sections.

    All later offsets are code points of this text.
    """
    store, config = duckdb.store(), home.config()
    stage = normalized_text_stage(store, home.home(), config, workers)
    return bring_up_to_date(context, store, stage, home.gate(), progress)

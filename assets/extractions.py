"""What the extractor read."""

import dagster as dg

from pipeline.extractions.stage import ExtractionsStage
from pipeline.orchestration.document_assets import bring_up_to_date, document_asset
from pipeline.orchestration.resources import CallLog, Extractors, HomeDuckDB, HomeResource
from pipeline.orchestration.stages import extractions_stage
from pipeline.progress import Progress
from pipeline.workers import Workers


@document_asset(upstream="chunks", code_version=ExtractionsStage.code_version, kinds={"spacy"})
def extractions(
    context: dg.AssetExecutionContext,
    duckdb: HomeDuckDB,
    home: HomeResource,
    workers: dg.ResourceParam[Workers],
    extractors: dg.ResourceParam[Extractors],
    call_log: dg.ResourceParam[CallLog],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult:
    """Mentions and claims with exact spans, polarity and modality.

    A chunk that was read before, in any run, is not read again.
    """
    store = duckdb.store()
    stage = extractions_stage(store, extractors.build(home.config()), workers, call_log.counts)
    return bring_up_to_date(context, store, stage, home.gate(), progress, calls=call_log.counts)

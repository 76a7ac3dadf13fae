"""The files of the sources."""

import dagster as dg

from pipeline.documents.stage import DocumentsStage
from pipeline.orchestration.document_assets import bring_up_to_date, document_asset
from pipeline.orchestration.partitions import SETTLE
from pipeline.orchestration.resources import HomeDuckDB, HomeResource
from pipeline.orchestration.stages import documents_stage
from pipeline.progress import Progress


@document_asset(upstream=None, code_version=DocumentsStage.code_version, kinds={"file"})
def documents(
    context: dg.AssetExecutionContext,
    duckdb: HomeDuckDB,
    home: HomeResource,
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult:
    """One row for each file: its key, the SHA-256 of its bytes (which are kept), its kind and access labels.

    A file that cannot become a document is a row with a reason (`empty`, `binary`, `unsupported`, …).
    """
    store, config = duckdb.store(), home.config()
    settle_seconds = float(context.run.tags.get(SETTLE, 0))
    stage = documents_stage(store, home.home(), config, settle_seconds)
    return bring_up_to_date(context, store, stage, home.gate(), progress)

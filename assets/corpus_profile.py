"""The corpus in pictures."""

import dagster as dg

from pipeline.corpus_profile import CORPUS_PROFILE
from pipeline.corpus_profile.queries import read_profile
from pipeline.orchestration.corpus_assets import corpus_asset, report
from pipeline.orchestration.corpus_metadata import profile_metadata
from pipeline.orchestration.resources import HomeDuckDB


@corpus_asset(upstream="graph_edges", kinds={"matplotlib"})
def corpus_profile(context: dg.AssetExecutionContext, duckdb: HomeDuckDB) -> dg.MaterializeResult:
    """Sizes of documents by tier, quality of the seams, orphans, and what the latest runs did and cost.

    Each picture opens by *Show Markdown* under *Metadata*.
    """
    return report(context, CORPUS_PROFILE, profile_metadata(read_profile(duckdb.store())))

"""Which asset writes which tables. The only names ever put into a statement."""

from __future__ import annotations

from typing import Final

TABLES_OF: Final[dict[str, tuple[str, ...]]] = {
    "documents": ("documents",),
    "normalized_text": ("normalized_text", "sections", "blocks"),
    "chunk_plans": ("chunk_plans",),
    "chunks": ("chunks", "chunk_quality"),
    "extractions": ("chunk_extractions", "mentions", "claims"),
    "resolved_entities": ("entities", "mention_entities"),
    "graph_edges": ("edges", "edge_claims"),
}
"""The tables that each asset writes, in the order of the flow."""

DOCUMENT_ASSETS: Final = ("documents", "normalized_text", "chunk_plans", "chunks", "extractions")
CORPUS_ASSETS: Final = ("resolved_entities", "graph_edges")
CORPUS: Final = ""
"""The ledger's document id of an asset over the whole corpus."""

HELD_TABLES: Final = (*(table for asset in DOCUMENT_ASSETS for table in TABLES_OF[asset]), "ledger")
"""The tables of which a document's published version is held while another one is in the making."""


def earlier_assets(asset: str) -> tuple[str, ...]:
    """The document assets before one in the flow; none before one that is not over documents."""
    return DOCUMENT_ASSETS[: DOCUMENT_ASSETS.index(asset)] if asset in DOCUMENT_ASSETS else ()


def later_assets(asset: str) -> tuple[str, ...]:
    """The document assets after one in the flow."""
    return DOCUMENT_ASSETS[DOCUMENT_ASSETS.index(asset) + 1 :]

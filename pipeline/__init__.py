"""Edgekeeper: a folder of documents becomes a knowledge graph whose every edge traces to a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.chunking import chunk_document

__all__ = ["chunk_document"]


def __getattr__(name: str) -> object:
    """Loads the entry point on first use, so that importing a part of the package stays cheap."""
    if name == "chunk_document":
        from pipeline.chunking import chunk_document

        return chunk_document
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""One call from text to chunks, without a database and without Dagster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.chunk_plans import ChunkingSettings, plan_document
from pipeline.chunks import ChunkedDocument, cut
from pipeline.identifiers import short_id

if TYPE_CHECKING:
    from pipeline.config import Config


def chunk_document(
    text: str,
    *,
    source_format: str = "markdown",
    document_id: str | None = None,
    title: str | None = None,
    config: Config | None = None,
) -> ChunkedDocument:
    """Normalizes, plans and cuts one text.

    Args:
        text: the document's text.
        source_format: what it is written in, e.g. ``markdown``, ``text``, ``html``.
        document_id: names the document in ids and headers; by default derived from the text.
        title: by default the one the text gives itself.
        config: normalization and chunking settings; defaults if None.

    Returns:
        The normalized text with its sections and blocks, and the chunks as spans of it.

    Raises:
        Rejected: if the text cannot become a document, e.g. ``empty``; see ``pipeline.rejections``.
    """
    from pipeline.normalized_text import normalize_text
    from pipeline.normalized_text.settings import NormalizationSettings

    normalized = normalize_text(
        text,
        source_format=source_format,
        document_id=document_id or short_id("doc", source_format, text),
        title=title,
        settings=config.normalization if config else NormalizationSettings(),
    )
    settings = config.chunking if config else ChunkingSettings()
    return cut(normalized, plan_document(normalized, settings), settings)

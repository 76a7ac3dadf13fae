"""The five stages over documents, bound to a store and the settings in force."""

from __future__ import annotations

from pipeline.chunk_plans.stage import ChunkPlansStage
from pipeline.chunks.stage import ChunksStage
from pipeline.config import Config
from pipeline.discovery import known_sources
from pipeline.documents.originals import Originals
from pipeline.documents.sources import Source
from pipeline.documents.stage import DocumentsStage
from pipeline.extractions.model import Extractor
from pipeline.extractions.stage import CallCounts, ExtractionsStage
from pipeline.home import Home
from pipeline.incremental import Stage
from pipeline.normalized_text.stage import NormalizedTextStage
from pipeline.storage.store import Store
from pipeline.workers import Workers


def documents_stage(store: Store, home: Home, config: Config, settle_seconds: float = 0.0) -> DocumentsStage:
    """Reads the files of the home's sources; those written less than ``settle_seconds`` ago wait."""
    sources = _sources(store)
    return DocumentsStage(store, sources, home.blobs, config.documents, config.normalization, settle_seconds)


def normalized_text_stage(store: Store, home: Home, config: Config, workers: Workers) -> NormalizedTextStage:
    """Normalizes the documents' bytes."""
    originals = Originals(_sources(store), home.blobs, config.normalization)
    return NormalizedTextStage(store, originals, config.normalization, config.chunking.tokenizer, workers)


def chunk_plans_stage(store: Store, config: Config) -> ChunkPlansStage:
    """Chooses each document's plan."""
    return ChunkPlansStage(store, config.chunking)


def chunks_stage(store: Store, config: Config, workers: Workers) -> ChunksStage:
    """Cuts the texts."""
    return ChunksStage(store, config.chunking, workers)


def extractions_stage(
    store: Store, extractor: Extractor, workers: Workers, calls: CallCounts
) -> ExtractionsStage:
    """Reads the chunks; ``calls`` counts how many were read and how many were known."""
    return ExtractionsStage(store, extractor, workers, calls)


def document_stages(
    store: Store, home: Home, config: Config, workers: Workers, extractor: Extractor
) -> tuple[Stage, ...]:
    """All five, in the order of the flow."""
    return (
        documents_stage(store, home, config),
        normalized_text_stage(store, home, config, workers),
        chunk_plans_stage(store, config),
        chunks_stage(store, config, workers),
        extractions_stage(store, extractor, workers, CallCounts()),
    )


def _sources(store: Store) -> dict[str, Source]:
    return {source.name: source for source in known_sources(store)}

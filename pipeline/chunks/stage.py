"""The chunks asset: each document's extraction units, with their seams and headers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

from pipeline.chunk_plans.model import ChunkPlan
from pipeline.chunk_plans.settings import ChunkingSettings
from pipeline.chunk_plans.stage import from_row
from pipeline.chunks import cut
from pipeline.chunks.model import Chunk
from pipeline.chunks.quality import ChunkQuality, measure
from pipeline.incremental import Processed
from pipeline.normalized_text.model import NormalizedText
from pipeline.normalized_text.rows import from_rows
from pipeline.storage.rows import (
    BlockRow,
    ChunkPlanRow,
    ChunkQualityRow,
    ChunkRow,
    NormalizedTextRow,
    Row,
    SectionRow,
)
from pipeline.storage.store import Store
from pipeline.workers import Workers


@dataclass(frozen=True, slots=True)
class CuttingTask:
    """What a worker needs to cut one document."""

    text: NormalizedText
    plan: ChunkPlan
    settings: ChunkingSettings


@dataclass(frozen=True, slots=True)
class ChunksStage:
    """Cuts documents in worker processes."""

    store: Store
    settings: ChunkingSettings
    workers: Workers

    asset: ClassVar[str] = "chunks"
    upstream: ClassVar[str | None] = "chunk_plans"
    code_version: ClassVar[str] = "2"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The version of the text; the plan's version is the upstream's."""
        texts = self.store.ledger("normalized_text")
        return {key: texts[key].output for key in document_ids if key in texts}

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """The chunks of each document; none where it has no text."""
        with self.store.connect(read_only=True):
            texts = self.store.load(NormalizedTextRow, document_ids)
            sections = self.store.load(SectionRow, document_ids)
            blocks = self.store.load(BlockRow, document_ids)
            plans = self.store.load(ChunkPlanRow, document_ids)
        tasks = []
        for key in document_ids:
            if plans[key]:
                text = from_rows(texts[key][0], sections[key], blocks[key])
                tasks.append(CuttingTask(text, from_row(plans[key][0]), self.settings))
            else:
                yield Processed(key, ())
        for done in self.workers.map(cut_document, tasks):
            yield Processed(done.item.text.document_id, done.result)


def cut_document(task: CuttingTask) -> tuple[Row, ...]:
    """The chunk rows of one document, and how well it was cut."""
    chunked = cut(task.text, task.plan, task.settings)
    chunks = tuple(to_row(chunked.document_id, chunk) for chunk in chunked.chunks)
    return (*chunks, to_quality_row(chunked.document_id, measure(chunked)))


def to_quality_row(document_id: str, quality: ChunkQuality) -> ChunkQualityRow:
    """A document's quality as its row."""
    values = {field.name: getattr(quality, field.name) for field in fields(quality)}
    exemptions = json.dumps(dict(quality.exemptions), sort_keys=True)
    return ChunkQualityRow(document_id=document_id, **{**values, "exemptions": exemptions})


def to_row(document_id: str, chunk: Chunk) -> ChunkRow:
    """A chunk as its row."""
    return ChunkRow(
        document_id=document_id,
        chunk_id=chunk.chunk_id,
        ordinal=chunk.index,
        level=chunk.level,
        parent_id=chunk.parent_id,
        section_id=chunk.section_id,
        section_path=chunk.section_path,
        body_start=chunk.body.start,
        body_end=chunk.body.end,
        carried_start=chunk.carried.start if chunk.carried else None,
        carried_end=chunk.carried.end if chunk.carried else None,
        header=chunk.header,
        header_tokens=chunk.header_tokens,
        antecedents=chunk.antecedents,
        tokens=chunk.tokens,
        content_key=chunk.content_key,
        atomic=chunk.atomic,
        oversize=chunk.oversize,
        floor_entities=chunk.floor.entities,
        floor_predicates=chunk.floor.predicates,
        floor_passed=chunk.floor.passed,
        seam_kind=chunk.seam.kind,
        carried_tokens=chunk.seam.carried_tokens,
        overlap_ratio=chunk.seam.ratio,
        exemption=chunk.seam.exemption,
        dangling=chunk.seam.dangling,
        severed=chunk.seam.severed,
    )


def describe_quality(store: Store, document_ids: Sequence[str]) -> Mapping[str, Mapping[str, int | float]]:
    """How well each document was cut, in the numbers that people look at."""
    return {
        key: {
            "chunks": row.chunks,
            "seams": row.seams,
            "in_band": round(row.band_compliance, 4),
            "dangling": row.dangling,
            "atomic_splits": row.atomic_splits,
            "below_floor": row.below_floor,
            "severed": round(row.severed, 4),
            "duplication": round(row.duplication, 4),
        }
        for key, rows in store.load(ChunkQualityRow, document_ids).items()
        for row in rows
    }

"""One frozen dataclass for each table; its fields are the table's columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class DocumentRow:
    table: ClassVar[str] = "documents"
    document_id: str
    source: str
    path: str
    version: str
    loader: str | None
    source_format: str | None
    size_bytes: int
    modified_at: str | None
    access_labels: tuple[str, ...]
    rejection: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class NormalizedTextRow:
    table: ClassVar[str] = "normalized_text"
    document_id: str
    version: str
    text: str | None
    token_count: int | None
    title: str | None
    loader: str | None
    source_format: str | None
    family: str | None
    bom: str | None
    newline: str | None
    unicode_form: str | None
    metadata: str | None
    warnings: str | None
    rejection: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class SectionRow:
    table: ClassVar[str] = "sections"
    document_id: str
    section_id: str
    parent_id: str | None
    ordinal: int
    title: str
    level: int
    path: tuple[str, ...]
    span_start: int
    span_end: int


@dataclass(frozen=True, slots=True)
class BlockRow:
    table: ClassVar[str] = "blocks"
    document_id: str
    ordinal: int
    kind: str
    section_id: str
    level: int
    title: str | None
    language: str | None
    caption: str | None
    speaker: str | None
    spoken_at: str | None
    lead_in: bool
    cells: str | None
    line_start: int | None
    line_end: int | None
    page: int | None
    box: tuple[float, ...] | None
    confidence: float | None
    span_start: int
    span_end: int


@dataclass(frozen=True, slots=True)
class ChunkPlanRow:
    table: ClassVar[str] = "chunk_plans"
    document_id: str
    rule: str
    strategy: str
    tier: str
    token_count: int
    settings: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ChunkRow:
    table: ClassVar[str] = "chunks"
    document_id: str
    chunk_id: str
    ordinal: int
    level: int
    parent_id: str | None
    section_id: str
    section_path: tuple[str, ...]
    body_start: int
    body_end: int
    carried_start: int | None
    carried_end: int | None
    header: str
    header_tokens: int
    antecedents: tuple[str, ...]
    tokens: int
    content_key: str
    atomic: bool
    oversize: bool
    floor_entities: int
    floor_predicates: int
    floor_passed: bool
    seam_kind: str
    carried_tokens: int
    overlap_ratio: float
    exemption: str | None
    dangling: bool
    severed: float


@dataclass(frozen=True, slots=True)
class ChunkQualityRow:
    table: ClassVar[str] = "chunk_quality"
    document_id: str
    chunks: int
    parents: int
    seams: int
    severed: float
    band_compliance: float
    exemptions: str
    dangling: int
    atomic_splits: int
    headers_present: float
    below_floor: int
    oversize: int
    size_quantiles: tuple[int, ...]
    duplication: float
    duplication_with_headers: float


@dataclass(frozen=True, slots=True)
class ChunkExtractionRow:
    table: ClassVar[str] = "chunk_extractions"
    document_id: str
    chunk_id: str
    memo_key: str
    extractor: str
    model: str
    rejections: str


@dataclass(frozen=True, slots=True)
class MentionRow:
    table: ClassVar[str] = "mentions"
    document_id: str
    mention_id: str
    chunk_id: str
    span_start: int
    span_end: int
    surface: str
    type: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    table: ClassVar[str] = "claims"
    document_id: str
    claim_id: str
    chunk_id: str
    subject_id: str
    object_id: str | None
    literal_start: int | None
    literal_end: int | None
    predicate: str
    relation: str
    predicate_start: int
    predicate_end: int
    evidence_start: int
    evidence_end: int
    polarity: str
    modality: str
    attribution: str | None
    valid_time: str | None
    pattern: str
    confidence: float
    outcome: str


@dataclass(frozen=True, slots=True)
class EntityRow:
    table: ClassVar[str] = "entities"
    entity_id: str
    name: str
    key: str
    type: str
    mentions: int
    documents: int


@dataclass(frozen=True, slots=True)
class MentionEntityRow:
    table: ClassVar[str] = "mention_entities"
    mention_id: str
    document_id: str
    entity_id: str
    method: str
    score: float


@dataclass(frozen=True, slots=True)
class EdgeRow:
    table: ClassVar[str] = "edges"
    edge_id: str
    subject_id: str
    relation: str
    object_id: str
    support: int
    documents: int


@dataclass(frozen=True, slots=True)
class EdgeClaimRow:
    table: ClassVar[str] = "edge_claims"
    edge_id: str
    claim_id: str
    document_id: str


DocumentTableRow = (
    DocumentRow
    | NormalizedTextRow
    | SectionRow
    | BlockRow
    | ChunkPlanRow
    | ChunkRow
    | ChunkQualityRow
    | ChunkExtractionRow
    | MentionRow
    | ClaimRow
)
"""A row that belongs to one document."""

Row = DocumentTableRow | EntityRow | MentionEntityRow | EdgeRow | EdgeClaimRow

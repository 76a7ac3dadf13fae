"""Chunks are spans of the normalized text; their text is derived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.chunk_plans.model import ChunkPlan
from pipeline.normalized_text.model import Block, Section
from pipeline.spans import Span

SeamKind = Literal["start", "sentence", "paragraph", "section", "atomic", "oversize"]
Exemption = Literal["atomic_neighbour", "section_start", "unsplittable_sentence", "short_previous"]


@dataclass(frozen=True, slots=True)
class Seam:
    """The boundary at which a chunk's body starts.

    ``kind`` ``start`` is the document's own beginning. ``ratio`` is carried tokens over target tokens.
    ``exemption`` says why a ratio lies outside the overlap band; None where it lies inside or none is owed.
    ``severed`` is the link strength that the seam cuts and no carried text keeps.
    """

    kind: SeamKind
    carried_tokens: int = 0
    ratio: float = 0.0
    exemption: Exemption | None = None
    dangling: bool = False
    severed: float = 0.0


@dataclass(frozen=True, slots=True)
class Floor:
    """Whether a chunk can hold an edge at all: at least two entities and one predicate, by cheap probes."""

    entities: int
    predicates: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """An extraction unit.

    ``body`` is new text, ``carried`` the overlap that directly precedes it (``carried.end == body.start``).
    Bodies of level 0 tile the text. ``level`` 1 chunks are parents (whole sections) in the hierarchical
    tier and are never extracted. ``parent_id`` is the ``chunk_id`` of the level-1 parent, else None.
    ``tokens`` counts carried and body, ``header_tokens`` the header. ``content_key`` hashes header and
    text, so that an unchanged chunk is known again after an edit elsewhere. ``atomic`` says the body
    holds a table or code block; ``oversize`` that it is larger than the tier's hard maximum. ``sentences``
    tile the body in the tier ``whole``, where extraction reads one after the other; elsewhere it is empty.
    """

    chunk_id: str
    index: int
    level: int
    parent_id: str | None
    section_id: str
    section_path: tuple[str, ...]
    body: Span
    carried: Span | None
    header: str
    header_tokens: int
    antecedents: tuple[str, ...]
    tokens: int
    content_key: str
    seam: Seam
    floor: Floor
    atomic: bool = False
    oversize: bool = False
    sentences: tuple[Span, ...] = ()

    @property
    def span(self) -> Span:
        """Carried and body together: what the extractor reads after the header."""
        return Span(self.carried.start if self.carried else self.body.start, self.body.end)

    @property
    def overlap_ratio(self) -> float:
        """Carried tokens over target tokens."""
        return self.seam.ratio


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document cut into chunks, with everything needed to explain the cuts."""

    document_id: str
    text: str
    token_count: int
    plan: ChunkPlan
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    chunks: tuple[Chunk, ...]

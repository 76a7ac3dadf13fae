"""One immutable text of a document version, with typed blocks and a section tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pipeline.spans import Span

BlockKind = Literal[
    "heading",
    "paragraph",
    "list_item",
    "table",
    "code",
    "quote",
    "formula",
    "figure",
    "caption",
    "front_matter",
    "html",
    "chat_turn",
]

ATOMIC_KINDS: frozenset[BlockKind] = frozenset({"table", "code"})
"""Blocks that no chunk boundary may cut."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell. ``row_headers`` and ``column_headers`` name it; merged cells are filled in."""

    row: int
    column: int
    text: str
    is_header: bool = False
    row_headers: tuple[str, ...] = ()
    column_headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands in the source: lines (1-based, inclusive) or page (1-based) and box.

    ``confidence`` (0 to 1) is set where the text was read from a picture.
    """

    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    box: tuple[float, float, float, float] | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A typed stretch of the text. ``span`` are code points of ``NormalizedText.text``.

    ``level`` is the heading level, or the depth of a list item (1 = outermost), else 0.
    ``title`` is a heading's text without markup; ``language`` that of a code block;
    ``lead_in`` marks a paragraph that introduces the list, table or code right after it.
    """

    kind: BlockKind
    span: Span
    section_id: str
    level: int = 0
    title: str | None = None
    language: str | None = None
    cells: tuple[Cell, ...] = ()
    caption: str | None = None
    speaker: str | None = None
    timestamp: str | None = None
    lead_in: bool = False
    place: Place = Place()

    @property
    def atomic(self) -> bool:
        """Whether the block must never be split."""
        return self.kind in ATOMIC_KINDS


@dataclass(frozen=True, slots=True)
class Section:
    """A node of the section tree.

    ``span`` covers the heading, its text and all subsections. The id comes from the document id and
    the path of titles with an ordinal among equal ones, so that edits elsewhere leave it alone.
    The root section (level 0, no parent, empty title) covers the whole text, preface included.
    """

    section_id: str
    parent_id: str | None
    title: str
    level: int
    path: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Warning:
    """A defect that was noticed and survived, e.g. ``unclosed_fence``."""

    code: str
    detail: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """The text every later offset refers to, and its structure.

    ``blocks`` are in text order, do not overlap, and cover all text that is not blank.
    ``sections`` are in text order, the root first.
    """

    document_id: str
    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    title: str | None = None
    loader: str = "text"
    source_format: str = "text"
    family: Literal["prose", "record"] = "prose"
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Warning, ...] = ()

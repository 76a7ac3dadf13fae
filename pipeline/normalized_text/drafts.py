"""What a loader hands over: a text and its blocks, before sections, lines and gaps are worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from pipeline.normalized_text.model import BlockKind, Cell, Warning


@dataclass(slots=True)
class Draft:
    """A block in the making; ``start`` and ``end`` are code points of the loader's text.

    ``page`` is 1-based and ``box`` is (left, top, right, bottom) in points from the page's top left.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str | None = None
    language: str | None = None
    cells: tuple[Cell, ...] = ()
    caption: str | None = None
    speaker: str | None = None
    timestamp: str | None = None
    page: int | None = None
    box: tuple[float, float, float, float] | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One file as a loader gets it: its bytes and, for text formats, its cleaned characters (else empty)."""

    data: bytes
    text: str
    file_name: str
    source_format: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A loader's result. Drafts are in text order and do not overlap; gaps between them are allowed."""

    text: str
    drafts: list[Draft]
    title: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Warning, ...] = ()
    family: Literal["prose", "record"] = "prose"
    has_lines: bool = True

    def shifted(self, prefix: str) -> Parsed:
        """The same with ``prefix`` before the text."""
        offset = len(prefix)
        drafts = [replace(draft, start=draft.start + offset, end=draft.end + offset) for draft in self.drafts]
        warnings = tuple(
            replace(warning, span=warning.span.shift(offset)) if warning.span else warning
            for warning in self.warnings
        )
        return replace(self, text=prefix + self.text, drafts=drafts, warnings=warnings)

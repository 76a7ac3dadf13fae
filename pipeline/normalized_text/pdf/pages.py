"""What a page is made of: words and ruling lines, with boxes in points from the page's top left."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Box = tuple[float, float, float, float]

_BOLD = re.compile(r"bold|black|heavy|demi|cmbx")
_MONOSPACED = re.compile(r"mono|nimbusmon|courier|consol|menlo|typewriter|fixed|cmtt|sftt")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its edges; ``size`` is its glyph height in points, ``confidence`` 1 unless OCR read it."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool = False
    monospaced: bool = False
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal or vertical ruling line: ``at`` is its y (or x), ``start`` and ``end`` its extent."""

    horizontal: bool
    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its 1-based number, size in points, words and ruling lines."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Rule, ...]
    has_pictures: bool = False


def enclosing_box(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def box_of(words: Iterable[Word]) -> Box:
    """The smallest box around words."""
    return enclosing_box((word.left, word.top, word.right, word.bottom) for word in words)


def page_from_parser(number: int, parsed: Any) -> Page:
    """A page of docling-parse (``SegmentedPdfPage``), its origin moved to the top left."""
    height = parsed.dimension.height
    words = []
    for cell in parsed.word_cells:
        if not cell.text.strip():
            continue
        box = cell.rect.to_bounding_box().to_top_left_origin(height)
        font = cell.font_name.lower()
        bold, monospaced = _BOLD.search(font) is not None, _MONOSPACED.search(font) is not None
        words.append(Word(cell.text.strip(), box.l, box.t, box.r, box.b, box.b - box.t, bold, monospaced))
    rules = tuple(rule for shape in parsed.shapes for rule in _rules_of(shape, height))
    return Page(
        number,
        parsed.dimension.width,
        height,
        tuple(words),
        rules,
        has_pictures=bool(parsed.bitmap_resources),
    )


_STRAIGHT = 1.0
_SHORTEST = 4.0


def _rules_of(shape: Any, height: float) -> list[Rule]:
    """The straight edges of a drawn path; a thin filled rectangle counts as the line it looks like."""
    points = [(point.x, height - point.y) for point in shape.points]
    rules = []
    for (x0, y0), (x1, y1) in pairwise(points):
        if abs(y0 - y1) <= _STRAIGHT and abs(x0 - x1) >= _SHORTEST:
            rules.append(Rule(True, (y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x0 - x1) <= _STRAIGHT and abs(y0 - y1) >= _SHORTEST:
            rules.append(Rule(False, (x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    return rules

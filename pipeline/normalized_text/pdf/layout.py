"""From pages to elements in reading order: headings, paragraphs, list items and ruled tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from pipeline.normalized_text.grids import GridCell
from pipeline.normalized_text.pdf.furniture import split_furniture
from pipeline.normalized_text.pdf.pages import Box, Page, Word, enclosing_box
from pipeline.normalized_text.pdf.reading_order import Line, order_lines
from pipeline.normalized_text.pdf.ruled_tables import RuledTable, find_ruled_tables

_BULLET = re.compile(r"([•●▪■◦○‣∙·–—*-]|\uf0b7)\s+(?=\S)")
_ENUMERATOR = re.compile(r"(\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)")
_NUMBERED = re.compile(
    r"(?:(?:chapter|section|appendix)\s+)?(\d{1,2}(?:\.\d{1,2}){0,5})\.?\s+\S", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_HEADING_GROWTH = 1.12
_SAME_SIZE = 0.08
_PARAGRAPH_GAP = 1.3
_INDENT = 0.9
_LONGEST_HEADING = 200


@dataclass(slots=True)
class Element:
    """A block of a page: its lines until text is made of them, or a table's cells."""

    kind: Literal["heading", "paragraph", "list_item", "table"]
    page: int
    box: Box
    lines: list[Line] = field(default_factory=list)
    cells: tuple[GridCell, ...] = ()
    level: int = 0
    marker: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """All elements in reading order, and the running texts with the pages they stood on."""

    elements: tuple[Element, ...]
    furniture: dict[str, list[int]]


def lay_out(pages: Sequence[Page]) -> Layout:
    """The elements of a document.

    A heading is larger than the body text, or bold, or numbered and on its own; its level is the rank of
    its (size, numbering depth) among the document's headings. Paragraphs end at wider gaps, at indented
    first lines, and where a list marker begins; they go on across columns and pages when the sentence does.
    """
    kept, furniture = split_furniture(pages)
    flows: list[tuple[Page, list[Line | RuledTable]]] = []
    for page, words in zip(pages, kept, strict=True):
        tables = find_ruled_tables(page.rules, words)
        outside = [word for word in words if not any(_stands_in(word, table.box) for table in tables)]
        flows.append((page, _with_tables(order_lines(outside), tables)))
    body_size = _body_size([item for _, flow in flows for item in flow if isinstance(item, Line)])
    elements: list[Element] = []
    for page, flow in flows:
        elements += _group(page, flow, body_size)
    elements = _continue_paragraphs(elements)
    _rank_headings(elements)
    _rank_items(elements)
    return Layout(tuple(elements), furniture)


def _stands_in(word: Word, box: Box) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _with_tables(lines: list[Line], tables: list[RuledTable]) -> list[Line | RuledTable]:
    """Tables put where they stand: after the last line of their column that is above them."""
    flow: list[Line | RuledTable] = list(lines)
    for table in tables:
        above = [index for index, item in enumerate(flow) if _stands_above(item, table)]
        flow.insert(above[-1] + 1 if above else _first_below(flow, table), table)
    return flow


def _stands_above(item: Line | RuledTable, table: RuledTable) -> bool:
    column = item.column if isinstance(item, Line) else item.box
    return item.box[3] <= table.box[1] + 2 and column[0] < table.box[2] and table.box[0] < column[2]


def _first_below(flow: list[Line | RuledTable], table: RuledTable) -> int:
    below = (index for index, item in enumerate(flow) if item.box[1] >= table.box[1])
    return next(below, len(flow))


def _body_size(lines: list[Line]) -> float:
    """The glyph height most characters have."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size * 2) / 2] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def _group(page: Page, flow: list[Line | RuledTable], body_size: float) -> list[Element]:
    pitch = _pitch([item for item in flow if isinstance(item, Line)])
    elements: list[Element] = []
    previous: Line | None = None
    for item in flow:
        if isinstance(item, RuledTable):
            elements.append(Element("table", page.number, item.box, cells=item.cells))
            previous = None
            continue
        if previous is not None and _continues(elements[-1], previous, item, pitch, body_size):
            elements[-1].lines.append(item)
            elements[-1].box = enclosing_box((elements[-1].box, item.box))
        else:
            elements.append(_begin(page, item, body_size))
        previous = item
    for element in elements:
        if element.kind == "paragraph" and _is_numbered_heading(element):
            element.kind = "heading"
    return elements


def _pitch(lines: list[Line]) -> float:
    """The usual distance of baselines inside of a paragraph, as a multiple of the glyph height."""
    steps = [
        (second.baseline - first.baseline) / first.size
        for first, second in pairwise(lines)
        if 0 < second.baseline - first.baseline <= 2.2 * first.size and _same_size(first, second)
    ]
    return median(steps) if steps else 1.2


def _same_size(one: Line, other: Line) -> bool:
    return abs(one.size - other.size) <= _SAME_SIZE * max(one.size, other.size)


def _begin(page: Page, line: Line, body_size: float) -> Element:
    if _looks_like_heading(line, body_size):
        return Element("heading", page.number, line.box, [line])
    marker = _BULLET.match(line.text) or _ENUMERATOR.match(line.text)
    if marker:
        return Element("list_item", page.number, line.box, [line], marker=marker[1])
    return Element("paragraph", page.number, line.box, [line])


def _looks_like_heading(line: Line, body_size: float) -> bool:
    if not any(character.isalpha() for character in line.text):
        return False
    if line.size >= _HEADING_GROWTH * body_size:
        return True
    return line.bold and line.size >= 0.95 * body_size and not _SENTENCE_END.search(line.text)


def _is_numbered_heading(element: Element) -> bool:
    """A numbered line on its own, such as ``2.1 Scope``, without a sentence's end."""
    text = element.lines[0].text
    return (
        len(element.lines) == 1
        and len(text) <= 80
        and re.match(r"\d{1,2}(\.\d{1,2}){1,5}\s+[^\W\d_]", text) is not None
        and not _SENTENCE_END.search(text)
    )


def _continues(element: Element, previous: Line, line: Line, pitch: float, body_size: float) -> bool:
    """Whether ``line`` belongs to the block that ends with ``previous``."""
    if not _same_size(previous, line) or previous.column != line.column:
        return False
    step = (line.baseline - previous.baseline) / previous.size
    if element.kind == "heading":
        same_look = previous.bold == line.bold and _looks_like_heading(line, body_size)
        long = sum(len(part.text) for part in element.lines) > _LONGEST_HEADING
        return same_look and 0 < step <= 1.6 and not _NUMBERED.match(line.text) and not long
    if _looks_like_heading(line, body_size) or not 0 < step <= _PARAGRAPH_GAP * pitch:
        return False
    if _BULLET.match(line.text) or (element.kind == "list_item" and _ENUMERATOR.match(line.text)):
        return False
    indent = line.box[0] - previous.box[0]
    if element.kind == "list_item":
        marker, *words = element.lines[0].words
        hangs = bool(words) and line.box[0] >= words[0].left - 2
        return hangs or (line.box[0] >= marker.left - 1 and step <= 1.1 * pitch)
    first_line = len(element.lines) == 1
    return not (indent > _INDENT * line.size and not first_line) and not (
        indent > _INDENT * line.size and first_line and _SENTENCE_END.search(previous.text)
    )


def _continue_paragraphs(elements: list[Element]) -> list[Element]:
    """Join a paragraph cut by the end of a column or page with the rest of its sentence."""
    joined: list[Element] = []
    for element in elements:
        last = joined[-1] if joined else None
        if last is not None and element.kind == "paragraph" and last.kind in ("paragraph", "list_item"):
            moved = element.page != last.page or element.box[1] < last.box[3]
            open_sentence = not _SENTENCE_END.search(last.lines[-1].text)
            if moved and open_sentence and element.lines[0].text[:1].islower():
                last.lines += element.lines
                continue
        joined.append(element)
    return joined


def _rank_headings(elements: list[Element]) -> None:
    headings = [element for element in elements if element.kind == "heading"]
    sizes = _clusters(sorted({round(element.lines[0].size, 1) for element in headings}, reverse=True))
    keys = []
    for element in headings:
        numbered = _NUMBERED.match(element.lines[0].text)
        depth = numbered[1].count(".") if numbered else 0
        keys.append((sizes[round(element.lines[0].size, 1)], depth))
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)), start=1)}
    for element, key in zip(headings, keys, strict=True):
        element.level = ranks[key]


def _clusters(sizes: list[float]) -> dict[float, int]:
    """Rank of each size, sizes that differ by less than 8 % being one."""
    ranks: dict[float, int] = {}
    rank, reference = 0, 0.0
    for size in sizes:
        if not ranks or size < reference * (1 - _SAME_SIZE):
            rank, reference = rank + 1, size
        ranks[size] = rank
    return ranks


def _rank_items(elements: list[Element]) -> None:
    """Depth of list items from their indentation inside of one run of items."""
    lefts: list[float] = []
    for element in elements:
        if element.kind != "list_item":
            lefts = []
            continue
        left = element.lines[0].box[0]
        lefts = [edge for edge in lefts if edge < left - 3] + [left]
        element.level = len(lefts)

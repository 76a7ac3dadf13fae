"""From pages to elements in reading order: headings, paragraphs, list items and ruled tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.normalized_text.pdf.elements import (
    SAME_SIZE,
    SENTENCE_END,
    Element,
    continue_paragraphs,
    continue_tables,
    same_size,
)
from pipeline.normalized_text.pdf.furniture import split_furniture
from pipeline.normalized_text.pdf.monospaced import character_width, has_width
from pipeline.normalized_text.pdf.pages import Box, Page, Word, enclosing_box
from pipeline.normalized_text.pdf.reading_order import Flow, Line, order_lines
from pipeline.normalized_text.pdf.ruled_tables import RuledTable, find_ruled_tables

_BULLET = re.compile(r"([•●▪■◦○‣∙·–—*-]|\uf0b7)\s+(?=\S)")
_ENUMERATOR = re.compile(r"(\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)")
_NUMBERED = re.compile(
    r"(?:(?:chapter|section|appendix)\s+)?(\d{1,2}(?:\.\d{1,2}){0,5})\.?\s+\S", re.IGNORECASE
)
_LEADER = re.compile(r"(?:\.\s?){5}|…{2}|_{5}")
_HEADING_GROWTH = 1.12
_PARAGRAPH_GAP = 1.25
_USUAL_PITCH = 1.3
_WIDEST_PITCH = 2.6
_CODE_GAP = 4.0
_INDENT = 0.9
_LONGEST_HEADING = 200


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
    flows: list[tuple[Page, list[Flow]]] = []
    for page, words in zip(pages, kept, strict=True):
        tables = find_ruled_tables(page.rules, words)
        outside = [word for word in words if not any(_stands_in(word, table.box) for table in tables)]
        flows.append((page, order_lines(outside, tables)))
    by_page = [[item for item in flow if isinstance(item, Line)] for _, flow in flows]
    body_size = _body_size([line for lines in by_page for line in lines])
    pitch = _pitch(by_page)
    elements: list[Element] = []
    for page, flow in flows:
        elements += _group(page, flow, body_size, pitch)
    elements = continue_tables(continue_paragraphs(elements))
    _rank_headings(elements)
    _rank_items(elements)
    return Layout(tuple(elements), furniture)


def _stands_in(word: Word, box: Box) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _body_size(lines: list[Line]) -> float:
    """The glyph height most characters have."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size * 2) / 2] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def _group(page: Page, flow: list[Flow], body_size: float, pitch: float) -> list[Element]:
    elements: list[Element] = []
    previous: Line | None = None
    for item in flow:
        if isinstance(item, RuledTable):
            elements.append(Element("table", page.number, item.box, cells=item.cells, columns=item.columns))
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


def _pitch(pages: list[list[Line]]) -> float:
    """The distance of baselines inside of paragraphs, as a multiple of the glyph height.

    It is among the smallest steps from line to line: the larger ones are those between paragraphs.
    """
    steps = sorted(
        (second.baseline - first.baseline) / first.size
        for lines in pages
        for first, second in pairwise(lines)
        if 0 < second.baseline - first.baseline <= 3 * first.size and same_size(first, second)
    )
    return min(steps[len(steps) // 5], _WIDEST_PITCH) if steps else _USUAL_PITCH


def _begin(page: Page, line: Line, body_size: float) -> Element:
    width = character_width(line)
    if width is not None:
        return Element("code", page.number, line.box, [line], character_width=width)
    if _looks_like_heading(line, body_size):
        return Element("heading", page.number, line.box, [line])
    marker = _BULLET.match(line.text) or _ENUMERATOR.match(line.text)
    if marker:
        return Element("list_item", page.number, line.box, [line], marker=marker[1])
    return Element("paragraph", page.number, line.box, [line])


def _looks_like_heading(line: Line, body_size: float) -> bool:
    has_words = any(character.isalpha() for character in line.text)
    return has_words and not _LEADER.search(line.text) and _stands_out(line, body_size)


def _stands_out(line: Line, body_size: float) -> bool:
    if line.size >= _HEADING_GROWTH * body_size:
        return True
    return line.bold and line.size >= 0.95 * body_size and not SENTENCE_END.search(line.text)


def _is_numbered_heading(element: Element) -> bool:
    """A numbered line on its own, such as ``2.1 Scope``, without a sentence's end."""
    text = element.lines[0].text
    return (
        len(element.lines) == 1
        and len(text) <= 80
        and re.match(r"\d{1,2}(\.\d{1,2}){1,5}\s+[^\W\d_]", text) is not None
        and not SENTENCE_END.search(text)
    )


def _continues(element: Element, previous: Line, line: Line, pitch: float, body_size: float) -> bool:
    """Whether ``line`` belongs to the block that ends with ``previous``."""
    if not same_size(previous, line) or previous.column != line.column:
        return False
    step = (line.baseline - previous.baseline) / previous.size
    if element.kind == "code":
        return has_width(line, element.character_width) and 0 < step <= _CODE_GAP
    if character_width(line) is not None:
        return False
    if element.kind == "heading":
        same_look = previous.bold == line.bold and _stands_out(line, body_size)
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
    if _ends_paragraph(previous) and step > 1.1 * pitch:
        return False
    first_line = len(element.lines) == 1
    return not (indent > _INDENT * line.size and not first_line) and not (
        indent > _INDENT * line.size and first_line and SENTENCE_END.search(previous.text)
    )


def _ends_paragraph(line: Line) -> bool:
    """A line that ends a sentence and leaves a fifth of its column free."""
    width = line.column[2] - line.column[0]
    return SENTENCE_END.search(line.text) is not None and line.box[2] < line.column[2] - width / 5


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
        if not ranks or size < reference * (1 - SAME_SIZE):
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

"""Blocks of pages, and those that go on in the next column or on the next page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal

from pipeline.normalized_text.grids import GridCell
from pipeline.normalized_text.pdf.pages import Box
from pipeline.normalized_text.pdf.reading_order import Line

SENTENCE_END = re.compile(r"[.!?:;…][\"'”’)\]]*$")
SAME_SIZE = 0.08
_FULL_LINE = 0.2
_SAME_PLACE = 3.0


@dataclass(slots=True)
class Element:
    """A block of a page: its lines until text is made of them, or a table's cells and column positions.

    ``character_width`` is that of code, in points.
    """

    kind: Literal["heading", "paragraph", "list_item", "code", "table"]
    page: int
    box: Box
    lines: list[Line] = field(default_factory=list)
    cells: tuple[GridCell, ...] = ()
    columns: tuple[float, ...] = ()
    character_width: float = 0.0
    level: int = 0
    marker: str | None = None

    @property
    def confidence(self) -> float | None:
        """The mean confidence of its words where any of them was read from a picture."""
        scores = [word.confidence for line in self.lines for word in line.words]
        return round(fmean(scores), 3) if scores and min(scores) < 1.0 else None


def same_size(one: Line, other: Line) -> bool:
    """Whether two lines are set in the same size, give or take 8 %."""
    return abs(one.size - other.size) <= SAME_SIZE * max(one.size, other.size)


def continue_paragraphs(elements: list[Element]) -> list[Element]:
    """Join a paragraph cut by the end of a column or page with the rest of its sentence.

    The rest may begin with a number and a full stop, which looked like the number of an item.
    """
    joined: list[Element] = []
    for element in elements:
        last = joined[-1] if joined else None
        may_go_on = element.kind == "paragraph" or (element.marker or "-")[0].isalnum()
        if last is not None and may_go_on and element.lines and last.kind in ("paragraph", "list_item"):
            moved = element.page != last.page or element.box[1] < last.box[3]
            if moved and _breaks_off(last.lines[-1], element.lines[0]):
                last.lines += element.lines
                continue
        joined.append(element)
    return joined


def _breaks_off(line: Line, following: Line) -> bool:
    """Whether a sentence runs from the last line of one column into the first line of the next."""
    if SENTENCE_END.search(line.text) or not same_size(line, following):
        return False
    width = line.column[2] - line.column[0]
    return following.text[:1].islower() or line.box[2] >= line.column[2] - _FULL_LINE * width


def continue_tables(elements: list[Element]) -> list[Element]:
    """Join a table cut by the end of a column or page with its rest: the same width, and no column line that
    the table lacks. A head row repeated at the top of the rest is left out. A frame of one cell that
    continues no table is a paragraph.
    """
    joined: list[Element] = []
    for element in elements:
        last = joined[-1] if joined else None
        if last is not None and last.kind == element.kind == "table" and _goes_on(last, element):
            last.cells += _rows_of_rest(last, element)
            continue
        joined.append(element)
    for element in joined:
        if element.kind == "table" and len(element.cells) == 1:
            element.kind = "paragraph"
    return joined


def _goes_on(table: Element, rest: Element) -> bool:
    moved = rest.page != table.page or rest.box[1] < table.box[3] - _SAME_PLACE
    widths = (table.box[2] - table.box[0], rest.box[2] - rest.box[0])
    return moved and _same_place(*widths) and None not in _column_numbers(table, rest)


def _same_place(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME_PLACE


def _column_numbers(table: Element, rest: Element) -> list[int | None]:
    """For each column line of ``rest``, which line of ``table`` it is, counted from the left edges."""
    lines = [position - table.columns[0] for position in table.columns]
    return [
        next((i for i, line in enumerate(lines) if _same_place(line, position - rest.columns[0])), None)
        for position in rest.columns
    ]


def _rows_of_rest(table: Element, rest: Element) -> tuple[GridCell, ...]:
    numbers = [number or 0 for number in _column_numbers(table, rest)]
    skipped = 1 if _first_row(table) == _first_row(rest) else 0
    offset = max(cell.row + cell.row_span for cell in table.cells) - skipped
    return tuple(
        GridCell(
            cell.row + offset,
            numbers[cell.column],
            cell.text,
            is_header=False,
            row_span=cell.row_span,
            column_span=numbers[cell.column + cell.column_span] - numbers[cell.column],
        )
        for cell in rest.cells
        if cell.row >= skipped
    )


def _first_row(table: Element) -> list[str]:
    return [cell.text for cell in table.cells if cell.row == 0]

"""Tables whose cells are drawn with ruling lines.

Lines that touch form one grid; each cell of the grid that no line separates from its neighbour is merged
with it. The method is that of Nurminen, "Algorithmic extraction of data in tables in PDF documents" (2013),
without its handling of tables that have no lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.normalized_text.grids import GridCell
from pipeline.normalized_text.pdf.pages import Box, Rule, Word

_TOUCH = 3.0
_MAX_RULES = 5_000


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table on a page with its cells; the words in its box are in the cells.

    ``columns`` are the x positions of its vertical lines.
    """

    box: Box
    cells: tuple[GridCell, ...]
    columns: tuple[float, ...]


def find_ruled_tables(rules: Sequence[Rule], words: Sequence[Word]) -> list[RuledTable]:
    """The tables of a page, top to bottom. Underlines, which form no grid, are none; a frame around one line
    is a table of one cell, because the last row of a table on the page before may look like that.

    Pages with more than 5,000 rules are drawings and have none.
    """
    if len(rules) > _MAX_RULES:
        return []
    tables = [table for group in _connected(rules) if (table := _table(group, words)) is not None]
    return sorted(tables, key=lambda table: (table.box[1], table.box[0]))


def _connected(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Groups of rules that touch each other, directly or through others."""
    owner = list(range(len(rules)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    across = [index for index, rule in enumerate(rules) if rule.horizontal]
    down = [index for index, rule in enumerate(rules) if not rule.horizontal]
    for i in across:
        for j in down:
            if _meet(rules[i], rules[j]):
                owner[root(i)] = root(j)
    groups: dict[int, list[Rule]] = {}
    for index, rule in enumerate(rules):
        groups.setdefault(root(index), []).append(rule)
    return list(groups.values())


def _meet(across: Rule, down: Rule) -> bool:
    return (
        across.start - _TOUCH <= down.at <= across.end + _TOUCH
        and down.start - _TOUCH <= across.at <= down.end + _TOUCH
    )


def _table(rules: list[Rule], words: Sequence[Word]) -> RuledTable | None:
    columns = _positions(rule.at for rule in rules if not rule.horizontal)
    rows = _positions(rule.at for rule in rules if rule.horizontal)
    width, height = len(columns) - 1, len(rows) - 1
    if width < 1 or height < 1:
        return None
    texts: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        column = bisect_right(columns, (word.left + word.right) / 2) - 1
        row = bisect_right(rows, (word.top + word.bottom) / 2) - 1
        if 0 <= row < height and 0 <= column < width:
            texts.setdefault((row, column), []).append(word)
    if len(texts) < min(2, width * height) or (width * height == 1 and len(_lines(texts[0, 0])) > 1):
        return None
    spans = _merged(rules, columns, rows)
    cells = []
    for (row, column), (row_span, column_span) in spans.items():
        inside = [
            word
            for i in range(row, row + row_span)
            for j in range(column, column + column_span)
            for word in texts.get((i, j), ())
        ]
        cells.append(GridCell(row, column, _cell_text(inside), row == 0, row_span, column_span))
    box = (columns[0], rows[0], columns[-1], rows[-1])
    return RuledTable(box, tuple(_with_second_head_row(cells)), tuple(columns))


def _positions(values: Iterable[float]) -> list[float]:
    """Distinct line positions: lines closer than the touching distance are one line drawn twice."""
    distinct: list[float] = []
    for value in sorted(values):
        if not distinct or value - distinct[-1] > _TOUCH:
            distinct.append(value)
    return distinct


def _merged(
    rules: list[Rule], columns: list[float], rows: list[float]
) -> dict[tuple[int, int], tuple[int, int]]:
    """For the first place of every cell, how many rows and columns it fills."""
    across = [rule for rule in rules if rule.horizontal]
    down = [rule for rule in rules if not rule.horizontal]
    walls_right = _walls(down, columns, rows)
    walls_below = _walls(across, rows, columns)
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    for row in range(len(rows) - 1):
        for column in range(len(columns) - 1):
            if (row, column) in taken:
                continue
            column_span = 1
            while column + column_span < len(columns) - 1 and (column + column_span, row) not in walls_right:
                column_span += 1
            row_span = 1
            while row + row_span < len(rows) - 1 and not any(
                (row + row_span, column + j) in walls_below for j in range(column_span)
            ):
                row_span += 1
            spans[row, column] = (row_span, column_span)
            taken.update((row + i, column + j) for i in range(row_span) for j in range(column_span))
    return spans


def _walls(rules: list[Rule], lines: list[float], gaps: list[float]) -> set[tuple[int, int]]:
    """(line, gap) pairs where a rule runs along the line through the middle of the gap."""
    walls: set[tuple[int, int]] = set()
    middles = [(start + end) / 2 for start, end in pairwise(gaps)]
    for rule in rules:
        line = max(bisect_right(lines, rule.at + _TOUCH) - 1, 0)
        first = bisect_right(middles, rule.start)
        last = bisect_right(middles, rule.end)
        walls.update((line, gap) for gap in range(first, last))
    return walls


def _cell_text(words: list[Word]) -> str:
    return " ".join(word.text for line in _lines(words) for word in sorted(line, key=lambda word: word.left))


def _lines(words: list[Word]) -> list[list[Word]]:
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.top + word.bottom) / 2):
        middle = (word.top + word.bottom) / 2
        if lines and lines[-1][0].top <= middle <= lines[-1][0].bottom:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _with_second_head_row(cells: list[GridCell]) -> list[GridCell]:
    """A head row with cells that span columns over single ones below has a second row under it."""
    head = [cell for cell in cells if cell.row == 0]
    spans_columns = any(cell.column_span > 1 for cell in head)
    covers_row = any(cell.row_span > 1 for cell in head)
    if not (spans_columns and covers_row):
        return cells
    return [
        GridCell(cell.row, cell.column, cell.text, cell.row <= 1, cell.row_span, cell.column_span)
        for cell in cells
    ]

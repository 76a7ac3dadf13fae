"""Tables as grids: which cells are headers, and the header texts every other cell is named by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.normalized_text.model import Cell
from pipeline.rejections import Rejected


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell as a source gives it; ``row_span`` and ``column_span`` count the places it fills."""

    row: int
    column: int
    text: str
    is_header: bool = False
    row_span: int = 1
    column_span: int = 1


def place_cells(rows: Sequence[Sequence[GridCell]], *, limit: int) -> list[GridCell]:
    """Cells of HTML-like rows at their grid positions: a span pushes what follows to the next free place.

    ``row`` and ``column`` of the input are ignored. A row span ends with the table.

    Raises:
        Rejected: ``too_many_cells`` when the filled grid is larger than ``limit`` cells.
    """
    placed: list[GridCell] = []
    taken: set[tuple[int, int]] = set()
    area = 0
    for row, cells in enumerate(rows):
        column = 0
        for cell in cells:
            while (row, column) in taken:
                column += 1
            height = min(max(cell.row_span, 1), len(rows) - row)
            width = max(cell.column_span, 1)
            area += height * width
            if area > limit:
                raise Rejected("too_many_cells", f"a table fills more than {limit} cells")
            if height > 1 or width > 1:
                taken.update((row + i, column + j) for i in range(height) for j in range(width))
            placed.append(GridCell(row, column, cell.text, cell.is_header, height, width))
            column += width
    return placed


def fill_cells(cells: Sequence[GridCell], *, limit: int) -> tuple[Cell, ...]:
    """One ``Cell`` for every place of the grid, in row order, merged cells repeated in each place they fill.

    Leading rows whose cells are all headers are the head: they name the columns (outer header first).
    Left of the first column that holds values, cells name their row: header cells where the source marks
    them, else the first column. A text that repeats through a merged header is named once.

    Raises:
        Rejected: ``too_many_cells`` when the filled grid is larger than ``limit`` cells.
    """
    grid: dict[tuple[int, int], GridCell] = {}
    for cell in cells:
        if len(grid) + cell.row_span * cell.column_span > limit:
            raise Rejected("too_many_cells", f"a table fills more than {limit} cells")
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                grid.setdefault((row, column), cell)
    rows: dict[int, list[int]] = {}
    for row, column in sorted(grid):
        rows.setdefault(row, []).append(column)
    head = _head_rows(grid, rows)
    column_headers = _column_headers(grid, head)
    filled: list[Cell] = []
    for row, columns in rows.items():
        in_head = row in head
        labels = () if in_head else _row_labels(grid, row, columns)
        for column in columns:
            cell = grid[row, column]
            filled.append(
                Cell(
                    row=row,
                    column=column,
                    text=cell.text,
                    is_header=cell.is_header or in_head,
                    row_headers=_unique(text for at, text in labels if at < column),
                    column_headers=() if in_head else column_headers.get(column, ()),
                )
            )
    return tuple(filled)


def _head_rows(grid: dict[tuple[int, int], GridCell], rows: dict[int, list[int]]) -> set[int]:
    head: set[int] = set()
    for row, columns in rows.items():
        if not all(grid[row, column].is_header for column in columns):
            break
        head.add(row)
    return head if len(head) < len(rows) else set(list(rows)[:1])


def _column_headers(grid: dict[tuple[int, int], GridCell], head: set[int]) -> dict[int, tuple[str, ...]]:
    names: dict[int, list[str]] = {}
    for (row, column), cell in sorted(grid.items()):
        if row in head:
            names.setdefault(column, []).append(cell.text)
    return {column: _unique(texts) for column, texts in names.items()}


def _row_labels(
    grid: dict[tuple[int, int], GridCell], row: int, columns: Sequence[int]
) -> list[tuple[int, str]]:
    marked = [column for column in columns if grid[row, column].is_header]
    return [(column, grid[row, column].text) for column in marked or columns[:1]]


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))

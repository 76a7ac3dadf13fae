"""Cells of AsciiDoc tables: ``|===`` with spans and repeats, ``,===`` and ``:===`` as delimited values."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from pipeline.normalized_text.grids import GridCell, fill_cells
from pipeline.normalized_text.model import Cell
from pipeline.rejections import Rejected

_CELL = re.compile(
    r"(?:(?:(?<=\s)|^)(?:(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?(?P<operator>[+*]))?"
    r"(?:[<^>](?:\.[<^>])?|\.[<^>])?(?P<style>[adehlmsv])?)?(?<!\\)\|",
    re.MULTILINE,
)
_COLUMNS = re.compile(r"""cols\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\]]*))""")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A cell as written, with the places it fills."""

    text: str
    rows: int = 1
    columns: int = 1
    is_header: bool = False


def read_table(body: str, attributes: str, delimiter: str, *, limit: int) -> tuple[Cell, ...]:
    """The cells of a table; ``body`` stands between the delimiters, ``attributes`` in brackets before it.

    Raises:
        Rejected: ``too_many_cells`` beyond ``limit``.
    """
    first_line, *others = [line for line in body.split("\n") if line.strip()] or [""]
    if delimiter.startswith("|"):
        pieces = _pieces(body, limit)
        width = _declared_width(attributes) or sum(piece.columns for piece in _pieces(first_line, limit))
    else:
        rows = list(csv.reader([first_line, *others], delimiter=delimiter[0]))
        pieces = [_Piece(value.strip()) for row in rows for value in row]
        width = _declared_width(attributes) or len(rows[0])
    if not pieces or not width:
        return ()
    has_head = "header" in attributes or (
        "noheader" not in attributes and re.match(r"\s*\S[^\n]*\n[ \t]*\n", body) is not None
    )
    return fill_cells(_place(pieces, width, has_head, limit), limit=limit)


def _declared_width(attributes: str) -> int:
    found = _COLUMNS.search(attributes)
    if found is None:
        return 0
    width = 0
    for column in re.split(r"[,;]", next(value for value in found.groups() if value is not None)):
        times = re.match(r"\s*(\d{1,4})\*", column)
        width += int(times[1]) if times else 1
    return width


def _pieces(body: str, limit: int) -> list[_Piece]:
    marks = list(_CELL.finditer(body))
    pieces: list[_Piece] = []
    for index, mark in enumerate(marks):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(body)
        text = " ".join(body[mark.end() : end].replace("\\|", "|").split())
        columns, rows = int(mark["columns"] or 1), int(mark["rows"] or 1)
        if mark["operator"] == "*":
            pieces += [_Piece(text, is_header=mark["style"] == "h")] * columns
        else:
            pieces.append(_Piece(text, max(rows, 1), max(columns, 1), mark["style"] == "h"))
        if len(pieces) > limit:
            raise Rejected("too_many_cells", f"a table has more than {limit} cells")
    return pieces


def _place(pieces: list[_Piece], width: int, has_head: bool, limit: int) -> list[GridCell]:
    """Cells in reading order at the next free place of rows of ``width`` columns."""
    taken: set[tuple[int, int]] = set()
    cells: list[GridCell] = []
    row = column = 0
    for piece in pieces:
        while (row, column) in taken or column >= width:
            row, column = (row, column + 1) if column + 1 < width else (row + 1, 0)
        columns = min(piece.columns, width - column)
        if len(taken) + columns * piece.rows > limit:
            raise Rejected("too_many_cells", f"a table has more than {limit} cells")
        taken.update((row + i, column + j) for i in range(piece.rows) for j in range(columns))
        is_header = piece.is_header or (has_head and row == 0)
        cells.append(GridCell(row, column, piece.text, is_header, piece.rows, columns))
    return cells

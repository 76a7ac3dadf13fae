"""Lines set in a monospaced font are code: every character is as wide as any other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pipeline.normalized_text.pdf.reading_order import Line

_TOLERANCE = 0.01
_OFF_GRID = 0.08
_MIN_WORDS = 3
_MIN_LETTERS = 6


def character_width(line: Line) -> float | None:
    """The width in points of each character of a monospaced line, None where it is none.

    Either the font's name says so, or the geometry does: three words or more, of equal mean character
    width, each starting on the grid of that width. Figures prove nothing: most fonts have them equally wide.
    """
    widths = [(word.right - word.left) / len(word.text) for word in line.words]
    width = max(widths)
    if width - min(widths) > _TOLERANCE * width or width <= 0:
        return None
    if all(word.monospaced for word in line.words):
        return width
    if len(line.words) < _MIN_WORDS or sum(map(str.isalpha, line.text)) < _MIN_LETTERS:
        return None
    columns = [(word.left - line.box[0]) / width for word in line.words]
    return width if all(abs(column - round(column)) <= _OFF_GRID for column in columns) else None


def has_width(line: Line, width: float) -> bool:
    """Whether all words of ``line`` have characters ``width`` points wide."""
    return all(
        abs((word.right - word.left) / len(word.text) - width) <= _TOLERANCE * width for word in line.words
    )


def code_text(lines: Sequence[Line], width: float) -> str:
    """The lines as they stand: each word in the column of its left edge, blank lines where they were."""
    left = min(line.box[0] for line in lines)
    steps = [second.baseline - first.baseline for first, second in pairwise(lines)]
    usual = min((step for step in steps if step > 0), default=0.0)
    rows: list[str] = []
    for index, line in enumerate(lines):
        if index and usual and steps[index - 1] > 1.5 * usual:
            rows.append("")
        row = ""
        for word in line.words:
            column = round((word.left - left) / width)
            row = row.ljust(column) if column > len(row) or not row else f"{row} "
            row += word.text
        rows.append(row)
    return "\n".join(rows)

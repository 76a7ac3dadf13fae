"""Lines of a page in reading order, columns included.

Words are joined into segments up to wide gaps. A gutter is a vertical strip that few segments cross and that
has columns of running text on both sides; segments that cross it (titles, full-width text) cut the page into
bands, and inside of a band the left column is read before the right one. Applied again inside of each part,
as in the recursive XY cut of Nagy and Seth (1984).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from pipeline.normalized_text.pdf.pages import Box, Word, box_of, enclosing_box
from pipeline.normalized_text.pdf.ruled_tables import RuledTable

_WORD_GAP = 0.9
_MIN_LINES = 3
_MAX_CROSSING = 0.35
_MIN_FILL = 0.5
_MAX_COLUMNS_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Line:
    """Words of one line of one column, left to right. ``column`` is the box of the column it stands in."""

    words: tuple[Word, ...]
    box: Box
    column: Box

    @property
    def text(self) -> str:
        """The words, one space between them."""
        return " ".join(word.text for word in self.words)

    @property
    def baseline(self) -> float:
        """Where most of its words end; a bullet's glyph may hang lower."""
        return median(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        """The usual glyph height in points."""
        return median(word.size for word in self.words)

    @property
    def bold(self) -> bool:
        """Whether all words are bold."""
        return all(word.bold for word in self.words)


Flow = Line | RuledTable


@dataclass(frozen=True, slots=True)
class _Segment:
    """Words without a wide gap between them, or a table, which takes its place as a whole."""

    words: tuple[Word, ...]
    box: Box
    table: RuledTable | None = None


def order_lines(words: Sequence[Word], tables: Sequence[RuledTable] = ()) -> list[Flow]:
    """All words of a page as lines, and the tables between them, in reading order."""
    return _order([*_segments(words), *(_Segment((), table.box, table) for table in tables)], 0)


def _segments(words: Sequence[Word]) -> list[_Segment]:
    rows = _rows([_Segment((word,), (word.left, word.top, word.right, word.bottom)) for word in words])
    segments: list[_Segment] = []
    for row in rows:
        current: list[Word] = []
        for segment in row:
            (word,) = segment.words
            if current and word.left - current[-1].right > _WORD_GAP * max(word.size, current[-1].size):
                segments.append(_Segment(tuple(current), box_of(current)))
                current = []
            current.append(word)
        segments.append(_Segment(tuple(current), box_of(current)))
    return segments


def _rows(segments: Sequence[_Segment]) -> list[list[_Segment]]:
    """Segments that share a baseline, each row from left to right, rows from top to bottom."""
    rows: list[list[_Segment]] = []
    for segment in sorted(segments, key=lambda segment: (segment.box[3], segment.box[0])):
        height = segment.box[3] - segment.box[1]
        shares = bool(rows) and segment.table is None and rows[-1][0].table is None
        if shares and segment.box[3] - rows[-1][0].box[3] <= 0.35 * height:
            rows[-1].append(segment)
        else:
            rows.append([segment])
    return [sorted(row, key=lambda segment: segment.box[0]) for row in rows]


def _order(segments: list[_Segment], depth: int) -> list[Flow]:
    if not segments:
        return []
    gutter = _gutter(segments) if depth < _MAX_COLUMNS_DEPTH else None
    if gutter is None:
        return _lines(segments)
    lines: list[Flow] = []
    in_order = sorted(segments, key=lambda segment: segment.box[1])
    for crosses, group in groupby(in_order, lambda segment: segment.box[0] < gutter < segment.box[2]):
        band = list(group)
        lines += _lines(band) if crosses else _columns(band, gutter, depth)
    return lines


def _columns(band: list[_Segment], gutter: float, depth: int) -> list[Flow]:
    left = [segment for segment in band if segment.box[2] <= gutter]
    right = [segment for segment in band if segment.box[0] >= gutter]
    return _order(left, depth + 1) + _order(right, depth + 1)


def _gutter(segments: list[_Segment]) -> float | None:
    """Where the columns part: of the left edges of segments, the one that fewest segments cross."""
    best: tuple[int, float, float] | None = None
    candidates = {round(segment.box[0]) - 1 for segment in segments}
    for x in sorted(candidates):
        left = [segment for segment in segments if segment.box[2] <= x]
        right = [segment for segment in segments if segment.box[0] >= x]
        crossing = len(segments) - len(left) - len(right)
        if crossing > _MAX_CROSSING * len(segments) or not (_is_column(left) and _is_column(right)):
            continue
        if min(_bottom(left), _bottom(right)) <= max(_top(left), _top(right)):
            continue
        width = min(segment.box[0] for segment in right) - max(segment.box[2] for segment in left)
        if best is None or (crossing, -width) < best[:2]:
            best = (crossing, -width, float(x))
    return best[2] if best else None


def _is_column(segments: list[_Segment]) -> bool:
    """Running text: several lines, most of which reach over half of the width."""
    if len(segments) < _MIN_LINES:
        return False
    left, _, right, _ = enclosing_box(segment.box for segment in segments)
    usual = median(segment.box[2] - segment.box[0] for segment in segments)
    return (
        usual >= _MIN_FILL * (right - left) and median(len(segment.words) or 3 for segment in segments) >= 3
    )


def _top(segments: list[_Segment]) -> float:
    return min(segment.box[1] for segment in segments)


def _bottom(segments: list[_Segment]) -> float:
    return max(segment.box[3] for segment in segments)


def _lines(segments: list[_Segment]) -> list[Flow]:
    if not segments:
        return []
    column = enclosing_box(segment.box for segment in segments)
    lines: list[Flow] = []
    for row in _rows(segments):
        if row[0].table is not None:
            lines.append(row[0].table)
            continue
        words = tuple(word for segment in row for word in segment.words)
        lines.append(Line(words, box_of(words), column))
    return lines

"""Half-open spans of code points, the one coordinate of the project."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of code points of one text."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of code points."""
        return self.end - self.start

    def of(self, text: str) -> str:
        """The text this span covers."""
        return text[self.start : self.end]

    def shift(self, offset: int) -> Span:
        """The same range moved by ``offset`` code points."""
        return Span(self.start + offset, self.end + offset)

    def contains(self, other: tuple[int, int]) -> bool:
        """Whether ``other`` lies wholly inside this span."""
        return self.start <= other[0] and other[1] <= self.end

    def overlaps(self, other: tuple[int, int]) -> bool:
        """Whether the two spans share at least one code point."""
        return self.start < other[1] and other[0] < self.end

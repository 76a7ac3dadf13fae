"""Splitting a sentence that is larger than a chunk may be: at clauses, else words, else graphemes."""

from __future__ import annotations

import bisect
import re
import unicodedata

from pipeline.spans import Span
from pipeline.tokens import TokenMap

_CLAUSE = re.compile(r"(?<=[,;:—–)\]])(?=\s)|(?=\n)|(?<=[、，；：])")
_WORD = re.compile(r"(?=\s)|(?<=\u200b)")
_JOINERS = frozenset("\u200d\ufe0f\ufe0e")
_REACH = 64
"""Longest cluster of code points that is kept together; longer ones are abuse, not writing."""


def split_span(text: str, span: Span, token_map: TokenMap, piece: int) -> tuple[Span, ...]:
    """Pieces of about ``piece`` tokens that tile ``span``; more only where a character is larger.

    Blank text belongs to the piece after it, as everywhere.
    """
    starts = token_map.starts
    pieces: list[Span] = []
    start = span.start
    while start < span.end:
        first = int(starts.searchsorted(start))
        limit = int(starts[first + piece]) if first + piece < len(starts) else span.end
        if limit >= span.end:
            pieces.append(Span(start, span.end))
            return tuple(pieces)
        cut = _cut(text, start, max(limit, start + 1))
        pieces.append(Span(start, cut))
        start = cut
    return tuple(pieces)


def _cut(text: str, start: int, limit: int) -> int:
    """The best place in ``(start, limit]``: the last clause end in its later half, word end, grapheme."""
    window = text[start : limit + 1]
    for pattern in (_CLAUSE, _WORD):
        places = [match.start() for match in pattern.finditer(window)]
        index = bisect.bisect_right(places, limit - start) - 1
        if index >= 0 and places[index] * 2 >= limit - start:
            return start + places[index]
    return grapheme_start(text, start, limit)


def grapheme_start(text: str, start: int, limit: int) -> int:
    """The nearest place at or before ``limit`` that does not tear a letter from its marks."""
    for place in range(limit, max(start, limit - _REACH), -1):
        if not _continues(text, place):
            return place
    return limit


def _continues(text: str, place: int) -> bool:
    """Whether the character at ``place`` belongs to the one before it."""
    if place >= len(text):
        return False
    char, before = text[place], text[place - 1]
    if char in _JOINERS or before == "\u200d" or unicodedata.category(char).startswith("M"):
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff":  # skin tones
        return True
    if _is_flag_letter(char) and _is_flag_letter(before):
        run = 1
        while run < _REACH and place - 1 - run >= 0 and _is_flag_letter(text[place - 1 - run]):
            run += 1
        return run % 2 == 1
    return char == "\n" and before == "\r"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"

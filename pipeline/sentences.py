"""Sentence spans that tile a stretch of text.

``sentencex`` (MIT, about 300 languages) finds the boundaries; the joins below undo the ones it gets wrong
in documents. The spans tile: the first starts where the stretch starts, each next one where the one before
ends, the last ends where the stretch ends. Blank text between two sentences belongs to the later one, so a
sentence ends right after its last visible character; blank text at the very end belongs to the last sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from sentencex import segment  # pyright: ignore[reportAttributeAccessIssue]  # a compiled module

from pipeline.spans import Span

_LIST_NUMBER = re.compile(r"\s*[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)\]]+\Z")
"""A piece that is only an enumerator ("1.", "(b)", "iv."): it belongs to the sentence it numbers."""
_OPEN_ENDS: tuple[str, ...] = (
    *("a.m", "p.m", "i.e", "e.g", "cf", "vs", "viz", "approx", "resp", "et al"),
    *("Fig", "Figs", "Eq", "Eqs", "Sec", "Secs", "Ref", "Refs", "Nos", "pp", "Ch", "Vol"),
    *("Dr", "Mr", "Mrs", "Ms", "Prof", "Rev", "Hon", "St", "Gen", "Col", "Capt", "Lt", "Sgt", "Sen", "Rep"),
    "Gov",
)
"""Words after whose full stop a sentence seldom ends: times, titles, references."""
_OPEN_ENDS_SPACED = tuple(f"{word}. " for word in _OPEN_ENDS)
_OPEN_ENDED = re.compile(rf"\b(?:{'|'.join(map(re.escape, _OPEN_ENDS))})\.[\"'”’)\]]*\Z")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？．；;:։؟۔।॥๏။።፧᠃]['\"”’»）)\]」』*_`]*\Z")
_CLOSERS = re.compile(r"\s*['\"”’»）)\]」』*_`.]+\s*\Z")
_LONG = 400
"""Code points above which a piece is suspected to hold a bracket or quote that never closes."""
_BRACKETS = str.maketrans(dict.fromkeys("()[]{}", " "))
_BRACKETS_AND_QUOTES = str.maketrans(dict.fromkeys('()[]{}"“”„«»', " "))
_STOPS_INSIDE = re.compile(r"[.!?][\"'”’)\]]*\s+[^\W\d_a-z]")
_CLOSED = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_WINDOW = 2048
"""Code points that ``sentencex`` gets at once: its time grows with the square of what it gets."""
_SETTLED = _WINDOW - 256
"""Up to where the end of a window cannot change what is a boundary."""
_BLANK_BEFORE_STOP = re.compile(r"[^\S\t-\r\x1c-\x1f ](?=\.)")
_FENCE = re.compile(r"`{3,}")
_FULL_STOPS = frozenset((". ", "! ", "? "))
_TAIL = 24
"""How many characters of a piece decide whether it ended a sentence."""


def sentence_spans(text: str, span: Span, language: str = "en") -> tuple[Span, ...]:
    """Sentences of ``text[span]``, in order and tiling it; one span where nothing can be split.

    Args:
        text: the whole text, of which ``span`` is a stretch (one block: a sentence never leaves its block).
        language: ISO 639 code for the abbreviation rules.
    """
    ends = sentence_ends(text, span, language)
    return tuple(map(Span, [span.start, *ends[:-1]], ends))


def sentence_ends(text: str, span: Span, language: str = "en") -> list[int]:
    """Where the sentences of ``sentence_spans`` end, as offsets of ``text``."""
    start, end = span
    if start == end:
        return []
    stretch = text[start:end]
    pieces = _pieces(stretch, language)
    if len(pieces) == 1:
        return [end]
    ends = _ends(pieces, start)
    return _outside_fences(stretch, start, ends) if "```" in stretch else ends


def _segments(stretch: str, language: str) -> list[str]:
    """The pieces ``sentencex`` cuts ``stretch`` into, in time proportional to its length.

    A stretch longer than a window is read window by window. Each window begins where a piece of the one
    before began, so a boundary is found with the text on either side of it in view. Where the second half of
    a window has no boundary, the next one begins inside of a piece, at white space if there is any: that
    place is no boundary, the piece goes on.
    """
    if len(stretch) <= _WINDOW:
        return _tiling(stretch, language)
    ends: list[int] = []
    start = 0
    while start < len(stretch):
        window = stretch[start : start + _WINDOW]
        found = list(accumulate(map(len, _tiling(window, language))))
        if start + len(window) < len(stretch):
            found = found[: bisect_right(found, _SETTLED)]
        ends += [start + end for end in found]
        start += found[-1] if found and found[-1] >= _WINDOW // 2 else _without_last_word(window[:_SETTLED])
    return [stretch[begin:end] for begin, end in zip([0, *ends[:-1]], ends, strict=True)]


def _tiling(window: str, language: str) -> list[str]:
    """What ``sentencex`` makes of a window. Its contract is to tile; offsets must not depend on trust."""
    if not window.isascii():
        # After a capital, a blank of several bytes before a full stop makes it panic.
        window = _BLANK_BEFORE_STOP.sub(" ", window)
    try:
        pieces: list[str] = segment(language, window)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic in the compiled code is no Exception; it must not end a whole run
        return [window]
    return pieces if sum(map(len, pieces)) == len(window) else [window]


def _without_last_word(head: str) -> int:
    """Length of ``head`` up to its last word, all of it where that word fills it by half."""
    words = head.rsplit(maxsplit=1)
    length = len(head) if head[-1].isspace() or not words else len(head) - len(words[-1])
    return length if length >= _WINDOW // 2 else len(head)


def _pieces(stretch: str, language: str) -> list[str]:
    segments = _segments(stretch, language)
    if "(" not in stretch and "[" not in stretch and max(map(len, segments)) <= _LONG:
        return segments
    parts: list[str] = []
    for piece in segments:
        if len(piece) > _LONG:
            parts += _reopened(piece, language, _BRACKETS_AND_QUOTES)
        elif ("(" in piece or "[" in piece) and _STOPS_INSIDE.search(piece):
            parts += _reopened(piece, language, _BRACKETS)
        else:
            parts.append(piece)
    return parts


def _reopened(piece: str, language: str, blanked: dict[int, str]) -> list[str]:
    """A piece split again with brackets, or brackets and quotes, blanked.

    ``sentencex`` finds no boundary after a bracket or quote that never closes, so that one stray ``(`` or
    ``"`` can swallow the rest of a block, and it misses some after one that does. Short brackets that do
    close keep what is in them together.
    """
    parts = _segments(piece.translate(blanked), language)
    if len(parts) == 1:
        return [piece]
    closed = [match.span() for match in _CLOSED.finditer(piece)]
    ends: list[int] = []
    position = index = 0
    for part in parts:
        position += len(part)
        while index < len(closed) and closed[index][1] <= position:
            index += 1
        if index == len(closed) or not closed[index][0] < position:
            ends.append(position)
    ends = ends if ends and ends[-1] == len(piece) else [*ends, len(piece)]
    return [piece[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def _ends(pieces: list[str], start: int) -> list[int]:
    """Ends of the joined sentences of a stretch that begins at ``start``, blank text moved to the sentence
    after it."""
    ends: list[int] = []
    position = start
    pending = False  # whether a sentence has begun whose end is not found yet
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        position += len(piece)
        # Nearly all pieces end like this, and none of the rules below is about them.
        if piece[-2:] in _FULL_STOPS and len(piece) > _TAIL and not piece.endswith(_OPEN_ENDS_SPACED):
            pending = False
            ends.append(position - 1)
            continue
        visible = piece.rstrip()
        if not visible:
            continue
        end = position - len(piece) + len(visible)
        if index < last and _joins(visible, piece, pieces[index + 1]):
            pending = True
        elif ends and not pending and len(visible) < _TAIL and _CLOSERS.fullmatch(piece):
            ends[-1] = end
        else:
            pending = False
            ends.append(end)
    if not ends:
        return [position]
    ends[-1] = position
    return ends


def _outside_fences(stretch: str, start: int, ends: list[int]) -> list[int]:
    """The ends that do not lie between code fences. A fence that is indented too little for its list item is
    text of a paragraph to Markdown, but code to everybody who reads it."""
    fences = [match.span() for match in _FENCE.finditer(stretch)]
    opened = [start + first for first, _ in fences[: len(fences) // 2 * 2 : 2]]
    closed = [start + last for _, last in fences[1::2]]
    outside = [end for end in ends if bisect_left(opened, end) == bisect_right(closed, end)]
    return outside if outside[-1:] == ends[-1:] else [*outside, ends[-1]]


def _joins(visible: str, piece: str, following: str) -> bool:
    """Whether the sentence that ends in ``visible``, as far as it shows of ``piece``, goes on after it."""
    if not following or following.isspace():
        return False
    if len(visible) <= 8 and _LIST_NUMBER.fullmatch(visible):
        return True
    tail = visible[-_TAIL:]
    # The cheap look first: most sentences end in none of these words.
    if tail.rstrip(".)]\"'”’").endswith(_OPEN_ENDS) and _OPEN_ENDED.search(tail):
        return True
    if tail[-1] in ".!?" or _ENDS_SENTENCE.search(tail):
        return False
    return "\n" not in piece[len(visible) :] + following[: len(following) - len(following.lstrip())]

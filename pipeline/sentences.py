"""Sentence spans that tile a stretch of text.

``sentencex`` (MIT, about 300 languages) finds the boundaries; the joins below undo the ones it gets wrong
in documents. The spans tile: the first starts where the stretch starts, each next one where the one before
ends, the last ends where the stretch ends. Blank text between two sentences belongs to the later one, so a
sentence ends right after its last visible character; blank text at the very end belongs to the last sentence.
"""

from __future__ import annotations

import re

from pipeline.spans import Span

_LIST_NUMBER = re.compile(r"\s*[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)\]]+\Z")
"""A piece that is only an enumerator ("1.", "(b)", "iv."): it belongs to the sentence it numbers."""
_OPEN_ENDED = re.compile(
    r"\b(?:a\.m|p\.m|i\.e|e\.g|cf|vs|viz|approx|resp|et al|Figs?|Eqs?|Secs?|Refs?|Nos|pp|Ch|Vol|"
    r"Dr|Mr|Mrs|Ms|Prof|Rev|Hon|St|Gen|Col|Capt|Lt|Sgt|Sen|Rep|Gov)\.[\"'”’)\]]*\Z"
)
"""Endings after which a full stop seldom ends a sentence: times, titles, references."""
_ENDS_SENTENCE = re.compile(r"[.!?…。！？．；;:։؟۔।॥๏။።፧᠃]['\"”’»）)\]」』*_`]*\Z")
_STARTS_SMALL = re.compile(r"\s*[\"'“‘(\[]*[a-z]")
_CLOSERS = re.compile(r"\s*['\"”’»）)\]」』*_`.]+\s*\Z")
_TAIL = 24
"""How many characters of a piece decide whether it ended a sentence."""


def sentence_spans(text: str, span: Span, language: str = "en") -> tuple[Span, ...]:
    """Sentences of ``text[span]``, in order and tiling it; one span where nothing can be split.

    Args:
        text: the whole text, of which ``span`` is a stretch (one block: a sentence never leaves its block).
        language: ISO 639 code for the abbreviation rules.
    """
    stretch = text[span.start : span.end]
    if not stretch:
        return ()
    pieces = _pieces(stretch, language)
    ends = [end for end in _sentence_ends(stretch, pieces)]
    starts = [0, *ends[:-1]]
    return tuple(Span(span.start + start, span.start + end) for start, end in zip(starts, ends, strict=True))


def _pieces(stretch: str, language: str) -> list[str]:
    from sentencex import segment

    pieces = segment(language, stretch)
    if sum(map(len, pieces)) != len(stretch):  # its contract is to tile; offsets must not depend on trust
        return [stretch]
    return pieces


def _sentence_ends(stretch: str, pieces: list[str]) -> list[int]:
    """Ends of the joined sentences, blank text moved to the sentence after it."""
    ends: list[int] = []
    position = 0
    pending = ""  # the visible tail of the sentence so far
    for index, piece in enumerate(pieces):
        position += len(piece)
        visible = piece.rstrip()
        if not visible:
            continue
        following = pieces[index + 1] if index + 1 < len(pieces) else ""
        tail = visible[-_TAIL:]
        if following.strip() and _joins(tail, visible, following):
            pending = tail
            continue
        if ends and not pending and _CLOSERS.fullmatch(piece):
            ends[-1] = position - len(piece) + len(visible)
            continue
        pending = ""
        ends.append(position - len(piece) + len(visible))
    if not ends:
        return [len(stretch)]
    ends[-1] = len(stretch)
    return ends


def _joins(tail: str, visible: str, following: str) -> bool:
    """Whether the sentence goes on after a piece ending in ``tail``."""
    if len(visible) <= 8 and _LIST_NUMBER.fullmatch(visible):
        return True
    if _OPEN_ENDED.search(tail):
        return True
    return not _ENDS_SENTENCE.search(tail) and _STARTS_SMALL.match(following) is not None

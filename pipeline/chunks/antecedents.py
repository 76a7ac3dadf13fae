"""Names a chunk refers to but does not contain, found before it in its scope: a few at most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pipeline.chunks.units import Units
from pipeline.chunks.words import FUNCTION_WORDS, NO_REFERENTS, VERBS

LOOK_BACK = 16
"""Units searched before a chunk: far enough for a reference, near enough that an edit stays local."""
_MOST = 32
"""Names considered for a header."""
_FADE = 8.0
"""Units over which a mention loses half of its weight."""
_SALIENT = 0.65
"""Weight of a name that two units use, or one of the nearest; beside it, a lighter one is said in passing."""
_REFERS = re.compile(
    r"\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those|such|the)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:he|him|his|himself|she|her|hers|herself|it|its|itself|they|them|their|theirs|themselves)\b",
    re.IGNORECASE,
)
_REST = r"[\w'’]*(?:[-./&][\w]+)*"
_BEFORE = r"(?:(?:Mr|Mrs|Ms|Dr|Prof|St|Capt|Col|Gen|Lt|Rev|Hon|Sen|Gov|[A-Z])\. )*"
"""Forms of address and initials: "Mrs. Hall" is not "Mr. Hall"."""
_NAME, _ASCII_NAME = (
    re.compile(rf"\b{_BEFORE}{first}{_REST}(?: (?:(?:of|the|de|van|von|for|and) )?{_BEFORE}{first}{_REST})*")
    for first in (r"[^\W\d_a-z]", "[A-Z]")
)
"""Runs of capitalised words. The second is for ASCII text, where it finds the same several times as fast."""
_CLITIC = re.compile(r"['’](?:s|m|d|ll|ve|re|t)?\Z")
_NO_NAMES = FUNCTION_WORDS | VERBS | {"figure", "fig", "table", "section", "see", "chapter", "now", "please"}
_OPENS = ".!?:;…—–"
_MARKS = " \t\n\"'“‘«([*_>#-"
_FOLLOWING = re.compile(r"\s+([a-z]+)")


class _Mention(NamedTuple):
    name: str
    sure: bool
    """Whether a name, for any word has a capital where a sentence starts."""


class NameFinder:
    """Names of the units of one text, each unit read once."""

    def __init__(self, text: str, units: Units) -> None:
        self.text = text
        self.units = units
        self._mentions: dict[int, tuple[_Mention, ...]] = {}

    def missing(self, carried: int, end: int) -> list[str]:
        """Names used before unit ``carried`` and missing in units ``[carried, end)``, the most useful first.

        A name counts more the more units use it and the nearer they are. A name that the chunk has only after
        its first pronoun is missing where that stands; it comes after those that are missing altogether.
        Empty where no word of the chunk could refer back.
        """
        span = self.units.span(carried, end)
        chunk = self.text[span.start : span.end]
        if not _REFERS.search(chunk):
            return []
        scores: dict[str, float] = {}
        sure: set[str] = set()
        for index in range(self._scope(carried), carried):
            weight = _FADE / (_FADE + carried - 1 - index)
            for name, is_sure in self._mentions_of(index):
                scores[name] = scores.get(name, 0.0) + weight
                if is_sure:
                    sure.update((name, *name.split(" ")))
        pronoun = _PRONOUN.search(chunk)
        said = chunk[: pronoun.start()] if pronoun else chunk
        missing = [name for name in scores if name in sure and name not in said]
        missing = [name for name in missing if scores[name] >= _SALIENT] or missing
        missing.sort(key=lambda name: (name in chunk, -scores[name], name))
        return _longest(missing[:_MOST])

    def _scope(self, carried: int) -> int:
        """The first unit whose names a chunk may refer to: its own section's, for a heading starts a new
        subject; what stands before the section only where that opens with a pronoun."""
        items = self.units.items
        start = max(0, carried - LOOK_BACK)
        opening = items[carried]
        if opening.starts_section:
            return start if _PRONOUN.search(self.text, opening.content, opening.end) else carried
        for index in range(carried - 1, start, -1):
            if items[index].starts_section:
                return index
        return start

    def _mentions_of(self, index: int) -> tuple[_Mention, ...]:
        if index not in self._mentions:
            unit = self.units.items[index]
            found = () if unit.atomic else tuple(dict.fromkeys(self._find(unit.content, unit.end)))
            self._mentions[index] = found
        return self._mentions[index]

    def _find(self, start: int, end: int) -> Iterator[_Mention]:
        sentence = self.text[start:end]
        for match in (_ASCII_NAME if sentence.isascii() else _NAME).finditer(sentence):
            name = _CLITIC.sub("", match[0])
            first, _, rest = name.partition(" ")
            while first.lower() in _NO_NAMES:
                name = rest
                first, _, rest = name.partition(" ")
            if len(name) > 1 and name.lower() not in NO_REFERENTS:
                yield _Mention(
                    name, " " in name or not match[0].startswith(name) or _is_sure(sentence, match)
                )


def _longest(names: Iterable[str]) -> list[str]:
    """Names without those that another one says as well, in the order of the first to say it."""
    kept: list[str] = []
    for name in names:
        words = set(name.split(" "))
        for place, other in enumerate(kept):
            if words <= set(other.split(" ")):
                break
            if words >= set(other.split(" ")):
                kept[place] = name
                break
        else:
            kept.append(name)
    return list(dict.fromkeys(kept))


def _is_sure(sentence: str, match: re.Match[str]) -> bool:
    """Whether a single word is a name: it has its capital inside a sentence, it owns, or it acts."""
    before = sentence[: match.start()].rstrip(_MARKS)
    if before and before[-1] not in _OPENS:
        return True
    following = _FOLLOWING.match(sentence, match.end())
    return match[0].endswith(("'s", "’s")) or (following is not None and following[1] in VERBS)

"""Names a chunk refers to but does not contain, found before it: nearest section first, a few at most."""

from __future__ import annotations

import re

from pipeline.chunks.units import Units
from pipeline.chunks.words import FUNCTION_WORDS, VERBS

LOOK_BACK = 16
"""Units searched before a chunk: far enough for a reference, near enough that an edit stays local."""
_FADE = 8.0
"""Units over which a mention loses half of its weight."""
_REFERS = re.compile(
    r"\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those|such|the)\b",
    re.IGNORECASE,
)
_REST = r"[\w'’]*(?:[-./&][\w]+)*"
_NAME, _ASCII_NAME = (
    re.compile(rf"\b{first}{_REST}(?: (?:(?:of|the|de|van|von|for|and) )?{first}{_REST})*")
    for first in (r"[^\W\d_a-z]", "[A-Z]")
)
"""Runs of capitalised words. The second is for ASCII text, where it finds the same several times as fast."""
_NO_NAMES = FUNCTION_WORDS | VERBS | {"figure", "fig", "table", "section", "see", "chapter"}


class NameFinder:
    """Names of the units of one text, each unit read once."""

    def __init__(self, text: str, units: Units) -> None:
        self.text = text
        self.units = units
        self._names: dict[int, tuple[str, ...]] = {}

    def missing(self, carried: int, end: int, limit: int) -> tuple[str, ...]:
        """Up to ``limit`` names used before unit ``carried`` and missing in units ``[carried, end)``.

        A name counts more the more units use it and the nearer they are; the section the chunk starts in
        comes first. Empty where the chunk holds no word that could refer back.
        """
        if carried == 0 or limit == 0:
            return ()
        span = self.units.span(carried, end)
        chunk = self.text[span.start : span.end]
        if not _REFERS.search(chunk):
            return ()
        section = self.units.items[carried].section
        scores: dict[str, float] = {}
        near: set[str] = set()
        for index in range(max(0, carried - LOOK_BACK), carried):
            weight = _FADE / (_FADE + carried - 1 - index)
            for name in self._names_of(index):
                scores[name] = scores.get(name, 0.0) + weight
                if self.units.items[index].section == section:
                    near.add(name)
        missing = [name for name in scores if name not in chunk]
        missing.sort(key=lambda name: (name not in near, -scores[name], name))
        return tuple(missing[:limit])

    def _names_of(self, index: int) -> tuple[str, ...]:
        if index not in self._names:
            unit = self.units.items[index]
            found = () if unit.atomic else tuple(dict.fromkeys(self._find(unit.content, unit.end)))
            self._names[index] = found
        return self._names[index]

    def _find(self, start: int, end: int) -> list[str]:
        sentence = self.text[start:end]
        names: list[str] = []
        for name in (_ASCII_NAME if sentence.isascii() else _NAME).findall(sentence):
            first, _, rest = name.partition(" ")
            while first.lower() in _NO_NAMES:
                name = rest
                first, _, rest = name.partition(" ")
            if len(name) > 1:
                names.append(name)
        return names

"""Names a chunk refers to but does not contain, found before it: nearest section first, a few at most."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.chunks.links import Links
from pipeline.chunks.units import Units

LOOK_BACK = 40
"""Units before a chunk that are searched: far enough for a reference, near enough that an edit stays local."""
_REFERS = re.compile(
    r"\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those|such|the)\b",
    re.IGNORECASE,
)


def find_antecedents(
    text: str, units: Units, links: Links, carried: int, end: int, limit: int
) -> tuple[str, ...]:
    """Up to ``limit`` names used before unit ``carried`` and missing in units ``[carried, end)``.

    A name counts more the more units use it and the nearer they are; the chunk's own section comes first.
    Empty where the chunk holds no word that could refer back.
    """
    if carried == 0 or limit == 0:
        return ()
    span = units.span(carried, end)
    chunk = text[span.start : span.end]
    if not _REFERS.search(chunk):
        return ()
    section = units.items[carried].section
    scores: dict[str, float] = {}
    same: set[str] = set()
    start = max(0, carried - LOOK_BACK)
    for index in range(start, carried):
        weight = 1.0 / (1 + (carried - 1 - index) / 8)
        for name in set(links.names[index]):
            scores[name] = scores.get(name, 0.0) + weight
            if units.items[index].section == section:
                same.add(name)
    missing = [name for name in scores if name not in chunk]
    return _ranked(missing, scores, same, limit)


def _ranked(names: Sequence[str], scores: dict[str, float], same: set[str], limit: int) -> tuple[str, ...]:
    order = sorted(names, key=lambda name: (name not in same, -scores[name], name))
    return tuple(order[:limit])

"""Link strength between units: how likely an edge or a reference crosses the gap between them.

Cheap evidence only, from the text of the units: shared names and terms, openings that point back, a lead-in,
the same paragraph. No model and no gold data. The idea of placing cuts where cohesion is low goes back to
TextTiling (Hearst 1997); here the evidence is about edges, and the planner weighs it against everything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.chunks.units import Units
from pipeline.chunks.weights import LinkWeights
from pipeline.tokens import IntArray

FloatArray = npt.NDArray[np.float64]

_NAME = re.compile(r"[^\W\d_a-z][\w&'’]*(?:[-.][\w]+)*")
_THIRD = (
    "he him his himself she her hers herself it its itself they them their theirs themselves "
    "this that these those such"
)
_PRONOUN = re.compile(rf"\b(?:{'|'.join(_THIRD.split())})\b", re.IGNORECASE)
_OPENING = re.compile(
    rf"[^\w]*(?:{'|'.join(_THIRD.split())}|however|therefore|thus|moreover|furthermore|but|and|so|also|hence|"
    r"then|instead|otherwise|consequently|nevertheless|similarly|likewise|both|neither|here|there)\b",
    re.IGNORECASE,
)
_UNRESOLVED = re.compile(rf"[^\w]*(?:{'|'.join(_THIRD.split())})\b", re.IGNORECASE)
_STOP = frozenset(
    [
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "he",
        "she",
        "they",
        "in",
        "on",
        "at",
        "for",
        "and",
        "but",
        "a",
        "an",
        "as",
        "we",
        "i",
        "if",
        "to",
        "of",
        "by",
        "with",
        "from",
        "however",
        "when",
        "while",
        "after",
        "before",
        "there",
        "here",
        "what",
        "which",
        "who",
        "our",
        "his",
        "her",
        "its",
        "their",
        "you",
        "is",
        "are",
        "was",
    ]
)


@dataclass(frozen=True, slots=True)
class Links:
    """``by_distance[d][j]`` is the strength between units ``j - d`` and ``j``; ``[0]`` is unused."""

    by_distance: tuple[FloatArray, ...]
    dangling: npt.NDArray[np.bool_]
    """Whether the unit opens with a word that points back."""
    names: tuple[tuple[str, ...], ...]
    """Names of each unit, in text order, as written."""

    def severed(self, units: int, carried: int) -> FloatArray:
        """For a seam before each unit (0 … ``units``), what is cut if ``carried`` units are kept."""
        total = np.zeros(units + 1)
        for distance in range(carried + 1, len(self.by_distance)):
            running = np.concatenate([[0.0], np.cumsum(self.by_distance[distance])])
            upper = np.minimum(np.arange(units + 1) + distance - carried, units)
            total += running[upper] - running[: units + 1]
        return total

    def severed_at(self, seam: int, carried: int) -> float:
        """What the seam before unit ``seam`` cuts if ``carried`` units are kept."""
        total = 0.0
        for distance in range(carried + 1, len(self.by_distance)):
            total += float(self.by_distance[distance][seam : seam + distance - carried].sum())
        return total


def link(text: str, units: Units, weights: LinkWeights) -> Links:
    """Links of all units within ``weights.reach`` units of each other."""
    count = len(units)
    names = [_names(text[start:end]) for start, end in zip(units.starts, units.ends, strict=True)]
    by_distance = [np.zeros(count) for _ in range(weights.reach + 1)]
    _link_names(names, by_distance, weights)
    dangling = np.zeros(count, dtype=bool)
    for j, unit in enumerate(units.items):
        sentence = text[unit.content : unit.end].lstrip()
        dangling[j] = not unit.starts_section and _UNRESOLVED.match(sentence) is not None
        if not j or unit.starts_section:
            continue
        near = by_distance[1]
        if _OPENING.match(sentence):
            near[j] += weights.opening
        elif _PRONOUN.search(sentence):
            near[j] += weights.pronoun
        if not unit.starts_block:
            near[j] += weights.paragraph
    return Links(by_distance=tuple(by_distance), dangling=dangling, names=tuple(names))


def _names(sentence: str) -> tuple[str, ...]:
    return tuple(match for match in _NAME.findall(sentence) if len(match) > 1 and match.lower() not in _STOP)


def _link_names(names: list[tuple[str, ...]], by_distance: list[FloatArray], weights: LinkWeights) -> None:
    """A name links each unit that holds it to the nearest earlier one that does."""
    last: dict[str, int] = {}
    reach = weights.reach
    for j, found in enumerate(names):
        for name in set(found):
            i = last.get(name, -reach - 1)
            if j - i <= reach:
                by_distance[j - i][j] += weights.name
            last[name] = j


def token_counts(units: Units) -> IntArray:
    """Tokens of each unit."""
    return np.diff(units.tokens)

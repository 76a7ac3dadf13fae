"""Link strength between units: how likely an edge or a reference crosses the gap between them.

Placing cuts where cohesion is low goes back to TextTiling (Hearst 1997, "Segmenting text into multi-paragraph
subtopic passages"); here the evidence is about edges, and the planner weighs it against everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.chunks.evidence import REACH, Evidence
from pipeline.chunks.weights import LinkWeights
from pipeline.tokens import FloatArray


@dataclass(frozen=True, slots=True)
class Links:
    """``strength[d][j]`` is the strength between units ``j - d`` and ``j``; row 0 is empty.

    ``severed[k][b]`` is what a seam before unit ``b`` cuts if the ``k`` units before it are carried on.
    """

    strength: FloatArray
    severed: FloatArray


def weigh(evidence: Evidence, weights: LinkWeights) -> Links:
    """Strengths from evidence; saturating, since a second shared name says less than the first."""
    count = len(evidence.pronouns)
    shared = weights.name * evidence.names + weights.term * evidence.terms
    fading = weights.decay ** np.arange(-1, REACH, dtype=float)
    strength = np.minimum(shared, weights.most) * fading[:, None]
    near = strength[1]
    near += weights.opening * evidence.opens_pronoun + weights.connective * evidence.opens_connective
    near += weights.pronoun * np.minimum(evidence.pronouns, 2) + weights.refers * evidence.refers
    near += weights.paragraph * evidence.same_block + weights.lead_in * evidence.lead_in
    near *= ~evidence.starts_section
    # What a pronoun stands for may be two sentences back where the one before points back as well.
    strength[2][1:] += weights.chained * (evidence.refers[1:] & evidence.refers[:-1])
    for distance in range(min(REACH, count) + 1):
        strength[distance][:distance] = 0.0  # no unit lies so far back
    strength[0] = 0.0
    return Links(strength=strength, severed=_severed(strength))


def _severed(strength: FloatArray) -> FloatArray:
    """A seam before ``b`` that keeps ``k`` units cuts the links from before ``b - k`` to ``b`` and after.

    Keeping one unit less cuts, besides, the links of unit ``b - k`` to ``b`` and after: those of at least
    ``k`` units' distance, summed over the distance.
    """
    reach, count = strength.shape
    forward = np.zeros_like(strength)  # by the earlier unit of each link
    for distance in range(min(reach, count)):
        forward[distance][: count - distance] = strength[distance][distance:]
    at_least = np.cumsum(forward[::-1], axis=0)[::-1]
    cut = np.zeros_like(strength)
    for kept in range(1, min(reach, count)):
        cut[kept - 1][kept:] = at_least[kept][: count - kept]
    return np.cumsum(cut[::-1], axis=0)[::-1]

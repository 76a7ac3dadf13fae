"""Link strength between units: how likely an edge or a reference crosses the gap between them.

Placing cuts where cohesion is low goes back to TextTiling (Hearst 1997, "Segmenting text into multi-paragraph
subtopic passages"); here the evidence is about edges, and the planner weighs it against everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.chunks.evidence import REACH, Evidence, FloatArray
from pipeline.chunks.weights import LinkWeights


@dataclass(frozen=True, slots=True)
class Links:
    """``by_distance[d][j]`` is the strength between units ``j - d`` and ``j``; ``[0]`` is unused.

    ``running[d]`` are its sums: ``running[d][j]`` over the units before ``j``.
    """

    by_distance: tuple[FloatArray, ...]
    running: tuple[FloatArray, ...]

    def severed(self, carried: int) -> FloatArray:
        """For a seam before each unit and at the end: what is cut if ``carried`` units are kept."""
        count = len(self.by_distance[0])
        seams = np.arange(count + 1)
        total = np.zeros(count + 1)
        for distance in range(carried + 1, len(self.by_distance)):
            running = self.running[distance]
            total += running[np.minimum(seams + distance - carried, count)] - running
        return total

    def severed_at(self, seam: int, carried: int) -> float:
        """What the seam before one unit cuts if ``carried`` units are kept."""
        total = 0.0
        for distance in range(carried + 1, len(self.by_distance)):
            total += float(self.by_distance[distance][seam : seam + distance - carried].sum())
        return total


def weigh(evidence: Evidence, weights: LinkWeights) -> Links:
    """Strengths from evidence; saturating, since a second shared name says less than the first."""
    count = len(evidence.pronouns)
    by_distance = [np.zeros(count)]
    for distance in range(1, REACH + 1):
        shared = weights.name * evidence.names[distance] + weights.term * evidence.terms[distance]
        by_distance.append(np.minimum(shared, weights.most) * weights.decay ** (distance - 1))
    near = by_distance[1]
    near += weights.opening * evidence.opens_pronoun + weights.connective * evidence.opens_connective
    near += weights.pronoun * np.minimum(evidence.pronouns, 2) + weights.refers * evidence.refers
    near += weights.paragraph * evidence.same_block + weights.lead_in * evidence.lead_in
    if count > 1:
        # What a pronoun stands for may be two sentences back where the one before points back as well.
        chained = evidence.refers[1:] & evidence.refers[:-1]
        by_distance[2][1:] += weights.chained * chained
    by_distance[2][:2] = 0.0
    for distance in range(1, REACH + 1):
        by_distance[distance] *= ~evidence.starts_section if distance == 1 else 1.0
        by_distance[distance][:distance] = 0.0
    running = tuple(np.concatenate([[0.0], np.cumsum(each)]) for each in by_distance)
    return Links(by_distance=tuple(by_distance), running=running)

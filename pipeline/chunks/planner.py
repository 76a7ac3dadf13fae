"""The plan of all boundaries of a document, chosen together: a shortest path over (end, carried start).

A state ``(b, c)`` says that a body starts before unit ``b`` and that the units ``[c, b)`` are carried into
it. A chunk leads from a state to its end ``e``, where the next state's carried start is chosen. What a plan
costs splits into what only the state decides (links severed, overlap, dangling opening: a seam's cost), what
only the chunk's size decides, and what lies between ``b`` and ``e`` (sections started inside), so that one
step is a few array operations over the states in range. Work per unit is bounded by the chunk size, so the
whole is linear; nothing recurses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.chunks.links import FloatArray, Links
from pipeline.chunks.units import Units
from pipeline.chunks.weights import PlanWeights
from pipeline.tokens import IntArray

MOST_CARRIED = 24
"""Units that may be carried at most; the band ends earlier unless sentences are a few tokens long."""
_STATES_PER_SEAM = 6


class Cut(NamedTuple):
    """One planned chunk in units: carries ``[carried, body)``, new text ``[body, end)``."""

    carried: int
    body: int
    end: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in tokens that a plan keeps to."""

    target: int
    low: int
    high: int
    largest: int
    band_low: int
    band_high: int
    carry_across_sections: bool = False


@dataclass(frozen=True, slots=True)
class Seams:
    """What may be carried into a body that starts before each unit, and what that costs.

    The states of the seam before unit ``b`` are ``first[b]`` … ``first[b + 1]`` of the flat arrays.
    """

    first: IntArray
    body: IntArray
    carried: IntArray
    cost: FloatArray
    severed: FloatArray


def plan_cuts(
    units: Units, links: Links, barriers: IntArray, limits: Limits, weights: PlanWeights
) -> list[Cut]:
    """The cheapest plan.

    Args:
        barriers: units before which a body must start, whatever it costs; the first is 0.
    """
    seams = build_seams(units, links, limits, weights)
    bounds = [*barriers.tolist(), len(units)]
    solver = _Solver(units, seams, limits, weights)
    cuts: list[Cut] = []
    for low, high in zip(bounds, bounds[1:], strict=False):
        cuts += solver.solve(low, high, cuts[-1].body if cuts else -1)
    return cuts


def build_seams(units: Units, links: Links, limits: Limits, weights: PlanWeights) -> Seams:
    """All states: at each seam the carried starts inside the band, else the nearest below it."""
    count = len(units)
    tokens = units.tokens
    floor_start = _carry_floor(units, limits)
    # c is in the band where tokens[b] - tokens[c] lies in [band_low, band_high].
    lowest = np.searchsorted(tokens, tokens[:-1] - limits.band_high)  # first c not above the band
    highest = np.searchsorted(
        tokens, tokens[:-1] - limits.band_low, side="right"
    )  # one past the last c in it
    lowest = np.maximum(lowest, floor_start)
    severed = [links.severed(count, k) for k in range(min(MOST_CARRIED, count) + 1)]
    points_back = links.dangling
    section = np.array([unit.starts_section for unit in units.items])
    seam_cost = np.where(section, 0.0, weights.sentence_seam)
    seam_cost[[unit.starts_block for unit in units.items]] = 0.0
    seam_cost += weights.inside_sentence * np.array([unit.inside_sentence for unit in units.items])
    first, body, carried, cost, cut_links = [0], [], [], [], []
    for b in range(count):
        low, high = int(lowest[b]), int(highest[b])
        low = max(low, b - MOST_CARRIED)
        if low < high:
            options = tuple(range(max(low, high - _STATES_PER_SEAM), high))
        elif low < b:
            options = (low, b)
        else:
            options = (b,)
        in_band = low < high
        alone = tokens[b + 1] - tokens[b]
        if b not in options and (section[b] or limits.largest - limits.band_low < alone <= limits.largest):
            options = (*options, b)  # the unit leaves no room for what the band would carry
        owed = b > 0 and not (section[b] and not limits.carry_across_sections)
        for c in options:
            body.append(b)
            carried.append(c)
            cut_links.append(severed[b - c][b] if b else 0.0)
            price = cut_links[-1] + seam_cost[b]
            if owed and not in_band:
                price += weights.band * (1 - (tokens[b] - tokens[c]) / limits.band_low)
            if b and points_back[c]:
                price += weights.dangling
            cost.append(price)
        first.append(len(body))
    return Seams(
        first=np.array(first, dtype=np.int64),
        body=np.array(body, dtype=np.int64),
        carried=np.array(carried, dtype=np.int64),
        cost=np.array(cost),
        severed=np.array(cut_links),
    )


def _carry_floor(units: Units, limits: Limits) -> IntArray:
    """For the seam before each unit, the earliest unit that may be carried.

    Atomic blocks are never carried, nor anything before them; nothing is carried into a section's start
    unless that is asked for, and never from before another section's start.
    """
    floor = np.zeros(len(units), dtype=np.int64)
    earliest = 0
    for b, unit in enumerate(units.items):
        if b and units.items[b - 1].atomic:
            earliest = b
        if unit.starts_section:
            floor[b] = earliest if limits.carry_across_sections else b
            earliest = b
        else:
            floor[b] = earliest
    return floor


class _Solver:
    """The forward sweep over the ends, one stretch between barriers at a time."""

    def __init__(self, units: Units, seams: Seams, limits: Limits, weights: PlanWeights) -> None:
        self.tokens = units.tokens
        self.seams = seams
        self.limits = limits
        self.weights = weights
        self.size_cost = _size_costs(limits, weights)
        starts = [unit.starts_section for unit in units.items]
        self.section_before = np.concatenate([[0], np.cumsum(starts)])
        self.starts_section = np.array(starts)
        self.state_tokens = self.tokens[seams.carried]

    def solve(self, low: int, high: int, previous_body: int) -> list[Cut]:
        """The cheapest chunks whose bodies tile units ``[low, high)``.

        ``previous_body`` is the start of the body before; what is carried starts after it.
        """
        seams, limits, weights = self.seams, self.limits, self.weights
        first, tokens = seams.first, self.tokens
        offset = int(first[low])
        best = np.full(int(first[high]) - offset, np.inf)
        for state in range(offset, int(first[low + 1])):
            if int(seams.carried[state]) > previous_body:
                best[state - offset] = seams.cost[state]
        origin = np.full((high - low + 1, _STATES_PER_SEAM + 1), -1, dtype=np.int64)
        crossing = weights.crossing
        sections = self.section_before
        for e in range(low + 1, high + 1):
            b0 = max(low, int(np.searchsorted(tokens, tokens[e] - limits.largest)))
            b0 = min(b0, e - 1)
            s0, s1 = int(first[b0]) - offset, int(first[e]) - offset
            sizes = tokens[e] - self.state_tokens[s0 + offset : s1 + offset]
            total = best[s0:s1] + self._size(sizes, e)
            if sections[e] > sections[b0 + 1]:
                bodies = seams.body[s0 + offset : s1 + offset]
                inside = sections[e] - sections[bodies + 1]
                total += crossing * inside
                total += weights.mixing * ((inside > 0) & ~self.starts_section[bodies])
            if e == high:
                chosen = int(np.argmin(total))
                origin[e - low, 0] = s0 + chosen
                break
            f0, f1 = int(first[e]), int(first[e + 1])
            chosen = int(np.argmin(total))
            for number, state in enumerate(range(f0, f1)):
                c = int(seams.carried[state])
                pick = chosen
                if int(seams.body[s0 + chosen + offset]) >= c and c < e:
                    stop = int(first[c]) - offset - s0  # the body before must start earlier than c
                    if stop <= 0:
                        continue
                    pick = int(np.argmin(total[:stop]))
                best[state - offset] = total[pick] + seams.cost[state]
                origin[e - low, number] = s0 + pick
        return self._trace(origin, low, high, offset)

    def _size(self, sizes: IntArray, e: int) -> FloatArray:
        costs = self.size_cost[np.minimum(sizes, len(self.size_cost) - 1)]
        if not np.isfinite(costs[-1]) or sizes[-1] > self.limits.largest:
            # The last unit alone is too large: it may still be a chunk of its own.
            costs = costs.copy()
            alone = self.seams.body[self.seams.first[e - 1] : self.seams.first[e]]
            costs[-len(alone) :] = self.weights.size
        return costs

    def _trace(self, origin: npt.NDArray[np.int64], low: int, high: int, offset: int) -> list[Cut]:
        cuts: list[Cut] = []
        end, number = high, 0
        while end > low:
            state = int(origin[end - low, number]) + offset
            body, carried = int(self.seams.body[state]), int(self.seams.carried[state])
            cuts.append(Cut(carried, body, end))
            number = state - int(self.seams.first[body])
            end = body
        return cuts[::-1]


def _size_costs(limits: Limits, weights: PlanWeights) -> FloatArray:
    """Cost of every size from 0 to the hard maximum and infinity after it."""
    sizes = np.arange(limits.largest + 2) / limits.target
    cost = weights.size * (sizes - 1) ** 2
    low, high = limits.low / limits.target, limits.high / limits.target
    cost += weights.outside * (np.maximum(0, low - sizes) ** 2 + np.maximum(0, sizes - high) ** 2)
    cost[-1] = np.inf
    return cost

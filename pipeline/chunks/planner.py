"""The plan of all boundaries of a document, chosen together: a shortest path over (end, carried start).

A state ``(b, c)`` says that a body starts before unit ``b`` and that the units ``[c, b)`` are carried into
it. A chunk leads from a state to its end ``e``, where the next state's carried start is chosen. What a plan
costs splits into what only the state decides (links severed, overlap, opening: a seam's cost), what only the
chunk's size decides, and what lies between ``b`` and ``e`` (sections started inside, the floor), so that one
step is a few array operations over the states in range. Work per unit is bounded by the chunk size, so the
whole is linear; nothing recurses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pipeline.chunks.evidence import REACH, Evidence
from pipeline.chunks.links import Links
from pipeline.chunks.units import Units
from pipeline.chunks.weights import PlanWeights
from pipeline.tokens import FloatArray, IntArray

MOST_CARRIED = 32
"""Units that may be carried at most; the band ends earlier unless sentences are two or three tokens long."""
LEAD_POWER = 3
"""The text that loses sight of a section's first sentence counts as its share of a target to this power, so
that an early seam is dear, while late ones hardly differ and leave the choice to links and overlap."""
STATES = 7
"""Carried starts considered at a seam: the latest in the band, and nothing carried."""


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
class States:
    """What may be carried into a body that starts before each unit, and what that costs.

    The states of the seam before unit ``b`` are ``first[b]`` … ``first[b + 1]`` of the flat arrays.
    """

    first: IntArray
    body: IntArray
    carried: IntArray
    cost: FloatArray


def plan_cuts(
    units: Units,
    evidence: Evidence,
    links: Links,
    barriers: IntArray,
    strangeness: FloatArray,
    limits: Limits,
    weights: PlanWeights,
) -> list[Cut]:
    """The cheapest plan.

    Args:
        strangeness: for each unit, how far its section is from that of the unit before; 0 inside a section.
        barriers: units before which a body must start, whatever it costs; the first is 0.
    """
    states = build_states(units, evidence, links, limits, weights)
    solver = _Solver(units, evidence, states, strangeness, limits, weights)
    cuts: list[Cut] = []
    for low, high in pairwise([*barriers.tolist(), len(units)]):
        cuts += solver.solve(low, high, cuts[-1].body if cuts else -1)
    return cuts


def build_states(
    units: Units, evidence: Evidence, links: Links, limits: Limits, weights: PlanWeights
) -> States:
    """At each seam the carried starts inside the band, else the one nearest below it, and nothing."""
    count = len(units)
    seams = np.arange(count)
    tokens = units.tokens
    lowest = np.maximum(carry_floor(units, limits), seams - MOST_CARRIED)
    lowest = np.maximum(lowest, np.searchsorted(tokens, tokens[:-1] - limits.band_high))
    highest = np.searchsorted(tokens, tokens[:-1] - limits.band_low, side="right")
    in_band = lowest < highest
    lowest = np.where(in_band, np.maximum(lowest, highest - STATES + 1), lowest)
    options = np.where(in_band, highest - lowest, (lowest < seams).astype(np.int64))
    first = np.concatenate([[0], np.cumsum(options + 1)])
    body = np.repeat(seams, options + 1)
    position = np.arange(len(body)) - first[body]
    carried = np.where(position < options[body], lowest[body] + position, body)
    cost = _seam_costs(units, weights)[body]
    cost += links.severed[np.minimum(body - carried, REACH), body]
    before, after = _section_shares(units, evidence, limits, body, carried)
    cost += weights.spread * before * after + weights.lead * after**LEAD_POWER
    ratio = (tokens[body] - tokens[carried]) / max(1, limits.band_low)
    owed = ~evidence.starts_section if not limits.carry_across_sections else np.ones(count, dtype=bool)
    missing = np.where(
        in_band[body], weights.bare * (carried == body), weights.band * (1 - ratio) + weights.miss
    )
    cost += owed[body] * missing
    opens = ~evidence.starts_section[carried]
    cost += (
        opens * (weights.dangling * evidence.opens_pronoun + weights.refers * evidence.unresolved)[carried]
    )
    cost[0] = 0.0
    return States(first=first, body=body, carried=carried, cost=cost)


def _section_shares(
    units: Units, evidence: Evidence, limits: Limits, body: IntArray, carried: IntArray
) -> tuple[FloatArray, FloatArray]:
    """How much of its section a seam leaves behind, and how much it takes along, in targets up to 1.

    Any two units of a section may hold an edge together, whatever their words, so a seam near either end of
    a section parts fewer pairs than one in the middle; and a section's first sentence says what the rest is
    about, so the less text loses sight of it the better. A seam between sections parts nothing.
    """
    tokens = units.tokens
    starts = np.flatnonzero(evidence.starts_section[1:]) + 1
    bounds = np.concatenate([[0], starts, [len(units)]]).astype(np.int64)
    at = np.searchsorted(bounds, body, side="right") - 1
    inside = body > bounds[at]
    before = np.minimum(np.maximum(tokens[carried] - tokens[bounds[at]], 0) / limits.target, 1.0)
    after = np.minimum((tokens[bounds[at + 1]] - tokens[body]) / limits.target, 1.0)
    return before, np.where(inside, after, 0.0)


def carry_floor(units: Units, limits: Limits) -> IntArray:
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


def _seam_costs(units: Units, weights: PlanWeights) -> FloatArray:
    """What a seam costs by the place alone."""
    starts_block = np.array([unit.starts_block for unit in units.items])
    inside = np.array([unit.inside_sentence for unit in units.items])
    return np.where(starts_block, 0.0, weights.sentence_seam) + weights.inside_sentence * inside


class _Solver:
    """The forward sweep over the ends, one stretch between barriers at a time."""

    def __init__(
        self,
        units: Units,
        evidence: Evidence,
        states: States,
        strangeness: FloatArray,
        limits: Limits,
        weights: PlanWeights,
    ) -> None:
        self.weights = weights
        self.largest = limits.largest
        self.sizes = size_costs(limits, weights)
        self.states = states
        self.state_tokens = units.tokens[states.carried]
        sections_before = np.concatenate([[0.0], np.cumsum(strangeness)])
        self.state_started: FloatArray = sections_before[states.body + 1]
        self.state_mixing = np.where(evidence.starts_section[states.body], 0.0, weights.mixing)
        # Lists, for single numbers are read from them several times as fast as from arrays.
        self.first: list[int] = states.first.tolist()
        self.carried: list[int] = states.carried.tolist()
        self.tokens: list[int] = units.tokens.tolist()
        self.window: list[int] = np.searchsorted(units.tokens, units.tokens - limits.largest).tolist()
        self.floor_from: list[int] = _floor_from(evidence).tolist()
        self.started: list[float] = sections_before.tolist()

    def solve(self, low: int, high: int, previous_body: int) -> list[Cut]:
        """The cheapest chunks whose bodies tile units ``[low, high)``.

        ``previous_body`` is the start of the body before; what is carried starts after it.
        """
        first, carried, costs, bodies = self.first, self.carried, self.states.cost, self.states.body
        offset = first[low]
        best = np.full(first[high] - offset, np.inf)
        start = slice(offset, first[low + 1])
        allowed = self.states.carried[start] > previous_body
        best[: len(allowed)] = np.where(allowed, costs[start], np.inf)
        origin = np.full(len(best), -1, dtype=np.int64)
        for end in range(low + 1, high):
            begin, total = self._arcs(low, end, best, offset)
            chosen = int(total.argmin())
            body = int(bodies[begin + chosen])
            lower, upper = first[end], first[end + 1]
            if body < carried[lower]:  # the usual case: nothing carried reaches back to that body's start
                best[lower - offset : upper - offset] = costs[lower:upper] + total[chosen]
                origin[lower - offset : upper - offset] = begin + chosen
                continue
            for state in range(lower, upper):
                pick = chosen
                if end > carried[state] <= body:
                    stop = (
                        first[carried[state]] - begin
                    )  # the body before starts earlier than what is carried
                    if stop <= 0:
                        continue
                    pick = int(total[:stop].argmin())
                best[state - offset] = total[pick] + costs[state]
                origin[state - offset] = begin + pick
        begin, total = self._arcs(low, high, best, offset)
        return self._trace(begin + int(total.argmin()), high, origin, offset)

    def _arcs(self, low: int, end: int, best: FloatArray, offset: int) -> tuple[int, FloatArray]:
        """The first state a chunk ending before unit ``end`` may come from, and the cost from each on."""
        first, weights = self.first, self.weights
        furthest = min(max(low, self.window[end]), end - 1)
        begin, stop = first[furthest], first[end]
        sizes = self.tokens[end] - self.state_tokens[begin:stop]
        total = self.sizes.take(sizes, mode="clip")
        total += best[begin - offset : stop - offset]
        if self.tokens[end] - self.tokens[end - 1] > self.largest:
            # The last unit alone is too large: it is a chunk of its own.
            alone = first[end - 1]
            total[alone - begin :] = best[alone - offset : stop - offset] + self.sizes[self.largest]
        if self.started[end] > self.started[furthest + 1]:
            started = self.started[end] - self.state_started[begin:stop]
            total += weights.crossing * started
            total += np.minimum(started, 1) * self.state_mixing[begin:stop]
        floor = max(furthest, self.floor_from[end] + 1)
        if floor < end:
            total[first[floor] - begin :] += weights.floor
        return begin, total

    def _trace(self, state: int, end: int, origin: IntArray, offset: int) -> list[Cut]:
        cuts: list[Cut] = []
        while state >= 0:
            body = int(self.states.body[state])
            cuts.append(Cut(self.carried[state], body, end))
            end = body
            state = int(origin[state - offset])
        return cuts[::-1]


def size_costs(limits: Limits, weights: PlanWeights) -> FloatArray:
    """What a chunk of each size up to the hard maximum costs, and infinity after it: its distance from the
    size aimed at, and from the tier's range."""
    target = limits.target
    ratio = np.arange(limits.largest + 2) / target
    outside = np.maximum(0.0, np.maximum(limits.low / target - ratio, ratio - limits.high / target))
    cost = weights.chunk + weights.size * (ratio - weights.aim) ** 2 + weights.outside * outside**2
    cost[-1] = np.inf
    return cost


def _floor_from(evidence: Evidence) -> IntArray:
    """For each end, the last start from which a body has two entities and a verb; -1 where none has."""
    entities, verbs = evidence.entities, evidence.verbs
    by_entities = np.searchsorted(entities, entities - 2, side="right") - 1
    by_verbs = np.searchsorted(verbs, verbs - 1, side="right") - 1
    return np.minimum(by_entities, by_verbs)

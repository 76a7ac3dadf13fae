"""The plan of all boundaries of a document, chosen together: a shortest path over (end, carried start).

A state ``(b, c)`` says that a body starts before unit ``b`` and that the units ``[c, b)`` are carried into
it. A chunk leads from a state to its end ``e``, where the next state's carried start is chosen. What a plan
costs splits into what only the state decides (links severed, overlap, opening: a seam's cost), what only the
chunk's size decides, and what lies between ``b`` and ``e`` (sections started inside, the floor), so that one
step is a few array operations over the states in range. Work per unit is bounded by the chunk size, so the
whole is linear; nothing recurses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pipeline.chunks.evidence import REACH, Evidence
from pipeline.chunks.links import Links
from pipeline.chunks.units import Units
from pipeline.chunks.weights import PlanWeights
from pipeline.tokens import BoolArray, FloatArray, IntArray

LEAD_POWER = 3
"""The text that loses sight of a section's first sentence counts as its share of a target to this power, so
that an early seam is dear, while late ones hardly differ and leave the choice to links and overlap."""
NO_UNITS: IntArray = np.zeros(0, dtype=np.int64)
_BLOCK = 512
"""Ends whose chunks are priced at once."""
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
    has_band: BoolArray
    """For each seam, whether some run of units before it lies in the band and leaves room for the next."""


def plan_cuts(
    units: Units,
    evidence: Evidence,
    links: Links,
    barriers: IntArray,
    strangeness: FloatArray,
    limits: Limits,
    weights: PlanWeights,
    parents: IntArray = NO_UNITS,
) -> list[Cut]:
    """The cheapest plan.

    Args:
        parents: units that start a parent chunk, into which nothing is carried.
        strangeness: for each unit, how far its section is from that of the unit before; 0 inside a section.
        barriers: units before which a body must start, whatever it costs; the first is 0.
    """
    states = build_states(units, evidence, links, limits, weights, parents)
    return _Solver(units, evidence, states, barriers, strangeness, limits, weights).solve()


def build_states(
    units: Units,
    evidence: Evidence,
    links: Links,
    limits: Limits,
    weights: PlanWeights,
    parents: IntArray = NO_UNITS,
) -> States:
    """At each seam the carried starts inside the band, else the one nearest below it, and nothing."""
    count = len(units)
    seams = np.arange(count)
    tokens = units.tokens
    lowest = carry_floor(units, limits, parents)
    lowest = np.maximum(lowest, np.searchsorted(tokens, tokens[:-1] - limits.band_high))
    highest = np.searchsorted(tokens, tokens[:-1] - limits.band_low, side="right")
    # A unit so long that nothing in the band fits in front of it leaves no choice.
    fits = tokens[1:] - tokens[np.maximum(highest - 1, 0)] <= limits.largest
    in_band = (lowest < highest) & fits
    lowest = np.where(in_band, np.maximum(lowest, highest - STATES + 1), lowest)
    options = np.where(in_band, highest - lowest, (lowest < seams).astype(np.int64))
    first = np.concatenate([[0], np.cumsum(options + 1)])
    body = np.repeat(seams, options + 1)
    position = np.arange(len(body)) - first[body]
    carried = np.where(position < options[body], lowest[body] + position, body)
    cost = _seam_costs(units, evidence, weights)[body]
    cost += links.severed[np.minimum(body - carried, REACH), body]
    before, after, introduced = section_shares(units, evidence, limits, body, carried)
    cost += weights.spread * before * after + weights.lead * introduced * after**LEAD_POWER
    ratio = (tokens[body] - tokens[carried]) / max(1, limits.band_low)
    owed = ~evidence.starts_section if not limits.carry_across_sections else np.ones(count, dtype=bool)
    owed[parents] = False
    missing = np.where(
        in_band[body], weights.bare * (carried == body), weights.band * (1 - ratio) + weights.miss
    )
    cost += owed[body] * missing
    opens = ~evidence.starts_section[carried]
    cost += (
        opens * (weights.dangling * evidence.opens_pronoun + weights.refers * evidence.unresolved)[carried]
    )
    cost[0] = 0.0
    return States(first=first, body=body, carried=carried, cost=cost, has_band=in_band)


def section_shares(
    units: Units, evidence: Evidence, limits: Limits, body: IntArray, carried: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How much of its section a seam leaves behind, and how much it takes along, in targets up to 1; and how
    much the section's first sentence introduces what follows.

    Any two units of a section may hold an edge together, whatever their words, so a seam near either end of
    a section parts fewer pairs than one in the middle; and a section's first sentence mostly says what the
    rest is about, so the less text loses sight of it the better. A seam between sections parts nothing.
    """
    tokens = units.tokens
    starts = np.flatnonzero(evidence.starts_section[1:]) + 1
    bounds = np.concatenate([[0], starts, [len(units)]]).astype(np.int64)
    at = np.searchsorted(bounds, body, side="right") - 1
    inside = body > bounds[at]
    before = np.minimum(np.maximum(tokens[carried] - tokens[bounds[at]], 0) / limits.target, 1.0)
    after = np.minimum((tokens[bounds[at + 1]] - tokens[body]) / limits.target, 1.0)
    return before, np.where(inside, after, 0.0), evidence.introduces[bounds[at]]


def carry_floor(units: Units, limits: Limits, parents: IntArray = NO_UNITS) -> IntArray:
    """For the seam before each unit, the earliest unit that may be carried.

    Atomic blocks are never carried, nor anything before them; nothing is carried into a section's start
    unless that is asked for, and never from before another section's start, nor into one of ``parents``.
    """
    seams = np.arange(len(units))
    starts = units.flags("starts_section")
    after_atomic = np.append(False, units.flags("atomic")[:-1])
    floor = np.maximum.accumulate(seams * (starts | after_atomic))
    if limits.carry_across_sections:
        back = np.flatnonzero(starts[1:] & ~after_atomic[1:]) + 1
        back = back[~np.isin(back, parents)]
        floor[back] = floor[back - 1]
    return floor


def _seam_costs(units: Units, evidence: Evidence, weights: PlanWeights) -> FloatArray:
    """What a seam costs by the place alone."""
    inside = units.flags("inside_sentence")
    return weights.sentence_seam * evidence.same_block + weights.inside_sentence * inside


class _Solver:
    """The forward sweep over the ends. At a barrier the cheapest way there is settled."""

    def __init__(
        self,
        units: Units,
        evidence: Evidence,
        states: States,
        barriers: IntArray,
        strangeness: FloatArray,
        limits: Limits,
        weights: PlanWeights,
    ) -> None:
        self.weights = weights
        self.limits = limits
        self.tokens = units.tokens
        self.states = states
        # A section costs where it starts inside a body: all do but those that a state starts with.
        self.costs: FloatArray = states.cost - weights.crossing * strangeness[states.body]
        self.mixing = np.where(evidence.starts_section[states.body], 0.0, weights.mixing)
        self.best = np.full(len(states.body), np.inf)
        """The cheapest way to each state, the cost of the state itself aside."""
        self.origin = [-1] * len(units)
        """By unit, the state before on the cheapest way to a body that starts there; -1 after a barrier."""
        self.detours: dict[int, int] = {}
        """The same for states that the cheapest way to their unit does not lead to."""
        self.barriers = barriers
        self.floor_from = floor_from(evidence)[1:]
        self.last_section = np.maximum.accumulate(np.where(strangeness > 0, np.arange(len(strangeness)), 0))
        # Lists, for single numbers are read from them several times as fast as from arrays.
        self.first: list[int] = states.first.tolist()
        self.body: list[int] = states.body.tolist()
        self.carried: list[int] = states.carried.tolist()

    def solve(self) -> list[Cut]:
        """The cheapest chunks whose bodies tile all units."""
        first, body, carried, best, origin = self.first, self.body, self.carried, self.best, self.origin
        closing = {*self.barriers.tolist(), len(first) - 1}
        cuts: list[Cut] = []
        self._open(0, -1)
        for end, begin, total in self._arcs():
            lower = first[end]
            total += best[begin:lower]
            cheapest = int(total.argmin())
            chosen = begin + cheapest
            if end in closing:
                cuts += self._trace(chosen, end)
                self._open(end, cuts[-1].body)
                continue
            cost = total.item(cheapest)
            for state in range(lower, first[end + 1]):
                best[state] = cost
            origin[end] = chosen
            if body[chosen] >= carried[lower]:
                self._detour(end, begin, total)
        return cuts

    def _detour(self, end: int, begin: int, total: FloatArray) -> None:
        """Finds other ways to the states that carry all of the body that ends before them, or more."""
        first, carried = self.first, self.carried
        for state in range(first[end], first[end + 1]):
            if end > carried[state] <= self.body[self.origin[end]]:
                stop = first[carried[state]] - begin  # the body before starts before what is carried
                if stop <= 0:
                    self.best[state] = np.inf
                    continue
                pick = int(total[:stop].argmin())
                self.best[state] = total[pick]
                self.detours[state] = begin + pick

    def _open(self, unit: int, previous_body: int) -> None:
        """Settles the states of a barrier; what is carried starts after the body before."""
        if unit + 1 < len(self.first):
            start = slice(self.first[unit], self.first[unit + 1])
            allowed = self.states.carried[start] > previous_body
            self.best[start] = np.where(allowed, 0.0, np.inf)

    def _arcs(self) -> Iterator[tuple[int, int, FloatArray]]:
        """For each end, the first state a chunk ending there may come from, and what the chunk costs from
        that state and each one after it, the way to them aside."""
        tokens, first, largest = self.tokens, self.states.first, self.limits.largest
        prices = size_costs(self.limits, self.weights)
        state_tokens = tokens[self.states.carried]
        ends = np.arange(1, len(tokens))
        lows = np.repeat(self.barriers, np.diff(np.append(self.barriers, len(ends))))
        furthest = np.maximum(lows, np.searchsorted(tokens, tokens[1:] - largest))
        begins = first[np.minimum(furthest, ends - 1)]
        widths = first[ends] - begins
        mixed, floored = first[self.last_section], first[np.minimum(self.floor_from + 1, ends)]
        for at in range(0, len(ends), _BLOCK):
            block = slice(at, at + _BLOCK)
            width, begin, end = widths[block], begins[block], ends[block]
            bounds = np.concatenate([[0], np.cumsum(width)])
            state = np.arange(bounds[-1]) + np.repeat(begin - bounds[:-1], width)
            costs = prices.take(np.repeat(tokens[end], width) - state_tokens[state], mode="clip")
            for each in np.flatnonzero(tokens[end] - tokens[end - 1] > largest).tolist():
                # The last unit alone is too large: it is a chunk of its own.
                alone = int(bounds[each] + first[end[each] - 1] - begin[each])
                costs[alone : bounds[each + 1]] = prices[largest]
            costs += self.costs[state]
            costs += self.mixing[state] * (state < np.repeat(mixed[block], width))
            costs += self.weights.floor * (state >= np.repeat(floored[block], width))
            places = bounds.tolist()
            for number, (unit, start) in enumerate(zip(end.tolist(), begin.tolist(), strict=True)):
                yield unit, start, costs[places[number] : places[number + 1]]

    def _trace(self, state: int, end: int) -> list[Cut]:
        cuts: list[Cut] = []
        while state >= 0:
            cuts.append(Cut(self.carried[state], self.body[state], end))
            end = self.body[state]
            state = self.detours.get(state, self.origin[end])
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


def floor_from(evidence: Evidence) -> IntArray:
    """For each end, the last start from which a body has two entities and a verb; -1 where none has."""
    entities, verbs = evidence.entities, evidence.verbs
    by_entities = np.searchsorted(entities, entities - 2, side="right") - 1
    by_verbs = np.searchsorted(verbs, verbs - 1, side="right") - 1
    return np.minimum(by_entities, by_verbs)

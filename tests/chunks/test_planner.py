"""The planner's optimum against every possible plan of small documents."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.chunks.evidence import REACH, Evidence
from pipeline.chunks.links import weigh
from pipeline.chunks.planner import Cut, Limits, build_states, plan_cuts, size_costs
from pipeline.chunks.splitting import split_span
from pipeline.chunks.units import Unit, Units
from pipeline.chunks.weights import PlanWeights
from pipeline.spans import Span
from pipeline.tokens import token_counter

LIMITS = Limits(target=40, low=25, high=48, largest=52, band_low=6, band_high=8)
WEIGHTS = PlanWeights(band=9.0, bare=30.0, spread=2.0, lead=3.0)


@st.composite
def grounds(draw: st.DrawFn) -> tuple[Units, Evidence]:
    """Units of random sizes and kinds with random evidence."""
    count = draw(st.integers(1, 9))
    sizes = draw(st.lists(st.integers(1, 30), min_size=count, max_size=count))
    flags = [draw(st.lists(st.booleans(), min_size=count, max_size=count)) for _ in range(4)]
    rare = draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    items = [
        Unit(
            end=10 * (n + 1),
            content=10 * n,
            section=0,
            atomic=rare[n] == 0,
            starts_block=flags[0][n],
            starts_section=rare[n] == 1 and n > 0,
        )
        for n in range(count)
    ]
    shared = [
        np.array(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)), float) for _ in range(3)
    ]
    names = np.zeros((REACH + 1, count))
    names[1:4] = shared
    ends = np.arange(1, count + 1) * 10
    units = Units(tuple(items), ends - 10, ends, np.concatenate([[0], np.cumsum(sizes)]))
    evidence = Evidence(
        names=names,
        terms=np.zeros_like(names),
        opens_pronoun=np.array(flags[1]),
        opens_connective=np.array(flags[2]),
        refers=np.array(flags[3]),
        unresolved=np.array(flags[3], dtype=float),
        pronouns=np.zeros(count, dtype=np.int64),
        same_block=~np.array(flags[0]),
        lead_in=np.zeros(count, dtype=bool),
        starts_section=np.array([item.starts_section for item in items]),
        introduces=np.array(draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=count, max_size=count))),
        entities=np.arange(count + 1),
        verbs=np.arange(count + 1),
    )
    return units, evidence


def _cost(cuts: list[Cut], units: Units, evidence: Evidence, priced: dict[tuple[int, int], float]) -> float:
    """The cost of a whole plan, written out chunk by chunk."""
    price = size_costs(LIMITS, WEIGHTS)
    total = 0.0
    for cut in cuts:
        size = int(units.tokens[cut.end] - units.tokens[cut.carried])
        alone = int(units.tokens[cut.end] - units.tokens[cut.end - 1])
        if size > LIMITS.largest and not (cut.body == cut.end - 1 and alone > LIMITS.largest):
            return float("inf")
        started = sum(bool(evidence.starts_section[unit]) for unit in range(cut.body + 1, cut.end))
        total += priced[cut.body, cut.carried] + price[min(size, LIMITS.largest)]
        total += WEIGHTS.crossing * started
        total += WEIGHTS.mixing * (started > 0 and not evidence.starts_section[cut.body])
        total += WEIGHTS.floor * (cut.end - cut.body < 2)  # one entity and one verb a unit
    return total


@settings(max_examples=150, deadline=None)
@given(grounds())
def test_no_plan_is_cheaper(ground: tuple[Units, Evidence]) -> None:
    units, evidence = ground
    links = weigh(evidence, WEIGHTS.links)
    states = build_states(units, evidence, links, LIMITS, WEIGHTS)
    priced = {
        (int(body), int(carried)): float(cost)
        for body, carried, cost in zip(states.body, states.carried, states.cost, strict=True)
    }
    strangeness = evidence.starts_section.astype(float)
    planned = plan_cuts(units, evidence, links, np.zeros(1, dtype=np.int64), strangeness, LIMITS, WEIGHTS)
    count = len(units)
    options: dict[int, list[int]] = {}
    for body, carried in priced:
        options.setdefault(body, []).append(carried)
    cheapest = float("inf")
    for size in range(count):
        for seams in combinations(range(1, count), size):
            starts = (0, *seams)
            ends = (*seams, count)
            for carried in product(*(options[start] for start in starts)):
                cuts = [Cut(*each) for each in zip(carried, starts, ends, strict=True)]
                if all(
                    c == b or c > before
                    for c, b, before in zip(carried[1:], starts[1:], starts, strict=False)
                ):
                    cheapest = min(cheapest, _cost(cuts, units, evidence, priced))
    assert _cost(planned, units, evidence, priced) == np.float64(cheapest) or np.isclose(
        _cost(planned, units, evidence, priced), cheapest
    )


@settings(max_examples=60, deadline=None)
@given(grounds())
def test_severed_links_are_those_no_chunk_holds(ground: tuple[Units, Evidence]) -> None:
    units, evidence = ground
    links = weigh(evidence, WEIGHTS.links)
    for seam, kept in product(range(1, len(units)), range(3)):
        if kept < seam:
            expected = sum(
                links.strength[distance][j]
                for distance in range(1, REACH + 1)
                for j in range(seam, len(units))
                if 0 <= j - distance < seam - kept
            )
            assert np.isclose(links.severed[kept][seam], expected)


def test_pieces_smaller_than_a_character_are_none() -> None:
    text = "है؟"
    pieces = split_span(text, Span(0, len(text)), token_counter("cl100k_base").map(text), 1)
    assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]
    assert all(piece.length for piece in pieces)

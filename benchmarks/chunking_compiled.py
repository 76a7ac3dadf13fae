"""The planner once more, compiled over all gold documents of a tier at once: for searching weights.

A search plans the same few hundred documents some hundred thousand times. This does what ``pipeline.chunks``
does from evidence to cuts, and what ``chunking_scores`` does from cuts to figures, some 200 times as fast.
:func:`disagreements` compares the cuts with the product's own; the tuning asks before it starts.

Needs numba (``benchmarks/requirements.txt``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple, TypeVar, cast

import numpy as np

from benchmarks.chunking_data import COMPOSITE, COREFERENCE, NATURAL, GoldDocument, Tier, load
from benchmarks.chunking_own import normalize, surveyed
from benchmarks.chunking_scores import opens_dangling
from pipeline.chunks.drafting import Ground, draft
from pipeline.chunks.evidence import REACH
from pipeline.chunks.links import weigh
from pipeline.chunks.planner import LEAD_POWER, Cut, build_states, floor_from, section_shares
from pipeline.chunks.weights import LinkWeights, PlanWeights
from pipeline.tokens import FloatArray, IntArray

try:
    import numba  # pyright: ignore[reportMissingImports]
except ImportError:
    raise SystemExit("numba is missing: pip install -r benchmarks/requirements.txt") from None

F = TypeVar("F", bound=Callable[..., Any])
WEIGHTS: Final = tuple(each.name for each in fields(PlanWeights) if each.name != "links")
LINK_WEIGHTS: Final = tuple(each.name for each in fields(LinkWeights))
NAMES: Final = (*WEIGHTS, *(f"links.{name}" for name in LINK_WEIGHTS))
"""What each number of a vector of weights is."""
_AT: Final = {name: place for place, name in enumerate(NAMES)}
WINDOWS: Final = ("natural_cross", "composite_cross", "fit", "pronouns")
"""What windows are counted for: edges across sentences of both kinds, all that fit, pronouns."""


def compiled(function: F) -> F:
    """Compiles a function, whose types numba does not tell."""
    return cast(F, numba.njit(function))


def to_vector(weights: PlanWeights) -> FloatArray:
    """The weights in the order of ``NAMES``."""
    own = [getattr(weights, name) for name in WEIGHTS]
    return np.array([*own, *(getattr(weights.links, name) for name in LINK_WEIGHTS)], dtype=float)


def to_weights(vector: FloatArray) -> PlanWeights:
    """The inverse of :func:`to_vector`."""
    values = [float(value) for value in vector]
    links = LinkWeights(**dict(zip(LINK_WEIGHTS, values[len(WEIGHTS) :], strict=True)))
    return PlanWeights(**dict(zip(WEIGHTS, values, strict=False)), links=links)


@dataclass(frozen=True, slots=True)
class Case:
    """A gold document with everything surveyed that no weight decides."""

    gold: GoldDocument
    ground: Ground


def cases(tier: Tier) -> list[Case]:
    """The surveyed documents of a tier."""
    return [Case(gold, surveyed(normalize(gold))) for gold in load() if gold.tier == tier]


class Packed(NamedTuple):
    """All documents of a tier end to end. Units of document ``d`` lie from ``units[d]`` to ``units[d + 1]``,
    its states (see ``planner.States``) and windows likewise. Numbers of units and states count from there."""

    target: int
    low: int
    high: int
    largest: int
    band_low: int
    band_high: int
    units: IntArray
    states: IntArray
    windows: IntArray
    tokens: IntArray
    """Up to the end of each unit."""
    names: FloatArray
    terms: FloatArray
    opens_pronoun: FloatArray
    opens_connective: FloatArray
    refers: FloatArray
    unresolved: FloatArray
    pronouns: FloatArray
    same_block: FloatArray
    lead_in: FloatArray
    starts_section: FloatArray
    inside_sentence: FloatArray
    atomic: FloatArray
    strangeness: FloatArray
    barrier: FloatArray
    floor_from: IntArray
    last_section: IntArray
    first: IntArray
    body: IntArray
    carried: IntArray
    before: FloatArray
    after: FloatArray
    introduced: FloatArray
    has_band: FloatArray
    """``planner.States.has_band``."""
    dangling_word: FloatArray
    """Whether a chunk that starts with the unit opens on a pronoun whose antecedents stand before it."""
    dangling_sentence: FloatArray
    window: IntArray
    """First and last unit, and how many of each of ``WINDOWS`` it stands for."""
    coreference: FloatArray
    """For each document, whether its openings are scored."""
    edges: FloatArray
    """For each document, whether its edges are scored."""


class Counts(NamedTuple):
    """Sums over the documents of a tier."""

    all_windows: FloatArray
    """By ``WINDOWS``."""
    kept: FloatArray
    chunk_tokens: int
    tokens: int
    openings: int
    dangling_words: float
    dangling_sentences: float
    inside: int
    """Seams neither at a section's start nor next to an atomic block."""
    in_band: int
    small: int
    """Chunks below the tier's range."""
    mixed: int
    """Bodies that start inside a section and go on into another."""
    chunks: int


class Compiled:
    """The documents of a tier, ready to be planned under any weights."""

    def __init__(self, found: Sequence[Case]) -> None:
        self.cases = found
        self.packed = _pack(found)
        self._cuts = np.zeros((int(self.packed.units[-1]), 3), dtype=np.int64)

    def counts(self, vector: FloatArray) -> Counts:
        """Plans all documents and scores them."""
        return _run(vector, self.packed, self._cuts)

    def cuts(self, vector: FloatArray) -> list[list[Cut]]:
        """The cuts of each document."""
        chunks = self.counts(vector).chunks
        found: list[list[Cut]] = []
        for carried, body, end in self._cuts[:chunks].tolist():
            if body == 0:
                found.append([])
            found[-1].append(Cut(carried, body, end))
        return found


def disagreements(found: Compiled, weights: PlanWeights) -> list[str]:
    """Documents that the product cuts in other places. Two plans of equal cost are told apart by rounding."""
    planned = found.cuts(to_vector(weights))
    pairs = zip(found.cases, planned, strict=True)
    return [case.gold.document_id for case, cuts in pairs if list(draft(case.ground, weights)[1]) != cuts]


def _pack(found: Sequence[Case]) -> Packed:
    columns: dict[str, list[Any]] = defaultdict(list)
    for case in found:
        for name, column in _columns(case):
            columns[name].append(column)
    limits = found[0].ground.limits
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    sizes = {"units": "tokens", "states": "body", "windows": "window"}
    starts = {
        name: np.cumsum([0, *(len(part) for part in columns[column])]) for name, column in sizes.items()
    }
    return Packed(
        target=limits.target,
        low=limits.low,
        high=limits.high,
        largest=limits.largest,
        band_low=limits.band_low,
        band_high=limits.band_high,
        **starts,
        **joined,
    )


def _columns(case: Case) -> Iterator[tuple[str, Any]]:
    ground, evidence, units = case.ground, case.ground.evidence, case.ground.units
    count, tokens, limits = len(units), units.tokens, case.ground.limits
    yield "tokens", tokens[1:]
    yield "names", evidence.names.T
    yield "terms", evidence.terms.T
    for name in ("opens_pronoun", "opens_connective", "refers", "unresolved", "pronouns", "same_block"):
        yield name, getattr(evidence, name).astype(float)
    for name in ("lead_in", "starts_section"):
        yield name, getattr(evidence, name).astype(float)
    for name in ("inside_sentence", "atomic"):
        yield name, units.flags(name).astype(float)
    yield "strangeness", ground.strangeness
    yield "barrier", np.isin(np.arange(count), ground.barriers).astype(float)
    yield "floor_from", floor_from(evidence)[1:]
    yield "last_section", np.maximum.accumulate(np.arange(count) * (ground.strangeness > 0))
    states = build_states(units, evidence, weigh(evidence, LinkWeights()), limits, PlanWeights())
    body, carried = states.body, states.carried
    yield "first", states.first[:-1]
    yield "body", body
    yield "carried", carried
    before, after, introduced = section_shares(units, evidence, limits, body, carried)
    yield "before", before
    yield "after", after
    yield "introduced", introduced
    yield "has_band", states.has_band.astype(float)
    scored = bool(case.gold.pronouns)
    last = len(case.gold.text)
    dangling = [
        opens_dangling(case.gold, start, last) if scored else (False, False)
        for start in units.starts.tolist()
    ]
    yield "dangling_word", np.array([word for word, _ in dangling], dtype=float)
    yield "dangling_sentence", np.array([sentence for _, sentence in dangling], dtype=float)
    yield "window", _windows(case)
    yield "coreference", np.array([scored and case.gold.set_name in COREFERENCE], dtype=float)
    yield "edges", np.array([case.gold.set_name in NATURAL + COMPOSITE], dtype=float)


def _windows(case: Case) -> IntArray:
    """What a chunk must hold for an edge or a pronoun, in units; equal ones once, with their numbers."""
    gold, ends = case.gold, case.ground.units.ends
    found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * len(WINDOWS))

    def add(start: int, end: int, kind: int) -> None:
        last = min(int(ends.searchsorted(end - 1, side="right")), len(ends) - 1)
        found[int(ends.searchsorted(start, side="right")), last][kind] += 1

    for edge in gold.edges:
        if edge.window is None or edge.kind not in ("cross", "intra"):
            continue
        natural, composite = gold.set_name in NATURAL, gold.set_name in COMPOSITE
        if edge.kind == "cross" and (natural or composite):
            add(*edge.window, 0 if natural else 1)
        if edge.window_tokens <= gold.target and (natural or composite):
            add(*edge.window, 2)
    for pronoun in gold.pronouns if gold.set_name in COREFERENCE else ():
        nearest = max(mention.start for mention in pronoun.antecedents)
        add(min(nearest, pronoun.span.start), pronoun.span.end, 3)
    rows = [(*window, *counts) for window, counts in sorted(found.items())]
    return np.array(rows, dtype=np.int64).reshape(-1, 2 + len(WINDOWS))


_AIM, _SIZE, _OUTSIDE, _CHUNK = (_AT[name] for name in ("aim", "size", "outside", "chunk"))
_BAND, _MISS, _BARE = (_AT[name] for name in ("band", "miss", "bare"))
_SPREAD, _LEAD, _DANGLING, _REFERS = (_AT[name] for name in ("spread", "lead", "dangling", "refers"))
_CROSSING, _MIXING, _FLOOR = (_AT[name] for name in ("crossing", "mixing", "floor"))
_SENTENCE_SEAM, _INSIDE_SENTENCE = (_AT[name] for name in ("sentence_seam", "inside_sentence"))
_NAME, _TERM, _MOST, _DECAY = (_AT[f"links.{name}"] for name in ("name", "term", "most", "decay"))
_OPENING, _CONNECTIVE, _PRONOUN = (_AT[f"links.{name}"] for name in ("opening", "connective", "pronoun"))
_LINK_REFERS, _CHAINED = _AT["links.refers"], _AT["links.chained"]
_PARAGRAPH, _LEAD_IN = _AT["links.paragraph"], _AT["links.lead_in"]


@compiled
def _severed(w: FloatArray, p: Packed, at: int, count: int) -> FloatArray:
    """``Links.severed`` of the document whose units start ``at``."""
    strength = np.zeros((REACH + 1, count))
    for distance in range(1, REACH + 1):
        fading = w[_DECAY] ** (distance - 1)
        for unit in range(distance, count):
            shared = w[_NAME] * p.names[at + unit, distance] + w[_TERM] * p.terms[at + unit, distance]
            strength[distance, unit] = min(shared, w[_MOST]) * fading
    for unit in range(1, count):
        j = at + unit
        near = strength[1, unit]
        near += w[_OPENING] * p.opens_pronoun[j] + w[_CONNECTIVE] * p.opens_connective[j]
        near += w[_PRONOUN] * min(p.pronouns[j], 2.0) + w[_LINK_REFERS] * p.refers[j]
        near += w[_PARAGRAPH] * p.same_block[j] + w[_LEAD_IN] * p.lead_in[j]
        strength[1, unit] = 0.0 if p.starts_section[j] else near
        if unit > 1 and p.refers[j] and p.refers[j - 1]:
            strength[2, unit] += w[_CHAINED]
    at_least = np.zeros((REACH + 2, count))
    for distance in range(REACH, 0, -1):
        for unit in range(count):
            at_least[distance, unit] = at_least[distance + 1, unit]
            if unit + distance < count:
                at_least[distance, unit] += strength[distance, unit + distance]
    severed = np.zeros((REACH + 1, count))
    for kept in range(REACH - 1, -1, -1):
        for unit in range(count):
            severed[kept, unit] = severed[kept + 1, unit]
            if unit > kept:
                severed[kept, unit] += at_least[kept + 1, unit - kept - 1]
    return severed


@compiled
def _seams(w: FloatArray, p: Packed, at: int, count: int, state: int, states: int) -> FloatArray:
    """What each state costs, the sections aside that start inside the body before."""
    severed = _severed(w, p, at, count)
    costs = np.zeros(states)
    for number in range(states):
        s = state + number
        body, carried = at + p.body[s], at + p.carried[s]
        cost = w[_SENTENCE_SEAM] * p.same_block[body] + w[_INSIDE_SENTENCE] * p.inside_sentence[body]
        cost += severed[min(body - carried, REACH), body - at]
        cost += w[_SPREAD] * p.before[s] * p.after[s]
        cost += w[_LEAD] * p.introduced[s] * p.after[s] ** LEAD_POWER
        if not p.starts_section[body]:
            if not p.has_band[body]:
                before = p.tokens[carried - 1] if carried > at else 0
                size = p.tokens[body - 1] - before if body > carried else 0
                cost += w[_BAND] * (1 - size / max(1, p.band_low)) + w[_MISS]
            elif body == carried:
                cost += w[_BARE]
        if not p.starts_section[carried]:
            cost += w[_DANGLING] * p.opens_pronoun[carried] + w[_REFERS] * p.unresolved[carried]
        costs[number] = (cost if number else 0.0) - w[_CROSSING] * p.strangeness[body]
    return costs


@compiled
def _prices(w: FloatArray, p: Packed) -> FloatArray:
    prices = np.empty(p.largest + 2)
    for size in range(p.largest + 1):
        ratio = size / p.target
        outside = max(0.0, max(p.low / p.target - ratio, ratio - p.high / p.target))
        prices[size] = w[_CHUNK] + w[_SIZE] * (ratio - w[_AIM]) ** 2 + w[_OUTSIDE] * outside**2
    prices[p.largest + 1] = np.inf
    return prices


@compiled
def _solve(w: FloatArray, p: Packed, document: int, prices: FloatArray, cuts: IntArray) -> int:
    """Writes the cheapest cuts of a document and says how many there are."""
    at, count = p.units[document], p.units[document + 1] - p.units[document]
    state, states = p.states[document], p.states[document + 1] - p.states[document]
    tokens = np.zeros(count + 1, dtype=np.int64)
    tokens[1:] = p.tokens[at : at + count]
    first = np.empty(count + 1, dtype=np.int64)
    first[:count] = p.first[at : at + count]
    first[count] = states
    costs = _seams(w, p, at, count, state, states)
    best = np.full(states, np.inf)
    origin = np.full(states, -1)
    best[: first[1]] = 0.0
    total = np.empty(states)
    found = barrier = 0
    for end in range(1, count + 1):
        lowest = barrier
        while lowest < end - 1 and tokens[end] - tokens[lowest] > p.largest:
            lowest += 1
        alone = tokens[end] - tokens[end - 1] > p.largest
        bare = min(p.floor_from[at + end - 1] + 1, end)
        begin, chosen = first[lowest], -1
        for s in range(begin, first[end]):
            body = p.body[state + s]
            size = min(tokens[end] - tokens[p.carried[state + s]], p.largest + 1)
            cost = prices[p.largest if alone and body == end - 1 else size] + costs[s] + best[s]
            if body < p.last_section[at + end - 1] and not p.starts_section[at + body]:
                cost += w[_MIXING]
            if body >= bare:
                cost += w[_FLOOR]
            total[s] = cost
            if chosen < 0 or cost < total[chosen]:
                chosen = s
        if end == count or p.barrier[at + end]:
            opened = found
            s, last = chosen, end
            while s >= 0:
                cuts[found] = p.carried[state + s], p.body[state + s], last
                found += 1
                last, s = p.body[state + s], origin[s]
            cuts[opened:found] = cuts[opened:found][::-1].copy()
            if end < count:
                for s in range(first[end], first[end + 1]):
                    best[s] = 0.0 if p.carried[state + s] > cuts[found - 1, 1] else np.inf
                barrier = end
            continue
        for s in range(first[end], first[end + 1]):
            carried = p.carried[state + s]
            best[s], origin[s] = total[chosen], chosen
            if carried < end and carried <= p.body[state + chosen]:
                best[s] = np.inf
                for other in range(begin, first[carried]):
                    if total[other] < best[s]:
                        best[s], origin[s] = total[other], other
    return found


@compiled
def _owes_overlap(p: Packed, at: int, cut: IntArray, previous: IntArray) -> bool:
    """Whether a seam out of the band is neither at a section's start nor next to an atomic block."""
    body = cut[1]
    if p.starts_section[at + body] or p.atomic[at + body]:
        return False
    for unit in range(body - 1, previous[1], -1):
        if p.atomic[at + unit]:
            return False
        if p.tokens[at + body - 1] - p.tokens[at + unit - 1] >= p.band_low or p.starts_section[at + unit]:
            return True
    return p.atomic[at + previous[1]] == 0.0


@compiled
def _run(w: FloatArray, p: Packed, cuts: IntArray) -> Counts:
    prices = _prices(w, p)
    kinds = p.window.shape[1] - 2
    every, kept = np.zeros(kinds), np.zeros(kinds)
    chunk_tokens = tokens = openings = inside = in_band = small = mixed = chunks = 0
    words = sentences = 0.0
    for d in range(len(p.units) - 1):
        at = p.units[d]
        own = cuts[chunks:]
        found = _solve(w, p, d, prices, own)
        for row in range(p.windows[d], p.windows[d + 1]):
            every += p.window[row, 2:]
            for number in range(found):
                if own[number, 0] <= p.window[row, 0] and own[number, 2] > p.window[row, 1]:
                    kept += p.window[row, 2:]
                    break
        if p.edges[d]:
            tokens += int(p.tokens[p.units[d + 1] - 1])
        for number in range(found):
            carried, body, end = own[number]
            size = int(p.tokens[at + end - 1] - (p.tokens[at + carried - 1] if carried else 0))
            small += size < p.low
            started = p.starts_section[at + body] or body == 0
            mixed += bool(not started and p.starts_section[at + body + 1 : at + end].any())
            if p.edges[d]:
                chunk_tokens += size
            if number == 0:
                continue
            if p.coreference[d]:
                openings += 1
                words += float(p.dangling_word[at + carried])
                sentences += float(p.dangling_sentence[at + carried])
            overlap = p.tokens[at + body - 1] - p.tokens[at + carried - 1] if carried < body else 0
            if p.band_low <= overlap <= p.band_high:
                inside += 1
                in_band += 1
            elif _owes_overlap(p, at, own[number], own[number - 1]):
                inside += 1
        chunks += found
    return Counts(
        every, kept, chunk_tokens, tokens, openings, words, sentences, inside, in_band, small, mixed, chunks
    )

"""Tunes the planner's weights per tier on the development data and prints the tuning's own curve.

``python -m benchmarks.chunking_tuning --tier sentence --rounds 200`` starts from the weights in force, tries
one random change at a time (a factor on one to three weights) and keeps it where the loss falls: a (1+1)
evolution strategy. The loss is written out in :func:`loss`. Weights are shared by all data sets of a tier.

With ``--shakes N`` the loss is that of the mean figures over N fixed disturbances of all weights by a tenth:
few edges decide most tiers, and weights that win them by a hair's breadth lose them on other documents.

``--out`` keeps the curve as JSON lines: round, loss, figures, weights.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from statistics import mean
from typing import TypeVar, cast

from benchmarks.chunking_data import COMPOSITE, COREFERENCE, ENCODING, NATURAL, GoldDocument, Tier, load
from benchmarks.chunking_scores import Piece, Tally, score
from pipeline.chunk_plans import ChunkingSettings, plan_document
from pipeline.chunks.drafting import Ground, draft, survey
from pipeline.chunks.seams import describe_seam
from pipeline.chunks.weights import LinkWeights, PlanWeights, weights_of
from pipeline.normalized_text import NormalizationSettings, normalize_text
from pipeline.tokens import token_counter

W = TypeVar("W", PlanWeights, LinkWeights)
SETTINGS = ChunkingSettings(tokenizer=ENCODING)
NORMALIZATION = NormalizationSettings(unicode_form="none")
FIXED = frozenset({"bare", "inside_sentence"})
"""Weights that stand for hard wishes and are not tuned."""
SHAKE = 0.1
"""How much a disturbance changes a weight: the standard deviation of its logarithm."""


@dataclass(frozen=True, slots=True)
class Case:
    """A gold document with everything surveyed that no weight decides."""

    gold: GoldDocument
    ground: Ground


def cases(tier: Tier, half: int | None = None) -> list[Case]:
    """Surveyed documents of a tier; ``half`` 0 or 1 takes every other one."""
    found = [gold for gold in load() if gold.tier == tier]
    if half is not None:
        found = found[half::2]
    return [case for gold in found for case in _survey(gold)]


def _survey(gold: GoldDocument) -> Iterator[Case]:
    normalized = normalize_text(gold.text, document_id=gold.document_id, settings=NORMALIZATION)
    plan = plan_document(normalized, SETTINGS)
    ground = survey(normalized, plan, SETTINGS, token_counter(ENCODING).map(normalized.text))
    if ground is not None and normalized.text == gold.text:
        yield Case(gold, ground)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one set of weights reaches, in percent; shares of all tokens for ``duplication``."""

    natural_cross: float
    natural: float
    composite_cross: float
    fit_lost: float
    duplication: float
    pronouns: float
    dangling_words: float
    dangling_sentences: float
    in_band: float
    mean: float


def evaluate(found: Sequence[Case], weights: PlanWeights) -> Figures:
    """Plans and scores all cases under some weights."""
    tallies = {name: Tally() for name in ("natural", "composite", "coreference", "all")}
    inside = in_band = 0
    for case in found:
        links, cuts = draft(case.ground, weights)
        pieces = []
        previous = None
        for cut in cuts:
            span = case.ground.units.span(cut.carried, cut.end)
            pieces.append(Piece(span.start, span.end))
            exemption = describe_seam(cut, previous, case.ground, links).exemption
            if previous is not None and exemption not in ("section_start", "atomic_neighbour"):
                inside += 1
                in_band += exemption is None
            previous = cut
        tally = score(case.gold, pieces, 0)
        for name, sets in (("natural", NATURAL), ("composite", COMPOSITE), ("coreference", COREFERENCE)):
            if case.gold.set_name in sets:
                tallies[name].add(tally)
        if case.gold.set_name in NATURAL + COMPOSITE:
            tallies["all"].add(tally)
    natural, every, coreference = tallies["natural"], tallies["all"], tallies["coreference"]
    return Figures(
        natural_cross=natural.rate("cross_kept", "cross") or 100.0,
        natural=natural.rate("edges_kept", "edges") or 100.0,
        composite_cross=tallies["composite"].rate("cross_kept", "cross") or 100.0,
        fit_lost=every.rate("fit_lost", "fit") or 0.0,
        duplication=(every.rate("chunk_tokens", "document_tokens") or 100.0) / 100,
        pronouns=coreference.rate("pronouns_kept", "pronouns") or 100.0,
        dangling_words=coreference.rate("dangling_words", "openings") or 0.0,
        dangling_sentences=coreference.rate("dangling_sentences", "openings") or 0.0,
        in_band=100 * in_band / max(1, inside),
        mean=every.counts["chunk_tokens"] / max(1, every.counts["chunks"]),
    )


def loss(figures: Figures) -> float:
    """What is minimized: edges lost, openings, and band and duplication short of what is wanted."""
    return (
        (100 - figures.natural_cross)
        + 2 * (100 - figures.composite_cross)
        + 3 * figures.fit_lost
        + 0.2 * (100 - figures.pronouns)
        + 0.3 * max(0.0, 97.0 - figures.in_band)
        + 0.3 * figures.dangling_words
        + 0.2 * figures.dangling_sentences
        + 20 * max(0.0, figures.duplication - 1.07)
    )


def shaken(weights: PlanWeights, count: int) -> list[PlanWeights]:
    """The weights under ``count`` disturbances, the same at each call; themselves alone where it is 0."""
    rng = random.Random(0)
    found = []
    for _ in range(count):
        changed = weights
        for name in _tuned(PlanWeights):
            changed = _scaled(changed, name, math.exp(rng.gauss(0, SHAKE)))
        links = changed.links
        for name in _tuned(LinkWeights):
            links = _scaled(links, name, math.exp(rng.gauss(0, SHAKE)))
        found.append(replace(changed, links=links))
    return found or [weights]


def average(found: Sequence[Figures]) -> Figures:
    """The mean of each figure."""
    return Figures(*(mean(column) for column in zip(*map(astuple, found), strict=True)))


def neighbour(weights: PlanWeights, rng: random.Random, step: float) -> PlanWeights:
    """The same weights with one to three of them scaled at random."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        links = _tuned(LinkWeights)
        name = rng.choice([*_tuned(PlanWeights), *links])
        factor = math.exp(rng.gauss(0, step))
        if name in links:
            weights = replace(weights, links=_scaled(weights.links, name, factor))
        else:
            weights = _scaled(weights, name, factor)
    return weights


def _tuned(kind: type[PlanWeights | LinkWeights]) -> list[str]:
    return [field.name for field in fields(kind) if field.name not in FIXED | {"links"}]


def _scaled(weights: W, name: str, factor: float) -> W:
    value = getattr(weights, name)
    if name == "aim":
        changed = min(1.3, max(0.7, value * factor**0.1))
    elif name == "decay":
        changed = min(1.0, max(0.3, value * factor**0.2))
    else:
        changed = min(100.0, max(value, 0.05) * factor)
        changed = 0.0 if changed < 0.03 else changed
    return replace(weights, **{name: round(changed, 3)})


def tune(
    found: Sequence[Case], start: PlanWeights, rounds: int, seed: int, shakes: int
) -> Iterator[tuple[int, Figures, PlanWeights]]:
    """Every improvement: round, figures, weights; the first is the start."""
    rng = random.Random(seed)
    best, figures = start, average([evaluate(found, each) for each in shaken(start, shakes)])
    lowest = loss(figures)
    yield 0, figures, best
    for number in range(1, rounds + 1):
        step = 0.8 * (1 - number / rounds) + 0.15
        candidate = neighbour(best, rng, step)
        figures = average([evaluate(found, each) for each in shaken(candidate, shakes)])
        if loss(figures) < lowest:
            best, lowest = candidate, loss(figures)
            yield number, figures, best


def main() -> None:
    """Command line: see the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tier", choices=("sentence", "section", "hierarchical"), required=True)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shakes", type=int, default=0, metavar="N")
    parser.add_argument("--half", type=int, choices=(0, 1), help="tune on one half of the documents only")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="weights to start from")
    options = parser.parse_args()
    tier = cast(Tier, options.tier)
    found = cases(tier, options.half)
    others = cases(tier, 1 - options.half) if options.half is not None else []
    start = weights_of(tier)
    for name, value in (each.split("=") for each in options.set):
        start = replace(start, **{name: float(value)})
    lines = []
    for number, figures, weights in tune(found, start, options.rounds, options.seed, options.shakes):
        line = {
            "round": number,
            "loss": round(loss(figures), 3),
            "figures": asdict(figures),
            "weights": asdict(weights),
        }
        if others:
            line["other_half"] = round(loss(evaluate(others, weights)), 3)
        lines.append(json.dumps(line))
        print(lines[-1], flush=True)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

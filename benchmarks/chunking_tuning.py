"""Tunes the planner's weights per tier on the development data and prints the tuning's own curve.

``python -m benchmarks.chunking_tuning --tier sentence --rounds 20000`` starts from the weights in force and
anneals: each round scales some weights at random and keeps them where the loss falls, at first also where it
rises a little. The loss is written out in :func:`loss`. Weights are shared by all data sets of a tier.

Few edges decide most tiers, and weights that win them by a hair's breadth lose them on other documents. So
the loss is, for the most part, that of the mean figures over ``--shakes`` fixed disturbances of all weights
by a tenth. ``--half 0`` tunes on every other document and shows what that gives on the rest.

``--out`` keeps the curve as JSON lines: round, loss, figures, weights.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from statistics import mean
from typing import Final, cast

import numpy as np

from benchmarks.chunking_compiled import NAMES, Compiled, Counts, cases, disagreements, to_vector, to_weights
from benchmarks.chunking_data import Tier
from pipeline.chunks.weights import LinkWeights, PlanWeights, weights_of
from pipeline.tokens import FloatArray

HARD: Final = frozenset({"bare", "inside_sentence"})
"""Weights that stand for hard wishes and are not tuned."""
HELD: Final[Mapping[Tier, frozenset[str]]] = {
    "sentence": frozenset({"crossing", "floor", "mixing"}),
    "section": frozenset({"floor"}),
    "hierarchical": frozenset({"crossing", "floor", "mixing", "sentence_seam"}),
}
"""Weights set by hand: no edge of the gold documents decides them, but how many chunks other documents get
and how many of those an edit changes."""
SHAKE: Final = 0.1
"""How much a disturbance changes a weight: the standard deviation of its logarithm."""
SHAKEN_SHARE: Final = 0.65
"""What the figures under disturbance weigh beside those of the weights as they are."""
STEP: Final = 0.35
"""How much a round changes a weight: the standard deviation of its logarithm."""
SHARES: Final = (0.08, 0.2, 0.4)
"""Of the weights that a round changes; one of them by chance."""
HOT: Final = 0.2
"""A rise of the loss by this is taken with a chance of 1 in e at the start."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one set of weights reaches, in percent; shares of all tokens for ``duplication``."""

    natural_cross: float
    composite_cross: float
    fit_lost: float
    pronouns: float
    dangling_words: float
    dangling_sentences: float
    in_band: float
    small: float
    mixed: float
    duplication: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """Percent of the edges, below which a point costs thrice, and of the seams in the band, below which a
    point costs ``weight``."""

    natural: float
    band: float
    weight: float


@dataclass(frozen=True, slots=True)
class Step:
    """An improvement: the figures as found, and their mean under disturbance."""

    number: int
    loss: float
    figures: Figures
    shaken: Figures
    weights: FloatArray


def figures_of(counts: Counts) -> Figures:
    """Rates from sums."""

    def rate(part: float, whole: float, otherwise: float) -> float:
        return 100 * part / whole if whole else otherwise

    natural, composite, fit, pronouns = (
        rate(kept, every, 100.0) for kept, every in zip(counts.kept, counts.all_windows, strict=True)
    )
    return Figures(
        natural_cross=natural,
        composite_cross=composite,
        fit_lost=100 - fit,
        pronouns=pronouns,
        dangling_words=rate(counts.dangling_words, counts.openings, 0.0),
        dangling_sentences=rate(counts.dangling_sentences, counts.openings, 0.0),
        in_band=rate(counts.in_band, counts.inside, 100.0),
        small=rate(counts.small, counts.chunks, 0.0),
        mixed=rate(counts.mixed, counts.chunks, 0.0),
        duplication=rate(counts.chunk_tokens, counts.tokens, 100.0) / 100,
    )


def loss(figures: Figures, wanted: Wanted) -> float:
    """What is minimized: edges lost, openings, chunks that are small or mix sections, and what is missed of
    band and duplication."""
    return (
        (100 - figures.natural_cross)
        + 2 * max(0.0, wanted.natural - figures.natural_cross)
        + 2 * (100 - figures.composite_cross)
        + 3 * figures.fit_lost
        + 0.2 * (100 - figures.pronouns)
        + wanted.weight * max(0.0, wanted.band - figures.in_band)
        + 0.3 * figures.dangling_words
        + 0.25 * max(0.0, figures.dangling_sentences - 5)
        + 0.05 * (figures.small + figures.mixed)
        + 20 * max(0.0, figures.duplication - 1.08)
    )


def shaken(weights: FloatArray, count: int) -> Iterator[FloatArray]:
    """The weights under ``count`` disturbances, the same factors at each call."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        changed = weights.copy()
        for place, name in enumerate(NAMES):
            if name not in HARD:
                changed[place] = _scaled(name, changed[place], math.exp(rng.normal(0, SHAKE)))
        yield changed


def average(found: Sequence[Figures]) -> Figures:
    """The mean of each figure."""
    return Figures(*(mean(column) for column in zip(*map(astuple, found), strict=True)))


def measured(found: Compiled, weights: FloatArray, shakes: int) -> tuple[Figures, Figures]:
    """The figures of weights as they are, and their mean under disturbance."""
    own = figures_of(found.counts(weights))
    disturbed = [figures_of(found.counts(each)) for each in shaken(weights, shakes)]
    return own, average(disturbed or [own])


def neighbour(weights: FloatArray, free: Sequence[int], rng: np.random.Generator) -> FloatArray:
    """The same weights with few or many of them scaled at random."""
    changed = weights.copy()
    share = rng.choice(SHARES)
    for place in free:
        if rng.random() < share:
            changed[place] = _scaled(NAMES[place], changed[place], math.exp(rng.normal(0, STEP)))
    return changed


def _scaled(name: str, value: float, factor: float) -> float:
    if name == "aim":
        return min(1.3, max(0.7, value * factor**0.1))
    if name == "links.decay":
        return min(1.0, max(0.3, value * factor**0.2))
    changed = min(200.0, max(value, 0.03) * factor)
    return 0.0 if changed < 0.02 else changed


def tune(
    found: Compiled,
    start: FloatArray,
    held: frozenset[str],
    wanted: Wanted,
    rounds: int,
    seed: int,
    shakes: int,
) -> Iterator[Step]:
    """Every improvement on the best so far; the first is the start."""
    rng = np.random.default_rng(seed)
    free = [place for place, name in enumerate(NAMES) if name not in HARD | held]

    def tried(number: int, weights: FloatArray) -> Step:
        own, disturbed = measured(found, weights, shakes)
        total = (1 - SHAKEN_SHARE) * loss(own, wanted) + SHAKEN_SHARE * loss(disturbed, wanted)
        return Step(number, total, own, disturbed, weights)

    current = best = tried(0, start)
    yield best
    for number in range(1, rounds + 1):
        left = 1 - number / rounds
        step = tried(number, neighbour(current.weights, free, rng))
        if rng.random() < math.exp(min(0.0, (current.loss - step.loss) / (HOT * left**2 + 1e-6))):
            current = step
        if step.loss < best.loss:
            best = step
            yield best


def main() -> None:
    """Command line: see the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tier", choices=("sentence", "section", "hierarchical"), required=True)
    parser.add_argument("--rounds", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shakes", type=int, default=6, metavar="N")
    parser.add_argument("--natural", type=float, default=95.3, help="percent of the natural edges wanted")
    parser.add_argument("--band", type=float, default=97.0, help="percent of the seams wanted in the band")
    parser.add_argument("--band-weight", type=float, default=0.5, help="what a point less of them costs")
    parser.add_argument("--half", type=int, choices=(0, 1), help="tune on one half of the documents only")
    parser.add_argument("--out", type=Path)
    parser.add_argument(
        "--start", type=Path, help="a curve from --out, whose last weights are where to start"
    )
    options = parser.parse_args()
    tier = cast(Tier, options.tier)
    documents = cases(tier)
    found = Compiled(documents if options.half is None else documents[options.half :: 2])
    others = None if options.half is None else Compiled(documents[1 - options.half :: 2])
    start = weights_of(tier) if options.start is None else _last_weights(options.start)
    for name in disagreements(found, start):
        print(f"{name}: planned otherwise by the product")
    held = HELD.get(tier, frozenset())
    wanted = Wanted(options.natural, options.band, options.band_weight)
    steps = tune(found, to_vector(start), held, wanted, options.rounds, options.seed, options.shakes)
    lines: list[str] = []
    for step in steps:
        line: dict[str, object] = {"round": step.number, "loss": round(step.loss, 3)}
        line |= {"figures": _rounded(step.figures), "shaken": _rounded(step.shaken)}
        if others is not None:
            own, disturbed = measured(others, step.weights, options.shakes)
            line |= {"other half": _rounded(own), "other half, shaken": _rounded(disturbed)}
        line["weights"] = asdict(to_weights(step.weights.round(4)))
        lines.append(json.dumps(line))
        print(lines[-1], flush=True)
        if options.out:
            options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _last_weights(curve: Path) -> PlanWeights:
    found = json.loads(curve.read_text(encoding="utf-8").splitlines()[-1])["weights"]
    return PlanWeights(**found | {"links": LinkWeights(**found["links"])})


def _rounded(figures: Figures) -> dict[str, float]:
    return {name: round(value, 3) for name, value in asdict(figures).items()}


if __name__ == "__main__":
    main()

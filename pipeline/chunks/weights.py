"""The planner's weights: what each thing costs, in units of one shared name severed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.chunk_plans.model import Tier


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """Strength of each kind of evidence that two units belong together."""

    name: float = 1.0
    term: float = 0.3
    most: float = 4.0
    """Shared words count up to this."""
    decay: float = 0.9
    """Factor for each unit of distance."""
    opening: float = 3.0
    connective: float = 1.0
    pronoun: float = 1.0
    refers: float = 0.5
    chained: float = 0.5
    paragraph: float = 0.3
    lead_in: float = 3.0


@dataclass(frozen=True, slots=True)
class PlanWeights:
    """Costs of a plan. Sizes and overlaps are ratios to the target."""

    aim: float = 1.0
    """Size aimed at."""
    size: float = 8.0
    """Squared deviation of a chunk from that size."""
    outside: float = 20.0
    """Squared distance of a chunk from the tier's range."""
    chunk: float = 0.0
    """Every chunk: a header, and tokens carried."""
    band: float = 6.0
    """A seam at which no whole sentences add up to the band: times the share that is missing."""
    miss: float = 0.0
    """Such a seam, however much is missing."""
    bare: float = 1000.0
    """A seam that carries nothing though the band could be met: only where there is no other way."""
    spread: float = 4.0
    """A seam in the middle of a section: parts of it that any edge may join."""
    lead: float = 4.0
    """A target of text that loses sight of the first sentence of its section; less costs far less."""
    dangling: float = 3.0
    """A chunk whose first word points back."""
    refers: float = 1.0
    """A chunk whose first sentence holds a pronoun that no name comes before."""
    crossing: float = 2.0
    """A section that starts inside a body."""
    mixing: float = 6.0
    """A body that starts inside one section and goes on into another."""
    sentence_seam: float = 1.0
    """A seam inside a paragraph."""
    inside_sentence: float = 20.0
    """A seam inside a sentence that had to be split."""
    floor: float = 4.0
    """A body without two names or without a verb."""
    links: LinkWeights = LinkWeights()


TIER_WEIGHTS: Mapping[Tier, PlanWeights] = {
    "whole": PlanWeights(),
    "sentence": PlanWeights(
        aim=0.943,
        size=0.505,
        outside=31.5,
        chunk=0.047,
        band=20.6,
        miss=43.5,
        spread=0.296,
        lead=97.3,
        dangling=72.3,
        refers=40,
        crossing=8,
        mixing=6.8,
        sentence_seam=1.48,
        floor=2.2,
        links=LinkWeights(
            name=14.1,
            term=6.07,
            most=94.2,
            decay=0.605,
            opening=0.786,
            connective=0.181,
            pronoun=0.103,
            refers=80.6,
            chained=0.194,
            paragraph=2.89,
            lead_in=0.047,
        ),
    ),
    "section": PlanWeights(
        aim=1.12,
        size=0.15,
        outside=33,
        chunk=1.88,
        band=150,
        miss=20,
        spread=0.209,
        lead=1.6,
        dangling=5.2,
        refers=8,
        crossing=0.35,
        mixing=2.44,
        sentence_seam=1.1,
        links=LinkWeights(
            name=0.5,
            term=8.15,
            most=2.99,
            decay=0.77,
            opening=2.4,
            connective=1.1,
            pronoun=1.41,
            refers=0.506,
            chained=0.85,
            paragraph=0.435,
            lead_in=4.57,
        ),
    ),
    "hierarchical": PlanWeights(
        aim=1.0,
        size=1.0,
        outside=2.1,
        chunk=0.25,
        band=71.0,
        miss=10.0,
        spread=0.2,
        lead=0.67,
        dangling=3.3,
        refers=1.4,
        crossing=7.0,
        mixing=72.0,
        sentence_seam=10.0,
        floor=20.0,
        links=LinkWeights(
            name=36.0,
            term=20.0,
            most=4.1,
            decay=0.82,
            opening=1.9,
            connective=3.0,
            pronoun=0.9,
            refers=1.35,
            chained=1.3,
            paragraph=0.15,
            lead_in=2.4,
        ),
    ),
}
"""What ``benchmarks/chunking_tuning.py`` found; see docs/chunking.md for its curve."""


def weights_of(tier: Tier) -> PlanWeights:
    """The weights tuned for a tier."""
    return TIER_WEIGHTS[tier]

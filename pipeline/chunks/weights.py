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
    bare: float = 1e6
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
        aim=0.714,
        size=5.86,
        outside=1.44,
        chunk=0.0938,
        band=1.29,
        miss=22.5,
        spread=0.007,
        lead=24.3,
        dangling=8.47,
        refers=0.684,
        crossing=1.2,
        mixing=1.02,
        sentence_seam=1.67,
        floor=0.33,
        links=LinkWeights(
            name=182000,
            term=780,
            most=4.23,
            decay=1,
            opening=0.114,
            connective=0.0349,
            pronoun=0.00978,
            refers=15.4,
            chained=4.37,
            paragraph=0.063,
            lead_in=49000,
        ),
    ),
    "section": PlanWeights(
        aim=0.965,
        size=0.1,
        outside=5.33,
        chunk=1.51,
        band=200,
        miss=88.5,
        spread=60,
        lead=0.022,
        dangling=13,
        refers=62.7,
        crossing=0.235,
        mixing=32.9,
        sentence_seam=0.115,
        floor=4,
        links=LinkWeights(
            name=33.6,
            term=0.577,
            most=25.7,
            decay=1,
            opening=105,
            connective=5.73,
            pronoun=0.0424,
            refers=2.24,
            chained=12.1,
            paragraph=0.103,
            lead_in=2.64,
        ),
    ),
    "hierarchical": PlanWeights(
        aim=0.955,
        size=1,
        outside=2.1,
        chunk=0.152,
        band=35.2,
        miss=20,
        spread=0.222,
        lead=0.67,
        dangling=3.3,
        refers=1.4,
        crossing=7,
        mixing=72,
        sentence_seam=10,
        floor=20,
        links=LinkWeights(
            name=41.5,
            term=20,
            most=3.23,
            decay=0.873,
            opening=2.15,
            connective=3,
            pronoun=0.9,
            refers=1.6,
            chained=1.32,
            paragraph=0.15,
            lead_in=2.4,
        ),
    ),
}
"""What ``benchmarks/chunking_tuning.py`` found; see docs/chunking.md for its curve."""


def weights_of(tier: Tier) -> PlanWeights:
    """The weights tuned for a tier."""
    return TIER_WEIGHTS[tier]

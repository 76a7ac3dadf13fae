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
        aim=1.2,
        size=1.2,
        outside=27.9,
        chunk=3.3,
        band=16.8,
        miss=31.0,
        spread=3.0,
        lead=95.2,
        dangling=5.0,
        refers=6.0,
        crossing=10.0,
        mixing=8.1,
        sentence_seam=0.39,
        floor=2.2,
        links=LinkWeights(
            name=3.2,
            term=0.51,
            most=5.8,
            decay=0.58,
            opening=1.5,
            connective=2.7,
            pronoun=2.5,
            refers=8.0,
            chained=0.16,
            paragraph=0.68,
            lead_in=0.46,
        ),
    ),
    "section": PlanWeights(
        aim=1.05,
        size=0.15,
        outside=33.0,
        chunk=3.5,
        band=150.0,
        miss=20.0,
        spread=0.15,
        lead=1.6,
        dangling=5.2,
        refers=8.0,
        crossing=0.35,
        mixing=2.6,
        sentence_seam=1.05,
        links=LinkWeights(
            name=0.5,
            term=4.9,
            most=1.3,
            decay=0.77,
            opening=2.4,
            connective=1.1,
            pronoun=1.0,
            refers=0.5,
            chained=0.85,
            paragraph=0.4,
            lead_in=3.0,
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

"""The planner's weights: what each thing costs, in units of one shared name severed."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.chunk_plans.model import Tier


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """Strength of each kind of evidence that two units belong together."""

    reach: int = 8
    """How many units back a link may go."""
    name: float = 1.0
    opening: float = 3.0
    pronoun: float = 1.0
    paragraph: float = 0.3


@dataclass(frozen=True, slots=True)
class PlanWeights:
    """Costs of a plan. Sizes and overlaps are ratios to the target."""

    size: float = 8.0
    """Squared deviation of a chunk from the target."""
    outside: float = 20.0
    """Squared distance of a chunk from the tier's range."""
    band: float = 6.0
    """A seam whose overlap lies outside the band, though the gap allows one."""
    dangling: float = 3.0
    """A chunk whose first unit points back."""
    crossing: float = 2.0
    """A section that starts inside a body."""
    mixing: float = 6.0
    """A body that starts inside one section and goes on into another."""
    sentence_seam: float = 1.0
    """A seam inside a paragraph."""
    inside_sentence: float = 20.0
    """A seam inside a sentence that had to be split."""
    floor: float = 4.0
    """A body below the floor."""
    links: LinkWeights = LinkWeights()


TIER_WEIGHTS: dict[Tier, PlanWeights] = {
    "whole": PlanWeights(),
    "sentence": PlanWeights(),
    "section": PlanWeights(),
    "hierarchical": PlanWeights(),
}


def weights_of(tier: Tier) -> PlanWeights:
    """The weights tuned for a tier."""
    return TIER_WEIGHTS[tier]

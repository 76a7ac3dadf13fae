"""From a normalized text and its plan to cuts between units, before headers and ids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.chunk_plans.model import ChunkPlan, Tier
from pipeline.chunk_plans.settings import ChonkieStrategy, ChunkingSettings, TierStrategy
from pipeline.chunks.chonkie_cuts import carry, chonkie_places, cut_at
from pipeline.chunks.evidence import Evidence, gather
from pipeline.chunks.links import Links, weigh
from pipeline.chunks.outline import Outline
from pipeline.chunks.planner import NO_UNITS, Cut, Limits, plan_cuts
from pipeline.chunks.units import Units, build_units
from pipeline.chunks.vocabulary import vocabulary
from pipeline.chunks.weights import PlanWeights
from pipeline.normalized_text.model import NormalizedText
from pipeline.tokens import FloatArray, IntArray, TokenMap, token_counter


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything a plan is made from that no weight decides."""

    tier: Tier
    units: Units
    evidence: Evidence
    outline: Outline
    limits: Limits
    barriers: IntArray
    """Units before which a body must start."""
    strangeness: FloatArray
    """How far each unit's section is from that of the unit before."""
    parents: IntArray
    """Units at which a parent starts; empty where the tier has none."""
    fixed: Sequence[Cut] | None = None
    """Cuts that another strategy made; None where they are planned."""

    def starts_parent(self, unit: int) -> bool:
        """Whether a parent starts at a unit."""
        place = int(self.parents.searchsorted(unit))
        return place < len(self.parents) and int(self.parents[place]) == unit


def survey(
    normalized: NormalizedText, plan: ChunkPlan, settings: ChunkingSettings, token_map: TokenMap
) -> Ground | None:
    """Units, evidence and limits of a document; None where there is no text to cut."""
    strategy = settings.strategy_of(plan.rule)
    limits = limits_of(plan.tier, strategy)
    piece = max(1, (limits.band_low + limits.band_high) // 2)
    units = build_units(normalized, token_map, limits.largest, piece, strategy.language)
    if not len(units):
        return None
    bodies: list[int] | None = None
    if isinstance(strategy, ChonkieStrategy):
        span = units.span(0, len(units))
        places = chonkie_places(normalized.text, span, strategy, token_counter(settings.tokenizer), token_map)
        units, bodies = cut_at(units, places, token_map)
    outline = Outline(normalized.sections)
    sections = units.column("section")
    tops = outline.changes(sections, outline.top)
    fixed = None if bodies is None else carry(units, sorted({*bodies, *tops.tolist()}), limits)
    parented = plan.tier == "hierarchical" and fixed is None
    branches = outline.changes(sections, outline.branch) if parented else NO_UNITS
    return Ground(
        tier=plan.tier,
        units=units,
        evidence=gather(units, token_map, vocabulary(settings.tokenizer)),
        outline=outline,
        limits=limits,
        barriers=branches if len(branches) else tops,
        strangeness=outline.strangeness(sections),
        parents=branches,
        fixed=fixed,
    )


def draft(ground: Ground, weights: PlanWeights) -> tuple[Links, Sequence[Cut]]:
    """The link strengths and the cuts of a document under some weights."""
    links = weigh(ground.evidence, weights.links)
    if ground.fixed is not None:
        return links, ground.fixed
    if ground.tier == "whole":
        return links, (Cut(0, 0, len(ground.units)),)
    cuts = plan_cuts(
        ground.units,
        ground.evidence,
        links,
        ground.barriers,
        ground.strangeness,
        ground.limits,
        weights,
        ground.parents,
    )
    return links, cuts


def limits_of(tier: Tier, strategy: TierStrategy | ChonkieStrategy) -> Limits:
    """The sizes of a strategy in a tier, in tokens."""
    if isinstance(strategy, ChonkieStrategy):
        carried = round(strategy.overlap * strategy.target)
        return Limits(strategy.target, 1, strategy.target, strategy.target, carried, carried)
    size = {"section": strategy.section, "hierarchical": strategy.hierarchical}.get(tier, strategy.sentence)
    return Limits(
        target=size.target,
        low=size.low,
        high=size.high,
        largest=int(strategy.largest * size.target),
        band_low=math.ceil(strategy.overlap.low * size.target),
        band_high=int(strategy.overlap.high * size.target),
        carry_across_sections=strategy.carry_across_sections,
    )

"""From a normalized text to its plan: the rule that matches, the tier, the settings, the fingerprint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pipeline.chunk_plans.model import ChunkPlan, Tier
from pipeline.chunk_plans.settings import FALLBACK, ChunkingSettings, Match, Names, TierStrategy
from pipeline.identifiers import fingerprint
from pipeline.normalized_text.model import NormalizedText
from pipeline.tokens import token_counter

CODE_VERSION = "3"
"""Part of every plan's fingerprint: raise it when the same settings would give other chunks."""


@dataclass(frozen=True, slots=True)
class DocumentProfile:
    """What decides a document's plan. ``uri`` is what the rules' globs are matched against, e.g. the
    document id; ``token_count`` is the text's, by the tokenizer of the settings."""

    loader: str
    source_format: str
    family: str
    uri: str
    token_count: int


def plan_document(normalized: NormalizedText, settings: ChunkingSettings, uri: str = "") -> ChunkPlan:
    """The effective plan of one text, whose tokens are counted here."""
    tokens = token_counter(settings.tokenizer).map(normalized.text).total
    profile = DocumentProfile(normalized.loader, normalized.source_format, normalized.family, uri, tokens)
    return choose_plan(profile, settings)


def choose_plan(profile: DocumentProfile, settings: ChunkingSettings) -> ChunkPlan:
    """The effective plan of a document: the first rule that matches, its strategy, tier and settings."""
    rule = matching_rule(profile, settings)
    tier = tier_of(profile, settings, rule)
    in_force = settings.in_force(rule, tier)
    return ChunkPlan(
        rule=rule,
        strategy=settings.strategy_of(rule).name,
        tier=tier,
        token_count=profile.token_count,
        settings=in_force,
        fingerprint=_fingerprint(tier, in_force),
    )


def matching_rule(profile: DocumentProfile, settings: ChunkingSettings) -> str:
    """The name of the first rule that matches a document, or of the fallback."""
    return next((each.name for each in settings.rules if _matches(each.match, profile)), FALLBACK)


def plan_fingerprint(settings: ChunkingSettings, rule: str, tier: Tier) -> str:
    """Covers the settings in force in a tier under a rule and the code that applies them, but no other rule
    or tier."""
    return _fingerprint(tier, settings.in_force(rule, tier))


def _fingerprint(tier: Tier, in_force: Mapping[str, object]) -> str:
    return fingerprint("chunk plan", CODE_VERSION, tier, in_force)


def tier_of(profile: DocumentProfile, settings: ChunkingSettings, rule: str) -> Tier:
    """The tier of a document under a rule; by the default thresholds where its strategy has none."""
    found, tokens = settings.strategy_of(rule), profile.token_count
    strategy = found if isinstance(found, TierStrategy) else TierStrategy()
    if tokens <= strategy.whole_max:
        return "whole"
    if tokens <= strategy.sentence_max:
        return "sentence"
    return "section" if tokens <= strategy.section_max else "hierarchical"


def _matches(match: Match, profile: DocumentProfile) -> bool:
    exact = (
        (match.loader, profile.loader),
        (match.source_format, profile.source_format),
        (match.family, profile.family),
    )
    return all(wanted is None or value in _listed(wanted) for wanted, value in exact) and (
        match.uri is None or any(fnmatchcase(profile.uri, glob) for glob in _listed(match.uri))
    )


def _listed(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else names

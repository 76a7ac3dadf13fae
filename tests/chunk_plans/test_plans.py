"""Rules, tiers and fingerprints."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from pipeline.chunk_plans import ChunkingSettings, plan_document
from pipeline.chunk_plans.settings import Band, ChonkieStrategy, Match, Rule, Size, TierStrategy
from pipeline.chunks import cut
from pipeline.normalized_text import NormalizationSettings, normalize_text
from pipeline.normalized_text.model import NormalizedText
from pipeline.tokens import count_tokens


def normalized(text: str, source_format: str = "markdown") -> NormalizedText:
    """A text with its structure."""
    return normalize_text(
        text, source_format=source_format, document_id="d", settings=NormalizationSettings()
    )


def of_tokens(count: int) -> NormalizedText:
    """A text of exactly so many tokens."""
    text = "pump" + " pump" * (count - 1)
    assert count_tokens(text) == count
    return normalized(text)


@pytest.mark.parametrize(
    ("tokens", "tier"),
    [
        (1, "whole"),
        (300, "whole"),
        (301, "sentence"),
        (900, "sentence"),
        (901, "section"),
        (3500, "section"),
        (3501, "hierarchical"),
    ],
)
def test_tier_by_token_count(tokens: int, tier: str) -> None:
    plan = plan_document(of_tokens(tokens), ChunkingSettings())
    assert (plan.tier, plan.token_count, plan.rule, plan.strategy) == (tier, tokens, "fallback", "tier")


def test_first_matching_rule_wins_and_all_set_fields_must_match() -> None:
    small = TierStrategy(sentence=Size(target=100, low=50, high=130))
    settings = ChunkingSettings(
        rules=(
            Rule(
                name="specs",
                match=Match(source_format=("html", "markdown"), uri="Specs/*.md"),
                strategy=small,
            ),
            Rule(name="other", match=Match(family="record"), strategy=small),
            Rule(name="late", match=Match(uri=("*.md", "*.txt"))),
        )
    )
    text = normalized("The pump is new.")
    rules = [
        plan_document(text, settings, uri).rule
        for uri in ("Specs/a/b.md", "specs/a.md", "Specs/a.rst", "x.txt")
    ]
    assert rules == ["specs", "late", "fallback", "late"]


def test_a_rule_edit_changes_only_what_it_matches() -> None:
    text = normalized("The pump is new.")
    wide = TierStrategy(overlap=Band(low=0.1, high=0.3))
    before = ChunkingSettings(
        rules=(Rule(name="a", match=Match(uri="a*")), Rule(name="b", match=Match(uri="b*")))
    )
    after = ChunkingSettings(
        rules=(Rule(name="a", match=Match(uri="a*"), strategy=wide), Rule(name="b", match=Match(uri="b*")))
    )
    assert plan_document(text, before, "b1").fingerprint == plan_document(text, after, "b1").fingerprint
    assert plan_document(text, before, "a1").fingerprint != plan_document(text, after, "a1").fingerprint
    assert plan_document(text, before, "zz").fingerprint == plan_document(text, after, "zz").fingerprint


def test_settings_of_another_tier_change_no_plan() -> None:
    text = of_tokens(400)
    plan = plan_document(text, ChunkingSettings())
    others: list[dict[str, object]] = [
        {"section": {"target": 500, "low": 400, "high": 600}},
        {"hierarchical": {"target": 500, "low": 400, "high": 600}},
    ]
    for other in others:
        assert plan_document(text, ChunkingSettings(fallback=TierStrategy.model_validate(other))) == plan
    own: list[dict[str, object]] = [
        {"sentence": {"target": 250, "low": 200, "high": 300}},
        {"whole_max": 500},
        {"largest": 1.2},
    ]
    for mine in own:
        changed = ChunkingSettings(fallback=TierStrategy.model_validate(mine))
        assert plan_document(text, changed).fingerprint != plan.fingerprint


def test_the_plan_holds_all_settings_in_force() -> None:
    plan = plan_document(of_tokens(400), ChunkingSettings(tokenizer="cl100k_base"))
    assert plan.settings["tokenizer"] == "cl100k_base"
    assert plan.settings["sentence"] == {"target": 300, "low": 200, "high": 390}
    assert plan.settings["overlap"] == {"low": 0.15, "high": 0.2}


def test_a_plan_is_cut_only_under_its_settings() -> None:
    text = normalized("The pump is new.")
    plan = plan_document(text, ChunkingSettings())
    with pytest.raises(ValueError, match="other settings"):
        cut(text, plan, ChunkingSettings(tokenizer="cl100k_base"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"tokeniser": "o200k_base"},
        {"fallback": {"name": "tier", "whole_max": 900, "sentence_max": 300}},
        {"fallback": {"name": "tier", "sentence": {"target": 300, "low": 400, "high": 500}}},
        {"fallback": {"name": "unknown"}},
        {"rules": [{"name": "fallback", "match": {}}]},
        {"rules": [{"name": "a", "match": {}}, {"name": "a", "match": {}}]},
        {"rules": [{"name": "a", "match": {"path": "*"}}]},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ChunkingSettings.model_validate(wrong)


def test_strategies_by_name() -> None:
    strategy = ChonkieStrategy(name="chonkie_recursive", target=50)
    plan = plan_document(of_tokens(400), ChunkingSettings(fallback=strategy))
    assert plan.strategy == "chonkie_recursive"
    assert plan.settings["target"] == 50

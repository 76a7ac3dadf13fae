"""Settings of chunking: which strategy a document gets, and the strategy's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, Tag, model_validator

from pipeline.chunk_plans.model import Tier
from pipeline.normalized_text.registry import FORMATS, LOADERS
from pipeline.setting_types import Language, Number, Whole
from pipeline.tokens import DEFAULT_ENCODING, EncodingName

Names = str | tuple[str, ...]
MOST_TOKENS = 1_000_000
"""No chunk is larger: sizes beyond any model's context are slips of the pen."""


FAMILIES = ("prose", "record")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Size(_Frozen):
    """Sizes of one tier in tokens of carried and body together: aimed at, and the range to stay in."""

    target: Whole = Field(gt=0, le=MOST_TOKENS)
    low: Whole = Field(gt=0, le=MOST_TOKENS)
    high: Whole = Field(gt=0, le=MOST_TOKENS)

    @model_validator(mode="after")
    def _ordered(self) -> Size:
        if not self.low <= self.target <= self.high:
            raise ValueError("sizes must satisfy low <= target <= high")
        return self


class Band(_Frozen):
    """Overlap wanted at a seam: carried tokens over target tokens."""

    low: Number = Field(default=0.15, ge=0, lt=1)
    high: Number = Field(default=0.20, ge=0, lt=1)

    @model_validator(mode="after")
    def _ordered(self) -> Band:
        if self.low > self.high:
            raise ValueError("the overlap band must satisfy low <= high")
        return self


class HeaderSettings(_Frozen):
    """Bounds of the header: ``max_tokens`` in all, of which the names may take ``max_antecedents``."""

    max_tokens: Whole = Field(default=64, ge=0)
    max_antecedents: Whole = Field(default=8, ge=0)


class FloorSettings(_Frozen):
    """What a chunk must hold to be worth a paid call: distinct entities and predicates, by ``probe``."""

    entities: Whole = Field(default=2, ge=0)
    predicates: Whole = Field(default=1, ge=0)
    probe: Literal["fast", "spacy"] = "fast"


class TierStrategy(_Frozen):
    """The default: mode and sizes by the document's token count, all boundaries planned together."""

    name: Literal["tier"] = "tier"
    whole_max: Whole = Field(default=300, ge=0)
    sentence_max: Whole = Field(default=900, ge=0)
    section_max: Whole = Field(default=3500, ge=0)
    sentence: Size = Size(target=300, low=200, high=390)
    section: Size = Size(target=550, low=400, high=700)
    hierarchical: Size = Size(target=400, low=300, high=500)
    largest: Number = Field(default=1.3, ge=1, le=10)
    """Hard maximum over target; only an atomic block or an unsplittable text may exceed it."""
    overlap: Band = Band()
    carry_across_sections: StrictBool = False
    header: HeaderSettings = HeaderSettings()
    floor: FloorSettings = FloorSettings()
    language: Language = "en"

    @model_validator(mode="after")
    def _ordered(self) -> TierStrategy:
        if not self.whole_max <= self.sentence_max <= self.section_max:
            raise ValueError("whole_max, sentence_max and section_max must not decrease in this order")
        return self


class ChonkieStrategy(_Frozen):
    """A chunker of chonkie behind the same contract: its cuts, exact spans, bodies that tile."""

    name: Literal["chonkie_token", "chonkie_sentence", "chonkie_recursive"]
    target: Whole = Field(default=400, gt=0, le=MOST_TOKENS)
    overlap: Number = Field(default=0.175, ge=0, lt=0.5)
    header: HeaderSettings = HeaderSettings()
    floor: FloorSettings = FloorSettings()
    language: Language = "en"


CHONKIE = get_args(ChonkieStrategy.model_fields["name"].annotation)
"""The names of the strategies that are chunkers of chonkie."""


def _strategy_kind(value: object) -> str:
    """Which strategy some settings are for; without a name, the default."""
    name = value.get("name", "tier") if isinstance(value, dict) else getattr(value, "name", "tier")
    return "tier" if name == "tier" else "chonkie" if name in CHONKIE else "unknown"


Strategy = Annotated[
    Annotated[TierStrategy, Tag("tier")] | Annotated[ChonkieStrategy, Tag("chonkie")],
    Discriminator(_strategy_kind),
]


class Match(_Frozen):
    """Which documents a rule is for: all that is set must match; a list matches any of its items.

    ``uri`` is a shell glob against the document's uri; upper and lower case differ, ``*`` crosses ``/``.
    """

    loader: Names | None = None
    source_format: Names | None = None
    family: Names | None = None
    uri: Names | None = None

    @model_validator(mode="after")
    def _known(self) -> Match:
        """A name that nothing has would make a rule that never matches."""
        for field, known in (("loader", LOADERS), ("source_format", FORMATS), ("family", FAMILIES)):
            wanted = getattr(self, field) or ()
            for name in (wanted,) if isinstance(wanted, str) else wanted:
                if name not in known:
                    raise ValueError(f"{field} {name!r} does not exist; known: {', '.join(sorted(known))}")
        return self


class Rule(_Frozen):
    """Documents that match get this strategy."""

    name: str = Field(min_length=1)
    match: Match
    strategy: Strategy = Field(default_factory=TierStrategy)


_SIZES = {"sentence", "section", "hierarchical"}
"""The sizes of the tiers, of which only its own matters to a document."""

FALLBACK = "fallback"
"""The rule name of documents that no rule matches."""


class ChunkingSettings(_Frozen):
    """The tokenizer, an ordered list of rules (the first that matches wins) and the strategy of the rest."""

    tokenizer: EncodingName = DEFAULT_ENCODING
    rules: tuple[Rule, ...] = ()
    fallback: Strategy = Field(default_factory=TierStrategy)

    @model_validator(mode="after")
    def _distinct_names(self) -> ChunkingSettings:
        names = [rule.name for rule in self.rules]
        if len(set(names)) != len(names) or FALLBACK in names:
            raise ValueError(f"rule names must be distinct and not {FALLBACK!r}")
        return self

    def strategy_of(self, rule: str) -> TierStrategy | ChonkieStrategy:
        """The strategy of a rule by name.

        Raises:
            KeyError: if no rule has this name.
        """
        if rule == FALLBACK:
            return self.fallback
        return {each.name: each.strategy for each in self.rules}[rule]

    def in_force(self, rule: str, tier: Tier) -> Mapping[str, object]:
        """Everything that decides the chunks of a document of this tier under this rule, as plain data."""
        strategy = self.strategy_of(rule)
        others = _SIZES - {tier} if isinstance(strategy, TierStrategy) else None
        return {"tokenizer": self.tokenizer, **strategy.model_dump(mode="json", exclude=others)}

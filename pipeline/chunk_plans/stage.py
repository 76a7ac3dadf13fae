"""The chunk_plans asset: the rule, tier and settings in force for each document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pipeline.chunk_plans.model import ChunkPlan, Tier
from pipeline.chunk_plans.planning import (
    DocumentProfile,
    choose_plan,
    matching_rule,
    plan_fingerprint,
    tier_of,
)
from pipeline.chunk_plans.settings import ChunkingSettings
from pipeline.incremental import Processed
from pipeline.storage.rows import ChunkPlanRow
from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class ChunkPlansStage:
    """Chooses plans. A changed setting makes only the documents stale whose plan it changes."""

    store: Store
    settings: ChunkingSettings

    asset: ClassVar[str] = "chunk_plans"
    upstream: ClassVar[str | None] = "normalized_text"
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The fingerprint of the plan that each document should have."""
        profiles = load_profiles(self.store, document_ids)
        kinds: dict[str, tuple[str, Tier]] = {}
        for key, profile in profiles.items():
            rule = matching_rule(profile, self.settings)
            kinds[key] = rule, tier_of(profile, self.settings, rule)
        fingerprints = {kind: plan_fingerprint(self.settings, *kind) for kind in set(kinds.values())}
        return {key: fingerprints[kinds[key]] if key in kinds else "" for key in document_ids}

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """One row for each document that has a text."""
        profiles = load_profiles(self.store, document_ids)
        plans = {key: choose_plan(profile, self.settings) for key, profile in profiles.items()}
        for key in document_ids:
            yield Processed(key, (to_row(key, plans[key]),) if key in plans else ())


def load_profiles(store: Store, document_ids: Sequence[str]) -> dict[str, DocumentProfile]:
    """What a rule may match on, for the documents that have a text."""
    with store.connect(read_only=True) as connection:
        found = connection.execute(
            "select document_id, loader, source_format, family, token_count from normalized_text "
            "where rejection is null and document_id in (select unnest(?))",
            [list(document_ids)],
        ).fetchall()
    return {
        key: DocumentProfile(
            uri=key, loader=loader, source_format=source_format, family=family, token_count=tokens
        )
        for key, loader, source_format, family, tokens in found
    }


def to_row(document_id: str, plan: ChunkPlan) -> ChunkPlanRow:
    """A plan as its row."""
    return ChunkPlanRow(
        document_id=document_id,
        rule=plan.rule,
        strategy=plan.strategy,
        tier=plan.tier,
        token_count=plan.token_count,
        settings=json.dumps(dict(plan.settings), sort_keys=True),
        fingerprint=plan.fingerprint,
    )


def from_row(row: ChunkPlanRow) -> ChunkPlan:
    """The plan that ``to_row`` stored."""
    return ChunkPlan(
        rule=row.rule,
        strategy=row.strategy,
        tier=row.tier,  # pyright: ignore[reportArgumentType]  # written from a ChunkPlan
        token_count=row.token_count,
        settings=json.loads(row.settings),
        fingerprint=row.fingerprint,
    )

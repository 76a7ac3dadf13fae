"""How one document is cut: the rule that matched, the strategy, its tier and all settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Tier = Literal["whole", "sentence", "section", "hierarchical"]


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """The effective plan of one document. ``settings`` are complete, ``fingerprint`` covers them and the
    code version of the strategy; ``token_count`` is the text's, by the extractor's tokenizer."""

    rule: str
    strategy: str
    tier: Tier
    token_count: int
    settings: Mapping[str, object]
    fingerprint: str

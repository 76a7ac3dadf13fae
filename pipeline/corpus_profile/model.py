"""What the pictures show, as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some things have a property."""

    label: str
    part: int
    whole: int

    @property
    def rate(self) -> float:
        """0 … 1, and 0 of nothing."""
        return self.part / self.whole if self.whole else 0.0


@dataclass(frozen=True, slots=True)
class TokenProfile:
    """Tokens of each document, by tier, in ascending order.

    ``borders`` are the most tokens of the tiers whole, sentence and section, as most documents have them;
    None where no document is cut by tier. ``bordered`` is how many documents have these borders.
    """

    by_tier: Mapping[str, tuple[int, ...]]
    borders: tuple[int, int, int] | None
    bordered: int


@dataclass(frozen=True, slots=True)
class SeamProfile:
    """Seams between the chunks of level 0, where the documents' tier decides how they are cut.

    ``in_band`` and ``exempt`` are overlap ratios (carried over target tokens) of the seams that carry text.
    ``reasons`` counts all seams by exemption; ``""`` stands for none. ``band`` is the one most seams have.
    ``dangling`` is the share of chunks that open on a word pointing back, by tier.
    """

    in_band: tuple[float, ...]
    exempt: tuple[float, ...]
    band: tuple[float, float] | None
    reasons: Mapping[str, int]
    dangling: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class OrphanProfile:
    """Entities in no edge. An entity counts in each tier and format in which a document mentions it."""

    overall: Share
    by_tier: tuple[Share, ...]
    by_format: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class RunTotals:
    """What one run did over all assets. ``seconds`` are wall time by asset, ``ended_at`` is local time."""

    run_id: str
    ended_at: str
    reason: str
    documents: int
    failed: int
    calls_made: int
    calls_reused: int
    tokens_read: int
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CorpusProfile:
    """A corpus in numbers. ``runs`` are the latest that had something to do, oldest first."""

    tokens: TokenProfile
    seams: SeamProfile
    orphans: OrphanProfile
    runs: tuple[RunTotals, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG; ``name`` is its file name without extension, ``description`` says what it shows."""

    name: str
    title: str
    description: str
    png: bytes

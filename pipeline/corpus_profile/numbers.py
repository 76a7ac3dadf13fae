"""The numbers beside the pictures."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.corpus_profile.model import CorpusProfile

QUANTILES = {"median": 0.5, "95 %": 0.95, "largest": 1.0}


def key_numbers(profile: CorpusProfile) -> dict[str, int | float]:
    """Counts, quantiles and shares (0 … 1) by name; what there is nothing of is left out."""
    sizes = sorted(size for members in profile.tokens.by_tier.values() for size in members)
    numbers: dict[str, int | float] = {"documents": len(sizes), "tokens": sum(sizes)}
    numbers |= {
        f"tokens of a document, {name}": _quantile(sizes, q) for name, q in QUANTILES.items() if sizes
    }
    numbers |= {f"documents of tier {tier}": len(sizes) for tier, sizes in profile.tokens.by_tier.items()}
    reasons = profile.seams.reasons
    numbers["seams"] = sum(reasons.values())
    numbers |= {f"seams exempt: {reason}": count for reason, count in reasons.items() if reason}
    numbers["dangling openings"] = sum(share.part for share in profile.seams.dangling)
    numbers["entities"] = profile.orphans.overall.whole
    numbers["orphans"] = profile.orphans.overall.part
    if profile.orphans.overall.whole:
        numbers["orphan rate"] = round(profile.orphans.overall.rate, 4)
    if profile.runs:
        last = profile.runs[-1]
        numbers |= {
            "latest run: documents": last.documents,
            "latest run: calls made": last.calls_made,
            "latest run: calls reused": last.calls_reused,
            "latest run: tokens read": last.tokens_read,
            "latest run: seconds": round(sum(last.seconds.values()), 1),
        }
    return numbers


def _quantile(ordered: Sequence[int], share: float) -> int:
    return ordered[round(share * (len(ordered) - 1))]

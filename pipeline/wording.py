"""Words that go with numbers."""

from __future__ import annotations


def count_of(count: int, noun: str) -> str:
    """``1 row``, ``2 rows``, ``2 entities``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"

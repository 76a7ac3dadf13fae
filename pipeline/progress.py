"""Who is told how far a run has come."""

from __future__ import annotations


class Progress:
    """Told how many documents of an asset are settled. This one tells nobody."""

    def start(self, asset: str, total: int) -> None:
        """An asset begins on ``total`` documents."""

    def advance(self, asset: str, count: int) -> None:
        """``count`` more documents of the asset are settled."""

"""Who is told how far a run has come."""

from __future__ import annotations


class Progress:
    """Told how many documents an asset has to process and has processed. This one tells nobody."""

    def start(self, asset: str, total: int) -> None:
        """An asset has ``total`` documents to process, which may be none."""

    def advance(self, asset: str, count: int) -> None:
        """``count`` more documents of the asset are processed."""

"""Why a file did not become a document: a value with a reason, never silence."""

from __future__ import annotations

from typing import Literal

from pipeline.characters import one_line

RejectionReason = Literal[
    "empty",
    "binary",
    "undecodable",
    "unsupported",
    "too_large",
    "too_many_tokens",
    "too_many_pages",
    "too_many_cells",
    "too_deep",
    "timed_out",
    "encrypted",
    "damaged",
    "needs_ocr",
    "unreadable",
]


class Rejected(Exception):
    """A file that cannot become a document. ``reason`` is stable, ``detail`` is for people.

    The detail may quote the file or its name: it is kept as one line without control characters.
    """

    def __init__(self, reason: RejectionReason, detail: str) -> None:
        self.reason: RejectionReason = reason
        self.detail = one_line(detail)
        super().__init__(f"{reason}: {self.detail}")

    def __reduce__(self) -> tuple[type[Rejected], tuple[RejectionReason, str]]:
        return (Rejected, (self.reason, self.detail))

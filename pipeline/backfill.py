"""A night's work under limits: which due documents are taken, and which limit put the others off.

A run covers one contiguous range of the partition order and processes everything due inside it. So what is
chosen is a window of the due documents in that order, which obeys the limits exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pipeline.documents.keys import locate
from pipeline.documents.sources import Source
from pipeline.staleness import Due
from pipeline.storage.store import Store

Limit = Literal["documents", "tokens", "dollars"]
BYTES_PER_TOKEN: Final = 4.0
"""Where a home holds no text yet to measure it on."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one night may take; None is no limit."""

    documents: int | None = None
    tokens: int | None = None
    dollars: float | None = None

    def exceeded(self, documents: int, tokens: int, dollars: float) -> Limit | None:
        """The first limit that this much would break, or None."""
        if self.documents is not None and documents > self.documents:
            return "documents"
        if self.tokens is not None and tokens > self.tokens:
            return "tokens"
        return "dollars" if self.dollars is not None and dollars > self.dollars else None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A due document and how many tokens the extractor would read of it, about."""

    due: Due
    tokens: int


@dataclass(frozen=True, slots=True)
class PutOff:
    """A document that waits, and the limit that did it. ``alone``: it breaks the limit all by itself, so that
    it waits until the limit is raised."""

    candidate: Candidate
    limit: Limit
    alone: bool


@dataclass(frozen=True, slots=True)
class Backfill:
    """What a night takes and what it puts off, both in partition order. Dollars are of the extraction."""

    chosen: tuple[Candidate, ...]
    put_off: tuple[PutOff, ...]
    dollars_per_million_tokens: float

    @property
    def tokens(self) -> int:
        """Estimated tokens of what is chosen."""
        return sum(candidate.tokens for candidate in self.chosen)

    @property
    def dollars(self) -> float:
        """Estimated price of what is chosen."""
        return price(self.tokens, self.dollars_per_million_tokens)


def plan_backfill(
    candidates: Sequence[Candidate], dollars_per_million_tokens: float, limits: Limits, night: int
) -> Backfill:
    """Choose a window of the due documents, which are in partition order: the order in which they came.

    It begins at the oldest document that never failed, goes on to younger ones, and back to older ones, which
    failed, only when none is left: what fails every night cannot keep the others waiting. Where nothing else
    is due, ``night`` (a number that grows by one each night) moves the beginning among the failed ones, so
    that each has its turn. A document that breaks a limit by itself is put off.
    """

    def over(first: int, last: int) -> Limit | None:
        tokens = sums[last + 1] - sums[first]
        return limits.exceeded(last + 1 - first, tokens, price(tokens, dollars_per_million_tokens))

    sums = [0]
    for candidate in candidates:
        sums.append(sums[-1] + candidate.tokens)
    stopped_by: Limit | None = None
    alone: list[Limit | None] = [over(place, place) for place in range(len(candidates))]
    possible = [place for place, limit in enumerate(alone) if limit is None]
    untried = [place for place in possible if candidates[place].due.reason != "failed"]
    if not possible:
        chosen = range(0)
    else:
        first = last = untried[0] if untried else possible[night % len(possible)]
        while last + 1 < len(candidates) and over(first, last + 1) is None:
            last += 1
        stopped_by = over(first, last + 1) if last + 1 < len(candidates) else None
        while stopped_by is None and first > 0:
            stopped_by = over(first - 1, last)
            first -= stopped_by is None
        chosen = range(first, last + 1)
    waits_for: list[Limit | None] = [limit or stopped_by for limit in alone]
    return Backfill(
        tuple(candidates[place] for place in chosen),
        tuple(
            PutOff(candidates[place], limit, alone[place] is not None)
            for place, limit in enumerate(waits_for)
            if limit is not None and place not in chosen
        ),
        dollars_per_million_tokens,
    )


def price(tokens: int, dollars_per_million_tokens: float) -> float:
    """Dollars for some tokens."""
    return tokens * dollars_per_million_tokens / 1_000_000


def estimate_tokens(store: Store, sources: Sequence[Source], document_ids: Sequence[str]) -> dict[str, int]:
    """About how many tokens each document has.

    The count of its text where there was one; else its bytes over the bytes for each token of the home's own
    texts. A record without a row counts as an equal part of its file.
    """
    with store.connect(read_only=True) as connection:
        counts: dict[str, int] = dict(
            connection.execute(
                "select document_id, token_count from normalized_text where token_count is not null"
            ).fetchall()
        )
        sizes: dict[str, int] = dict(
            connection.execute("select document_id, size_bytes from documents").fetchall()
        )
    texts = [key for key, tokens in counts.items() if tokens and key in sizes]
    measured = sum(sizes[key] for key in texts) / sum(counts[key] for key in texts) if texts else 0.0
    ratio = measured or BYTES_PER_TOKEN
    unknown = [key for key in document_ids if key not in counts and key not in sizes]
    sizes |= _file_sizes(sources, unknown)
    return {key: counts.get(key, round(sizes[key] / ratio)) for key in document_ids}


def _file_sizes(sources: Sequence[Source], document_ids: Sequence[str]) -> dict[str, int]:
    """Bytes on disk of documents without a row; 0 where the file is gone."""
    folders = {source.name: source.path for source in sources}
    members = Counter(key.partition("#")[0] for key in document_ids)
    sizes = {}
    for key in document_ids:
        source, path, _ = locate(key)
        try:
            size = (folders[source] / path).stat().st_size
        except (OSError, KeyError):
            size = 0
        sizes[key] = size // members[key.partition("#")[0]]
    return sizes


def summarize(backfill: Backfill) -> Mapping[str, str]:
    """The report in a few words: what was due and why, what is taken, what waits and for which limit."""
    due = Counter(
        candidate.due.reason
        for candidate in (*backfill.chosen, *(item.candidate for item in backfill.put_off))
    )
    waiting = Counter(f"by the limit of {item.limit}" for item in backfill.put_off)
    return {
        "due": _counted(due),
        "chosen": _counted(Counter(candidate.due.reason for candidate in backfill.chosen)),
        "put_off": _counted(waiting),
        "tokens": str(backfill.tokens),
        "dollars": f"{backfill.dollars:.2f}",
    }


def _counted(counts: Mapping[str, int]) -> str:
    """``7: 2 changed, 5 new``."""
    parts = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{sum(counts.values())}: {parts}" if counts else "0"


def render_report(backfill: Backfill, day: str) -> str:
    """The same as Markdown, with every document that breaks a limit by itself.

    Document ids are percent-encoded, so nothing in them has a meaning in Markdown's code.
    """
    names = {
        "due": "due",
        "chosen": "taken",
        "put_off": "put off",
        "tokens": "tokens, about",
        "dollars": "dollars, about",
    }
    summary = summarize(backfill)
    lines = [f"# Backfill of {day}", "", "| what | how many |", "|---|---|"]
    lines += [f"| {name} | {summary[key]} |" for key, name in names.items()]
    too_large = [item for item in backfill.put_off if item.alone]
    if too_large:
        lines += ["", "These wait until the limit is raised, because each breaks it by itself:", ""]
        lines += [
            f"- `{item.candidate.due.document_id}`: about {item.candidate.tokens} tokens ({item.limit})"
            for item in too_large
        ]
    return "\n".join(lines) + "\n"

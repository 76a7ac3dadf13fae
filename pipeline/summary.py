"""What a home holds, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.checks import CheckResult
from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over the whole home. ``documents`` by status, in alphabetical order."""

    documents: dict[str, int]
    chunks: int
    claims: int
    entities: int
    edges: int
    orphans: int

    @property
    def has_failed(self) -> bool:
        """Whether some document failed or is in quarantine."""
        return bool(self.documents.keys() & {"failed", "quarantined"})


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """One document and how it fared."""

    document_id: str
    path: str
    version: str | None
    status: str
    access_labels: tuple[str, ...]
    rule: str | None
    tier: str | None
    token_count: int | None
    detail: str | None


def summarize(store: Store) -> Summary:
    """Count what a home holds. ``chunks`` are extraction units (level 0)."""
    with store.connect(read_only=True) as connection:
        documents = connection.execute(
            "select status, count(*) from document_status group by status order by status"
        ).fetchall()
        counts = connection.execute(
            "select (select count(*) from chunks where level = 0), (select count(*) from claims), "
            "(select count(*) from entities), (select count(*) from edges), (select count(*) from orphans)"
        ).fetchall()[0]
    return Summary(dict(documents), *counts)


def document_statuses(store: Store) -> list[DocumentStatus]:
    """Every document of a home, by id, those that never got past a failure included."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select document_id, path, version, status, access_labels, rule, tier, token_count, detail "
            "from document_status order by document_id"
        ).fetchall()
    return [
        DocumentStatus(key, path, version, status, tuple(labels or ()), rule, tier, tokens, detail)
        for key, path, version, status, labels, rule, tier, tokens, detail in rows
    ]


def count_outcomes(results: Sequence[CheckResult]) -> dict[str, int]:
    """How many checks passed, warned and failed."""
    outcomes = [result.outcome for result in results]
    return {
        "passed": outcomes.count("pass"),
        "warned": outcomes.count("warn"),
        "failed": outcomes.count("error"),
    }

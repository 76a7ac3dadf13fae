"""Bring one asset up to date for some documents: only what changed, one transaction a batch.

An asset's rows of a document are stale when the fingerprint of their inputs differs from the ledger's.
Inputs are the asset's name and code version, the version of the upstream output, and the asset's own
settings that matter to this document. A document goes on to an asset once the blocking checks of the assets
before it have let it pass. Nothing here knows Dagster.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Protocol

import duckdb
import pyarrow as pa

from pipeline.identifiers import fingerprint
from pipeline.progress import Progress
from pipeline.quarantine import Gate, judge
from pipeline.storage.rows import Row
from pipeline.storage.store import Failure, LedgerEntry, Replacement, Store
from pipeline.storage.tables import earlier_assets
from pipeline.workers import Failed

UNSTORABLE: Final = (duckdb.Error, pa.ArrowException, UnicodeError, OverflowError)
"""What a row raises that its table cannot hold."""
NO_INPUTS: Final = ""
"""Stands for the inputs of a failure that passes by itself: a document never has them, so it is due again."""
BATCH_DOCUMENTS: Final = 64
BATCH_BYTES: Final = 4_000_000
COMMIT_SECONDS: Final = 5.0
"""A batch is committed when it ends, or earlier when this many seconds have passed since the last commit."""


@dataclass(frozen=True, slots=True)
class Processed:
    """What an asset made of one document."""

    document_id: str
    result: tuple[Row, ...] | Failed


class Stage(Protocol):
    """One asset over documents, bound to its store, settings and workers."""

    asset: ClassVar[str]
    upstream: ClassVar[str | None]
    code_version: ClassVar[str]

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """Besides the upstream output, what decides each document's rows (JSON-serializable)."""
        ...

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """The rows of each document, or why there are none."""
        ...


@dataclass
class StageOutcome:
    """What a stage did in one call, by document id; of the quarantined ones the failing rows by check."""

    outputs: dict[str, str] = field(default_factory=dict)
    row_counts: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    quarantined: dict[str, dict[str, int]] = field(default_factory=dict)

    def refuse(self, failures: Sequence[Failure]) -> None:
        """Count documents as failed after all, because their rows could not be stored."""
        for failure in failures:
            del self.outputs[failure.document_id], self.row_counts[failure.document_id]
            self.failed[failure.document_id] = failure.error


def wanted_inputs(store: Store, stage: Stage, document_ids: Sequence[str], gate: Gate) -> dict[str, str]:
    """The inputs fingerprint of each document that the upstream asset has and the checks let pass; others
    are not due yet."""
    if stage.upstream is None:
        upstream: Mapping[str, str] = dict.fromkeys(document_ids, "")
    else:
        mark = gate.mark(stage.upstream)
        upstream = {
            key: entry.output for key, entry in store.ledger(stage.upstream).items() if entry.checked == mark
        }
    quarantined = store.quarantined(earlier_assets(stage.asset))
    due = [key for key in document_ids if key in upstream and key not in quarantined]
    own = stage.own_inputs(due)
    return {
        key: fingerprint(stage.asset, stage.code_version, upstream[key], own[key])
        for key in due
        if key in own
    }


def stale_documents(
    store: Store, stage: Stage, document_ids: Sequence[str], gate: Gate, *, retry: bool
) -> dict[str, str]:
    """Of the given documents, those whose rows are missing or stale, with the inputs they should have.

    ``retry``: whether documents that failed on these very inputs count as stale.
    """
    wanted = wanted_inputs(store, stage, document_ids, gate)
    ledger, failures = store.ledger(stage.asset), store.failures(stage.asset)
    stale = {}
    for key, inputs in wanted.items():
        if key in ledger and ledger[key].inputs == inputs:
            continue
        if not retry and key in failures and failures[key].inputs == inputs:
            continue
        stale[key] = inputs
    return stale


def unchecked_documents(store: Store, asset: str, document_ids: Sequence[str], gate: Gate) -> set[str]:
    """Of the given documents, those whose rows the asset's present checks have not looked at."""
    ledger, mark = store.ledger(asset), gate.mark(asset)
    return {key for key in document_ids if key in ledger and ledger[key].checked != mark}


def run_stage(
    store: Store,
    stage: Stage,
    document_ids: Sequence[str],
    run_id: str,
    gate: Gate,
    progress: Progress | None = None,
) -> StageOutcome:
    """Process the stale ones of some documents, then judge all that the asset's checks have not seen.

    A failed document is recorded and its neighbours go on. ``progress`` is told of the stale ones.
    """
    outcome = StageOutcome()
    # What the first asset is made from is in files, and reading those must not hold the database.
    with store.connect(read_only=True) if stage.upstream else contextlib.nullcontext():
        stale = stale_documents(store, stage, document_ids, gate, retry=True)
        sizes = _sizes(store, list(stale))
    outcome.fresh = [key for key in document_ids if key not in stale]
    progress = progress or Progress()
    progress.start(stage.asset, len(stale))
    made = _Made(store, stage.asset, run_id, outcome)
    for batch in batches(list(stale), sizes):
        made.commit()
        for processed in stage.process(batch):
            made.add(processed, stale[processed.document_id])
            if made.commit_is_due():
                made.commit()
            progress.advance(stage.asset, 1)
    with store.connect():
        made.commit()
        outcome.quarantined = judge(store, stage.asset, gate, document_ids)
    return outcome


def batches(document_ids: Sequence[str], sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Split documents, in order, into batches bounded in number and in bytes (at least one each)."""
    batch: list[str] = []
    weight = 0
    for key in document_ids:
        size = sizes.get(key, 0)
        if batch and (len(batch) == BATCH_DOCUMENTS or weight + size > BATCH_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(key)
        weight += size
    if batch:
        yield batch


def output_version(rows: Sequence[Row]) -> str:
    """The data version of some rows: a digest of their values, in order."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode("utf-8", errors="surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def _sizes(store: Store, document_ids: Sequence[str]) -> dict[str, int]:
    """Bytes of each of some documents that is known."""
    with store.connect(read_only=True) as connection:
        return dict(
            connection.execute(
                "select document_id, size_bytes from documents where document_id in (select unnest(?))",
                [list(document_ids)],
            ).fetchall()
        )


@dataclass
class _Made:
    """What an asset made and the store does not hold yet."""

    store: Store
    asset: str
    run_id: str
    outcome: StageOutcome
    replacements: list[Replacement] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    last_commit: float = field(default_factory=time.monotonic)

    def add(self, processed: Processed, inputs: str) -> None:
        """Count a document, and keep its rows for the next commit."""
        key, result = processed.document_id, processed.result
        if isinstance(result, Failed):
            self.failures.append(Failure(key, result.error, NO_INPUTS if result.passing else inputs))
            self.outcome.failed[key] = result.error
        else:
            entry = LedgerEntry(inputs, output_version(result))
            self.replacements.append(Replacement(key, result, entry))
            self.outcome.outputs[key] = entry.output
            self.outcome.row_counts[key] = len(result)

    def commit_is_due(self) -> bool:
        """Whether what was made should wait no longer."""
        return time.monotonic() - self.last_commit > COMMIT_SECONDS

    def commit(self) -> None:
        """Write it. Documents whose rows cannot be stored count as failed after all."""
        refused: list[Failure] = []
        if self.replacements:
            try:
                self.store.replace(self.asset, self.replacements, self.run_id)
            except UNSTORABLE:
                refused = _commit_one_by_one(self.store, self.asset, self.replacements, self.run_id)
        if self.failures or refused:
            self.store.record_failures(self.asset, [*self.failures, *refused])
        self.outcome.refuse(refused)
        self.replacements, self.failures, self.last_commit = [], [], time.monotonic()


def _commit_one_by_one(
    store: Store, asset: str, pending: Sequence[Replacement], run_id: str
) -> list[Failure]:
    """Write each document by itself, so that one that cannot be stored takes no other with it."""
    refused = []
    for item in pending:
        try:
            store.replace(asset, [item], run_id)
        except UNSTORABLE as error:
            detail = f"cannot be stored: {type(error).__name__}: {error}"
            refused.append(Failure(item.document_id, detail, item.entry.inputs))
    return refused

"""Which documents are due, from which asset on, and why. Knows no Dagster and changes nothing.

Later assets of a due document are not looked at: what they should be made from is known only when the
earlier one is up to date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.incremental import Stage, stale_documents, unchecked_documents
from pipeline.quarantine import Gate
from pipeline.storage.store import Failure, LedgerEntry, Store

Reason = Literal["new", "changed", "settings", "failed", "unchecked"]
"""``new``: the asset has no rows of it; ``changed``: the file did; ``settings``: so did settings or code;
``failed``: the asset failed on it before; ``unchecked``: its blocking checks have not judged these rows."""


@dataclass(frozen=True, slots=True)
class Due:
    """A document to process, and the first asset in the flow that has to."""

    document_id: str
    asset: str
    reason: Reason


def due_documents(
    store: Store, stages: Sequence[Stage], document_ids: Sequence[str], gate: Gate, *, retry: bool
) -> tuple[Due, ...]:
    """Those of some documents that are not up to date in every stage, in the order given.

    ``stages`` are in the order of the flow. ``retry``: whether documents that failed on the very inputs they
    have are due again. A document in quarantine is not due: it waits for its mending, or for other checks.
    """
    first, *later = stages
    due = _due_in(
        store, first, document_ids, gate, retry=retry
    )  # reads files, so it must not hold the database
    with store.connect(read_only=True):  # open throughout, so that the many reads do not each open the file
        for stage in later:
            candidates = [key for key in document_ids if key not in due]
            due |= _due_in(store, stage, candidates, gate, retry=retry)
    return tuple(due[key] for key in document_ids if key in due)


def _due_in(
    store: Store, stage: Stage, document_ids: Sequence[str], gate: Gate, *, retry: bool
) -> dict[str, Due]:
    stale = stale_documents(store, stage, document_ids, gate, retry=retry)
    unchecked = unchecked_documents(store, stage.asset, document_ids, gate)
    due = {key: Due(key, stage.asset, "unchecked") for key in unchecked}
    if stale:
        ledger, failures = store.ledger(stage.asset), store.failures(stage.asset)
        due |= {
            key: Due(key, stage.asset, _reason(stage, key, inputs, ledger, failures))
            for key, inputs in stale.items()
        }
    return due


def _reason(
    stage: Stage,
    key: str,
    inputs: str,
    ledger: Mapping[str, LedgerEntry],
    failures: Mapping[str, Failure],
) -> Reason:
    if key in failures and failures[key].inputs == inputs:
        return "failed"
    if key not in ledger and key not in failures:
        return "new"
    # A changed output of an earlier asset has deleted the rows made from it, so only the first asset's
    # inputs can differ by more than settings and code.
    return "changed" if stage.upstream is None else "settings"

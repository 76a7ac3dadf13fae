"""One dynamic partition for each document; many of them in one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import dagster as dg

from pipeline.storage.store import Store

DOCUMENTS: Final = "documents"
documents_partitions: Final = dg.DynamicPartitionsDefinition(name=DOCUMENTS)

RANGE_START: Final = "dagster/asset_partition_range_start"
RANGE_END: Final = "dagster/asset_partition_range_end"
DEFER_EVENTS: Final = "dagster/defer_asset_events"
"""Not in Dagster's documentation: with this run tag Dagster reports no materialization for the range, and
the assets report exactly the documents they processed. Without it everything works, only coarser."""
SETTLE: Final = "edgekeeper/settle_seconds"
"""With this run tag, files that were written less than so many seconds ago are left for a later run."""
REASON: Final = "edgekeeper/reason"
"""The run tag that says why a run was started."""


def range_tags(start: str, end: str) -> dict[str, str]:
    """The run tags of a run over a range of the partition order, both ends included."""
    return {RANGE_START: start, RANGE_END: end, DEFER_EVENTS: "true"}


def covering_range(order: Sequence[str], wanted: Iterable[str]) -> tuple[str, str] | None:
    """The shortest range of the partition order that holds all wanted keys; None where there are none.

    A range may cover other keys too: assets skip what is fresh, which costs a look into the ledger.
    """
    position = {key: index for index, key in enumerate(order)}
    places = [position[key] for key in wanted if key in position]
    return (order[min(places)], order[max(places)]) if places else None


def remove_documents(store: Store, instance: dg.DagsterInstance, gone: Sequence[str]) -> None:
    """Forget documents whose files are gone, and their partitions. No run may be in flight.

    Rows first: a partition without rows and file is found again, rows without a partition would not be.
    """
    if gone:
        store.forget(gone)
    for key in gone:
        instance.delete_dynamic_partition(DOCUMENTS, key)

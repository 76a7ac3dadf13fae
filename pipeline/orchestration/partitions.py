"""One dynamic partition for each document; many of them in one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import dagster as dg

DOCUMENTS: Final = "documents"
documents_partitions: Final = dg.DynamicPartitionsDefinition(name=DOCUMENTS)

RANGE_START: Final = "dagster/asset_partition_range_start"
RANGE_END: Final = "dagster/asset_partition_range_end"
DEFER_EVENTS: Final = "dagster/defer_asset_events"
"""Not in Dagster's documentation: with this run tag Dagster reports no materialization for the range, and
the assets report exactly the documents they processed. Without it everything works, only coarser."""

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

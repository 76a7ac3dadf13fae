"""What an explicit materialization says it was made from, so that Dagster tells stale from fresh as the
ledger does: by code and data versions, not by the time of an event."""

from __future__ import annotations

from collections.abc import Mapping

import dagster as dg


def latest_event(instance: dg.DagsterInstance) -> int:
    """The number of the event stored last. It is a pointer to the present version of every partition."""
    return instance.event_log_storage.get_maximum_record_id() or 0


def provenance_tags(
    version: str, code_version: str, inputs: Mapping[str, str], pointer: int
) -> dict[str, str]:
    """The tags of a materialization with a data version. ``inputs`` are the versions of the assets it read.

    Dagster compares the version that an input had at the event ``pointer`` with its present one.
    """
    tags = {
        "dagster/data_version": version,
        "dagster/data_version_is_user_provided": "true",
        "dagster/code_version": code_version,
    }
    for asset, input_version in inputs.items():
        tags[f"dagster/input_data_version/{asset}"] = input_version
        tags |= pointer_tag(asset, pointer)
    return tags


def pointer_tag(asset: str, pointer: int) -> dict[str, str]:
    """The tag that says up to which event an input was taken into account."""
    return {f"dagster/input_event_pointer/{asset}": str(pointer)}

"""What decides a document's rows besides earlier assets, shown to Dagster before a run: file and settings.

Each of four assets has such an input, an external asset with one partition for each document. Dagster
compares what the input was at the event that a materialization points at with what it is at present. An
observation with a data version says that the input differs from what the rows were made of. One without, or
none at all, says that it does not. So an unchanged document costs no event, and an edit can be taken back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import dagster as dg
from dagster._core.definitions.data_version import DATA_VERSION_TAG

from pipeline.incremental import Stage, wanted_inputs
from pipeline.orchestration.partitions import documents_partitions
from pipeline.quarantine import Gate
from pipeline.storage.store import Store

INPUT_OF: Final = {
    "documents": "source_files",
    "normalized_text": "normalization_settings",
    "chunk_plans": "chunking_settings",
    "extractions": "extraction_settings",
}
"""The input of each asset that has one. What the others are made of is the output of earlier assets."""

DESCRIPTIONS: Final = {
    "source_files": "The bytes of each document, its labels and the limit of its size.",
    "normalization_settings": "`normalization` and the tokenizer.",
    "chunking_settings": "The rule of `chunking` that matches each document, and every setting of its plan.",
    "extraction_settings": "The extractor, its model and version.",
}
GROUP: Final = "inputs"


def input_assets() -> list[dg.AssetSpec]:
    """The inputs, which no run makes."""
    return [
        dg.AssetSpec(
            name,
            partitions_def=documents_partitions,
            group_name=GROUP,
            description=f"{DESCRIPTIONS[name]} Observed where it differs from what `{asset}` was made of.",
        )
        for asset, name in INPUT_OF.items()
    ]


def input_changes(
    instance: dg.DagsterInstance,
    store: Store,
    stages: Iterable[Stage],
    gate: Gate,
    documents: Collection[str],
    due: Sequence[str],
) -> list[dg.AssetObservation]:
    """What to report so that Dagster shows as stale what the ledger does, and nothing else.

    ``documents`` are all partitions, ``due`` those that are not up to date in every stage. Nothing is said of
    an asset whose code has changed since its last materialization: Dagster shows all of it as stale.
    """
    changes = []
    for stage in stages:
        if stage.asset not in INPUT_OF:
            continue
        shown = _shown_as_changed(instance, stage.asset)
        asked = dict.fromkeys([*due, *sorted(key for key in shown if key in documents)])
        wanted = wanted_inputs(store, stage, list(asked), gate)
        ledger, failures = store.ledger(stage.asset), store.failures(stage.asset)
        may_differ = _has_code(instance, stage)
        for key, inputs in wanted.items():
            if key in ledger and ledger[key].inputs == inputs:
                if key in shown:
                    changes.append(_observation(stage.asset, key))
            elif may_differ and (key in ledger or key in failures) and shown.get(key) != inputs:
                changes.append(_observation(stage.asset, key, inputs))
    return changes


def agreements(instance: dg.DagsterInstance, asset: str, made: Iterable[str]) -> list[dg.AssetObservation]:
    """What to report before the documents ``made`` are reported as materialized, so that the input is what
    they were made of."""
    if asset not in INPUT_OF:
        return []
    shown = _shown_as_changed(instance, asset)
    return [_observation(asset, key) for key in made if key in shown]


def _observation(asset: str, key: str, inputs: str | None = None) -> dg.AssetObservation:
    tags = {} if inputs is None else {DATA_VERSION_TAG: inputs}
    return dg.AssetObservation(INPUT_OF[asset], partition=key, tags=tags)


def _shown_as_changed(instance: dg.DagsterInstance, asset: str) -> dict[str, str]:
    """The documents whose last observation has a version, and that version."""
    found = instance.event_log_storage.get_latest_tags_by_partition(
        dg.AssetKey(INPUT_OF[asset]), dg.DagsterEventType.ASSET_OBSERVATION, [DATA_VERSION_TAG]
    )
    return {key: tags[DATA_VERSION_TAG] for key, tags in found.items()}


def _has_code(instance: dg.DagsterInstance, stage: Stage) -> bool:
    key = dg.AssetKey(stage.asset)
    return instance.get_latest_materialization_code_versions([key])[key] == stage.code_version

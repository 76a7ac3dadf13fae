"""Which documents are due, from which asset on, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.incremental import Stage, run_stage
from pipeline.staleness import Due, due_documents
from pipeline.storage.store import Store
from tests.test_incremental import NO_CHECKS, Files, Plans

KEYS = ("c", "a", "b")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "test.duckdb")
    store.create()
    return store


@pytest.fixture
def stages() -> tuple[Files, Plans]:
    return Files({"a": "1", "b": "2", "c": "3"}), Plans({})


def _due(store: Store, stages: Sequence[Stage], *, retry: bool = False) -> list[Due]:
    return list(due_documents(store, stages, KEYS, NO_CHECKS, retry=retry))


def _run(store: Store, stages: Sequence[Stage]) -> None:
    for stage in stages:
        run_stage(store, stage, KEYS, "run", NO_CHECKS)


def test_what_was_never_processed_is_new_in_the_first_asset(
    store: Store, stages: tuple[Files, Plans]
) -> None:
    assert _due(store, stages) == [Due(key, "documents", "new") for key in KEYS]


def test_nothing_is_due_after_a_run(store: Store, stages: tuple[Files, Plans]) -> None:
    _run(store, stages)
    assert _due(store, stages, retry=True) == []


def test_a_run_that_was_cut_off_is_due_where_it_stopped(store: Store, stages: tuple[Files, Plans]) -> None:
    _run(store, stages[:1])
    assert _due(store, stages) == [Due(key, "chunk_plans", "new") for key in KEYS]


def test_a_changed_file_is_due_from_the_first_asset_on_and_once(
    store: Store, stages: tuple[Files, Plans]
) -> None:
    files, plans = stages
    _run(store, stages)
    files.texts["b"], plans.settings["b"] = "changed", "other"
    assert _due(store, stages) == [Due("b", "documents", "changed")]


def test_a_changed_setting_is_due_from_its_asset_on_where_it_matters(
    store: Store, stages: tuple[Files, Plans]
) -> None:
    _run(store, stages)
    stages[1].settings["a"] = "other"
    assert _due(store, stages) == [Due("a", "chunk_plans", "settings")]


def test_changed_code_is_due_for_every_document(
    store: Store, stages: tuple[Files, Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(store, stages)
    monkeypatch.setattr(Plans, "code_version", "2")
    assert _due(store, stages) == [Due(key, "chunk_plans", "settings") for key in KEYS]


def test_a_failure_is_due_when_it_may_be_tried_again_or_its_inputs_changed(
    store: Store, stages: tuple[Files, Plans]
) -> None:
    files, _ = stages
    files.texts["b"] = "bad"
    _run(store, stages)
    assert _due(store, stages, retry=False) == []
    assert _due(store, stages, retry=True) == [Due("b", "documents", "failed")]
    files.texts["b"] = "mended"
    assert _due(store, stages, retry=False) == [Due("b", "documents", "changed")]

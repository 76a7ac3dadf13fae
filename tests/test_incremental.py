"""Only what changed is processed, and one bad document never stops its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.checks import Check
from pipeline.incremental import BATCH_BYTES, BATCH_DOCUMENTS, Processed, batches, run_stage, stale_documents
from pipeline.quarantine import Gate
from pipeline.staleness import due_documents
from pipeline.storage.rows import ChunkPlanRow, DocumentRow
from pipeline.storage.store import Store
from pipeline.workers import Failed

NO_CHECKS = Gate()


@dataclass
class Files:
    """A first stage over texts in memory."""

    texts: dict[str, str]
    seen: list[str] = field(default_factory=list)

    asset: ClassVar[str] = "documents"
    upstream: ClassVar[str | None] = None
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        return {key: self.texts[key] for key in document_ids}

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        for key in document_ids:
            self.seen.append(key)
            text = self.texts[key]
            size = 2**70 if text == "unstorable" else 1
            row = DocumentRow(key, "s", key, text.strip(), "text", "text", size, None, (), None, None)
            yield Processed(key, Failed("boom") if text == "bad" else (row,))


@dataclass
class Plans:
    """A second stage whose settings differ by document."""

    settings: dict[str, str]
    seen: list[str] = field(default_factory=list)

    asset: ClassVar[str] = "chunk_plans"
    upstream: ClassVar[str | None] = "documents"
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        return {key: self.settings.get(key, "default") for key in document_ids}

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        for key in document_ids:
            self.seen.append(key)
            yield Processed(
                key, (ChunkPlanRow(key, "r", "tier", "whole", 1, self.settings.get(key, "d"), "f"),)
            )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "test.duckdb")
    store.create()
    return store


def _run(store: Store, *stages: Files | Plans, keys: Sequence[str] = ("a", "b", "c")) -> None:
    for stage in stages:
        stage.seen.clear()
        run_stage(store, stage, keys, "run", NO_CHECKS)


def test_nothing_is_processed_twice(store: Store) -> None:
    files, plans = Files({"a": "1", "b": "2", "c": "3"}), Plans({})
    _run(store, files, plans)
    assert (files.seen, plans.seen) == (["a", "b", "c"], ["a", "b", "c"])
    _run(store, files, plans)
    assert (files.seen, plans.seen) == ([], [])


def test_a_change_reaches_its_document_only(store: Store) -> None:
    files, plans = Files({"a": "1", "b": "2", "c": "3"}), Plans({})
    _run(store, files, plans)
    files.texts["b"] = "changed"
    _run(store, files, plans)
    assert (files.seen, plans.seen) == (["b"], ["b"])
    plans.settings["c"] = "other"
    _run(store, files, plans)
    assert (files.seen, plans.seen) == ([], ["c"])


def test_a_change_without_effect_stops_where_its_effect_ends(store: Store) -> None:
    files, plans = Files({"a": "1", "b": "2", "c": "3"}), Plans({})
    _run(store, files, plans)
    files.texts["b"] = "2   "
    _run(store, files, plans)
    assert (files.seen, plans.seen) == (["b"], [])


def test_a_setting_that_goes_there_and_back_is_followed(store: Store) -> None:
    files, plans = Files({"a": "1", "b": "2", "c": "3"}), Plans({})
    _run(store, files, plans)
    for value in ("x", "default", "x"):
        plans.settings["a"] = value
        _run(store, plans)
        assert plans.seen == ["a"]
        assert store.load(ChunkPlanRow, ["a"])["a"][0].settings == value


def test_a_bad_document_is_recorded_and_its_neighbours_go_on(store: Store) -> None:
    files, plans = Files({"a": "1", "b": "bad", "c": "3"}), Plans({})
    outcome = run_stage(store, files, ["a", "b", "c"], "run", NO_CHECKS)
    assert outcome.failed == {"b": "boom"} and set(outcome.outputs) == {"a", "c"}
    assert store.failures("documents")["b"].error == "boom"
    _run(store, plans)
    assert plans.seen == ["a", "c"]
    assert stale_documents(store, files, ["a", "b", "c"], NO_CHECKS, retry=False) == {}
    assert set(stale_documents(store, files, ["a", "b", "c"], NO_CHECKS, retry=True)) == {"b"}
    files.texts["b"] = "mended"
    _run(store, files, plans)
    assert (files.seen, plans.seen) == (["b"], ["b"])
    assert store.failures("documents") == {}


def test_rows_that_cannot_be_stored_fail_their_document_alone(store: Store) -> None:
    files = Files({"a": "1", "b": "unstorable", "c": "3"})
    outcome = run_stage(store, files, ["a", "b", "c"], "run", NO_CHECKS)
    assert set(outcome.outputs) == {"a", "c"} and "cannot be stored" in outcome.failed["b"]
    assert set(store.ledger("documents")) == {"a", "c"} and set(store.failures("documents")) == {"b"}


def test_a_document_that_turns_bad_loses_its_rows(store: Store) -> None:
    files, plans = Files({"a": "1", "b": "2", "c": "3"}), Plans({})
    _run(store, files, plans)
    files.texts["a"] = "bad"
    _run(store, files, plans)
    assert set(store.ledger("chunk_plans")) == {"b", "c"}
    assert store.load(DocumentRow, ["a"]) == {"a": []}


@given(st.lists(st.integers(0, 2 * BATCH_BYTES), max_size=200))
def test_batches_are_bounded_and_lose_nothing(sizes: list[int]) -> None:
    keys = [str(number) for number in range(len(sizes))]
    by_key = dict(zip(keys, sizes, strict=True))
    parts = list(batches(keys, by_key))
    assert [key for part in parts for key in part] == keys
    for part in parts:
        assert 1 <= len(part) <= BATCH_DOCUMENTS
        assert len(part) == 1 or sum(by_key[key] for key in part) <= BATCH_BYTES


NOT_POOR = Check(
    name="not_poor",
    asset="documents",
    description="No document is poor.",
    blocking=True,
    sql="select document_id from documents where version = 'poor'",
)


def test_a_quarantined_document_goes_no_further_and_its_neighbours_go_on(store: Store) -> None:
    files, plans, gate = Files({"a": "1", "b": "poor", "c": "3"}), Plans({}), Gate((NOT_POOR,))
    outcome = run_stage(store, files, ["a", "b", "c"], "run", gate)
    assert outcome.quarantined == {"b": {"not_poor": 1}} and set(outcome.outputs) == {"a", "b", "c"}
    run_stage(store, plans, ["a", "b", "c"], "run", gate)
    assert plans.seen == ["a", "c"]
    files.texts["b"] = "better"
    run_stage(store, files, ["a", "b", "c"], "run", gate)
    run_stage(store, plans, ["a", "b", "c"], "run", gate)
    assert plans.seen == ["a", "c", "b"]
    assert store.quarantined(["documents"]) == set()


def test_a_quarantined_document_is_not_due_until_it_or_its_checks_change(store: Store) -> None:
    files, plans, gate = Files({"a": "1", "b": "poor", "c": "3"}), Plans({}), Gate((NOT_POOR,))
    keys = ["a", "b", "c"]
    for stage in (files, plans):
        run_stage(store, stage, keys, "run", gate)
    assert due_documents(store, [files, plans], keys, gate, retry=True) == ()
    edited = Gate((NOT_POOR.model_copy(update={"sql": NOT_POOR.sql.replace("poor", "worse")}),))
    due = due_documents(store, [files, plans], keys, edited, retry=True)
    assert [(item.document_id, item.asset, item.reason) for item in due] == [
        (key, "documents", "unchecked") for key in keys
    ]
    files.seen.clear()
    run_stage(store, files, keys, "run", edited)
    assert files.seen == [] and store.quarantined(["documents"]) == set()
    run_stage(store, plans, keys, "run", edited)
    assert plans.seen == ["a", "c", "b"]


def test_rows_are_not_passed_on_before_they_were_judged(store: Store) -> None:
    files, plans, gate = Files({"a": "1", "b": "2", "c": "poor"}), Plans({}), Gate((NOT_POOR,))
    run_stage(store, files, ["a", "b", "c"], "run", NO_CHECKS)
    run_stage(store, plans, ["a", "b", "c"], "run", gate)
    assert plans.seen == []
    run_stage(store, files, ["a", "b"], "run", gate)
    run_stage(store, plans, ["a", "b", "c"], "run", gate)
    assert plans.seen == ["a", "b"]


def test_a_check_that_cannot_run_holds_nobody_back_and_lets_nobody_out(store: Store) -> None:
    broken = Gate((NOT_POOR.model_copy(update={"sql": "select nothing from nowhere"}),))
    files, plans, gate = Files({"a": "poor", "b": "2"}), Plans({}), Gate((NOT_POOR,))
    keys = ["a", "b"]
    run_stage(store, files, ["a"], "run", gate)
    run_stage(store, files, keys, "run", broken)
    run_stage(store, plans, keys, "run", broken)
    assert plans.seen == ["b"]
    run_stage(store, files, keys, "run", gate)
    assert store.quarantined(["documents"]) == {"a"}

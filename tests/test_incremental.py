"""Only what changed is processed, and one bad document never stops its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.incremental import BATCH_BYTES, BATCH_DOCUMENTS, Processed, batches, run_stage, stale_documents
from pipeline.storage.rows import ChunkPlanRow, DocumentRow
from pipeline.storage.store import Store
from pipeline.workers import Failed


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
        run_stage(store, stage, keys, {}, "run")


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
    outcome = run_stage(store, files, ["a", "b", "c"], {}, "run")
    assert outcome.failed == {"b": "boom"} and set(outcome.outputs) == {"a", "c"}
    assert store.failures("documents")["b"].error == "boom"
    _run(store, plans)
    assert plans.seen == ["a", "c"]
    assert stale_documents(store, files, ["a", "b", "c"], retry=False) == {}
    assert set(stale_documents(store, files, ["a", "b", "c"], retry=True)) == {"b"}
    files.texts["b"] = "mended"
    _run(store, files, plans)
    assert (files.seen, plans.seen) == (["b"], ["b"])
    assert store.failures("documents") == {}


def test_rows_that_cannot_be_stored_fail_their_document_alone(store: Store) -> None:
    files = Files({"a": "1", "b": "unstorable", "c": "3"})
    outcome = run_stage(store, files, ["a", "b", "c"], {}, "run")
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

"""The store: rows match their tables, a replacement is whole or does not happen, stale rows go with it."""

from __future__ import annotations

import dataclasses
import multiprocessing
import pickle
from pathlib import Path
from typing import get_args

import duckdb
import pytest

from pipeline.storage.faults import StoreUnusable, fault_at_opening, fault_at_work
from pipeline.storage.rows import ChunkPlanRow, DocumentRow, Row
from pipeline.storage.store import Failure, LedgerEntry, Replacement, Store, StoreBusy


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "test.duckdb", lock_timeout=30)
    store.create()
    return store


def _document(key: str, version: str = "v1", path: str | None = None) -> DocumentRow:
    return DocumentRow(key, "s", path or key, version, "text", "text", 1, None, ("a",), None, None)


def _plan(key: str) -> ChunkPlanRow:
    return ChunkPlanRow(key, "fallback", "tier", "whole", 3, "{}", "f")


def _replacement(row: DocumentRow | ChunkPlanRow, output: str) -> Replacement:
    return Replacement(row.document_id, (row,), LedgerEntry("in", output))


def _put(store: Store, asset: str, *replacements: Replacement) -> None:
    store.replace(asset, replacements, "run")


@pytest.mark.parametrize("row_type", [t for group in get_args(Row) for t in (get_args(group) or (group,))])
def test_a_row_class_has_the_columns_of_its_table(store: Store, row_type: type[Row]) -> None:
    with store.connect(read_only=True) as connection:
        columns = [row[0] for row in connection.execute(f"describe {row_type.table}").fetchall()]
    assert [field.name for field in dataclasses.fields(row_type)] == columns


def test_rows_come_back_as_they_were(store: Store) -> None:
    row = _document("s/é ☕'; drop table documents;--")
    _put(store, "documents", _replacement(row, "o"))
    assert store.load(DocumentRow, [row.document_id]) == {row.document_id: [row]}


def test_replacing_a_document_leaves_its_neighbours_alone(store: Store) -> None:
    _put(store, "documents", _replacement(_document("s/a"), "1"), _replacement(_document("s/b"), "1"))
    _put(store, "documents", _replacement(_document("s/a", "v2"), "2"))
    loaded = store.load(DocumentRow, ["s/a", "s/b"])
    assert [row.version for rows in loaded.values() for row in rows] == ["v2", "v1"]


def test_a_replacement_that_fails_changes_nothing(store: Store) -> None:
    _put(store, "documents", _replacement(_document("s/a"), "1"))
    broken = dataclasses.replace(_document("s/a", "v2"), source=None)  # pyright: ignore[reportArgumentType]
    with pytest.raises(duckdb.Error):
        _put(store, "documents", _replacement(broken, "2"))
    assert store.load(DocumentRow, ["s/a"])["s/a"][0].version == "v1"
    assert store.ledger("documents") == {"s/a": LedgerEntry("in", "1")}


def test_later_rows_go_when_the_output_they_came_from_changes(store: Store) -> None:
    _put(store, "documents", _replacement(_document("s/a"), "1"))
    _put(store, "chunk_plans", _replacement(_plan("s/a"), "p"))
    _put(store, "documents", _replacement(_document("s/a"), "1"))
    assert "s/a" in store.ledger("chunk_plans")
    _put(store, "documents", _replacement(_document("s/a", "v2"), "2"))
    assert store.ledger("chunk_plans") == {}
    assert store.load(ChunkPlanRow, ["s/a"]) == {"s/a": []}


def test_a_failure_is_kept_until_the_document_succeeds(store: Store) -> None:
    store.record_failures("documents", [Failure("s/a", "boom", "in")])
    assert store.failures("documents")["s/a"].error == "boom"
    _put(store, "documents", _replacement(_document("s/a"), "1"))
    assert store.failures("documents") == {}


def test_a_forgotten_document_leaves_no_row(store: Store) -> None:
    _put(store, "documents", _replacement(_document("s/a"), "1"), _replacement(_document("s/b"), "1"))
    _put(store, "chunk_plans", _replacement(_plan("s/a"), "p"))
    store.forget(["s/a"])
    assert set(store.ledger("documents")) == {"s/b"}
    assert store.ledger("chunk_plans") == {}


def test_the_first_answer_for_a_memo_key_stays(store: Store) -> None:
    store.memorize({"k": "first"})
    store.memorize({"k": "second", "l": "other"})
    assert store.memo(["k", "l", "m"]) == {"k": "first", "l": "other"}


def _write_many(path: Path, worker: int, count: int) -> None:
    store = Store(path, lock_timeout=60)
    for number in range(count):
        _put(store, "documents", _replacement(_document(f"s/{worker}-{number}"), "1"))


def test_parallel_writers_wait_for_each_other(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(store.path, worker, 5)) for worker in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    assert len(store.ledger("documents")) == 20


def test_a_block_that_writes_can_be_read_in(store: Store) -> None:
    with store.connect():
        _put(store, "documents", _replacement(_document("s/a"), "1"))
        assert set(store.ledger("documents")) == {"s/a"}
        _put(store, "documents", _replacement(_document("s/b"), "1"))
    assert set(store.ledger("documents")) == {"s/a", "s/b"}


def test_a_lock_that_never_comes_free_is_explained(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    holder = context.Process(target=_hold, args=(store.path, ready, done))
    holder.start()
    ready.wait(30)
    try:
        with pytest.raises(StoreBusy, match="locked by another process"), Store(store.path, 0.3).connect():
            pass
    finally:
        done.set()
        holder.join()


def test_a_broken_file_is_not_taken_for_a_locked_one(tmp_path: Path) -> None:
    path = tmp_path / "set lock on file" / "blocks.duckdb"
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreUnusable, match="not a valid"), Store(path, 5).connect():
        pass


def _hold(path: Path, ready, done) -> None:
    with Store(path).connect():
        ready.set()
        done.wait(30)


@pytest.mark.parametrize(
    ("kind", "says", "remedy"),
    [
        ("pages", "Corrupt database file", "delete it and ingest again"),
        ("truncated", "Could not read enough bytes", "delete it and ingest again"),
        ("empty", "not a valid DuckDB database", "delete it and ingest again"),
        ("folder", "Is a directory", "may read and write"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_a_remedy(
    store: Store, kind: str, says: str, remedy: str
) -> None:
    content = store.path.read_bytes()
    if kind == "folder":
        store.path.unlink()
        store.path.mkdir()
    else:
        size = {"pages": 3 * 4096, "truncated": 100_000, "empty": 0}[kind]
        rest = b"x" * (len(content) - size) if kind == "pages" else b""
        store.path.write_bytes(content[:size] + rest)
    with pytest.raises(StoreUnusable) as caught:
        store.require_current()
    assert caught.value.problem.startswith(f"{store.path}: ") and says in caught.value.problem
    assert remedy in caught.value.remedy
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_fault_of_the_file_is_told_from_one_of_a_statement(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    full = duckdb.TransactionException(f'Failed to commit: Could not write "{path}": No space left on device')
    for error, remedy in (
        (full, "Make room on the disk"),
        (duckdb.IOException(f'Could not read from file "{path}": Input/output error'), "delete it"),
    ):
        fault = fault_at_work(path, error)
        assert fault is not None and remedy in fault.remedy
    assert fault_at_work(path, duckdb.ConversionException("no number")) is None
    assert fault_at_work(path, duckdb.IOException('No files found that match "a.csv"')) is None


def test_a_file_that_may_not_be_opened_is_not_to_be_deleted(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    error = duckdb.IOException(f'IO Error: Cannot open file "{path}": Permission denied')
    fault = fault_at_opening(path, error)
    assert "may read and write" in fault.remedy and "delete" not in fault.remedy


def test_what_a_deleted_file_had_not_yet_taken_in_goes_with_it(store: Store) -> None:
    store.path.unlink()
    wal = store.path.with_name(f"{store.path.name}.wal")
    wal.write_bytes(b"of the other file")
    store.create()
    assert not wal.exists()

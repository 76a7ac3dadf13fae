"""What the graph was made from is held while a document's next version is in the making."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from pipeline.quarantine import Gate, awaits_publication, judge, publish
from pipeline.storage.rows import ChunkPlanRow, DocumentRow
from pipeline.storage.store import Failure, LedgerEntry, Replacement, Store, StoreOutdated
from pipeline.storage.tables import DOCUMENT_ASSETS, HELD_TABLES

NO_CHECKS = Gate()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "test.duckdb")
    store.create()
    return store


def _put(store: Store, asset: str, key: str, version: str) -> None:
    rows = {
        "documents": (DocumentRow(key, "s", key, version, "text", "text", 1, None, ("a",), None, None),),
        "chunk_plans": (ChunkPlanRow(key, "fallback", "tier", "whole", 3, "{}", version),),
    }
    store.replace(asset, [Replacement(key, rows.get(asset, ()), LedgerEntry("in", version))], "run")


def _complete(store: Store, key: str, version: str) -> None:
    for asset in DOCUMENT_ASSETS:
        _put(store, asset, key, version)
        judge(store, asset, NO_CHECKS, [key])


def _versions(store: Store, schema: str) -> dict[str, tuple[str, ...]]:
    """The versions in a schema by document: of its row, its plan and its ledger."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            f"select document_id, version from {schema}.documents union "
            f"select document_id, fingerprint from {schema}.chunk_plans union "
            f"select document_id, output from {schema}.ledger order by all"
        ).fetchall()
    found: dict[str, tuple[str, ...]] = {}
    for key, version in rows:
        found[key] = (*found.get(key, ()), version)
    return found


def _held(store: Store) -> int:
    with store.connect(read_only=True) as connection:
        counts = [
            connection.execute(f"select count(*) from held.{table}").fetchall() for table in HELD_TABLES
        ]
    return sum(count[0][0] for count in counts)


def test_a_document_is_published_once_its_last_asset_was_checked(store: Store) -> None:
    for asset in DOCUMENT_ASSETS:
        assert _versions(store, "published") == {}
        _put(store, asset, "s/a", "1")
        judge(store, asset, NO_CHECKS, ["s/a"] if asset != "extractions" else [])
    assert _versions(store, "published") == {}
    judge(store, "extractions", NO_CHECKS, ["s/a"])
    assert _versions(store, "published") == {"s/a": ("1",)}


def test_readers_see_the_old_version_until_the_new_one_is_whole_and_published(store: Store) -> None:
    _complete(store, "s/a", "1")
    _complete(store, "s/b", "1")
    for asset in DOCUMENT_ASSETS:
        _put(store, asset, "s/a", "2")
        assert _versions(store, "published") == {"s/a": ("1",), "s/b": ("1",)}
        assert not awaits_publication(store)
        publish(store)
        judge(store, asset, NO_CHECKS, ["s/a"])
    assert awaits_publication(store)
    assert _versions(store, "published") == {"s/a": ("1",), "s/b": ("1",)}
    publish(store)
    assert _versions(store, "published") == {"s/a": ("2",), "s/b": ("1",)}
    assert _held(store) == 0 and not awaits_publication(store)


def test_the_first_version_stays_through_several_that_never_got_ready(store: Store) -> None:
    _complete(store, "s/a", "1")
    _put(store, "documents", "s/a", "2")
    _put(store, "documents", "s/a", "3")
    store.record_failures("normalized_text", [Failure("s/a", "boom", "in")])
    _put(store, "documents", "s/a", "4")
    assert _versions(store, "published") == {"s/a": ("1",)}


def test_a_version_that_is_whole_but_in_no_graph_yet_does_not_replace_the_one_that_is(store: Store) -> None:
    _complete(store, "s/a", "1")
    _complete(store, "s/a", "2")
    _put(store, "documents", "s/a", "3")
    assert _versions(store, "published") == {"s/a": ("1",)}


def test_a_failure_keeps_what_the_graph_was_made_from(store: Store) -> None:
    _complete(store, "s/a", "1")
    store.record_failures("documents", [Failure("s/a", "boom", "in")])
    assert store.ledger("documents") == {}
    assert _versions(store, "published") == {"s/a": ("1",)}


def test_a_failure_is_gone_when_what_it_failed_on_is(store: Store) -> None:
    _put(store, "documents", "s/a", "1")
    store.record_failures("normalized_text", [Failure("s/a", "boom", "in")])
    _put(store, "documents", "s/a", "1")
    assert set(store.failures("normalized_text")) == {"s/a"}
    _put(store, "documents", "s/a", "2")
    assert store.failures("normalized_text") == {}


def test_a_forgotten_document_is_held_until_the_graph_is_made_without_it(store: Store) -> None:
    _complete(store, "s/a", "1")
    _put(store, "documents", "s/a", "2")
    store.forget(["s/a"])
    assert _versions(store, "published") == {"s/a": ("1",)}
    assert store.ledger("documents") == {} and awaits_publication(store)
    publish(store)
    assert _versions(store, "published") == {} and _held(store) == 0


def test_checks_need_not_look_at_the_same_output_again(store: Store) -> None:
    _complete(store, "s/a", "1")
    checked = store.ledger("documents")["s/a"].checked
    assert checked is not None
    _put(store, "documents", "s/a", "1")
    assert store.ledger("documents")["s/a"].checked == checked
    _put(store, "documents", "s/a", "2")
    assert store.ledger("documents")["s/a"].checked is None


@pytest.mark.parametrize("statement", ["drop table made_by", "update made_by set schema_mark = 'older'"])
def test_a_home_of_another_version_is_told_what_to_do(store: Store, statement: str) -> None:
    with duckdb.connect(str(store.path)) as connection:
        connection.execute(statement)
    with pytest.raises(
        StoreOutdated, match=r"another version of Edgekeeper; ingest into a new --home, or delete .*test"
    ):
        store.create()

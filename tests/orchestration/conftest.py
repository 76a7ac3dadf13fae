"""Homes made by the real pipeline."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.home import Home
from pipeline.orchestration.ingest import IngestReport, ingest
from pipeline.orchestration.resources import Extractors
from pipeline.storage.store import Store
from pipeline.storage.tables import TABLES_OF
from pipeline.workers import Workers

Ingest = Callable[..., IngestReport]
Tables = dict[str, list[tuple[Any, ...]]]


def snapshot(store: Store) -> Tables:
    """All rows of all tables in one order. Which run wrote a row, and when, is left out."""
    tables = [table for tables in TABLES_OF.values() for table in tables]
    with store.connect(read_only=True) as connection:
        found: Tables = {
            table: connection.execute(f"select * from {table} order by all").fetchall() for table in tables
        }
        found["ledger"] = connection.execute(
            "select asset, document_id, inputs, output from ledger order by all"
        ).fetchall()
        found["memo"] = connection.execute("select * from extraction_memo order by all").fetchall()
    return found


def digest(store: Store) -> dict[str, str]:
    """A digest of each table, for a short comparison of large homes."""
    return {table: hashlib.sha256(repr(rows).encode()).hexdigest() for table, rows in snapshot(store).items()}


def query(store: Store, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Rows of a query."""
    with store.connect(read_only=True) as connection:
        return connection.execute(sql, list(parameters)).fetchall()


def edges(store: Store) -> set[tuple[str, str, str]]:
    """The graph as (subject, relation, object) names."""
    return set(query(store, "select distinct subject, relation, object from edge_lineage"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home."""
    return Home(tmp_path / "home")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """An empty folder for documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def run(home: Home, docs: Path) -> Ingest:
    """Ingest the folder of documents into the home, in this process."""

    def _run(*paths: Path, extractors: Extractors | None = None) -> IngestReport:
        return ingest(home, paths or (docs,), extractors=extractors, workers=Workers(0))

    return _run


@pytest.fixture(scope="session")
def handbook_home(tmp_path_factory: pytest.TempPathFactory, handbook_dir: Path) -> Home:
    """The example corpus, ingested once for all tests that only read."""
    home = Home(tmp_path_factory.mktemp("handbook") / "home")
    report = ingest(home, [handbook_dir], workers=Workers(2))
    assert report.succeeded, report.errors
    return home

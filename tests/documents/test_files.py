"""What a file holds is remembered: it is opened again when, and only when, it may hold something else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from pipeline.documents.files import GRAIN_SECONDS, FileReader, load_contents
from pipeline.documents.places import Place
from pipeline.normalized_text import NormalizationSettings
from pipeline.normalized_text.settings import RecordSettings
from pipeline.storage.store import Store
from tests.documents.opened import opened_below

PLAIN = NormalizationSettings()
KEYED = NormalizationSettings(records=RecordSettings(key_column="code"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "home" / "test.duckdb")
    store.create()
    return store


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    return tmp_path / "docs"


def _read(
    store: Store, docs: Path, name: str, settings: NormalizationSettings = PLAIN, later: float = 60
) -> tuple[dict[str, str], int]:
    """A file's digests, and how often it was opened for them, some seconds after it was written."""
    reader = FileReader(store, settings, clock=lambda: time.time() + later)
    with opened_below(docs) as opened:
        found = reader.documents(f"docs/{name}", Place(docs, name))
    reader.save()
    return dict(found), len(opened)


def test_an_unchanged_file_is_opened_once(store: Store, docs: Path) -> None:
    (docs / "a.md").write_text("text")
    first, opened = _read(store, docs, "a.md")
    assert opened == 1 and list(first) == ["docs/a.md"]
    assert _read(store, docs, "a.md") == (first, 0)


def test_a_touched_file_is_opened_and_is_the_same(store: Store, docs: Path) -> None:
    (docs / "a.md").write_text("text")
    first, _ = _read(store, docs, "a.md")
    os.utime(docs / "a.md", (1, 1))
    assert _read(store, docs, "a.md") == (first, 1)
    assert _read(store, docs, "a.md") == (first, 0)


def test_an_edit_that_sets_its_time_back_is_seen(store: Store, docs: Path) -> None:
    (docs / "a.md").write_text("text")
    os.utime(docs / "a.md", (1000, 1000))
    first, _ = _read(store, docs, "a.md")
    (docs / "a.md").write_text("taxt")
    os.utime(docs / "a.md", (1000, 1000))
    assert _read(store, docs, "a.md")[0] != first


def test_a_file_that_was_just_written_is_not_remembered(store: Store, docs: Path) -> None:
    (docs / "a.md").write_text("text")
    assert _read(store, docs, "a.md", later=GRAIN_SECONDS / 2)[1] == 1
    assert load_contents(store) == {}


def test_a_file_of_records_is_remembered_by_its_records(store: Store, docs: Path) -> None:
    (docs / "a.csv").write_text("code,name\nE-1,Brack\nE-2,Orsan\n")
    first, _ = _read(store, docs, "a.csv")
    assert list(first) == ["docs/a.csv#1", "docs/a.csv#2"]
    assert _read(store, docs, "a.csv") == (first, 0)
    keyed, opened = _read(store, docs, "a.csv", KEYED)
    assert opened > 0 and list(keyed) == ["docs/a.csv#E-1", "docs/a.csv#E-2"]


def test_forgetting_a_record_forgets_what_its_file_held(store: Store, docs: Path) -> None:
    (docs / "a.csv").write_text("code,name\nE-1,Brack\nE-2,Orsan\n")
    _read(store, docs, "a.csv")
    store.forget(["docs/a.csv#1"])
    assert load_contents(store) == {}

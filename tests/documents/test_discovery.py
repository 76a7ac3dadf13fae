"""Which documents some paths stand for: never one file twice, never a document lost by a narrower look."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pipeline.config import Config
from pipeline.discovery import Discovery, UnusablePath, discover, known_sources
from pipeline.home import Home
from pipeline.storage.rows import DocumentRow
from pipeline.storage.store import LedgerEntry, Replacement


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.store().create()
    return home


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    for name in ("a.md", "sub/b.md", "sub/deep/c.md"):
        file = tmp_path / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("text")
    return tmp_path / "docs"


def _look(home: Home, *paths: Path) -> Discovery:
    """Discover, and keep a row for each document found, as an ingest does."""
    result = discover(home, paths, Config())
    rows = [
        DocumentRow(key, key.split("/")[0], key, "v", None, None, 1, None, (), None, None)
        for key in result.found
    ]
    replacements = [Replacement(row.document_id, (row,), LedgerEntry("i", "o")) for row in rows]
    home.store().replace("documents", replacements, "run")
    return result


def test_a_folder_stands_for_its_files(home: Home, docs: Path) -> None:
    assert _look(home, docs) == Discovery(("docs/a.md", "docs/sub/b.md", "docs/sub/deep/c.md"), (), ())


def test_a_part_of_a_known_folder_belongs_to_it(home: Home, docs: Path) -> None:
    _look(home, docs)
    assert _look(home, docs / "sub").found == ("docs/sub/b.md", "docs/sub/deep/c.md")
    assert _look(home, docs / "sub" / "b.md").found == ("docs/sub/b.md",)
    assert [source.name for source in known_sources(home.store())] == ["docs"]


def test_a_folder_around_a_known_one_leaves_it_its_files(home: Home, docs: Path) -> None:
    _look(home, docs / "sub")
    result = _look(home, docs)
    assert result.found == ("docs/a.md", "sub/b.md", "sub/deep/c.md") and result.gone == ()


def test_a_file_is_gone_only_where_one_looked(home: Home, docs: Path) -> None:
    _look(home, docs)
    (docs / "a.md").unlink()
    (docs / "sub" / "b.md").unlink()
    assert _look(home, docs / "sub").gone == ("docs/sub/b.md",)
    assert set(_look(home, docs).gone) == {"docs/a.md", "docs/sub/b.md"}


def test_a_document_that_only_dagster_knows_is_gone_where_one_looked(home: Home, docs: Path) -> None:
    _look(home, docs)
    known = ["docs/a.md", "docs/never.md", "docs/sub/never.csv#1", "elsewhere/never.md"]
    for path, gone in ((docs / "a.md", ()), (docs / "sub", known[2:3]), (docs, known[1:3])):
        assert discover(home, [path], Config(), known).gone == tuple(gone)


def test_a_file_named_alone_that_only_dagster_knows_is_gone_once_it_is_missed(home: Home, docs: Path) -> None:
    discover(home, [docs / "sub" / "b.md"], Config())
    assert "sub/b.md" in discover(home, [docs], Config(), ["sub/b.md"]).found
    (docs / "sub" / "b.md").unlink()
    assert discover(home, [docs], Config(), ["sub/b.md"]).gone == ("sub/b.md",)


def test_files_named_one_by_one_never_make_others_gone(home: Home, docs: Path) -> None:
    _look(home, docs / "a.md")
    assert _look(home, docs / "sub" / "b.md") == Discovery(("sub/b.md",), (), ())
    assert _look(home, docs / "a.md", docs / "a.md").found == ("docs/a.md",)


def test_a_file_that_was_named_alone_stays_the_document_it_is(home: Home, docs: Path) -> None:
    _look(home, docs / "sub" / "b.md")
    assert set(_look(home, docs).found) == {"sub/b.md", "docs/a.md", "docs/sub/deep/c.md"}
    (docs / "sub" / "b.md").unlink()
    assert _look(home, docs).gone == ("sub/b.md",)


def test_what_cannot_be_looked_into_is_not_gone(
    home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _look(home, docs)
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)  # the tests may run as root, whom nothing is denied
    result = _look(home, docs)
    assert result.gone == () and [item.path for item in result.skipped] == ["sub"]


def test_the_home_is_no_document(docs: Path) -> None:
    home = Home(docs / "home")
    home.store().create()
    (home.folder / "blob.md").write_text("kept bytes")
    assert "docs/home/blob.md" not in _look(home, docs).found


def test_two_slashes_make_no_second_source(home: Home, docs: Path) -> None:
    _look(home, docs)
    assert _look(home, Path(f"/{docs}"), Path(f"/{docs}/a.md")).found[0] == "docs/a.md"
    assert [source.name for source in known_sources(home.store())] == ["docs"]


def test_a_folder_whose_name_is_no_text_is_named_and_nothing_is_remembered(home: Home, docs: Path) -> None:
    odd = docs / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    (odd / "d.md").write_text("text")
    with pytest.raises(UnusablePath, match=r"docs/caf\\xe9: .* not UTF-8"):
        discover(home, [docs / "sub", odd], Config())
    assert known_sources(home.store()) == ()
    assert "docs/caf%E9/d.md" in _look(home, docs).found
    assert _look(home, odd).found == ("docs/caf%E9/d.md",)


def test_a_folder_that_is_gone_is_named(home: Home, docs: Path) -> None:
    _look(home, docs / "sub")
    _look(home, docs)
    shutil.rmtree(docs / "sub")
    result = _look(home, docs)
    assert result.gone == () and [item.path for item in result.skipped] == [str(docs / "sub")]


def test_a_file_where_a_source_was_belongs_to_the_folder_around_it(home: Home, docs: Path) -> None:
    _look(home, docs)
    shutil.rmtree(docs)
    docs.write_text("a file")
    (found,) = _look(home, docs).found
    assert found == f"{docs.parent.name}/docs"


def test_a_link_in_a_watched_folder_is_skipped_also_when_it_is_named(home: Home, docs: Path) -> None:
    (docs / "link.md").symlink_to(docs / "a.md")
    (docs / "linked").symlink_to(docs / "sub")
    alone = _look(home, docs / "link.md")
    assert alone.found == ("docs/link.md",)
    _look(home, docs / "sub")
    _look(home, docs)
    for path in ("link.md", "linked/b.md", "linked"):
        result = _look(home, docs / path)
        assert result.found == () and [item.path for item in result.skipped] == [path]


def test_the_home_is_no_document_however_one_comes_to_it(docs: Path) -> None:
    home = Home(docs / "home")
    home.store().create()
    (docs.parent / "way").symlink_to(docs)
    assert _look(home, docs.parent / "way").found == ("way/a.md", "way/sub/b.md", "way/sub/deep/c.md")

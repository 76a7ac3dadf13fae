"""A row is of the very bytes that the ledger says, and nothing but a regular file is ever opened."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import Config
from pipeline.discovery import remember_source
from pipeline.documents.settings import DocumentSettings
from pipeline.documents.sources import Source
from pipeline.documents.stage import CHANGED, DocumentsStage
from pipeline.home import Home
from pipeline.incremental import Processed, StageOutcome, run_stage
from pipeline.normalized_text import NormalizationSettings
from pipeline.normalized_text.settings import LimitSettings
from pipeline.quarantine import Gate
from pipeline.staleness import due_documents
from pipeline.storage.rows import DocumentRow
from tests.documents.opened import opened_below

LATER = 3600.0


class Folder:
    """A source, and the documents stage over it."""

    def __init__(self, folder: Path, *, watched: bool = True) -> None:
        self.docs = folder / "docs"
        self.docs.mkdir(exist_ok=True)
        self.home = Home(folder / "home")
        self.store = self.home.store()
        self.store.create()
        source = Source("docs", self.docs, watched)
        remember_source(self.store, source)
        self.stage = DocumentsStage(
            self.store,
            {"docs": source},
            self.home.blobs,
            DocumentSettings(),
            Config().normalization,
            clock=lambda: time.time() + LATER,
        )

    def run(self, *keys: str, meanwhile: Callable[[], object] = lambda: None) -> StageOutcome:
        """A run of the stage; ``meanwhile`` happens after its inputs were taken and before it reads."""

        class Interrupted(DocumentsStage):
            def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
                meanwhile()
                return super().process(document_ids)

        stage = Interrupted(
            self.stage.store,
            self.stage.sources,
            self.stage.blobs,
            self.stage.settings,
            self.stage.normalization,
            clock=self.stage.clock,
        )
        return run_stage(self.store, stage, keys, "run", Gate())

    def due(self, *keys: str, retry: bool = False) -> list[str]:
        """What is due by the sensor's rule, or with ``retry`` by that of an ingest."""
        return [due.document_id for due in due_documents(self.store, [self.stage], keys, Gate(), retry=retry)]

    def version(self, key: str) -> str | None:
        rows = self.store.load(DocumentRow, [key])[key]
        return rows[0].version if rows else None


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


SMALL = NormalizationSettings(limits=LimitSettings(file_bytes=10))


@pytest.mark.parametrize(
    ("name", "key", "text", "settings"),
    [
        ("a.md", "docs/a.md", "the whole text", NormalizationSettings()),
        ("a.csv", "docs/a.csv#2", "code,name\nE-1,Brack\nE-2,Orsan\n", NormalizationSettings()),
        ("a.bin", "docs/a.bin", "more than ten bytes", SMALL),
    ],
)
def test_a_file_that_is_half_written_while_it_is_read_is_due_again(
    folder: Folder, name: str, key: str, text: str, settings: NormalizationSettings
) -> None:
    file = folder.docs / name
    folder.stage = replace(folder.stage, normalization=settings)
    file.write_text(text)
    outcome = folder.run(key, meanwhile=lambda: file.write_text(text[: len(text) - 4]))
    assert set(outcome.failed) == {key} and folder.version(key) is None
    file.write_text(text)
    assert folder.due(key, retry=True) == folder.due(key) == [key]
    assert folder.run(key).failed == {} and folder.due(key) == []


def test_an_edit_that_is_taken_back_while_it_is_read_is_due_again(folder: Folder) -> None:
    file = folder.docs / "a.md"
    file.write_text("first")
    folder.run("docs/a.md")
    first = folder.version("docs/a.md")
    file.write_text("second")
    assert folder.run("docs/a.md", meanwhile=lambda: file.write_text("first")).failed == {
        "docs/a.md": CHANGED
    }
    assert folder.due("docs/a.md", retry=True) == folder.due("docs/a.md") == ["docs/a.md"]
    folder.run("docs/a.md")
    assert folder.version("docs/a.md") == first and folder.due("docs/a.md") == []


def test_a_file_that_is_away_for_a_moment_is_due_again(folder: Folder) -> None:
    file = folder.docs / "a.md"
    file.write_text("text")
    assert "cannot be read" in folder.run("docs/a.md", meanwhile=file.unlink).failed["docs/a.md"]
    file.write_text("text")
    assert folder.due("docs/a.md") == ["docs/a.md"]


def test_a_home_without_room_is_not_taken_for_a_file_that_cannot_be_read(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.docs / "a.md").write_text("text")

    def no_room(_data: bytes) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(folder.stage.blobs, "put", no_room)
        [problem] = folder.run("docs/a.md").failed.values()
    assert problem == f"the home cannot keep its bytes: {folder.home.folder}/blobs: No space left on device"
    assert folder.due("docs/a.md") == ["docs/a.md"] and folder.run("docs/a.md").failed == {}


def _as_link(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.parents[1] / "outside.md")


def _as_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _in_linked_folder(file: Path) -> None:
    file.unlink()
    file.parent.rmdir()
    (file.parents[1] / "elsewhere").mkdir()
    (file.parents[1] / "elsewhere" / file.name).write_text("outside")
    file.parent.symlink_to(file.parents[1] / "elsewhere")


def _in_no_folder(file: Path) -> None:
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("a file")


@pytest.mark.parametrize("become", [_as_link, _as_pipe, _in_linked_folder, _in_no_folder])
def test_what_is_no_file_any_more_is_not_opened_and_loses_nothing(
    folder: Folder, tmp_path: Path, become: Callable[[Path], None]
) -> None:
    file = folder.docs / "sub" / "a.md"
    file.parent.mkdir()
    (tmp_path / "docs" / "outside.md").write_text("outside")
    file.write_text("inside")
    folder.run("docs/sub/a.md")
    known = folder.version("docs/sub/a.md")
    become(file)
    with opened_below(folder.docs) as opened:
        assert folder.due("docs/sub/a.md", retry=True) == []
        folder.run("docs/sub/a.md")
    assert opened == [] and folder.version("docs/sub/a.md") == known


@pytest.mark.parametrize("become", [_as_link, _as_pipe])
def test_what_takes_the_place_of_a_file_while_it_is_read_is_not_opened(
    folder: Folder, become: Callable[[Path], None]
) -> None:
    (folder.docs.parent / "outside.md").write_text("outside")
    file = folder.docs / "a.md"
    file.write_text("inside")
    outcome = folder.run("docs/a.md", meanwhile=lambda: become(file))
    assert "not a regular file" in outcome.failed["docs/a.md"]


def test_a_link_that_was_named_alone_is_followed_to_a_regular_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path, watched=False)
    (tmp_path / "target.md").write_text("text")
    os.mkfifo(tmp_path / "pipe")
    (folder.docs / "link.md").symlink_to(tmp_path / "target.md")
    (folder.docs / "odd.md").symlink_to(tmp_path / "pipe")
    outcome = folder.run("docs/link.md", "docs/odd.md")
    assert set(outcome.outputs) == {"docs/link.md"} and set(outcome.failed) == {"docs/odd.md"}


@pytest.mark.parametrize("seconds", [2**34, 2**33 + 2**30, -(2**31)])
def test_an_odd_date_does_not_matter(folder: Folder, seconds: int) -> None:
    for name in ("odd.md", "plain.md"):
        (folder.docs / name).write_text(name)
    os.utime(folder.docs / "odd.md", (seconds, seconds))
    assert set(folder.run("docs/odd.md", "docs/plain.md").outputs) == {"docs/odd.md", "docs/plain.md"}
    assert folder.due("docs/odd.md", "docs/plain.md") == []

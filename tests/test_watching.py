"""What a survey says of the files is what happened to them, whatever happened, and it opens nothing else."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config import Config
from pipeline.discovery import remember_source
from pipeline.documents.settings import DocumentSettings
from pipeline.documents.sources import Source
from pipeline.documents.stage import DocumentsStage
from pipeline.home import Home
from pipeline.incremental import run_stage
from pipeline.quarantine import Gate
from pipeline.watching import Survey, survey
from tests.documents.opened import opened_below

SETTLE = 3600.0


@dataclass
class World:
    """A watched folder and what a home has taken from it."""

    folder: Path
    taken: dict[str, str] = field(default_factory=dict)
    dirty: set[str] = field(default_factory=set)
    written: int = 0

    def __post_init__(self) -> None:
        self.docs = self.folder / "docs"
        self.docs.mkdir()
        self.home = Home(self.folder / "home")
        self.store = self.home.store()
        self.store.create()
        remember_source(self.store, Source("docs", self.docs, watched=True))

    def names(self) -> list[str]:
        return sorted(file.relative_to(self.docs).as_posix() for file in self.docs.rglob("*.md"))

    def texts(self) -> dict[str, str]:
        return {name: (self.docs / name).read_text() for name in self.names()}

    def write(self, name: str, text: str) -> None:
        (self.docs / name).parent.mkdir(exist_ok=True)
        (self.docs / name).write_text(text)
        self.dirty.add(name)

    def look(self, *, settled: bool = True, config: Config | None = None) -> Survey:
        """A survey long after the last write, or right after it."""
        now = time.time() + (2 * SETTLE if settled else 0)
        return survey(self.store, self.home.folder, config or Config(), settle_seconds=SETTLE, now=now)

    def take(self, seen: Survey) -> None:
        """What a run does with what is due: read the files, forget those that are gone."""
        stage = DocumentsStage(
            self.store,
            {"docs": Source("docs", self.docs, watched=True)},
            self.home.blobs,
            Config().documents,
            Config().normalization,
            clock=lambda: time.time() + 2 * SETTLE,
        )
        run_stage(self.store, stage, [*seen.added, *seen.changed], "run", Gate())
        if seen.gone:
            self.store.forget(seen.gone)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def _act(world: World, action: str, pick: int) -> None:
    names = world.names()
    if action == "create" or not names:
        world.written += 1
        world.write(f"{'sub/' * (pick % 2)}file{world.written}.md", f"text {world.written}")
        return
    name = names[pick % len(names)]
    file = world.docs / name
    match action:
        case "edit":
            world.written += 1
            world.write(name, f"text {world.written}")
        case "grow":
            world.write(name, file.read_text() + " and more")
        case "touch":
            os.utime(file)
            world.dirty.add(name)
        case "revert":
            world.write(name, world.taken.get(name, file.read_text()))
        case "rename":
            world.written += 1
            file.rename(world.docs / f"moved{world.written}.md")
            world.dirty.add(f"moved{world.written}.md")
        case "delete":
            file.unlink()


ACTIONS = ("create", "edit", "grow", "touch", "revert", "rename", "delete", "look", "look early")


@settings(max_examples=8)
@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 9)), min_size=3, max_size=14))
def test_a_survey_tells_what_happened(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        world.write("kept.md", "so that the folder is never empty")
        for action, pick in [*steps, ("look", 0), ("look", 0)]:
            if not action.startswith("look"):
                _act(world, action, pick)
                if "kept.md" not in world.names():
                    world.write("kept.md", world.taken.get("kept.md", "kept"))
                continue
            texts, settled = world.texts(), action == "look"
            with opened_below(world.docs) as opened:
                seen = world.look(settled=settled)
            due = set() if not settled else set(texts)
            new = {name for name in due if name not in world.taken}
            changed = {name for name in due if name in world.taken and world.taken[name] != texts[name]}
            assert {*seen.added} == {f"docs/{name}" for name in new}
            assert {*seen.changed} == {f"docs/{name}" for name in changed}
            assert {*seen.gone} == {f"docs/{name}" for name in world.taken if name not in texts}
            dirty = world.dirty & set(texts)
            assert set(opened) == (dirty if settled else set()) and len(opened) == len(set(opened))
            assert {*seen.unsettled} == (set() if settled else {f"docs/{name}" for name in dirty})
            world.take(seen)
            if settled:
                world.taken, world.dirty = texts, set()
            else:
                world.taken = {name: text for name, text in world.taken.items() if name in texts}


def test_a_stamp_from_the_future_is_a_wrong_clock(world: World) -> None:
    world.write("a.md", "text")
    future = time.time() + 10 * SETTLE
    os.utime(world.docs / "a.md", (future, future))
    assert world.look(settled=False).added == ("docs/a.md",)


def test_only_changed_files_of_records_are_opened(world: World) -> None:
    for name in ("a", "b"):
        (world.docs / f"{name}.csv").write_text("code,name\nE-1,Brack\nE-2,Orsan\n")
    world.take(world.look())
    (world.docs / "a.csv").write_text("code,name\nE-1,Brack\nE-2,Pell\nE-3,Gate\n")
    with opened_below(world.docs) as opened:
        seen = world.look()
    assert set(opened) == {"a.csv"}
    assert (seen.added, seen.changed) == (("docs/a.csv#3",), ("docs/a.csv#2",))


def test_an_empty_source_loses_nothing(world: World) -> None:
    world.write("a.md", "text")
    world.take(world.look())
    (world.docs / "a.md").rename(world.folder / "a.md")
    seen = world.look()
    assert seen.gone == () and str(world.docs) in seen.warnings[0]
    assert "run: edgekeeper ingest" in seen.warnings[0]
    world.docs.rename(world.folder / "unmounted")
    seen = world.look()
    assert seen.gone == () and f"{world.docs} cannot be looked into" in seen.warnings[0]
    assert "make it anew" in seen.warnings[0]
    world.docs.write_text("a file")
    seen = world.look()
    assert seen.gone == () and f"{world.docs} cannot be looked into" in seen.warnings[0]


def test_a_source_within_another_that_is_gone_is_named(world: World) -> None:
    world.write("a.md", "text")
    world.write("sub/b.md", "text")
    remember_source(world.store, Source("sub", world.docs / "sub", watched=True))
    assert world.look().added == ("docs/a.md", "sub/b.md")
    shutil.rmtree(world.docs / "sub")
    seen = survey(world.store, world.home.folder, Config(), ["sub/b.md"], settle_seconds=0)
    assert seen.gone == () and str(world.docs / "sub") in seen.warnings[0]


def test_one_source_without_files_does_not_hide_another(world: World) -> None:
    other = world.folder / "other"
    other.mkdir()
    remember_source(world.store, Source("other", other, watched=True))
    world.write("a.md", "text")
    seen = world.look()
    assert seen.added == ("docs/a.md",) and seen.warnings == ()


def test_a_folder_that_cannot_be_looked_into_keeps_its_documents(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write("sub/a.md", "text")
    world.write("b.md", "text")
    world.take(world.look())
    scandir = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)  # the tests may run as root, whom nothing is denied
    seen = world.look()
    assert seen.gone == () and [item.path for item in seen.skipped] == ["sub"]


def test_a_file_that_was_named_alone_is_watched_without_its_neighbours(world: World) -> None:
    alone = world.folder / "alone"
    alone.mkdir()
    for name in ("named.md", "neighbour.md"):
        (alone / name).write_text("text")
    remember_source(world.store, Source("alone", alone, watched=False))
    world.write("a.md", "text")
    assert survey(
        world.store,
        world.home.folder,
        Config(),
        ["alone/named.md"],
        settle_seconds=SETTLE,
        now=time.time() + 2 * SETTLE,
    ).added == ("alone/named.md", "docs/a.md")
    (alone / "named.md").unlink()
    seen = survey(world.store, world.home.folder, Config(), ["alone/named.md"], settle_seconds=0)
    assert seen.gone == ("alone/named.md",)


def test_a_partition_without_file_and_rows_is_gone(world: World) -> None:
    world.write("a.md", "text")
    seen = survey(world.store, world.home.folder, Config(), ["docs/never.md"], settle_seconds=0)
    assert seen.gone == ("docs/never.md",)


def test_what_is_excluded_is_gone(world: World) -> None:
    world.write("a.md", "text")
    world.write("b.part.md", "text")
    world.take(world.look())
    config = Config(documents=DocumentSettings(exclude=("*.part.md",)))
    assert world.look(config=config).gone == ("docs/b.part.md",)

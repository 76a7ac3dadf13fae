"""A blob that was lost comes back from its file; where it cannot, the document says what would help."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.documents.originals import Originals
from pipeline.incremental import StageOutcome, run_stage
from pipeline.normalized_text.stage import NormalizedTextStage
from pipeline.quarantine import Gate
from pipeline.staleness import due_documents
from pipeline.storage.rows import DocumentRow
from pipeline.workers import Workers
from tests.documents.test_stage import Folder

KEYS = ("docs/a.md", "docs/b.csv#1", "docs/b.csv#2", "docs/c.bin")


class Texts:
    """A source whose documents are known and whose blobs are lost."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        (folder.docs / "a.md").write_text("The text.")
        (folder.docs / "b.csv").write_text("code,name\nE-1,Brack\nE-2,Orsan\n")
        (folder.docs / "c.bin").write_bytes(b"\0\1\2")
        assert folder.run(*KEYS).failed == {}
        stage = folder.stage
        originals = Originals(stage.sources, stage.blobs, stage.normalization)
        self.stage = NormalizedTextStage(
            folder.store, originals, stage.normalization, "o200k_base", Workers(0)
        )
        shutil.rmtree(stage.blobs.folder)

    def run(self) -> StageOutcome:
        return run_stage(self.folder.store, self.stage, KEYS, "run", Gate())


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    return Texts(Folder(tmp_path))


def test_lost_blobs_come_back_from_their_files(texts: Texts) -> None:
    assert texts.run().failed == {}
    blobs, rows = texts.stage.originals.blobs, texts.folder.store.load(DocumentRow, KEYS[:3])
    assert all(blobs.get(row.version) for [row] in rows.values())


def test_bytes_that_are_nowhere_are_named_until_one_of_them_is_back(texts: Texts) -> None:
    file, version = texts.folder.docs / "a.md", texts.folder.version("docs/a.md")
    assert version is not None
    for become, why in (
        (lambda: file.write_text("Another."), "holds other bytes"),
        (file.unlink, "cannot be"),
    ):
        become()
        [(key, problem)] = texts.run().failed.items()
        assert key == "docs/a.md" and why in problem
        assert str(texts.stage.originals.blobs.path(version)) in problem
        assert f"edgekeeper ingest {file}" in problem
    file.write_text("The text.")
    stages = [texts.folder.stage, texts.stage]
    [due] = due_documents(texts.folder.store, stages, KEYS, Gate(), retry=False)
    assert (due.document_id, due.asset) == ("docs/a.md", "normalized_text")
    assert texts.run().failed == {}

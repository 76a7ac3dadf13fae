"""Scanning a folder: every regular file once, links never followed, nothing left out in silence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pipeline.documents.blobs import BlobFolder
from pipeline.documents.sources import Source, name_source, scan


def _scan(folder: Path, exclude: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    result = scan(Source("s", folder, watched=True), exclude)
    return [file.path for file in result.files], [item.path for item in result.skipped]


def test_links_are_skipped_with_a_reason(cases_dir: Path, tmp_path: Path) -> None:
    script = cases_dir / "034-symlinks" / "make_files.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    root = tmp_path / "root"
    files, skipped = _scan(root)
    assert files == ["real.md", "sub/other.md"]
    links = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_symlink())
    assert sorted(skipped) == links


def test_every_kind_of_link_and_special_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "to_file").symlink_to(tmp_path / "a.md")
    os.mkfifo(tmp_path / "pipe")
    files, skipped = _scan(tmp_path)
    assert files == ["a.md"]
    assert skipped == ["broken", "loop", "pipe", "self", "to_file"]


def test_hidden_and_excluded_files_are_left_out(tmp_path: Path) -> None:
    for name in (".hidden.md", ".git/config", "drafts/x.md", "kept.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert _scan(tmp_path, ("drafts/*",)) == (["kept.md"], [])


def test_two_folders_of_one_name_are_two_sources(tmp_path: Path) -> None:
    one = Source(name_source(tmp_path / "a" / "docs", []), tmp_path / "a" / "docs", watched=True)
    other = name_source(tmp_path / "b" / "docs", [one])
    assert one.name == "docs" and other.startswith("docs-")
    assert name_source(tmp_path / "a" / "docs", [one]) == "docs"


def test_a_blob_is_kept_once_and_comes_back(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path)
    version = blobs.put(b"original")
    assert blobs.put(b"original") == version
    assert blobs.get(version) == b"original"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [version]

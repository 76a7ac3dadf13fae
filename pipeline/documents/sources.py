"""Sources: the folders that documents come from, and the files found in them."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.documents.keys import document_id, encode_path, storable
from pipeline.documents.places import Place
from pipeline.identifiers import fingerprint


@dataclass(frozen=True, slots=True)
class Source:
    """A folder. ``name`` is the first part of its documents' ids; ``watched`` covers the whole folder,
    otherwise only the files that were named one by one belong to it."""

    name: str
    path: Path
    watched: bool

    def place(self, path: str) -> Place:
        """Where the file of a relative path is. A link that was named by itself is followed on purpose."""
        return Place(self.path, path, follow=not self.watched)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A regular file of a source; ``path`` is relative, with ``/`` between its parts."""

    document_id: str
    source: str
    path: str


@dataclass(frozen=True, slots=True)
class SkippedPath:
    """Something in a source that would be taken but cannot be, and why; what is left out by rule (see
    ``scan``) is none. ``path`` is relative to the source; of the source itself it is the whole path."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan of a source found, in path order. ``unreadable`` are the relative paths of folders that
    could not be looked into (``.`` is the source itself): what was known in them may still be there."""

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedPath, ...]
    unreadable: tuple[str, ...] = ()


def name_source(folder: Path, taken: Sequence[Source]) -> str:
    """The name of a source: the folder's own, or with a digest of its path where another folder has it."""
    for source in taken:
        if source.path == folder:
            return source.name
    name = encode_path(folder.name or "root").replace("/", "%2F")
    if any(source.name == name for source in taken):
        return f"{name}-{fingerprint(str(folder))[:8]}"
    return name


def scan(source: Source, exclude: Sequence[str] = (), omit: Collection[Path] = ()) -> Scan:
    """All files under a source, without following links.

    Dot files and dot folders, folders of ``omit`` (absolute), and paths that match an ``exclude`` glob
    (relative path, case-respecting) are left out; links and special files are reported as skipped.
    """
    files: list[SourceFile] = []
    skipped: list[SkippedPath] = []
    unreadable: dict[str, str] = {}
    root = os.path.join(source.path, "")  # noqa: PTH118  # with the separator at its end
    for entry in _walk(source.path, {str(folder) for folder in omit}, unreadable):
        relative = entry.path.removeprefix(root)
        if any(fnmatch.fnmatchcase(relative, pattern) for pattern in exclude):
            continue
        if entry.is_symlink():
            skipped.append(SkippedPath(storable(relative), "a symbolic link; links are not followed"))
        elif entry.is_file(follow_symlinks=False):
            files.append(SourceFile(document_id(source.name, relative), source.name, relative))
        else:
            skipped.append(SkippedPath(storable(relative), "not a regular file"))
    skipped += [
        SkippedPath(storable(str(source.path) if folder == "." else folder), f"unreadable folder: {reason}")
        for folder, reason in unreadable.items()
    ]
    return Scan(
        tuple(sorted(files, key=lambda file: file.document_id)),
        tuple(sorted(skipped, key=lambda item: item.path)),
        tuple(sorted(unreadable)),
    )


def _walk(folder: Path, omit: set[str], unreadable: dict[str, str]) -> Iterator[os.DirEntry[str]]:
    pending = [str(folder)]
    while pending:
        current = pending.pop()
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            unreadable[Path(current).relative_to(folder).as_posix()] = error.strerror or str(error)
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.path not in omit:
                    pending.append(entry.path)
            else:
                yield entry

"""Which documents some paths stand for: found, gone, or skipped with a reason."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.config import Config
from pipeline.documents.keys import document_id, locate
from pipeline.documents.records import records_of
from pipeline.documents.sources import SkippedPath, Source, SourceFile, name_source, scan
from pipeline.home import Home
from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class Discovery:
    """The document ids of some paths in order, those whose files are gone, and what was skipped."""

    found: tuple[str, ...]
    gone: tuple[str, ...]
    skipped: tuple[SkippedPath, ...]


def discover(home: Home, paths: Sequence[Path], config: Config) -> Discovery:
    """Scan folders and single files, and remember their sources.

    A path inside a known source belongs to that source, so that no file is ever two documents. Only where a
    folder was scanned can a file be missed; a file that was named alone is never taken for gone.
    """
    store = home.store()
    found: dict[str, None] = {}
    gone: dict[str, None] = {}
    skipped: dict[SkippedPath, None] = {}
    for path in paths:
        # Path.resolve() would follow a link that the user named on purpose.
        absolute = Path(os.path.abspath(path))  # noqa: PTH100
        source = _source_of(absolute, known_sources(store))
        remember_source(store, source)
        if absolute.is_dir():
            alone = _named_alone(store, absolute)
            found |= {key: None for file, key in alone.items() if file.is_file()}
            gone |= {key: None for file, key in alone.items() if not file.is_file()}
            for part in _parts(source, absolute, known_sources(store)):
                scanned = _scan_folder(home, part, absolute, config, alone)
                found |= dict.fromkeys(scanned.found)
                gone |= dict.fromkeys(scanned.gone)
                skipped |= dict.fromkeys(scanned.skipped)
        else:
            relative = absolute.relative_to(source.path).as_posix()
            file = SourceFile(document_id(source.name, relative), source.name, relative)
            found |= dict.fromkeys(_documents_in(file, source, config))
    return Discovery(tuple(found), tuple(key for key in gone if key not in found), tuple(skipped))


def known_sources(store: Store) -> tuple[Source, ...]:
    """All sources of a home, by name."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute("select source, path, watched from sources order by source").fetchall()
    return tuple(Source(name, Path(path), watched) for name, path, watched in rows)


def source_folders(store: Store) -> dict[str, Path]:
    """Each source's folder by its name."""
    return {source.name: source.path for source in known_sources(store)}


def remember_source(store: Store, source: Source) -> None:
    """Keep a source. One that was watched stays so."""
    with store.transaction() as connection:
        connection.execute(
            "insert into sources values (?, ?, ?) "
            "on conflict do update set watched = watched or excluded.watched",
            [source.name, str(source.path), source.watched],
        )


def _source_of(path: Path, known: Sequence[Source]) -> Source:
    """The source that a path belongs to: the innermost watched folder around it, or one of its own."""
    around = [source for source in known if source.watched and path.is_relative_to(source.path)]
    if around:
        return max(around, key=lambda source: len(source.path.parts))
    folder = path if path.is_dir() else path.parent
    return Source(name_source(folder, known), folder, watched=path.is_dir())


def _parts(source: Source, folder: Path, known: Sequence[Source]) -> list[Source]:
    """A source and the watched sources nested in the part of it that is scanned."""
    nested = [other for other in known if other.watched and other.path.is_relative_to(folder)]
    return [source, *(other for other in nested if other.name != source.name)]


def _named_alone(store: Store, folder: Path) -> dict[Path, str]:
    """Files below a folder that are documents because they were named one by one, with their ids."""
    return {
        source.path / locate(key).path: key
        for source in known_sources(store)
        if not source.watched and source.path.is_relative_to(folder)
        for key in _documents_of(store, source)
    }


def _scan_folder(
    home: Home, source: Source, scope: Path, config: Config, alone: Collection[Path]
) -> Discovery:
    """The documents of one source below ``scope``.

    Nested sources, files that are documents already (``alone``) and the home itself are not part of it. A
    folder that cannot be looked into keeps what is known of it.
    """
    store = home.store()
    inner = [other.path for other in known_sources(store) if other.watched and other.name != source.name]
    omit = [home.folder, *(path for path in inner if path.is_relative_to(source.path))]
    result = scan(source, config.documents.exclude, omit)
    prefix = "" if source.path.is_relative_to(scope) else scope.relative_to(source.path).as_posix() + "/"
    files = [
        file for file in result.files if file.path.startswith(prefix) and source.path / file.path not in alone
    ]
    present = [key for file in files for key in _documents_in(file, source, config)]
    before = [
        key
        for key in _documents_of(store, source)
        if locate(key).path.startswith(prefix) and not _inside(locate(key).path, result.unreadable)
    ]
    skipped = [item for item in result.skipped if item.path.startswith(prefix)]
    return Discovery(tuple(present), tuple(sorted(set(before) - set(present))), tuple(skipped))


def _inside(path: str, folders: Sequence[str]) -> bool:
    return any(folder == "." or path.startswith(f"{folder}/") for folder in folders)


def _documents_in(file: SourceFile, source: Source, config: Config) -> tuple[str, ...]:
    """A file of records is a document for each of them, any other file one document."""
    records = records_of(file.document_id, file.path, source.path / file.path, config.normalization)
    return tuple(records) or (file.document_id,)


def _documents_of(store: Store, source: Source) -> list[str]:
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select document_id from documents where source = $source "
            "union select document_id from failures where split_part(document_id, '/', 1) = $source",
            {"source": source.name},
        ).fetchall()
    return [row[0] for row in rows]

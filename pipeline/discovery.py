"""Which documents some paths stand for: found, gone, or skipped with a reason."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.config import Config
from pipeline.documents.files import FileReader
from pipeline.documents.keys import document_id, is_text, locate, storable
from pipeline.documents.sources import Scan, SkippedPath, Source, SourceFile, name_source, scan
from pipeline.home import Home
from pipeline.storage.store import Store


class UnusablePath(ValueError):
    """A path that cannot be taken in; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The document ids of some paths in order, those whose files are gone, and what was skipped."""

    found: tuple[str, ...]
    gone: tuple[str, ...]
    skipped: tuple[SkippedPath, ...]


def discover(
    home: Home, paths: Sequence[Path], config: Config, partitions: Collection[str] = ()
) -> Discovery:
    """Scan folders and single files, and remember their sources and what the files hold.

    A path inside a known source belongs to that source, so that no file is ever two documents. Only where a
    folder was scanned can a file be missed; a file that was named alone is never taken for gone.
    ``partitions`` are documents that Dagster knows; one without a file and without rows is gone too.

    Raises UnusablePath before anything is remembered.
    """
    store = home.store()
    placed = _placed(paths, known_sources(store))
    for _, source in placed:
        remember_source(store, source)
    sources = known_sources(store)
    named = {source.name: source for source in sources}
    documents = sorted({*known_documents(store), *partitions})
    reader = FileReader(store, config.normalization)
    found: dict[str, None] = {}
    gone: dict[str, None] = {}
    skipped: dict[SkippedPath, None] = {}
    for absolute, of in placed:
        source = named[of.name]  # where it is watched by now, links in it are not followed
        if absolute.is_dir():
            alone = named_alone(sources, documents, absolute)
            found |= {key: None for file, key in alone.items() if file.is_file()}
            gone |= {key: None for file, key in alone.items() if not file.is_file()}
            for part in _parts(source, absolute, sources):
                result = scan_source(part, sources, alone, config.documents.exclude, home.folder)
                scanned = _below(absolute, part, result, documents, reader)
                found |= dict.fromkeys(scanned.found)
                gone |= dict.fromkeys(scanned.gone)
                skipped |= dict.fromkeys(scanned.skipped)
        else:
            relative = absolute.relative_to(source.path).as_posix()
            file = SourceFile(document_id(source.name, relative), source.name, relative)
            if source.place(relative).exists():
                found |= dict.fromkeys(_documents_in(file, source, documents, reader))
            else:
                skipped[SkippedPath(storable(relative), "reached by a symbolic link, or no regular file")] = (
                    None
                )
    reader.save()
    return Discovery(tuple(found), tuple(key for key in gone if key not in found), tuple(skipped))


def id_of_file(file: Path, sources: Sequence[Source]) -> str:
    """The document id that a file has, or would have if it were ingested beside these sources."""
    absolute = absolute_path(file)
    source = _source_of(absolute, sources)
    return document_id(source.name, absolute.relative_to(source.path).as_posix())


def known_sources(store: Store) -> tuple[Source, ...]:
    """All sources of a home, by name."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute("select source, path, watched from sources order by source").fetchall()
    return tuple(Source(name, Path(path), watched) for name, path, watched in rows)


def present(sources: Sequence[Source], document_ids: Sequence[str]) -> list[str]:
    """Of some documents, those whose file is where its source has it."""
    named = {source.name: source for source in sources}
    places = [(key, locate(key)) for key in document_ids]
    return [
        key for key, (source, path, _) in places if source in named and named[source].place(path).exists()
    ]


def known_documents(store: Store) -> dict[str, str | None]:
    """Every document that has a row or a failure, with its version where it has one, by id."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select document_id, max(version) from (select document_id, version from documents "
            "union all select document_id, null from failures) group by document_id order by document_id"
        ).fetchall()
    return dict(rows)


def remember_source(store: Store, source: Source) -> None:
    """Keep a source. One that was watched stays so."""
    with store.transaction() as connection:
        connection.execute(
            "insert into sources values (?, ?, ?) "
            "on conflict do update set watched = watched or excluded.watched",
            [source.name, str(source.path), source.watched],
        )


def absolute_path(path: Path) -> Path:
    """The one absolute form of a path. Path.resolve() would follow a link that the user named on purpose."""
    absolute = os.path.abspath(path)  # noqa: PTH100
    # POSIX lets two slashes at the beginning, and only two, mean something else; here they do not.
    return Path(absolute[1:] if absolute.startswith("//") else absolute)


def _placed(paths: Sequence[Path], known: Sequence[Source]) -> list[tuple[Path, Source]]:
    """Each path in its absolute form, and the source it belongs to. Raises UnusablePath."""
    sources = {source.name: source for source in known}
    placed: list[tuple[Path, Source]] = []
    for path in map(absolute_path, paths):
        source = _source_of(path, tuple(sources.values()))
        if not is_text(str(source.path)):
            raise UnusablePath(
                f"{storable(str(source.path))}: the name of this folder, or of one around it, is not UTF-8. "
                "Rename it, or move the documents to another folder."
            )
        sources[source.name] = source
        placed.append((path, source))
    return placed


def _source_of(path: Path, known: Sequence[Source]) -> Source:
    """The source that a path belongs to: the innermost watched folder around it, or one of its own.

    A file where a source had its folder belongs to the folder around it.
    """
    is_folder = path.is_dir()
    folder = path if is_folder else path.parent
    around = [source for source in known if source.watched and folder.is_relative_to(source.path)]
    if around:
        return max(around, key=lambda source: len(source.path.parts))
    return Source(name_source(folder, known), folder, watched=is_folder)


def _parts(source: Source, folder: Path, known: Sequence[Source]) -> list[Source]:
    """A source and the watched sources nested in the part of it that is scanned."""
    nested = [other for other in known if other.watched and other.path.is_relative_to(folder)]
    return [source, *(other for other in nested if other.name != source.name)]


def named_alone(sources: Sequence[Source], documents: Collection[str], folder: Path) -> dict[Path, str]:
    """Files below a folder that are documents because they were named one by one, with their ids."""
    folders = {
        source.name: source.path
        for source in sources
        if not source.watched and source.path.is_relative_to(folder)
    }
    places = ((key, locate(key)) for key in documents if key.partition("/")[0] in folders)
    return {folders[place.source] / place.path: key for key, place in places}


def scan_source(
    source: Source, sources: Sequence[Source], alone: Collection[Path], exclude: Sequence[str], home: Path
) -> Scan:
    """The files of one source. Nested sources, files that are documents already (``alone``) and the home
    itself are not part of it."""
    inner = [other.path for other in sources if other.watched and other.name != source.name]
    omit = [path for path in inner if path.is_relative_to(source.path)]
    real, real_home = source.path.resolve(), home.resolve()  # whatever links lead to either
    if real_home.is_relative_to(real):
        omit.append(source.path / real_home.relative_to(real))
    result = scan(source, exclude, omit)
    if not alone:
        return result
    return replace(result, files=tuple(f for f in result.files if source.path / f.path not in alone))


def inside(path: str, folders: Sequence[str]) -> bool:
    """Whether a relative path is in one of some folders (``.`` is the source itself)."""
    return any(folder == "." or path.startswith(f"{folder}/") for folder in folders)


def _below(
    scope: Path, source: Source, result: Scan, documents: Collection[str], reader: FileReader
) -> Discovery:
    """What a scan found of one source below ``scope``. A folder that cannot be looked into keeps what is
    known of it."""
    prefix = "" if source.path.is_relative_to(scope) else scope.relative_to(source.path).as_posix() + "/"
    files = [file for file in result.files if file.path.startswith(prefix)]
    present = [key for file in files for key in _documents_in(file, source, documents, reader)]
    before = [key for key in documents if key.startswith(f"{source.name}/")]
    places = [(key, locate(key).path) for key in before]
    due = {key for key, path in places if path.startswith(prefix) and not inside(path, result.unreadable)}
    # What is skipped on the way to the scope is said too; the source itself is named by its whole path.
    scoped = storable(prefix)
    skipped = [item for item in result.skipped if f"{item.path}/".startswith(("/", scoped))]
    return Discovery(tuple(present), tuple(sorted(due - set(present))), tuple(skipped))


def _documents_in(
    file: SourceFile, source: Source, documents: Collection[str], reader: FileReader
) -> Collection[str]:
    """A file of records is a document for each of them, any other file one document. A file that cannot be
    read stays what it was."""
    try:
        return reader.documents(file.document_id, source.place(file.path))
    except OSError:
        records = [key for key in documents if key.startswith(f"{file.document_id}#")]
        return records or (file.document_id,)

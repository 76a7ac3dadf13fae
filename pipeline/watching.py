"""What happened to the files of all sources since they were last read. Knows no Dagster, writes no row of a
document, and opens only files whose size or times changed."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipeline.config import Config
from pipeline.discovery import inside, known_documents, known_sources, named_alone, scan_source
from pipeline.documents.files import FileReader, Stamp
from pipeline.documents.keys import locate
from pipeline.documents.sources import Scan, SkippedPath, Source, SourceFile
from pipeline.storage.store import Store
from pipeline.wording import count_of

READ_SECONDS: Final = 20.0
"""How long one survey goes on opening changed files; the others wait for the next one. Dagster gives a
sensor 60 seconds."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The files of all sources at one moment.

    ``documents`` are those of settled files, with the SHA-256 of what each is made from. Of them ``added``
    have no row yet, and ``changed`` have a row made from something else. ``gone`` have no file any more.
    ``touched`` is how many files were opened and hold what they held. ``unsettled`` (being written) and
    ``postponed`` (no time was left) are files of which nothing is said.
    """

    documents: Mapping[str, str]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    touched: int
    unsettled: tuple[str, ...]
    postponed: tuple[str, ...]
    skipped: tuple[SkippedPath, ...]
    warnings: tuple[str, ...]


@dataclass
class _Notes:
    """What a survey has seen so far."""

    documents: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    touched: int = 0
    unsettled: list[str] = field(default_factory=list)
    postponed: list[str] = field(default_factory=list)
    skipped: list[SkippedPath] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def survey(
    store: Store,
    home: Path,
    config: Config,
    partitions: Collection[str] = (),
    *,
    settle_seconds: float,
    now: float | None = None,
) -> Survey:
    """Look at every source once.

    A file counts once it was left alone for ``settle_seconds`` before ``now`` (the clock's time, seconds
    since the epoch). ``partitions`` are documents that Dagster knows; one without a file and without rows is
    gone too. A source without any file, though documents of it are known, is taken for a disk that is not
    mounted, and a folder that cannot be looked into for one that still holds what it held.

    Raises StoreBusy where another process holds the database.
    """
    now = time.time() if now is None else now
    with store.connect(read_only=True):  # open throughout, so that the reads do not each open the file
        sources = known_sources(store)
        versions = known_documents(store)
        reader = FileReader(store, config.normalization, clock=lambda: now)
    known = {**versions, **{key: versions.get(key) for key in partitions}}
    alone = named_alone(sources, known, Path("/"))
    notes = _Notes()
    deadline = time.monotonic() + READ_SECONDS
    for source in sources:
        before = [key for key in known if key.startswith(f"{source.name}/")]
        found = _files(source, sources, alone, config, home)
        notes.skipped += found.skipped
        if before and _is_unmounted(source, found):
            notes.warnings.append(_unmounted(source, len(before)))
            continue
        held = set(_read_files(source, found.files, reader, known, notes, settle_seconds, now, deadline))
        notes.gone += [key for key in before if _is_gone(key, notes.documents, held, found.unreadable)]
    reader.save()
    return Survey(
        documents=notes.documents,
        added=tuple(key for key in notes.documents if key not in versions),
        changed=tuple(key for key, digest in notes.documents.items() if versions.get(key, digest) != digest),
        gone=tuple(notes.gone),
        touched=notes.touched,
        unsettled=tuple(notes.unsettled),
        postponed=tuple(notes.postponed),
        skipped=tuple(notes.skipped),
        warnings=tuple(notes.warnings),
    )


def _files(
    source: Source, sources: Sequence[Source], alone: Mapping[Path, str], config: Config, home: Path
) -> Scan:
    """The files that are there: of a watched folder all, else those that were named one by one."""
    if source.watched:
        return scan_source(source, sources, alone, config.documents.exclude, home)
    named = {key.partition("#")[0] for file, key in alone.items() if file.is_relative_to(source.path)}
    places = [(key, locate(key)) for key in sorted(named)]
    return Scan(
        tuple(
            SourceFile(key, source.name, place.path)
            for key, place in places
            if place.source == source.name and source.place(place.path).exists()
        ),
        (),
    )


def _read_files(
    source: Source,
    files: Sequence[SourceFile],
    reader: FileReader,
    known: Mapping[str, str | None],
    notes: _Notes,
    settle_seconds: float,
    now: float,
    deadline: float,
) -> Iterator[str]:
    """Note the documents of some files; yields the ids of files about which nothing can be said."""
    for file in files:
        place = source.place(file.path)
        try:
            stamp = Stamp.of(place)
            documents = reader.remembered(file.document_id, file.path, stamp)
            if documents is None:
                if not stamp.settled(now, settle_seconds):
                    notes.unsettled.append(file.document_id)
                    yield file.document_id
                    continue
                if time.monotonic() > deadline:
                    notes.postponed.append(file.document_id)
                    yield file.document_id
                    continue
                documents = reader.read(file.document_id, place, stamp)
                notes.touched += all(known.get(key) == digest for key, digest in documents.items())
        except FileNotFoundError:
            continue
        except OSError:
            yield file.document_id
            if file.document_id not in known:
                notes.documents[file.document_id] = "unreadable"
            continue
        notes.documents.update(documents)


def _is_gone(key: str, present: Collection[str], held: Collection[str], unreadable: Sequence[str]) -> bool:
    if key in present or key.partition("#")[0] in held:
        return False
    return not (unreadable and inside(locate(key).path, unreadable))


def _is_unmounted(source: Source, found: Scan) -> bool:
    """Whether a source has nothing at all. Beside files that were named one by one others may stay."""
    if found.files or found.unreadable:
        return "." in found.unreadable
    try:
        return source.watched or not any(os.scandir(source.path))
    except OSError:
        return True


def _unmounted(source: Source, documents: int) -> str:
    known = f"though {count_of(documents, 'document')} of it {'is' if documents == 1 else 'are'} known"
    mended = f"run: edgekeeper ingest {source.path}"
    try:
        os.scandir(source.path).close()
        seen = "holds no file"
    except OSError as error:
        seen = f"cannot be looked into ({error.strerror})"
        mended = f"make it anew as an empty folder, then {mended}"
    return (
        f"{source.path} {seen}, {known}: taken for a disk that is not mounted, and nothing of it is deleted. "
        f"Where this is meant, {mended}"
    )

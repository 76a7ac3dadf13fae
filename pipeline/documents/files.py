"""Which documents a file holds and what each is made from, remembered so that only changed files are opened.

What a file held is remembered by its size and times, as Git does in its index. The memory is a cache: where a
file's stamp differs from what is remembered, or its time is too close to the moment of reading to tell a
later edit, the file is read again, and the answer is the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import file_digest, sha256
from io import BufferedReader
from typing import Final

import pyarrow as pa

from pipeline.documents.places import Place
from pipeline.documents.records import may_hold_records, records_of, to_bytes
from pipeline.identifiers import fingerprint
from pipeline.normalized_text import NormalizationSettings
from pipeline.storage.store import Store

GRAIN_SECONDS: Final = 2.0
"""The coarsest clock of a file system in use (FAT). A file that was written less than this before it was
read may be written again without its times telling."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells that a file was written, without opening it. ``ctime_ns`` betrays an edit whose time of
    modification was set back."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, place: Place) -> Stamp:
        """The stamp of a file. Raises OSError, as ``Place.stat`` does."""
        stat = place.stat()
        return cls(stat.st_size, _storable(stat.st_mtime_ns), _storable(stat.st_ctime_ns))

    def settled(self, now: float, seconds: float) -> bool:
        """Whether the file was left alone for some seconds before ``now`` (seconds since the epoch).

        A time far in the future comes from a wrong clock, not from a fresh write.
        """
        return abs(now - max(self.mtime_ns, self.ctime_ns) / 1e9) >= seconds


@dataclass(frozen=True, slots=True)
class FileContents:
    """What a file held when it had a stamp: the digest of each document in it, by document id.

    ``splitting`` is the fingerprint of the settings that decided which records it holds.
    """

    stamp: Stamp
    splitting: str
    documents: Mapping[str, str]


class FileReader:
    """Reads files through the memory of a home. ``save`` keeps what was read since."""

    def __init__(
        self, store: Store, settings: NormalizationSettings, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._known = load_contents(store)
        self._read: dict[str, FileContents] = {}
        self._splitting = fingerprint(settings.model_dump(mode="json"))

    def documents(self, file_id: str, place: Place) -> Mapping[str, str]:
        """The digests of a file's documents, by document id. Raises OSError where it cannot be read."""
        stamp = Stamp.of(place)
        known = self.remembered(file_id, place.path, stamp)
        return self.read(file_id, place, stamp) if known is None else known

    def remembered(self, file_id: str, path: str, stamp: Stamp) -> Mapping[str, str] | None:
        """The digests of a file that has this stamp, where they are known without opening it."""
        known = self._known.get(file_id)
        if known is None or known.stamp != stamp or known.splitting != self._splitting_of(path):
            return None
        return known.documents

    def read(self, file_id: str, place: Place, stamp: Stamp) -> Mapping[str, str]:
        """Open a file and take the digests of its documents. ``stamp`` is from before. Raises OSError."""
        documents = digests(file_id, place, self._settings)
        contents = FileContents(stamp, self._splitting_of(place.path), documents)
        if stamp.settled(self._clock(), GRAIN_SECONDS) and Stamp.of(place) == stamp:
            self._known[file_id] = self._read[file_id] = contents
        return documents

    def save(self) -> None:
        """Keep what was read, in one transaction."""
        if self._read:
            save_contents(self._store, self._read)
            self._read = {}

    def _splitting_of(self, path: str) -> str:
        return self._splitting if may_hold_records(path, self._settings) else ""


def digests(file_id: str, place: Place, settings: NormalizationSettings) -> dict[str, str]:
    """SHA-256 of each document of a file: of the file, or of each record in it. Raises OSError."""
    with place.open() as file:
        if may_hold_records(place.path, settings):
            records = records_of(file_id, place.path, read_limited(file, settings), settings)
            if records:
                return {key: sha256(to_bytes(record)).hexdigest() for key, record in records.items()}
        return {file_id: digest(file)}


def read_limited(file: BufferedReader, settings: NormalizationSettings) -> bytes:
    """An open file from its beginning, up to one byte beyond the size limit: enough to tell that it is too
    large. Raises OSError."""
    file.seek(0)
    return file.read(settings.limits.file_bytes + 1)


def digest(file: BufferedReader) -> str:
    """SHA-256 of an open file, from its beginning. Raises OSError."""
    file.seek(0)
    return file_digest(file, "sha256").hexdigest()


def load_contents(store: Store) -> dict[str, FileContents]:
    """What is remembered of each file, by file id."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select file_id, size_bytes, mtime_ns, ctime_ns, splitting, document_id, digest from files"
        ).fetchall()
    documents: dict[str, dict[str, str]] = {}
    known: dict[str, FileContents] = {}
    for file_id, size, mtime, ctime, splitting, document_id, digest in rows:
        if file_id not in known:
            documents[file_id] = {}
            known[file_id] = FileContents(Stamp(size, mtime, ctime), splitting, documents[file_id])
        documents[file_id][document_id] = digest
    return known


def save_contents(store: Store, contents: Mapping[str, FileContents]) -> None:
    """Remember what some files hold, in place of what was remembered of them, in one transaction."""
    rows = [
        (file_id, *_fields(item), document_id, digest)
        for file_id, item in contents.items()
        for document_id, digest in item.documents.items()
    ]
    names = ("file_id", "size_bytes", "mtime_ns", "ctime_ns", "splitting", "document_id", "digest")
    incoming = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    with store.transaction() as connection:
        connection.execute("delete from files where file_id in (select unnest(?))", [list(contents)])
        connection.register("incoming", incoming)
        connection.execute("insert into files by name select * from incoming")


def _storable(nanoseconds: int) -> int:
    """A time as 64 bits hold it: one before 1677 or after 2262 becomes the nearest that fits."""
    return max(-(2**63), min(nanoseconds, 2**63 - 1))


def _fields(contents: FileContents) -> tuple[int, int, int, str]:
    stamp = contents.stamp
    return stamp.size_bytes, stamp.mtime_ns, stamp.ctime_ns, contents.splitting

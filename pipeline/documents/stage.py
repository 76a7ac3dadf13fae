"""The documents asset: each file's identity, version and kind, and its bytes as a blob."""

from __future__ import annotations

import fnmatch
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from io import BufferedReader
from typing import ClassVar, Final

from pipeline.documents.blobs import BlobFolder
from pipeline.documents.files import FileReader, Stamp, digest, read_limited
from pipeline.documents.keys import by_file, locate, storable
from pipeline.documents.places import Place
from pipeline.documents.records import records_of, to_bytes
from pipeline.documents.settings import DocumentSettings
from pipeline.documents.sources import Source
from pipeline.incremental import Processed
from pipeline.normalized_text import Detected, NormalizationSettings, detect
from pipeline.normalized_text.records import BadRow, Record
from pipeline.rejections import Rejected
from pipeline.storage.rows import DocumentRow
from pipeline.storage.store import Store
from pipeline.workers import Failed

CHANGED: Final = "changed while it was read; the next ingest or look takes it"


@dataclass(frozen=True, slots=True)
class DocumentsStage:
    """Reads files of the sources; a file that is no document becomes a row with a reason."""

    store: Store
    sources: Mapping[str, Source]
    blobs: BlobFolder
    settings: DocumentSettings
    normalization: NormalizationSettings
    settle_seconds: float = 0.0
    clock: Callable[[], float] = time.time
    _taken: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False, compare=False)
    """The digests that ``own_inputs`` took, by document id."""

    asset: ClassVar[str] = "documents"
    upstream: ClassVar[str | None] = None
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The digest of each document's bytes, its labels, and the size limit.

        Not due, so that what is known of them stays, are documents whose file is not there (whether it is
        gone or its disk is not mounted is not decided here; a link that stands in its place is no file), and
        those of a file that was written less than ``settle_seconds`` ago.
        """
        limit = self.normalization.limits.file_bytes
        reader = FileReader(self.store, self.normalization, self.clock)
        found: dict[str, str] = {}
        lost: dict[str, str] = {}
        self._taken.clear()
        for file_id, members in by_file(document_ids):
            try:
                found |= self._digests(reader, file_id, members)
            except OSError as error:
                marks = lost if isinstance(error, FileNotFoundError) else found
                marks |= dict.fromkeys(members, f"unreadable: {error.strerror}")
        reader.save()
        if lost:  # all at once: the file of a disk that is not mounted is never alone
            kept = self.store.load(DocumentRow, list(lost))
            found |= {key: mark for key, mark in lost.items() if not kept[key]}
        return {key: (found[key], self._labels(key), limit) for key in document_ids if key in found}

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """One row for each document, of the bytes whose digest ``own_inputs`` took. Where the file holds
        others by now, the document fails and is due again."""
        for file_id, members in by_file(document_ids):
            try:
                with self._place(file_id).open() as file:
                    made = self._made(file_id, members, file)
            except OSError as error:
                made = {key: self._failed(key, f"cannot be read: {error}") for key in members}
            yield from (Processed(key, made[key]) for key in members)

    def _place(self, document_id: str) -> Place:
        source, path, _ = locate(document_id)
        return self.sources[source].place(path)

    def _digests(self, reader: FileReader, file_id: str, members: Sequence[str]) -> Mapping[str, str]:
        """The digest of each member of a file; none where it is being written. Raises OSError."""
        place = self._place(file_id)
        stamp = Stamp.of(place)
        found = reader.remembered(file_id, place.path, stamp)
        if found is None:
            if not stamp.settled(self.clock(), self.settle_seconds):
                return {}
            found = reader.read(file_id, place, stamp)
        self._taken.update(found)
        return {key: found.get(key, "not in the file") for key in members}

    def _labels(self, document_id: str) -> tuple[str, ...]:
        labels = {
            label
            for rule in self.settings.access
            if fnmatch.fnmatchcase(document_id, rule.uri)
            for label in rule.labels
        }
        return tuple(sorted(labels))

    def _made(
        self, file_id: str, members: Sequence[str], file: BufferedReader
    ) -> Mapping[str, tuple[DocumentRow] | Failed]:
        """What becomes of each member of an open file. Raises OSError."""
        stat, path = os.fstat(file.fileno()), locate(file_id).path
        data = read_limited(file, self.normalization)
        records = records_of(file_id, path, data, self.normalization)
        kind = detect(path, data) if records else None
        made: dict[str, tuple[DocumentRow] | Failed] = {}
        for key in members:
            if key in records:
                made[key] = self._record_row(key, records[key], kind, stat)
            elif key == file_id and not records:
                made[key] = self._file_row(key, data, file, stat)
            else:
                made[key] = self._failed(key, "the file has no such document any more")
        return made

    def _failed(self, document_id: str, error: str) -> Failed:
        """A failure. It passes by itself where the document was found a moment ago."""
        return Failed(error, passing=document_id in self._taken)

    def _file_row(
        self, document_id: str, data: bytes, file: BufferedReader, stat: os.stat_result
    ) -> tuple[DocumentRow] | Failed:
        limit = self.normalization.limits.file_bytes
        if len(data) > limit:
            detail = f"{stat.st_size} bytes; the limit normalization.limits.file_bytes is {limit}"
            version, size = digest(file), stat.st_size
            return self._row(document_id, version, size, stat, rejection=Rejected("too_large", detail))
        try:
            kind = detect(locate(document_id).path, data)
        except Rejected as rejected:
            return self._kept_row(document_id, data, stat, rejection=rejected)
        return self._kept_row(document_id, data, stat, kind=kind)

    def _record_row(
        self, document_id: str, record: Record | BadRow, kind: Detected | None, stat: os.stat_result
    ) -> tuple[DocumentRow] | Failed:
        if isinstance(record, BadRow):
            rejection = Rejected("damaged", f"line {record.row}: {record.detail}")
            return self._kept_row(document_id, to_bytes(record), stat, rejection=rejection)
        return self._kept_row(document_id, to_bytes(record), stat, kind=kind)

    def _kept_row(
        self,
        document_id: str,
        data: bytes,
        stat: os.stat_result,
        *,
        kind: Detected | None = None,
        rejection: Rejected | None = None,
    ) -> tuple[DocumentRow] | Failed:
        """The row of some bytes, which are kept as a blob; a failure where the home cannot keep them."""
        version = sha256(data).hexdigest()
        made = self._row(document_id, version, len(data), stat, kind=kind, rejection=rejection)
        if not isinstance(made, Failed):
            try:
                self.blobs.put(data)
            except OSError as error:  # of the home, and not of the file that is being read
                return Failed(self.blobs.refusal(error), passing=True)
        return made

    def _row(
        self,
        document_id: str,
        version: str,
        size: int,
        stat: os.stat_result,
        *,
        kind: Detected | None = None,
        rejection: Rejected | None = None,
    ) -> tuple[DocumentRow] | Failed:
        if version != self._taken.get(document_id):
            return Failed(CHANGED, passing=True)
        source, path, _ = locate(document_id)
        row = DocumentRow(
            document_id=document_id,
            source=source,
            path=storable(path),
            version=version,
            loader=kind.loader if kind else None,
            source_format=kind.source_format if kind else None,
            size_bytes=size,
            modified_at=_modified(stat),
            access_labels=self._labels(document_id),
            rejection=rejection.reason if rejection else None,
            detail=rejection.detail if rejection else None,
        )
        return (row,)


def _modified(stat: os.stat_result) -> str | None:
    """When a file was last written; None for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return None

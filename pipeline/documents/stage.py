"""The documents asset: each file's identity, version and kind, and its bytes as a blob."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from pipeline.documents.blobs import BlobFolder
from pipeline.documents.files import FileReader, Stamp, digest
from pipeline.documents.keys import locate, storable
from pipeline.documents.records import records_of, to_bytes
from pipeline.documents.settings import DocumentSettings
from pipeline.incremental import Processed
from pipeline.normalized_text import Detected, NormalizationSettings, detect
from pipeline.normalized_text.detection import HEAD_BYTES
from pipeline.normalized_text.records import BadRow, Record
from pipeline.rejections import Rejected
from pipeline.storage.rows import DocumentRow
from pipeline.storage.store import Store
from pipeline.workers import Failed


@dataclass(frozen=True, slots=True)
class DocumentsStage:
    """Reads files of the sources; a file that is no document becomes a row with a reason."""

    store: Store
    folders: Mapping[str, Path]
    blobs: BlobFolder
    settings: DocumentSettings
    normalization: NormalizationSettings
    settle_seconds: float = 0.0
    clock: Callable[[], float] = time.time

    asset: ClassVar[str] = "documents"
    upstream: ClassVar[str | None] = None
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The digest of each document's bytes, its labels, and the size limit.

        Not due, so that what is known of them stays, are documents whose file is not there (whether it is
        gone or its disk is not mounted is not decided here), and those of a file that was written less than
        ``settle_seconds`` ago.
        """
        limit = self.normalization.limits.file_bytes
        reader = FileReader(self.store, self.normalization, self.clock)
        found: dict[str, str] = {}
        lost: dict[str, str] = {}
        for file_id, members in _by_file(document_ids):
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
        """One row for each document."""
        for file_id, members in _by_file(document_ids):
            records = self._records(file_id, members)
            for key in members:
                try:
                    row = self._record_row(key, records) if locate(key).is_record else self._file_row(key)
                except OSError as error:
                    yield Processed(key, Failed(f"cannot be read: {error}"))
                else:
                    yield Processed(key, (row,))

    def _file(self, document_id: str) -> Path:
        source, path, _ = locate(document_id)
        return self.folders[source] / path

    def _digests(self, reader: FileReader, file_id: str, members: Sequence[str]) -> Mapping[str, str]:
        """The digest of each member of a file; none where it is being written. Raises OSError."""
        _, path, _ = locate(file_id)
        file = self._file(file_id)
        stamp = Stamp.of(file)
        found = reader.remembered(file_id, path, stamp)
        if found is None:
            if not stamp.settled(self.clock(), self.settle_seconds):
                return {}
            found = reader.read(file_id, path, file, stamp)
        return {key: found.get(key, "not in the file") for key in members}

    def _labels(self, document_id: str) -> tuple[str, ...]:
        labels = {
            label
            for rule in self.settings.access
            if fnmatch.fnmatchcase(document_id, rule.uri)
            for label in rule.labels
        }
        return tuple(sorted(labels))

    def _records(self, file_id: str, members: Sequence[str]) -> Mapping[str, Record | BadRow]:
        if list(members) == [file_id]:
            return {}
        return records_of(file_id, locate(file_id).path, self._file(file_id), self.normalization)

    def _file_row(self, document_id: str) -> DocumentRow:
        file = self._file(document_id)
        size, limit = file.stat().st_size, self.normalization.limits.file_bytes
        if size > limit:
            detail = f"{size} bytes; the limit normalization.limits.file_bytes is {limit}"
            return self._row(document_id, digest(file), size, rejection=Rejected("too_large", detail))
        data = file.read_bytes()
        version = self.blobs.put(data)
        try:
            return self._row(document_id, version, size, kind=detect(locate(document_id).path, data))
        except Rejected as rejected:
            return self._row(document_id, version, size, rejection=rejected)

    def _record_row(self, document_id: str, records: Mapping[str, Record | BadRow]) -> DocumentRow:
        if document_id not in records:
            raise FileNotFoundError("the file has no such record any more")
        record = records[document_id]
        data = to_bytes(record)
        version = self.blobs.put(data)
        if isinstance(record, BadRow):
            rejection = Rejected("damaged", f"line {record.row}: {record.detail}")
            return self._row(document_id, version, len(data), rejection=rejection)
        file = self._file(document_id)
        with file.open("rb") as handle:
            kind = detect(file.name, handle.read(HEAD_BYTES))
        return self._row(document_id, version, len(data), kind=kind)

    def _row(
        self,
        document_id: str,
        version: str,
        size: int,
        *,
        kind: Detected | None = None,
        rejection: Rejected | None = None,
    ) -> DocumentRow:
        source, path, _ = locate(document_id)
        modified = datetime.fromtimestamp(self._file(document_id).stat().st_mtime, UTC)
        return DocumentRow(
            document_id=document_id,
            source=source,
            path=storable(path),
            version=version,
            loader=kind.loader if kind else None,
            source_format=kind.source_format if kind else None,
            size_bytes=size,
            modified_at=modified.isoformat(timespec="seconds"),
            access_labels=self._labels(document_id),
            rejection=rejection.reason if rejection else None,
            detail=rejection.detail if rejection else None,
        )


def _by_file(document_ids: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Documents grouped by the file they come from, so that a file of records is read once."""
    groups: dict[str, list[str]] = {}
    for key in document_ids:
        groups.setdefault(key.partition("#")[0], []).append(key)
    return list(groups.items())

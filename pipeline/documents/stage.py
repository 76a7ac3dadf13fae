"""The documents asset: each file's identity, version and kind, and its bytes as a blob."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from pipeline.documents.blobs import BlobFolder
from pipeline.documents.keys import split_document_id, storable
from pipeline.documents.settings import DocumentSettings
from pipeline.incremental import Processed
from pipeline.normalized_text import detect
from pipeline.normalized_text.settings import LimitSettings
from pipeline.rejections import Rejected
from pipeline.storage.rows import DocumentRow
from pipeline.workers import Failed


@dataclass(frozen=True, slots=True)
class DocumentsStage:
    """Reads files of the sources; a file that is no document becomes a row with a reason."""

    folders: Mapping[str, Path]
    blobs: BlobFolder
    settings: DocumentSettings
    limits: LimitSettings

    asset: ClassVar[str] = "documents"
    upstream: ClassVar[str | None] = None
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The digest of each file's bytes, its labels, and the size limit."""
        return {
            key: (_digest(self._file(key)), self._labels(key), self.limits.file_bytes) for key in document_ids
        }

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """One row for each file."""
        for key in document_ids:
            try:
                yield Processed(key, (self._row(key),))
            except OSError as error:
                yield Processed(key, Failed(f"cannot be read: {error}"))

    def _file(self, document_id: str) -> Path:
        source, path = split_document_id(document_id)
        return self.folders[source] / path

    def _labels(self, document_id: str) -> tuple[str, ...]:
        labels = {
            label
            for rule in self.settings.access
            if fnmatch.fnmatchcase(document_id, rule.uri)
            for label in rule.labels
        }
        return tuple(sorted(labels))

    def _row(self, document_id: str) -> DocumentRow:
        source, path = split_document_id(document_id)
        file = self._file(document_id)
        stat = file.stat()
        kind, rejection, detail = None, None, None
        if stat.st_size > self.limits.file_bytes:
            version = _digest(file)
            rejection = "too_large"
            detail = (
                f"{stat.st_size} bytes; the limit normalization.limits.file_bytes is {self.limits.file_bytes}"
            )
        else:
            data = file.read_bytes()
            version = self.blobs.put(data)
            try:
                kind = detect(path, data)
            except Rejected as rejected:
                rejection, detail = rejected.reason, rejected.detail
        return DocumentRow(
            document_id=document_id,
            source=source,
            path=storable(path),
            version=version,
            loader=kind.loader if kind else None,
            source_format=kind.source_format if kind else None,
            size_bytes=stat.st_size,
            modified_at=datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="seconds"),
            access_labels=self._labels(document_id),
            rejection=rejection,
            detail=detail,
        )


def _digest(file: Path) -> str:
    """SHA-256 of a file's bytes, or a mark that it cannot be read (the stage then says why)."""
    try:
        with file.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"

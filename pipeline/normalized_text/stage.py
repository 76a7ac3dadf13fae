"""The normalized_text asset: one exact text, its sections and its blocks, for each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pipeline.documents.blobs import BlobFolder
from pipeline.documents.keys import locate
from pipeline.documents.originals import Originals
from pipeline.documents.records import from_bytes
from pipeline.identifiers import fingerprint
from pipeline.incremental import Processed
from pipeline.normalized_text.model import NormalizedText
from pipeline.normalized_text.normalization import normalize, normalize_record
from pipeline.normalized_text.rows import rejected_rows, to_rows
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected
from pipeline.storage.rows import DocumentRow, Row
from pipeline.storage.store import Store
from pipeline.tokens import count_tokens
from pipeline.workers import Failed, Workers


@dataclass(frozen=True, slots=True)
class NormalizationTask:
    """What a worker needs to normalize one document."""

    document: DocumentRow
    blobs: BlobFolder
    settings: NormalizationSettings
    tokenizer: str


@dataclass(frozen=True, slots=True)
class NormalizedTextStage:
    """Normalizes documents in worker processes."""

    store: Store
    originals: Originals
    settings: NormalizationSettings
    tokenizer: str
    workers: Workers

    asset: ClassVar[str] = "normalized_text"
    upstream: ClassVar[str | None] = "documents"
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The normalization settings and the tokenizer, for every document."""
        own = fingerprint(self.settings.model_dump(mode="json"), self.tokenizer)
        return dict.fromkeys(document_ids, own)

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """The text's row, sections and blocks; a rejected document is a row with its reason. One whose bytes
        are neither kept nor in its file any more fails, and is due again."""
        documents = [row for rows in self.store.load(DocumentRow, document_ids).values() for row in rows]
        lost = self.originals.restore(documents)
        yield from (Processed(key, Failed(problem, passing=True)) for key, problem in lost.items())
        tasks = [
            NormalizationTask(row, self.originals.blobs, self.settings, self.tokenizer)
            for row in documents
            if row.document_id not in lost
        ]
        for done in self.workers.map(normalize_document, tasks):
            yield Processed(done.item.document.document_id, done.result)


def normalize_document(task: NormalizationTask) -> tuple[Row, ...]:
    """The rows of one document. A file that cannot become a text gives one row with the reason."""
    document = task.document
    if document.rejection is not None:
        return ()
    try:
        text = _read(task)
    except Rejected as rejected:
        return rejected_rows(document.document_id, document.version, rejected.reason, rejected.detail)
    return to_rows(text, document.version, count_tokens(text.text, task.tokenizer), task.settings)


def _read(task: NormalizationTask) -> NormalizedText:
    document_id = task.document.document_id
    data = task.blobs.get(task.document.version)
    _, path, is_record = locate(document_id)
    if is_record:
        return normalize_record(
            from_bytes(data),
            document_id=document_id,
            source_format=task.document.source_format or "",
            settings=task.settings,
        )
    return normalize(data, document_id=document_id, file_name=path, settings=task.settings)

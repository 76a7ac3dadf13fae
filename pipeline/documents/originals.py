"""Blobs that were lost are put back from the files that they were made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from pipeline.documents.blobs import BlobFolder
from pipeline.documents.files import read_limited
from pipeline.documents.keys import by_file, locate, storable
from pipeline.documents.places import Place
from pipeline.documents.records import records_of, to_bytes
from pipeline.documents.sources import Source
from pipeline.normalized_text import NormalizationSettings
from pipeline.storage.rows import DocumentRow


@dataclass(frozen=True, slots=True)
class Originals:
    """The bytes of documents: their blobs, and the files of the sources behind them."""

    sources: Mapping[str, Source]
    blobs: BlobFolder
    settings: NormalizationSettings

    def restore(self, documents: Sequence[DocumentRow]) -> dict[str, str]:
        """Put back the blobs of some documents that are missing, each from a file that holds the very bytes.

        Returns, by document id, what stands in the way where that cannot be done. Files are opened only where
        a blob is missing.
        """
        lost = {
            row.document_id: row.version
            for row in documents
            if row.rejection is None and not self.blobs.has(row.version)
        }
        return {
            key: problem
            for file_id, members in by_file(lost)
            for key, problem in self._restore(file_id, {key: lost[key] for key in members})
        }

    def _restore(self, file_id: str, versions: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Put back the blobs of one file's documents; yields those that it does not hold, and why."""
        source, path, _ = locate(file_id)
        place = self.sources[source].place(path)
        try:
            held, why = self._bytes_by_version(file_id, place), "holds other bytes by now"
        except OSError as error:
            held, why = {}, f"cannot be read ({error.strerror})"
        for key, version in versions.items():
            if version not in held:
                yield key, self._lost(version, place, why)
                continue
            try:
                self.blobs.put(held[version])
            except OSError as error:
                yield key, self.blobs.refusal(error)

    def _bytes_by_version(self, file_id: str, place: Place) -> dict[str, bytes]:
        """What a file holds now: its bytes, or those of its records. Raises OSError."""
        with place.open() as file:
            data = read_limited(file, self.settings)
        records = records_of(file_id, place.path, data, self.settings).values()
        return {sha256(each).hexdigest(): each for each in [data, *map(to_bytes, records)]}

    def _lost(self, version: str, place: Place, why: str) -> str:
        blob, file = storable(str(self.blobs.path(version))), storable(place.file)
        return (
            f"its bytes are lost: {blob} is not there, and {file} {why}. "
            f"Bring back either of them, then run: edgekeeper ingest {file}"
        )

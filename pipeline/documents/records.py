"""Files of records: each row of a CSV, TSV or JSON Lines file is a document of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from pipeline.documents.keys import bad_row_id, record_id
from pipeline.normalized_text import NormalizationSettings
from pipeline.normalized_text.normalization import expand_records
from pipeline.normalized_text.records import BadRow, Record
from pipeline.normalized_text.registry import EXTENSIONS, FORMATS
from pipeline.rejections import Rejected


def may_hold_records(path: str, settings: NormalizationSettings) -> bool:
    """Whether a file of this name is looked into for records."""
    if not settings.records.split:
        return False
    known = EXTENSIONS.get(PurePosixPath(path).suffix.lower().lstrip("."))
    return known is not None and FORMATS[known].name == "records"


def records_of(
    file_id: str, path: str, data: bytes, settings: NormalizationSettings
) -> Mapping[str, Record | BadRow]:
    """The rows of a file's bytes by document id: records in order, then the rows that are none.

    Empty where the file is one document. A file that is rejected as a whole is one document with the reason.
    """
    if not may_hold_records(path, settings):
        return {}
    try:
        found = expand_records(data, file_name=path, settings=settings)
    except Rejected:
        return {}
    # A key that the file itself gives stays when rows are added before it; so must the record's bytes.
    keyed = settings.records.key_column is not None
    records = {record_id(file_id, r.key): replace(r, row=0) if keyed else r for r in found.records}
    return records | {bad_row_id(file_id, bad.row): bad for bad in found.bad}


def to_bytes(row: Record | BadRow) -> bytes:
    """The bytes that stand for a row as its original: JSON, the same for the same row."""
    values = [row.row, row.detail] if isinstance(row, BadRow) else [row.key, row.row, row.fields]
    return json.dumps(values, ensure_ascii=True).encode("ascii")


def from_bytes(data: bytes) -> Record:
    """The record that ``to_bytes`` wrote."""
    key, row, fields = json.loads(data)
    return Record(key, row, tuple((name, value) for name, value in fields))

"""CSV, TSV and JSON Lines as one document: every record is a block (or a few) of its own."""

from __future__ import annotations

from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.model import Warning
from pipeline.normalized_text.records import read_records, write_record
from pipeline.normalized_text.rendering import TextBuilder
from pipeline.normalized_text.settings import NormalizationSettings


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """The records one after the other, each as lines ``name: value``.

    Short fields of a record are one ``table`` block with a cell for each; long values are paragraphs.

    Raises:
        Rejected: as ``read_records``.
    """
    read = read_records(source.text, source.source_format, settings.records)
    builder = TextBuilder(settings)
    for record in read.records:
        write_record(record, builder)
    metadata = {"records": str(len(read.records))}
    bad = [Warning("bad_record", f"line {row.row}: {row.detail}") for row in read.bad]
    warnings = (*bad, *builder.warnings())
    return Parsed(builder.text, builder.drafts, None, metadata, warnings, family="record", has_lines=False)

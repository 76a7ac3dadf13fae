"""Rows of CSV, TSV and JSON Lines files as records, and the text of a record."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.characters import remove_controls
from pipeline.identifiers import tell_apart
from pipeline.normalized_text.model import Cell
from pipeline.normalized_text.rendering import TextBuilder
from pipeline.normalized_text.settings import RecordSettings
from pipeline.rejections import Rejected

_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_LINES = 50
_SHORT_VALUE = 300
"""Values up to this many code points are cells of the record's table; longer ones are prose."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its key, unique in its file, its 1-based row (blank ones apart), and its non-empty fields
    as (name, value)."""

    key: str
    row: int
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A line (1-based, blank ones apart) that is no record, and why."""

    row: int
    detail: str


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, in its order, and the rows that are none."""

    records: tuple[Record, ...] = ()
    bad: tuple[BadRow, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a record's text: a table of short fields with cells, or one long value as prose."""

    text: str
    cells: tuple[Cell, ...] = ()


def read_records(text: str, source_format: str, settings: RecordSettings) -> Records:
    """The records of a decoded file; ``source_format`` is csv, tsv or jsonl.

    The key is the value of ``settings.key_column``, else the row number; one that came before gets a number.
    CSV takes its names from the first row; nested JSON values are named by their dotted path. Lines that are
    no JSON object are bad rows.

    Raises:
        Rejected: ``empty`` without any record, ``damaged`` when no line is a record, ``unreadable`` when
            the key column is missing.
    """
    bad: list[BadRow] = []
    if source_format == "jsonl":
        rows = list(_json_rows(text, bad))
    else:
        rows = list(_table_rows(text, "\t" if source_format == "tsv" else _delimiter(text)))
    if not rows:
        reason = "damaged" if bad else "empty"
        raise Rejected(reason, f"line {bad[0].row}: {bad[0].detail}" if bad else "no record")
    keys = [_key(row, fields, settings.key_column) for row, fields in rows]
    if settings.key_column is not None and not any(keys):
        raise Rejected("unreadable", f"no record has a value for the key column {settings.key_column!r}")
    keys = [key or f"row {row}" for key, (row, _) in zip(keys, rows, strict=True)]
    records = tuple(
        Record(key, row, tuple(fields))
        for key, (row, fields) in zip(tell_apart(keys, "{} ({})"), rows, strict=True)
    )
    return Records(records, tuple(bad))


def _parts(record: Record) -> Iterator[_Part]:
    """The record as lines ``name: value``: runs of short fields as one table, long values each on its own."""
    run: list[tuple[str, str]] = []
    for name, value in record.fields:
        if len(value) <= _SHORT_VALUE and "\n" not in value:
            run.append((name, value))
            continue
        if run:
            yield _table_part(record, run)
            run = []
        yield _Part(f"{name}: {value.strip()}")
    if run:
        yield _table_part(record, run)


def write_record(record: Record, builder: TextBuilder) -> None:
    """Append a record's text: a ``table`` block for a run of short fields, a paragraph for a long value."""
    for part in _parts(record):
        builder.append("table" if part.cells else "paragraph", part.text).cells = part.cells


def _table_part(record: Record, fields: Sequence[tuple[str, str]]) -> _Part:
    cells = tuple(
        Cell(record.row, column, value, row_headers=(record.key,), column_headers=(name,))
        for column, (name, value) in enumerate(fields)
    )
    return _Part("\n".join(f"{name}: {value}" for name, value in fields), cells)


def _key(row: int, fields: Sequence[tuple[str, str]], column: str | None) -> str:
    if column is None:
        return str(row)
    return next((value for name, value in fields if name == column), "")


def _delimiter(text: str) -> str:
    """The candidate that cuts the first lines into the same number of fields, more than one, most often."""
    lines = [line for line in text[:100_000].splitlines()[:_SNIFFED_LINES] if line.strip()]
    best, best_score = ",", 0.0
    for candidate in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=candidate) if row]
        if not widths or widths[0] < 2:
            continue
        score = widths.count(widths[0]) / len(widths) + min(widths[0], 50) / 1_000
        if score > best_score:
            best, best_score = candidate, score
    return best


def _table_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = _unique_names(next(rows, []))
        for number, values in enumerate(filter(any, rows), start=1):
            named = [*names, *(f"column {index + 1}" for index in range(len(names), len(values)))]
            fields = [(name, value.strip()) for name, value in zip(named, values, strict=False)]
            if any(value for _, value in fields):
                yield number, [(name, value) for name, value in fields if value]
    except csv.Error as error:
        raise Rejected("damaged", f"line {rows.line_num}: {error}") from error


def _unique_names(header: Sequence[str]) -> list[str]:
    names = [" ".join(name.split()) or f"column {index}" for index, name in enumerate(header, start=1)]
    return tell_apart(names, "{} {}")


def _json_rows(text: str, bad: list[BadRow]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    for number, line in enumerate(filter(str.strip, text.split("\n")), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            bad.append(BadRow(number, str(error)))
            continue
        if not isinstance(value, dict):
            bad.append(BadRow(number, f"{type(value).__name__}, not an object"))
            continue
        fields = [(name, remove_controls(text)[0].strip()) for name, text in flatten(value)]
        if any(text for _, text in fields):
            yield number, [(remove_controls(name)[0], text) for name, text in fields if text]


def flatten(value: object) -> Iterator[tuple[str, str]]:
    """The scalars of a JSON value with their dotted paths; a list of scalars is one value. No recursion."""
    stack: list[tuple[str, object]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, dict):
            stack.extend(
                (f"{path}.{key}" if path else str(key), inner) for key, inner in reversed(item.items())
            )
        elif isinstance(item, list) and any(isinstance(inner, dict | list) for inner in item):
            stack.extend((f"{path}.{index}", item[index]) for index in range(len(item) - 1, -1, -1))
        else:
            inner = item if isinstance(item, list) else [item]
            yield path, ", ".join(_scalar(part) for part in inner if part is not None)


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)

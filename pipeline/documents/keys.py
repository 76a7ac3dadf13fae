"""Document ids: the source's name, the relative path, and for a record its key, safe as a partition key.

Dagster refuses ``...`` and control characters in partition keys, and its range syntax gives a meaning to
``,``, ``[``, ``]`` and quotes. So every byte outside letters, digits, ``-``, ``_``, ``.`` and the path
separator is percent-encoded, as is a dot after a dot. Bytes that are not UTF-8 survive as well. A record's
key follows its file's after ``#``, which is percent-encoded everywhere else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from pipeline.identifiers import fingerprint

LONGEST_RECORD_KEY: Final = 120
"""Encoded record keys beyond this many characters are cut, and told apart by a digest after ``~``."""


class Location(NamedTuple):
    """Where a document comes from: its source's name, its file's relative path (``os.fsdecode`` form), and
    whether it is one record of the file."""

    source: str
    path: str
    is_record: bool


def encode_path(path: str) -> str:
    """The key of a relative POSIX path (``os.fsdecode`` form); distinct paths have distinct keys."""
    return _encode(os.fsencode(path), safe="/")


def decode_path(key: str) -> str:
    """The path that ``encode_path`` encoded."""
    return os.fsdecode(unquote_to_bytes(key))


def document_id(source: str, path: str) -> str:
    """The id of a file: ``source`` is an encoded source name, ``path`` relative to the source."""
    return f"{source}/{encode_path(path)}"


def record_id(file_id: str, record_key: str) -> str:
    """The id of a record of a file; distinct keys have distinct ids."""
    encoded = _encode(record_key.encode("utf-8", errors="surrogatepass"), safe="")
    if len(encoded) > LONGEST_RECORD_KEY:
        encoded = f"{encoded[:LONGEST_RECORD_KEY].rstrip('.%')}~{fingerprint(record_key)[:16]}"
    return f"{file_id}#{encoded}"


def bad_row_id(file_id: str, row: int) -> str:
    """The id of a row that is no record; no record's id begins like this."""
    return f"{file_id}#~line-{row}"


def locate(key: str) -> Location:
    """Where the document of an id comes from."""
    file_id, _, record = key.partition("#")
    source, _, path = file_id.partition("/")
    return Location(source, decode_path(path), bool(record))


def storable(path: str) -> str:
    """A path as text that every store takes: undecodable bytes are shown as ``\\xNN``."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")


def is_text(path: str) -> bool:
    """Whether a path (``os.fsdecode`` form) is UTF-8, so that ``storable`` leaves it as it is."""
    return storable(path) == path


def _encode(data: bytes, safe: str) -> str:
    encoded = quote(data, safe=safe).replace("~", "%7E")
    while ".." in encoded:
        encoded = encoded.replace("..", ".%2E")
    return encoded


def by_file(document_ids: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Documents grouped by the file they come from, so that a file of records is read once."""
    groups: dict[str, list[str]] = {}
    for key in document_ids:
        groups.setdefault(key.partition("#")[0], []).append(key)
    return list(groups.items())

"""Document ids: the source's name and the relative path, in a reversible encoding safe as a partition key.

Dagster refuses ``...`` and control characters in partition keys, and its range syntax gives a meaning to
``,``, ``[``, ``]`` and quotes. So every byte outside letters, digits, ``-``, ``_``, ``.`` and the path
separator is percent-encoded, as is a dot after a dot. Bytes that are not UTF-8 survive as well.
"""

from __future__ import annotations

import os
from urllib.parse import quote, unquote_to_bytes


def encode_path(path: str) -> str:
    """The key of a relative POSIX path (``os.fsdecode`` form); distinct paths have distinct keys."""
    encoded = quote(os.fsencode(path), safe="/").replace("~", "%7E")
    while ".." in encoded:
        encoded = encoded.replace("..", ".%2E")
    return encoded


def decode_path(key: str) -> str:
    """The path that ``encode_path`` encoded."""
    return os.fsdecode(unquote_to_bytes(key))


def document_id(source: str, path: str) -> str:
    """The id of a file: ``source`` is an encoded source name, ``path`` relative to the source."""
    return f"{source}/{encode_path(path)}"


def split_document_id(key: str) -> tuple[str, str]:
    """Source name and relative path of a document id."""
    source, _, path = key.partition("/")
    return source, decode_path(path)


def storable(path: str) -> str:
    """A path as text that every store takes: undecodable bytes are shown as ``\\xNN``."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")

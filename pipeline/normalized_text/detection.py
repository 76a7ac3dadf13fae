"""Which loader reads a file: content decides first, then the extension."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple

from pipeline.normalized_text.decoding import utf16_order
from pipeline.normalized_text.registry import EXTENSIONS, FORMATS
from pipeline.normalized_text.transcripts import is_chat_log, is_transcript
from pipeline.rejections import Rejected

HEAD_BYTES = 8 * 1024
"""How many leading bytes ``detect`` looks at."""

_BINARY_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a RIFF container"),
    (b"BM\x00", "a bitmap"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ\x90", "a Windows program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
    (b"\xca\xfe\xba\xbe", "a class file"),
)
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKAGE_PARTS: tuple[tuple[bytes, str], ...] = ((b"word/", "docx"), (b"ppt/", "pptx"), (b"xl/", "xlsx"))
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1b"))
_MAX_CONTROLS = 0.1
_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


class Detected(NamedTuple):
    """The loader's name and the source format, e.g. ``("markdown", "markdown")``."""

    loader: str
    source_format: str


def detect(file_name: str, head: bytes) -> Detected:
    """The loader of a file by its first ``HEAD_BYTES`` and its name, without parsing it.

    A PDF or an office package is known by its content whatever its name is; text formats go by the
    extension.

    Raises:
        Rejected: ``binary`` for content that is no text under a text format's name, ``encrypted`` for an
            office file in an encrypted container, ``unsupported`` where no loader reads the format.
    """
    head = head[:HEAD_BYTES]
    extension = PurePosixPath(file_name).suffix.lower().lstrip(".")
    known = EXTENSIONS.get(extension)
    found = _by_content(head, known)
    if found is not None:
        return _detected(found)
    if known is None:
        raise Rejected("unsupported", f"no loader reads .{extension} files" if extension else "no extension")
    if FORMATS[known].is_text:
        _require_text(head)
        known = _conversation(head, known)
    elif head:
        raise Rejected("damaged", f"the content is no {known}")
    return _detected(known)


def _conversation(head: bytes, known: str) -> str:
    """Chat logs come as JSON Lines or as plain text; their lines tell."""
    if known == "jsonl" and is_chat_log(head.decode("utf-8", "replace")):
        return "chat"
    if known == "text" and is_transcript(head.decode("utf-8", "replace")):
        return "transcript"
    return known


def _detected(source_format: str) -> Detected:
    return Detected(FORMATS[source_format].name, source_format)


def _by_content(head: bytes, known: str | None) -> str | None:
    if b"%PDF-" in head[:1024] and "pdf" in FORMATS:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _package_format(head, known)
    if head.startswith(_COMPOUND_FILE):
        if known is not None and not FORMATS[known].is_text:
            raise Rejected("encrypted", "an encrypted or pre-2007 office file")
        raise Rejected("binary", "a compound file")
    for signature, name in _BINARY_SIGNATURES:
        if head.startswith(signature):
            raise Rejected("binary", name)
    return None


def _package_format(head: bytes, known: str | None) -> str:
    named = [part_format for part, part_format in _PACKAGE_PARTS if part in head and part_format in FORMATS]
    if known is not None and (known in named or (not FORMATS[known].is_text and not named)):
        return known
    if named:
        return named[0]
    raise Rejected("binary", "a ZIP archive")


def _require_text(head: bytes) -> None:
    if not head or head.startswith(_UNICODE_MARKS):
        return
    if utf16_order(head):
        head = head.replace(b"\x00", b"")
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls > _MAX_CONTROLS * len(head):
        raise Rejected("binary", f"{controls} control bytes in the first {len(head)}")

"""Bytes to characters: declared encodings first, then UTF-8, then a guess that must be confident."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from pipeline.rejections import Rejected

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64 * 1024
_MIN_UTF16_NULS = 0.3
_TYPOGRAPHY = frozenset("“”‘’‚„–—…€£§°©®™«»·•¡¿ªº²³½¼×\u00a0\u00ad")
_SIGN_LETTERS = frozenset("ªºµ")
_APOSTROPHES = frozenset("’·\u00ad–—…\u00a0")
_RARE_LETTERS = frozenset("ýþðÝÞÐƒˆ˜")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_WESTERN_CONFIDENCE = 0.9
_NO_FILE_ENCODINGS = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined"})
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Characters with the encoding they were read by. ``confidence`` is 1 unless the encoding was guessed."""

    text: str
    encoding: str
    confidence: float = 1.0


def decode(data: bytes, *, minimum_confidence: float, markup: bool = False) -> Decoded:
    """The characters of ``data``, a byte-order mark included.

    Order: byte-order mark, NUL pattern of UTF-16, strict UTF-8, the encoding that HTML or XML ``markup``
    declares in its first 2 KiB, Windows-1252 where its letters stand as in Western words, and at last
    charset-normalizer. No replacement character is ever put in.

    Raises:
        Rejected: ``undecodable`` when no encoding reaches ``minimum_confidence`` (0 to 1).
    """
    declared = _unicode_encoding(data)
    if declared is not None:
        return _strict(data, declared)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        defect = str(error)
    if markup and (found := _DECLARED.search(data[:2048])):
        declared = _known(found[1].decode("ascii"))
        if declared is not None:
            return _strict(data, declared)
    return _guess(data, minimum_confidence, defect)


def _unicode_encoding(data: bytes) -> str | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding
    return utf16_order(data[:_SAMPLE])


def utf16_order(head: bytes) -> str | None:
    """The UTF-16 encoding whose pattern of NUL bytes ``head`` shows, that of mostly ASCII text; else None."""
    if head.count(0) < _MIN_UTF16_NULS * len(head):
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 20 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 20 * odd else None


def _known(name: str) -> str | None:
    """The codec of that name, if it is one of files: not of bytes (``hex``) nor of Python or host names."""
    try:
        found = codecs.lookup(name)
    except LookupError:
        return None
    is_text = found._is_text_encoding  # pyright: ignore[reportAttributeAccessIssue]  # what bytes.decode asks
    return found.name if is_text and found.name not in _NO_FILE_ENCODINGS else None


def _strict(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeError as error:
        raise Rejected("undecodable", f"declared as {encoding}, but {error}") from error


def _guess(data: bytes, minimum_confidence: float, defect: str) -> Decoded:
    western = _western(data)
    if western is not None and western.confidence >= max(minimum_confidence, _WESTERN_CONFIDENCE):
        return western
    from charset_normalizer import from_bytes
    from charset_normalizer.utils import is_multi_byte_encoding

    best = from_bytes(data[: 4 * _SAMPLE]).best()
    if best is None:
        raise Rejected("undecodable", f"not UTF-8 ({defect}) and no other encoding fits")
    # Any bytes are letters of a single-byte code page; only a language that fits tells which page it is.
    is_evident = is_multi_byte_encoding(best.encoding) or best.coherence > 0.0
    confidence = (1.0 - best.chaos) * (1.0 if is_evident else 0.5)
    if confidence < minimum_confidence:
        raise Rejected("undecodable", f"not UTF-8 ({defect}); {best.encoding} only with {confidence:.2f}")
    try:
        return Decoded(data.decode(best.encoding), best.encoding, confidence)
    except UnicodeError as error:
        raise Rejected("undecodable", f"not UTF-8 ({defect}), nor {best.encoding}") from error


def _western(data: bytes) -> Decoded | None:
    """Windows-1252, with the share of its non-ASCII characters that stand where Western text has them."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    total = plausible = 0
    for run in _FOREIGN.finditer(text[:_SAMPLE]):
        total += len(run[0])
        if len(run[0]) <= 2 or not any(character.isalpha() for character in run[0]):
            plausible += sum(_is_plausible(text, at) for at in range(run.start(), run.end()))
    return Decoded(text, "cp1252", plausible / total) if total else None


def _is_plausible(text: str, at: int) -> bool:
    """Whether one character fits: a letter that is no capital inside of a word and common in the West, or a
    typographic sign that does not stand between two letters."""
    character, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if character.isalpha() and character not in _SIGN_LETTERS:
        return character not in _RARE_LETTERS and not (character.isupper() and before.islower())
    inside = before.isalpha() and after.isalpha() and character not in _APOSTROPHES
    return character in _TYPOGRAPHY and not inside

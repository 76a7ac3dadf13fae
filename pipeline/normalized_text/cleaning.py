"""The one place where characters of a text are removed or replaced, before any offset is set."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Literal

from pipeline.characters import remove_controls
from pipeline.normalized_text.model import Warning
from pipeline.normalized_text.settings import NormalizationSettings

UnicodeForm = Literal["nfc", "nfkc", "none"]

BYTE_ORDER_MARK = "\ufeff"
_MARKS = re.compile(r"[^\w\s\x00-\u02ff]{64,}")
"""Runs that may be combining marks (none is a word character); a real letter carries a handful."""
_GRAVE = "\u1fef"


def clean(text: str, settings: NormalizationSettings) -> tuple[str, tuple[Warning, ...]]:
    """``text`` with byte-order marks, line ends, controls and composition as the settings ask.

    NUL, other control characters, terminal escape sequences and lone surrogates are always removed (tab,
    line feed, carriage return, form feed and vertical tab stay) and counted in a ``control_characters``
    warning. NFKC is not applied here: it would turn compatibility characters into markup. It is folded
    into the parsed text by ``pipeline.normalized_text.compatibility``.
    """
    warnings: list[Warning] = []
    if settings.bom == "drop":
        text = text.replace(BYTE_ORDER_MARK, "")
    if settings.newline == "lf" and "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, removed = remove_controls(text)
    if removed:
        warnings.append(Warning("control_characters", f"{removed} removed"))
    if "\ufffd" in text:
        warnings.append(Warning("replacement_character", f"{text.count(chr(0xFFFD))} in the file itself"))
    if settings.unicode_form != "none":
        text = compose(text)
    return text, tuple(warnings)


def compose(text: str) -> str:
    """NFC, except for U+1FEF, whose canonical form is the grave accent: it would open code and fences."""
    text = order_marks(text)
    if unicodedata.is_normalized("NFC", text):
        return text
    return _GRAVE.join(unicodedata.normalize("NFC", part) for part in text.split(_GRAVE))


def order_marks(text: str) -> str:
    """``text`` with long runs of combining marks in canonical order, which no normal form changes.

    ``unicodedata`` orders a run by insertion, in time that grows with the square of its length.
    """
    return text if text.isascii() else _MARKS.sub(_ordered, text)


def _ordered(run: re.Match[str]) -> str:
    if not any(map(_is_mark, set(run[0]))):
        return run[0]
    # Some marks stand for two others; each of these has a place of its own in the order.
    marks = "".join(unicodedata.normalize("NFD", mark) if _is_mark(mark) else mark for mark in run[0])
    ordered: list[str] = []
    for combines, group in groupby(marks, key=lambda mark: unicodedata.combining(mark) > 0):
        run_marks = list(group)
        ordered += sorted(run_marks, key=unicodedata.combining) if combines else run_marks
    return "".join(ordered)


def _is_mark(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0

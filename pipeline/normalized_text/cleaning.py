"""The one place where characters of a text are removed or replaced, before any offset is set."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from pipeline.normalized_text.model import Warning
from pipeline.normalized_text.settings import NormalizationSettings

UnicodeForm = Literal["nfc", "nfkc", "none"]

BYTE_ORDER_MARK = "\ufeff"
_ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
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


def remove_controls(text: str) -> tuple[str, int]:
    """``text`` without control characters and lone surrogates, and how many code points were removed."""
    if text.isascii() and text.isprintable():
        return text, 0
    before = len(text)
    if "\x1b" in text:
        text = _ESCAPE_SEQUENCE.sub("", text)
    text = _CONTROLS.sub("", text)
    return text, before - len(text)


def compose(text: str) -> str:
    """NFC, except for U+1FEF, whose canonical form is the grave accent: it would open code and fences."""
    if unicodedata.is_normalized("NFC", text):
        return text
    return _GRAVE.join(unicodedata.normalize("NFC", part) for part in text.split(_GRAVE))

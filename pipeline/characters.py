"""Which characters no stored or shown string may hold, whatever a file or its name brings."""

from __future__ import annotations

import re
from html import escape

_ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_MISLEADING = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls, and those of direction, which reorder the text around them."""
_LINE_BREAKS = re.compile("[\t-\r\x85\u2028\u2029]+")


def remove_controls(text: str) -> tuple[str, int]:
    """``text`` without terminal escape sequences, control characters and lone surrogates, and how many code
    points were removed. Tab, line feed, vertical tab, form feed, carriage return and NEL stay."""
    if text.isascii() and text.isprintable():
        return text, 0
    before = len(text)
    if "\x1b" in text:
        text = _ESCAPE_SEQUENCE.sub("", text)
    text = _CONTROLS.sub("", text)
    return text, before - len(text)


def one_line(text: str) -> str:
    """``text`` without any control character or lone surrogate: valid UTF-8 on one line.

    For names, titles and messages. Tabs and line breaks become a space, other controls are removed.
    """
    if text.isascii() and text.isprintable():
        return text
    return _LINE_BREAKS.sub(" ", remove_controls(text)[0]).strip()


def in_page(text: str) -> str:
    """``text`` as HTML shows it: no markup, and controls, those of direction too, as escapes (``\\u202e``).

    So no line reads otherwise than it is stored.
    """
    return escape(_MISLEADING.sub(lambda found: ascii(found[0])[1:-1], text))

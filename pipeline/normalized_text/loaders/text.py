"""Plain text: paragraphs are separated by blank lines; nothing is read as markup."""

from __future__ import annotations

import re

from pipeline.normalized_text.drafts import Draft, Parsed, Source
from pipeline.normalized_text.settings import NormalizationSettings

_BLANK_LINE = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*(?:\r\n?|\n))+|\f")


def load(source: Source, settings: NormalizationSettings) -> Parsed:  # noqa: ARG001
    """One paragraph for every run of lines that are not blank."""
    drafts: list[Draft] = []
    position = 0
    for blank in _BLANK_LINE.finditer(source.text):
        drafts.append(Draft("paragraph", position, blank.start()))
        position = blank.end()
    drafts.append(Draft("paragraph", position, len(source.text)))
    return Parsed(source.text, drafts)

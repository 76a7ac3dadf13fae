"""Captions: a short paragraph right before or after a table, figure or code that names it."""

from __future__ import annotations

import re

from pipeline.normalized_text.drafts import Draft

_LABEL = re.compile(
    r"[*_]{0,3}(?:(?P<table>table|tab\.|tabelle|tableau|tabla|tabella)"
    r"|(?P<figure>figure|fig\.|abbildung|abb\.|figura)"
    r"|(?P<code>listing))(?:\s[A-Z]?[\d.-]{0,12})?[*_]{0,3}\s?[:.]",
    re.IGNORECASE,
)
_PANDOC_TABLE = re.compile(r":\s+\S")
_LABEL_STARTS = frozenset("*_:TtFfAaLl")
_MAX_LENGTH = 500


def attach_captions(text: str, drafts: list[Draft]) -> list[Draft]:
    """``drafts`` where captions have their kind and the block they name holds their text.

    A caption stands on its own, begins with a label such as ``Table 2:``, and touches its block (at most one
    blank line between). Where it touches two, it names the one after it that has no caption yet.
    """
    for index, draft in enumerate(drafts):
        kind = _captioned_kind(text, draft)
        if kind is None:
            continue
        for neighbour in (index + 1, index - 1):
            if not 0 <= neighbour < len(drafts):
                continue
            owner = drafts[neighbour]
            if (
                owner.kind == kind
                and (owner.caption is None or kind == "figure")
                and _touch(text, draft, owner)
            ):
                owner.caption = (
                    text[draft.start : draft.end].strip().lstrip(": ").replace("\n", " ").strip("*_ ")
                )
                draft.kind = "caption"
                break
    return drafts


def _captioned_kind(text: str, draft: Draft) -> str | None:
    if draft.kind != "paragraph" or draft.end - draft.start > _MAX_LENGTH:
        return None
    if text[draft.start] not in _LABEL_STARTS:
        return None
    label = _LABEL.match(text, draft.start, draft.end)
    if label:
        return label.lastgroup
    return "table" if _PANDOC_TABLE.match(text, draft.start, draft.end) else None


def _touch(text: str, one: Draft, other: Draft) -> bool:
    first, second = (one, other) if one.start < other.start else (other, one)
    between = text[first.end : second.start]
    return not between.strip() and between.count("\n") <= 2

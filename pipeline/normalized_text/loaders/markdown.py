"""Markdown: the text is the file's own, blocks are exact ranges of it."""

from __future__ import annotations

import re

from pipeline.normalized_text.drafts import Draft, Parsed, Source
from pipeline.normalized_text.front_matter import find_front_matter
from pipeline.normalized_text.html_tables import merge_html_tables
from pipeline.normalized_text.markdown_events import read_blocks
from pipeline.normalized_text.model import Warning
from pipeline.normalized_text.offsets import code_points_of
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.spans import Span

_FENCE = re.compile(r"`{3,}|~{3,}")
_HEADING_ID = re.compile(r"\s*\{#[\w.:-]{1,200}\}$")
_FORMULA = re.compile(r"\$\$.+\$\$|\\\[.+\\\]|\\begin\{([a-z]+\*?)\}.+\\end\{\1\}", re.DOTALL)
_FIGURE = re.compile(r"!\[([^\]]{0,2000})\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,999}\])(?:\{[^}\n]{0,200}\})?")


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """Blocks of CommonMark with tables and footnotes; YAML or TOML front matter becomes metadata.

    Raises:
        Rejected: ``too_deep`` and ``too_many_cells`` beyond the settings' limits.
    """
    text = source.text
    front = find_front_matter(text)
    offset = front.end if front else 0
    body = text[offset:]
    encoded = body.encode("utf-8", "surrogatepass")
    limits = settings.limits
    markup = read_blocks(encoded, body, nesting=limits.nesting, table_cells=limits.table_cells)
    drafts = markup.drafts
    fences = _to_code_points(encoded, drafts, markup.fences, offset)
    warnings = _fence_warnings(text, drafts, fences)
    drafts = merge_html_tables(text, drafts, set(fences), cells=limits.table_cells)
    drafts = [_refine(text, draft) for draft in drafts]
    if front:
        drafts.insert(0, Draft("front_matter", 0, front.end))
        if not front.parsed:
            reading = "read line by line" if front.metadata else "left unread"
            warnings.append(Warning("front_matter_syntax", reading, Span(0, front.end)))
    metadata = dict(front.metadata) if front else {}
    return Parsed(text, drafts, metadata.get("title"), metadata, tuple(warnings))


def _to_code_points(
    encoded: bytes, drafts: list[Draft], fences: dict[int, int], offset: int
) -> dict[int, int]:
    """Move the drafts from bytes to code points after ``offset``; returns the fences likewise."""
    if offset == 0 and encoded.isascii():
        return fences
    count = len(drafts)
    in_bytes = [draft.start for draft in drafts] + [draft.end for draft in drafts] + list(fences.values())
    found = code_points_of(encoded, in_bytes)
    for draft, start, end in zip(drafts, found[:count], found[count : 2 * count], strict=True):
        draft.start, draft.end = start + offset, end + offset
    return {index: fence + offset for index, fence in zip(fences, found[2 * count :], strict=True)}


def _fence_warnings(text: str, drafts: list[Draft], fences: dict[int, int]) -> list[Warning]:
    return [
        Warning("unclosed_fence", "the code runs to the end of its container", Span(fence, drafts[index].end))
        for index, fence in fences.items()
        if not _is_closed(text, fence, drafts[index].end)
    ]


def _is_closed(text: str, fence: int, end: int) -> bool:
    opening = _FENCE.match(text, fence)
    last_line = text[fence:end].rstrip().rpartition("\n")
    if opening is None or not last_line[1]:
        return False
    mark = last_line[2].strip(" \t>\r")
    return set(mark) == {opening[0][0]} and len(mark) >= len(opening[0])


def _refine(text: str, draft: Draft) -> Draft:
    """Formulas and figures are paragraphs for Markdown; a heading's explicit id is markup."""
    if draft.kind == "paragraph":
        first = text[draft.start : draft.start + 2]
        if first in ("$$", "\\[", "\\b"):
            if _FORMULA.fullmatch(text[draft.start : draft.end].strip()):
                draft.kind = "formula"
        elif first == "![":
            figure = _FIGURE.fullmatch(text[draft.start : draft.end].strip())
            if figure:
                draft.kind, draft.caption = "figure", figure[1].strip() or None
    elif draft.kind == "heading" and draft.title and draft.title.endswith("}"):
        draft.title = _HEADING_ID.sub("", draft.title)
    return draft

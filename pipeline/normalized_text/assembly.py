"""From a loader's drafts to the finished document: exact blocks, no gaps, sections, lines, lead-ins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pipeline.characters import one_line
from pipeline.normalized_text.captions import attach_captions
from pipeline.normalized_text.compatibility import fold_compatibility
from pipeline.normalized_text.drafts import Draft, Parsed
from pipeline.normalized_text.model import ATOMIC_KINDS, Block, BlockKind, NormalizedText, Place, Warning
from pipeline.normalized_text.plain_strings import plain_warnings, with_plain_strings
from pipeline.normalized_text.sections import Heading, build_sections
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected
from pipeline.spans import Span

_REFERENCE_DEFINITION = re.compile(r" {0,3}\[[^\]\n]{1,999}\]:")
_LEAD_IN_CUE = re.compile(r"\b(?:following|follows|below)\b", re.IGNORECASE)
_LEAD_IN_WINDOW = 200
_USUAL_BLANK = 64
_INTRODUCED = frozenset({"list_item", "table", "code"})


def assemble(
    parsed: Parsed,
    *,
    document_id: str,
    loader: str,
    source_format: str,
    settings: NormalizationSettings,
    warnings: tuple[Warning, ...] = (),
    fallback_title: str | None = None,
    reading: Mapping[str, str] | None = None,
) -> NormalizedText:
    """The finished document.

    Block spans are trimmed of blank ends, text between drafts that is not blank becomes a block, every
    block gets its section, its lines (text formats) and whether it leads into the next one. The title is the
    loader's, else the first heading of level 1, else the first heading, else ``fallback_title``.
    ``reading`` (how the file was read) is added to the metadata.

    Raises:
        Rejected: ``empty`` when nothing but markup, rules or front matter is there.
    """
    drafts = attach_captions(parsed.text, close_gaps(parsed.text, parsed.drafts))
    parsed = with_plain_strings(replace(parsed, drafts=drafts))
    if settings.unicode_form == "nfkc":
        parsed = fold_compatibility(parsed)
    _require_content(parsed)
    headings = [
        Heading(draft.level, draft.title or "", draft.start)
        for draft in parsed.drafts
        if draft.kind == "heading"
    ]
    sections = build_sections(document_id, len(parsed.text), headings)
    return NormalizedText(
        document_id=document_id,
        text=parsed.text,
        blocks=_blocks(parsed, [section.section_id for section in sections]),
        sections=sections,
        title=parsed.title or _heading_title(headings) or one_line(fallback_title or "") or None,
        loader=loader,
        source_format=source_format,
        family=parsed.family,
        metadata={"language": settings.language, **parsed.metadata, **(reading or {})},
        warnings=(*plain_warnings(warnings), *parsed.warnings),
    )


def close_gaps(text: str, drafts: list[Draft]) -> list[Draft]:
    """Drafts with trimmed spans, empty ones left out, and blocks for the text that no draft covers."""
    closed: list[Draft] = []
    position = 0
    for draft in drafts:
        if not _trim(text, draft, position):
            continue
        if position < draft.start:
            _fill(text, position, draft, closed)
        closed.append(draft)
        position = draft.end
    rest = Draft("paragraph", position, len(text))
    if _trim(text, rest, position):
        rest.kind = _gap_kind(text, rest)
        closed.append(rest)
    return closed


def _trim(text: str, draft: Draft, floor: int) -> bool:
    """Move the span's ends to text that is not blank; code and tables keep their first line's indentation."""
    start = max(draft.start, floor)
    end = _without_blank_end(text, start, draft.end)
    if end <= start:
        return False
    if text[start].isspace():
        body = text[start:end]
        blank = len(body) - len(body.lstrip())
        line = body.rfind("\n", 0, blank) + 1
        at_line_start = line > 0 or start == 0 or text[start - 1] == "\n"
        start += line if draft.kind in ATOMIC_KINDS and at_line_start else blank
    draft.start, draft.end = start, end
    return True


def _without_blank_end(text: str, start: int, end: int) -> int:
    tail = text[max(start, end - _USUAL_BLANK) : end]
    kept = tail.rstrip()
    return end - len(tail) + len(kept) if kept else start + len(text[start:end].rstrip())


def _fill(text: str, position: int, draft: Draft, closed: list[Draft]) -> None:
    """Cover what stands between two drafts: the rest of a line belongs to the draft that ends the line."""
    if text[position : draft.start].isspace():
        return
    gap = Draft("paragraph", position, draft.start)
    _trim(text, gap, position)
    last_line = max(text.rfind("\n", position, draft.start) + 1, position)
    if last_line < gap.end:
        prefix = Draft("paragraph", last_line, draft.start)
        _trim(text, prefix, position)
        draft.start = prefix.start
        gap.end = min(gap.end, prefix.start)
        if not _trim(text, gap, position):
            return
    gap.kind = _gap_kind(text, gap)
    closed.append(gap)


def _gap_kind(text: str, gap: Draft) -> BlockKind:
    return "html" if _REFERENCE_DEFINITION.match(text, gap.start) else "paragraph"


def _require_content(parsed: Parsed) -> None:
    for draft in parsed.drafts:
        if draft.kind != "front_matter" and re.search(r"[^\W_]", parsed.text[draft.start : draft.end]):
            return
    raise Rejected("empty", "no letter and no digit outside of front matter")


def _heading_title(headings: list[Heading]) -> str | None:
    titles = [heading.title for heading in headings if heading.level == 1 and heading.title]
    titles += [heading.title for heading in headings if heading.title]
    return titles[0] if titles else None


def _blocks(parsed: Parsed, section_ids: list[str]) -> tuple[Block, ...]:
    text, drafts = parsed.text, parsed.drafts
    blocks: list[Block] = []
    section, line, counted = 0, 1, 0
    followers: list[Draft | None] = [*drafts[1:], None]
    for draft, following in zip(drafts, followers, strict=True):
        if draft.kind == "heading":
            section += 1
        if parsed.has_lines:
            first = line + text.count("\n", counted, draft.start)
            line = first + text.count("\n", draft.start, draft.end)
            counted = draft.end
            place = Place(first, line, draft.page, draft.box)
        else:
            place = Place(None, None, draft.page, draft.box, draft.confidence)
        blocks.append(
            Block(
                draft.kind,
                Span(draft.start, draft.end),
                section_ids[section],
                draft.level,
                draft.title,
                draft.language,
                draft.cells,
                draft.caption,
                draft.speaker,
                draft.timestamp,
                following is not None and following.kind in _INTRODUCED and _leads_in(text, draft, following),
                place,
            )
        )
    return tuple(blocks)


def _leads_in(text: str, draft: Draft, following: Draft) -> bool:
    """A paragraph or list item before a list, table or code that ends with a colon or points at it."""
    if draft.kind not in ("paragraph", "list_item"):
        return False
    if draft.kind == "list_item" and following.kind == "list_item" and following.level <= draft.level:
        return False
    tail = text[max(draft.start, draft.end - _LEAD_IN_WINDOW) : draft.end]
    if tail.rstrip("*_`)\"'”").endswith((":", "：")):
        return True
    sentence = re.split(r"[.!?]\s", tail)[-1]
    return draft.kind == "paragraph" and _LEAD_IN_CUE.search(sentence) is not None

"""The section tree of a text, from its headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.identifiers import short_id
from pipeline.normalized_text.model import Section
from pipeline.spans import Span


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading's level (1 = top), title without markup, and where it starts in the text."""

    level: int
    title: str
    start: int


@dataclass(slots=True)
class _Open:
    key: tuple[tuple[str, int], ...]
    level: int
    index: int


def build_sections(document_id: str, length: int, headings: Sequence[Heading]) -> tuple[Section, ...]:
    """Sections in text order, the root first; the root spans the whole text of ``length`` code points.

    A section ends where the next heading of its own or a higher rank starts. With a skipped level the
    parent is the nearest open section of higher rank, so siblings stay siblings. The id hashes the
    document id and the path of (title, ordinal among equal titles under that parent).
    """
    root = Section(short_id("sec", document_id, ()), None, "", 0, (), Span(0, length))
    sections = [root]
    ends = [length]
    stack = [_Open((), 0, 0)]
    seen: dict[tuple[int, str], int] = {}
    for heading in headings:
        while stack[-1].level >= heading.level:
            ends[stack.pop().index] = heading.start
        parent = stack[-1]
        ordinal = seen.get((parent.index, heading.title), 0)
        seen[parent.index, heading.title] = ordinal + 1
        key = (*parent.key, (heading.title, ordinal))
        owner = sections[parent.index]
        sections.append(
            Section(
                section_id=short_id("sec", document_id, key),
                parent_id=owner.section_id,
                title=heading.title,
                level=heading.level,
                path=(*owner.path, heading.title),
                span=Span(heading.start, length),
            )
        )
        ends.append(length)
        stack.append(_Open(key, heading.level, len(sections) - 1))
    return tuple(
        section if section.span.end == end else _ending(section, end)
        for section, end in zip(sections, ends, strict=True)
    )


def _ending(section: Section, end: int) -> Section:
    return Section(
        section.section_id,
        section.parent_id,
        section.title,
        section.level,
        section.path,
        Span(section.span.start, end),
    )

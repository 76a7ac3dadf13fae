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


def build_sections(document_id: str, length: int, headings: Sequence[Heading]) -> tuple[Section, ...]:
    """Sections in text order, the root first; the root spans the whole text of ``length`` code points.

    A section ends where the next heading of its own or a higher rank starts. With a skipped level the
    parent is the nearest open section of higher rank, so siblings stay siblings. The id hashes the parent's
    id, the title and its ordinal among equal titles there: with the root's, which hashes the document id,
    that is the document and the path of titles.
    """
    sections = [Section(short_id("sec", document_id), None, "", 0, (), Span(0, length))]
    ordinals: dict[tuple[int, str], int] = {}
    for heading, end, parent in zip(headings, *_nesting(headings, length), strict=True):
        ordinal = ordinals.get((parent, heading.title), 0)
        ordinals[parent, heading.title] = ordinal + 1
        owner = sections[parent]
        sections.append(
            Section(
                short_id("sec", owner.section_id, heading.title, ordinal),
                owner.section_id,
                heading.title,
                heading.level,
                (*owner.path, heading.title),
                Span(heading.start, end),
            )
        )
    return tuple(sections)


def _nesting(headings: Sequence[Heading], length: int) -> tuple[list[int], list[int]]:
    """For each heading where its section ends, and the index of its parent's section (0 = root)."""
    ends = [length] * len(headings)
    parents: list[int] = []
    levels, indices = [0], [0]
    for number, heading in enumerate(headings, start=1):
        while levels[-1] >= heading.level:
            levels.pop()
            ends[indices.pop() - 1] = heading.start
        parents.append(indices[-1])
        levels.append(heading.level)
        indices.append(number)
    return ends, parents

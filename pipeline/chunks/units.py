"""Units: the smallest stretches a boundary may lie between.

A unit is a sentence, or an atomic block with what belongs to it. Units tile the region that is cut: all of
the text but a leading front matter. Blank text belongs to the unit after it, trailing blank text to the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from pipeline.chunks.splitting import split_span
from pipeline.normalized_text.model import Block, NormalizedText, Section
from pipeline.sentences import sentence_ends
from pipeline.spans import Span
from pipeline.tokens import BoolArray, IntArray, TokenMap

_WHOLE_KINDS = frozenset({"formula"})
"""Blocks that are one unit unless they are larger than a chunk may be."""


@dataclass(slots=True)
class Unit:
    """One unit. ``content`` is where its own text starts, after blanks and headings it carries."""

    end: int
    content: int
    section: int
    """Index of its section in ``NormalizedText.sections``."""
    atomic: bool = False
    starts_block: bool = False
    starts_section: bool = False
    inside_sentence: bool = False
    """Starts within a sentence that is larger than a chunk may be."""
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Units:
    """All units of a document, in text order, with the arrays the planner reads."""

    items: tuple[Unit, ...]
    starts: IntArray
    ends: IntArray
    tokens: IntArray
    """Cumulative: ``tokens[i]`` tokens lie before unit ``i``, ``tokens[-1]`` in all."""

    def __len__(self) -> int:
        return len(self.items)

    def column(self, name: str) -> IntArray:
        """A number of all units."""
        return np.fromiter(map(attrgetter(name), self.items), np.int64, len(self.items))

    def flags(self, name: str) -> BoolArray:
        """A flag of all units."""
        return np.fromiter(map(attrgetter(name), self.items), np.bool_, len(self.items))

    def span(self, first: int, last: int) -> Span:
        """The span of units ``[first, last)``."""
        return Span(int(self.starts[first]), int(self.ends[last - 1]))


def region(normalized: NormalizedText) -> Span:
    """What the bodies tile: all text after a leading front matter. Empty where only blank text is left."""
    start = 0
    for block in normalized.blocks:
        if block.kind != "front_matter":
            break
        start = block.span.end
    end = len(normalized.text)
    return Span(start, end) if normalized.text[start:].strip() else Span(end, end)


def build_units(
    normalized: NormalizedText, token_map: TokenMap, largest: int, piece: int, language: str
) -> Units:
    """Units of a document.

    Args:
        token_map: tokens of ``normalized.text``.
        largest: tokens a chunk may have; a sentence larger than this is split.
        piece: tokens to aim for in the pieces of such a sentence.
        language: for the sentence splitter.
    """
    whole = region(normalized)
    items = _Builder(normalized, token_map, largest, piece, language).build()
    if not items and whole.length:
        items = [Unit(end=whole.end, content=whole.start, section=0)]
    if items:
        items[-1].end = whole.end
    ends = np.array([unit.end for unit in items], dtype=np.int64)
    starts = np.concatenate([[whole.start], ends[:-1]]).astype(np.int64) if items else ends
    tokens = token_map.before(np.concatenate([[whole.start], ends]).astype(np.int64))
    return Units(items=tuple(items), starts=starts, ends=ends, tokens=tokens - tokens[0])


class _Builder:
    """One pass over the blocks, holding the headings that wait for their first text."""

    def __init__(
        self, normalized: NormalizedText, token_map: TokenMap, largest: int, piece: int, language: str
    ) -> None:
        self.text = normalized.text
        self.start = region(normalized).start
        self.blocks = [block for block in normalized.blocks if block.kind != "front_matter"]
        self.sections = normalized.sections
        self.section_index = {section.section_id: i for i, section in enumerate(normalized.sections)}
        self.token_map = token_map
        self.more_bytes = len(self.text.encode("utf-8", "replace")) - len(self.text)
        """By how much the text's bytes outnumber its code points, and those of a part at most."""
        self.largest = largest
        self.piece = piece
        self.language = language
        self.items: list[Unit] = []
        self.heading_waits = False

    def build(self) -> list[Unit]:
        has_text = self._sections_with_text()
        index = 0
        while index < len(self.blocks):
            block = self.blocks[index]
            if block.kind == "heading":
                has_text_below = self.section_index.get(block.section_id, 0) in has_text
                self._add_heading(block, has_text_below)
            elif block.atomic:
                index = self._add_atomic(index)
            elif block.kind == "caption" and self._captions_next(index):
                index = self._add_atomic(index + 1)
            else:
                self._add_sentences(block)
            index += 1
        if self.heading_waits:
            self._close_headings()
        return self.items

    def _sections_with_text(self) -> set[int]:
        """Sections that hold any block besides headings, in themselves or below."""
        found: set[int] = set()
        by_id = {section.section_id: section for section in self.sections}
        for block in self.blocks:
            if block.kind == "heading":
                continue
            section: Section | None = by_id.get(block.section_id)
            while section is not None and self.section_index[section.section_id] not in found:
                found.add(self.section_index[section.section_id])
                section = by_id.get(section.parent_id) if section.parent_id else None
        return found

    def _add_heading(self, block: Block, has_text_below: bool) -> None:
        end = block.span.end
        joins_next = has_text_below or self.heading_waits or not self.items
        if not joins_next and not self._too_large(self._end(before=1), end, self.largest):
            self.items[-1].end = end
        # Headings that would fill a chunk by themselves are text, whatever their mark-up says.
        elif self._too_large(self._end(), end, self.largest // 2):
            self._add_sentences(block)
        else:
            self.heading_waits = True

    def _end(self, before: int = 0) -> int:
        """Where the units so far end, without the last ``before`` of them."""
        return self.items[-1 - before].end if len(self.items) > before else self.start

    def _captions_next(self, index: int) -> bool:
        following = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
        return following is not None and following.kind == "table"

    def _add_atomic(self, index: int) -> int:
        """Adds the atomic block at ``index`` with what belongs to it; returns the last block consumed."""
        block = self.blocks[index]
        before = self.blocks[index - 1] if index else None
        introduces = (
            before is not None
            and self.items
            and not self.heading_waits
            and before.kind in ("paragraph", "list_item", "quote")
            and before.section_id == block.section_id
            and not self.items[-1].atomic
            and (before.lead_in or block.kind == "code" or before.span.of(self.text).rstrip().endswith(":"))
        )
        unit = self._unit(block)
        unit.atomic = True
        if introduces:
            lead = self.items.pop()
            unit.content = lead.content
            unit.starts_block = lead.starts_block
            unit.starts_section = lead.starts_section
            unit.inside_sentence = lead.inside_sentence
        following = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
        if (
            block.kind == "table"
            and following is not None
            and following.kind == "caption"
            and following.section_id == block.section_id
            and not self._captions_next(index + 1)
        ):
            unit.end = following.span.end
            index += 1
        self.items.append(unit)
        return index

    def _add_sentences(self, block: Block) -> None:
        start, end = block.span
        ends = [end] if block.kind in _WHOLE_KINDS else sentence_ends(self.text, block.span, self.language)
        items, kind = self.items, block.kind
        section, starts_section = self._enter(block)
        reach = self._end()
        starts_block = True
        for end in ends:
            # With the headings before it, which are in its chunk in any case.
            if self._too_large(reach, end, self.largest):
                self._add_pieces(block, Span(start, end), starts_block, starts_section)
            else:
                items.append(Unit(end, start, section, False, starts_block, starts_section, False, kind))
            reach = start = end
            starts_block = starts_section = False

    def _too_large(self, start: int, end: int, limit: int) -> bool:
        """Whether a text has more than ``limit`` tokens. Tokens are never more than UTF-8 bytes."""
        return (
            end - start + self.more_bytes > limit
            and len(self.text[start:end].encode("utf-8", "replace")) > limit
            and self.token_map.count(start, end) > limit
        )

    def _add_pieces(self, block: Block, sentence: Span, starts_block: bool, starts_section: bool) -> None:
        """The pieces of a sentence that is larger than a chunk may be."""
        section = self.section_index.get(block.section_id, 0)
        for number, piece in enumerate(split_span(self.text, sentence, self.token_map, self.piece)):
            first = number == 0
            self.items.append(
                Unit(
                    end=piece.end,
                    content=piece.start,
                    section=section,
                    starts_block=first and starts_block,
                    starts_section=first and starts_section,
                    inside_sentence=not first,
                    kind=block.kind,
                )
            )

    def _enter(self, block: Block) -> tuple[int, bool]:
        """The section of a block, and whether what comes next starts it."""
        section = self.section_index.get(block.section_id, 0)
        starts = self.heading_waits or bool(self.items and self.items[-1].section != section)
        self.heading_waits = False
        return section, starts

    def _unit(self, block: Block) -> Unit:
        """A block as one unit."""
        section, starts_section = self._enter(block)
        return Unit(block.span.end, block.span.start, section, False, True, starts_section, False, block.kind)

    def _close_headings(self) -> None:
        """Headings that end the document without any text before them: one unit of their own."""
        self.items.append(self._unit(self.blocks[-1]))

"""Markdown blocks with exact source ranges, from the events of pulldown-cmark (through pyromark)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pyromark
from pyromark.event import Range

from pipeline.normalized_text.drafts import Draft
from pipeline.normalized_text.grids import GridCell, fill_cells
from pipeline.normalized_text.model import ATOMIC_KINDS, BlockKind
from pipeline.rejections import Rejected

_PARSER = pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_FOOTNOTES)
_MARKER_ONLY = re.compile(rb"\s*(?:[-*+]|\d{1,9}[.)])\s*(?:\[[ xX]\])?\s*\Z")
_QUOTE_ONLY = re.compile(rb"[\s>]*\Z")
_BREAKS = frozenset({"SoftBreak", "HardBreak"})
_WORDS = frozenset({"Text", "Code"})
_INLINE = frozenset({"Emphasis", "Strong", "Link", "Image", "Strikethrough"})
_CONTAINERS = frozenset({"Item", "BlockQuote", "FootnoteDefinition"})


@dataclass(frozen=True, slots=True)
class Markup:
    """The blocks of a text in UTF-8 byte offsets, and for fenced ones, by index, where the fence opens."""

    drafts: list[Draft]
    fences: dict[int, int]


@dataclass(slots=True)
class _Container:
    """An open list item, quote or footnote: its own text is cut into segments by the blocks inside it."""

    kind: BlockKind
    level: int
    segment: int


@dataclass(slots=True)
class _Table:
    cells: list[GridCell] = field(default_factory=list)
    row: int = 0
    column: int = 0


def read_blocks(source: bytes, text: str, *, nesting: int, table_cells: int) -> Markup:
    """Blocks of ``text`` (``source`` is its UTF-8 form) in text order, disjoint, with byte ranges.

    A list item is one block of its own text; nested items, code, tables and HTML in it are blocks of their
    own and cut it. A quote or a footnote is one block, cut by code, tables and HTML only. Headings inside
    of containers are part of them and open no section.

    Raises:
        Rejected: ``too_deep`` beyond ``nesting`` containers, ``too_many_cells`` beyond ``table_cells``.
    """
    walker = _Walker(source, nesting, table_cells)
    event: Any
    for event, place in _PARSER.events_with_range(text):
        if event.__class__ is str:
            walker.take_mark(event, place)
            continue
        # One event in four is of a block; the others are let go here, without a call.
        name = next(iter(event))
        if name == "Start" or name == "End":
            value = event[name]
            tag = value if value.__class__ is str else next(iter(value))
            if tag in _INLINE:
                continue
            if name == "Start":
                walker.start(tag, value, place)
            else:
                walker.end(tag, place)
        elif walker.words is not None:
            walker.take_words(name, event[name])
    return Markup(walker.blocks, walker.fences)


class _Walker:
    """The state of one pass over the events."""

    def __init__(self, source: bytes, nesting: int, table_cells: int) -> None:
        self.source = source
        self.nesting = nesting
        self.table_cells = table_cells
        self.blocks: list[Draft] = []
        self.fences: dict[int, int] = {}
        self.containers: list[_Container] = []
        self.depth = 0
        self.sealed_depth: int | None = None
        self.words: list[str] | None = None
        self.table: _Table | None = None

    def take_mark(self, event: str, place: Range) -> None:
        """A line break is a space of a title or cell; a thematic break is markup without words."""
        if event == "Rule":
            if not self.containers:
                self.blocks.append(Draft("html", place["start"], place["end"]))
        elif self.words is not None and event in _BREAKS:
            self.words.append(" ")

    def take_words(self, name: str, value: str) -> None:
        """Text of a title or cell."""
        if self.words is None:
            return
        if name in _WORDS:
            self.words.append(value)
        elif name == "InlineHtml" and value[:3].lower() == "<br":
            self.words.append(" ")

    def start(self, tag: str, value: Any, place: Range) -> None:
        """A block opens."""
        start = place["start"]
        if tag == "Paragraph":
            if not self.containers:
                self.blocks.append(Draft("paragraph", start, place["end"]))
        elif tag == "Heading":
            if not self.containers:
                level = int(value["Heading"]["level"][1])
                self.blocks.append(Draft("heading", start, place["end"], level))
                self.words = []
        elif tag == "CodeBlock":
            info = value["CodeBlock"]
            fenced = info != "Indented"
            language = _language(info["Fenced"]) if fenced else None
            self._leaf(Draft("code", start, place["end"], language=language))
            if fenced:
                self.fences[len(self.blocks) - 1] = start
        elif tag == "HtmlBlock":
            self._leaf(Draft("html", start, place["end"]))
        elif tag == "Table":
            self._leaf(Draft("table", start, place["end"]))
            self.table = _Table()
        elif tag == "TableCell":
            self.words = []
        elif tag in _CONTAINERS:
            self._open(tag, start)

    def end(self, tag: str, place: Range) -> None:
        """A block closes."""
        if tag == "Heading":
            if self.words is not None and not self.containers:
                self.blocks[-1].title = " ".join("".join(self.words).split())
                self.words = None
        elif tag == "TableCell":
            self._close_cell()
        elif tag in ("TableHead", "TableRow") and self.table is not None:
            self.table.row += 1
            self.table.column = 0
        elif tag == "Table" and self.table is not None:
            self.blocks[-1].cells = fill_cells(self.table.cells, limit=self.table_cells)
            self.table = None
            self._resume(place["end"])
        elif tag in ("CodeBlock", "HtmlBlock"):
            self._resume(place["end"])
        elif tag in _CONTAINERS:
            self._close(place["end"])

    def _close_cell(self) -> None:
        table, words = self.table, self.words
        if table is None or words is None:
            return
        text = " ".join("".join(words).split())
        table.cells.append(GridCell(table.row, table.column, text, is_header=table.row == 0))
        if len(table.cells) > self.table_cells:
            raise Rejected("too_many_cells", f"a table has more than {self.table_cells} cells")
        table.column += 1
        self.words = None

    def _open(self, tag: str, start: int) -> None:
        self.depth += 1
        if self.depth > self.nesting:
            raise Rejected("too_deep", f"lists and quotes nest deeper than {self.nesting} levels")
        if self.sealed_depth is not None:
            return
        if tag == "Item":
            start = self._interrupt(start) if self.containers else start
            level = 1 + sum(container.kind == "list_item" for container in self.containers)
            self.containers.append(_Container("list_item", level, start))
            return
        start = self._interrupt(start) if self.containers else start
        kind: BlockKind = "quote" if tag == "BlockQuote" else "paragraph"
        self.containers.append(_Container(kind, 0, start))
        self.sealed_depth = self.depth

    def _close(self, end: int) -> None:
        sealed = self.sealed_depth is not None and self.depth > self.sealed_depth
        if not sealed:
            self._cut(end)
            self.containers.pop()
            self.sealed_depth = None
            self._resume(end)
        self.depth -= 1

    def _leaf(self, block: Draft) -> None:
        if self.containers:
            block.start = self._interrupt(block.start)
        elif block.kind in ATOMIC_KINDS:
            block.start = self.source.rfind(b"\n", 0, block.start) + 1
        self.blocks.append(block)

    def _interrupt(self, start: int) -> int:
        """Cut the open container's text before a block inside it; returns where that block starts, which
        takes in the container's marks on its own line, or the whole marker of an item that has no text."""
        container = self.containers[-1]
        own = self.source[container.segment : start]
        if _MARKER_ONLY.match(own):
            begin = container.segment
            container.segment = start
            return begin
        line = max(self.source.rfind(b"\n", container.segment, start) + 1, container.segment)
        if _QUOTE_ONLY.match(self.source, line, start):
            start = line
        self._cut(start)
        return start

    def _cut(self, end: int) -> None:
        """Turn the text of the innermost container since its last cut into a block."""
        container = self.containers[-1]
        start, container.segment = container.segment, end
        if start >= end:
            return
        if _QUOTE_ONLY.match(self.source, start, end):
            if b">" in self.source[start:end] and self.blocks:
                self.blocks[-1].end = end
            return
        self.blocks.append(Draft(container.kind, start, end, container.level))

    def _resume(self, position: int) -> None:
        if self.containers:
            self.containers[-1].segment = max(self.containers[-1].segment, position)


def _language(info: str) -> str | None:
    """The language of an info string: ``py title="x"``, ``{.py}`` and ``rust,ignore`` name one each."""
    words = info.strip().strip("{}").replace(",", " ").split()
    return words[0].lstrip(".").lower() or None if words else None

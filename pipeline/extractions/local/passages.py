"""The prose of a Markdown text, block by block, every character tied to its place in the source.

The parser is pulldown-cmark (pyromark): it knows what is markup. Its ranges are UTF-8 bytes; here they become
code points. Each passage is the readable text of one block with blanks folded, and for each of its characters
the range of the source it stands for, so that no offset is ever searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal

import pyromark

from pipeline.spans import Span

PassageKind = Literal["paragraph", "item", "heading"]

_OPTIONS = reduce(
    lambda left, right: left | right,
    (
        pyromark.Options.ENABLE_TABLES,
        pyromark.Options.ENABLE_FOOTNOTES,
        pyromark.Options.ENABLE_STRIKETHROUGH,
        pyromark.Options.ENABLE_TASKLISTS,
        pyromark.Options.ENABLE_YAML_STYLE_METADATA_BLOCKS,
    ),
)
_INLINE = {"Emphasis", "Strong", "Link", "Image", "Strikethrough"}
_SILENT = {"MetadataBlock", "HtmlBlock", "Table", "Strikethrough", "FencedCode", "FootnoteDefinition"}
_PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "\u00a0": " ", "\u2011": "-"})


@dataclass(slots=True)
class Passage:
    """One block. Character ``i`` of ``text`` stands for the source range ``starts[i]:ends[i]``.

    ``code`` are the ranges of ``text`` that were inline code. ``level`` is a heading's. ``unchecked`` marks
    an open task, ``lead_in`` is the passage that introduces the list an item belongs to. ``origin`` is the
    text that the source ranges refer to, ``label`` the words before a colon that the block opens with
    ("**Goal:** …").
    """

    kind: PassageKind
    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    code: list[Span] = field(default_factory=list)
    level: int = 0
    unchecked: bool = False
    lead_in: Passage | None = None
    origin: str = ""
    label: str = ""

    def source(self, start: int, end: int) -> Span:
        """The source range of the passage's characters ``[start, end)``, which must not be empty."""
        return Span(self.starts[start], self.ends[end - 1])

    def slice(self, start: int, end: int) -> Passage:
        """The part ``[start, end)`` without blanks at its edges."""
        text = self.text
        while start < end and text[start] == " ":
            start += 1
        while end > start and text[end - 1] == " ":
            end -= 1
        code = [
            Span(max(span.start, start) - start, min(span.end, end) - start)
            for span in self.code
            if span.start < end and start < span.end
        ]
        return replace(
            self, text=text[start:end], starts=self.starts[start:end], ends=self.ends[start:end], code=code
        )


def read_passages(text: str, atomic: Iterable[Span] = ()) -> list[Passage]:
    """The passages of ``text`` in order; tables, code blocks, HTML, front matter and struck text are left
    out.

    ``atomic`` spans are left out too, whatever the Markdown around them says: a chunk may start inside a
    block. Linear in the text.
    """
    atomic = list(atomic)
    masked = _without(_encodable(text), atomic)
    builder = _Builder(masked, sorted(atomic))
    for event, place in _events(masked):
        builder.feed(event, place)
    builder.flush()
    return builder.passages


class _Builder:
    """Collects the characters of the current block from parser events."""

    def __init__(self, text: str, holes: list[Span]) -> None:
        self.text = text
        self.holes = holes[::-1]
        self.passages: list[Passage] = []
        self.current = Passage("paragraph", origin=text)
        self.pieces: list[str] = []
        self.silent: list[str] = []
        self.open: list[str] = []
        self.level = 0
        self.unchecked = False
        self.leads: list[Passage | None] = []
        self.label = False
        self.heading = ""

    def feed(self, event: Any, place: Span) -> None:
        if event == "SoftBreak" or event == "HardBreak":
            self._add(" ", place)
        elif event == "Rule":
            self.flush()
        elif isinstance(event, dict):
            name, value = next(iter(event.items()))
            if name == "Start":
                self._start(_tag(value), value)
            elif name == "End":
                self._end(_tag(value))
            elif name == "Text":
                self._add_text(value, place)
            elif name == "Code":
                self._add_code(value, place)
            elif name == "TaskListMarker":
                self.unchecked = not value

    def flush(self) -> None:
        """Close the current block; a block without a letter is dropped."""
        passage, self.current = self.current, Passage("paragraph", origin=self.text)
        self.label = False
        passage.text = "".join(self.pieces)
        self.pieces = []
        passage = passage.slice(0, len(passage.text))
        if not any(character.isalnum() for character in passage.text):
            return
        passage.kind = "heading" if self.level else "item" if self.leads else "paragraph"
        passage.level, passage.unchecked = self.level, self.unchecked and bool(self.leads)
        passage.lead_in = self.leads[-1] if self.leads else None
        passage.label, self.heading = self.heading, ""
        self.passages.append(passage)

    def _flush_label(self) -> None:
        """Close "**Label:**" by itself; it stays known to the passage that it opens."""
        label = "".join(self.pieces)
        self.flush()
        self.heading = label

    def _start(self, tag: str, value: Any) -> None:
        self.open.append(tag)
        if tag in _SILENT:
            self.silent.append(tag)
        if tag in _INLINE:
            self.label = tag == "Strong" and not self.pieces
            return
        self.flush()
        self.heading = ""
        if tag == "Heading":
            self.level = int(value["Heading"]["level"][1:])
        elif tag == "List":
            self.leads.append(self._lead_in())
        elif tag == "Item":
            self.unchecked = False

    def _end(self, tag: str) -> None:
        opened = self.open.pop() if self.open else tag
        if opened not in _INLINE:
            self.flush()
        elif opened == "Strong" and self.label and "".join(self.pieces[-2:]).rstrip().endswith(":"):
            self._flush_label()  # "**Label:** text": the label is no part of the sentence
        if opened in _SILENT and self.silent:
            self.silent.pop()
        if opened == "Heading":
            self.level = 0
        elif opened == "List":
            self.leads.pop()

    def _lead_in(self) -> Passage | None:
        """The passage right before a list if it ends with a colon, else what introduced the list around."""
        last = self.passages[-1] if self.passages else None
        if last is not None and last.text.endswith(":"):
            return last
        return self.leads[-1] if self.leads else None

    def _add_text(self, value: str, place: Span) -> None:
        if self.silent:
            return
        if self.label and self.open[-1:] != ["Strong"]:
            self.label = False
            if value.startswith(":"):
                self._flush_label()
        if len(value) == place.length:
            for offset, character in enumerate(value):
                self._add(character, Span(place.start + offset, place.start + offset + 1))
        else:  # an entity such as &amp; stands for its whole source
            for character in value:
                self._add(character, place)

    def _add_code(self, value: str, place: Span) -> None:
        if self.silent or not value:
            return
        at = self.text.find(value, place.start, place.end)
        if at < 0:  # folded line ends inside the code: take the inside of the marks
            marks = (place.length - len(value)) // 2
            at = place.start + max(marks, 0)
        first = len(self.current.starts)
        for offset, character in enumerate(value):
            self._add(character, Span(at + offset, at + offset + 1))
        if len(self.current.starts) > first:
            self.current.code.append(Span(first, len(self.current.starts)))

    def _add(self, character: str, place: Span) -> None:
        if self.silent or place.length < 1:
            return
        plain = character.translate(_PLAIN)
        if plain.isspace() or not (plain.isprintable() or plain > "\x9f"):
            plain = " "
        while self.holes and self.holes[-1][1] <= place.start:
            self.holes.pop()
            if self.pieces:
                self.flush()
        if plain == " " and (not self.pieces or self.pieces[-1] == " "):
            return
        self.pieces.append(plain)
        self.current.starts.append(place.start)
        self.current.ends.append(place.end)


def _tag(value: Any) -> str:
    """The name of a start or end tag. A fenced block is told from an indented one: chunks may begin inside a
    list, where ordinary text looks indented, and real code is in ``atomic``."""
    if isinstance(value, str):
        return "FencedCode" if value == "CodeBlock" else value
    name, detail = next(iter(value.items()))
    if name == "CodeBlock":
        return "IndentedCode" if detail == "Indented" else "FencedCode"
    return name


def _events(text: str) -> Iterator[tuple[Any, Span]]:
    """Parser events with their ranges in code points."""
    events = pyromark.events_with_range(text, options=_OPTIONS)
    if text.isascii():
        for event, place in events:
            yield event, Span(place["start"], place["end"])
        return
    points = _code_points(text)
    for event, place in events:
        yield event, Span(points[place["start"]], points[place["end"]])


def _code_points(text: str) -> list[int]:
    """For each UTF-8 byte offset, the code point that starts at or holds it."""
    points: list[int] = []
    for index, character in enumerate(text):
        width = (
            1 if character < "\x80" else 2 if character < "\u0800" else 3 if character < "\U00010000" else 4
        )
        points.extend([index] * width)
    points.append(len(text))
    return points


def _encodable(text: str) -> str:
    """The same length without lone surrogates and NUL, which neither parser can read."""
    if text.isascii():
        return text.replace("\x00", " ")
    clean = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return clean.replace("\x00", " ")


def _without(text: str, atomic: Iterable[Span]) -> str:
    """The same length with each atomic span turned into blank lines."""
    parts: list[str] = []
    end = 0
    for span in sorted(atomic):
        start, stop = max(span[0], end), min(span[1], len(text))
        if start < stop:
            parts += [text[end:start], "\n" * (stop - start)]
            end = stop
    return "".join([*parts, text[end:]])

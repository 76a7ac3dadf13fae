"""How much of an outline a normalized text holds."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.normalized_text.model import Block, NormalizedText
from tests.normalized_text.made_files import Heading, Items, Outline, Paragraph, Table


@dataclass(frozen=True)
class Recovery:
    """Counts of what was made and what was found; ``in_order`` says all texts came in the order made."""

    headings: int
    headings_found: int
    cells: int
    cells_found: int
    texts: int
    texts_found: int
    in_order: bool

    def __add__(self, other: Recovery) -> Recovery:
        return Recovery(
            self.headings + other.headings,
            self.headings_found + other.headings_found,
            self.cells + other.cells,
            self.cells_found + other.cells_found,
            self.texts + other.texts,
            self.texts_found + other.texts_found,
            self.in_order and other.in_order,
        )


NOTHING = Recovery(0, 0, 0, 0, 0, 0, True)


def measure(
    document: NormalizedText,
    outline: Outline,
    *,
    levels: bool = True,
    prose: bool = True,
    title_length: int | None = None,
) -> Recovery:
    """Compare by level and title, by cell place and text, and by the order of all texts.

    ``levels`` False compares titles only (slides and sheets have one level), ``prose`` False leaves
    paragraphs and lists out (sheets have none).
    """
    found = {
        (block.level if levels else 0, block.title) for block in document.blocks if block.kind == "heading"
    }
    wanted = [
        (part.level if levels else 0, part.title[:title_length])
        for part in outline.parts
        if isinstance(part, Heading)
    ]
    cells = cells_found = 0
    tables = [block for block in document.blocks if block.kind == "table"]
    made = [part for part in outline.parts if isinstance(part, Table)]
    for index, table in enumerate(made):
        filled = table.filled()
        read = (
            {(cell.row, cell.column): cell.text for cell in tables[index].cells}
            if index < len(tables)
            else {}
        )
        cells += sum(map(len, filled))
        cells_found += sum(
            read.get((row, column)) == text
            for row, texts in enumerate(filled)
            for column, text in enumerate(texts)
        )
    texts = [text for part in outline.parts if prose for text in _texts(part)]
    blocks = {_plain(document, block) for block in document.blocks}
    return Recovery(
        len(wanted),
        sum(heading in found for heading in wanted),
        cells,
        cells_found,
        len(texts),
        sum(text in blocks for text in texts),
        _in_order(document.text, outline, prose, title_length),
    )


def _texts(part: object) -> list[str]:
    if isinstance(part, Paragraph):
        return [part.text]
    return list(part.texts) if isinstance(part, Items) else []


def _plain(document: NormalizedText, block: Block) -> str:
    return block.span.of(document.text).removeprefix("- ")


def _in_order(text: str, outline: Outline, prose: bool, title_length: int | None) -> bool:
    position = 0
    for part in outline.parts:
        for anchor in _anchors(part, prose, title_length):
            position = text.find(anchor, position)
            if position < 0:
                return False
            position += len(anchor)
    return True


def _anchors(part: object, prose: bool, title_length: int | None) -> list[str]:
    if isinstance(part, Heading):
        return [part.title[:title_length]]
    if isinstance(part, Table):
        covered = part.covered()
        last = len(part.rows[0]) - 1
        return [row[last] for index, row in enumerate(part.rows) if (index, last) not in covered]
    return [sentence for text in _texts(part) for sentence in text.split(". ")] if prose else []

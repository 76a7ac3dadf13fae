"""A DoclingDocument written out as one text with blocks; docling itself is imported by the loaders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.normalized_text.grids import GridCell
from pipeline.normalized_text.model import Warning
from pipeline.normalized_text.rendering import NOWHERE, At, TextBuilder, collapse

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

_NO_SPACE_BEFORE = frozenset(".,;:!?)]}%’”")
_NO_SPACE_AFTER = frozenset("([{‘“")


@dataclass(frozen=True, slots=True)
class Walk:
    """How one format's items are written.

    ``titles_on_top``: headings stand one level below the document's title where it has one.
    ``sheet_headings``: every sheet of a workbook is a section. ``join`` gives the exact text of a
    paragraph whose runs docling lists one by one. ``points`` is the size of its box unit in points.
    """

    titles_on_top: bool = True
    sheet_headings: bool = False
    join: Callable[[list[str]], str] | None = None
    points: float = 1.0


def write_document(document: DoclingDocument, builder: TextBuilder, walk: Walk) -> tuple[Warning, ...]:
    """Append all items of the body to ``builder``, speaker notes included; furniture becomes warnings."""
    writer = _Writer(document, builder, walk)
    writer.write()
    return tuple(writer.warnings)


class _Writer:
    """A depth-first pass over the items; the stack is explicit because documents may nest deeply."""

    def __init__(self, document: DoclingDocument, builder: TextBuilder, walk: Walk) -> None:
        self.document = document
        self.builder = builder
        self.walk = walk
        self.warnings: list[Warning] = []
        self.captions: set[str] = set()
        self.base_level = 0
        if walk.titles_on_top:
            self.base_level = int(any(item.label.value == "title" for item in document.texts))
        for owner in (*document.tables, *document.pictures):
            self.captions.update(reference.cref for reference in owner.captions)

    def write(self) -> None:
        """Write body, notes and furniture, each in document order."""
        roots = [self.document.body, self.document.furniture]
        stack: list[tuple[Any, int]] = [(root, 0) for root in reversed(roots)]
        while stack:
            item, depth = stack.pop()
            if item.label.value in ("list", "ordered_list"):
                depth += 1
            children = self._write_item(item, depth)
            stack.extend((child, depth) for child in reversed(children))

    def _write_item(self, item: Any, depth: int) -> list[Any]:
        """Write one item; returns its children that are still to be written."""
        label = item.label.value
        children = [reference.resolve(self.document) for reference in item.children]
        if item.content_layer.value == "furniture":
            text = collapse(getattr(item, "text", ""))
            if text:
                self.warnings.append(Warning("furniture", text))
            return children
        if label == "table" or label == "document_index":
            self._write_table(item)
            return []
        if label in ("picture", "chart"):
            self._write_picture(item)
            return children
        if label == "inline":
            self.builder.paragraph(self._inline_text(item), at=self._at(item))
            return []
        if label == "sheet" and self.walk.sheet_headings:
            self.builder.heading(item.name, 1)
        if hasattr(item, "text") and item.self_ref not in self.captions:
            children = self._write_text(item, label, depth, children)
        return children

    def _write_text(self, item: Any, label: str, depth: int, children: list[Any]) -> list[Any]:
        text, at = item.text, self._at(item)
        if not text and children and children[0].label.value == "inline":
            text, children = self._inline_text(children[0]), children[1:]
        if item.content_layer.value == "notes":
            self.builder.paragraph(f"Notes: {text}" if text else "", at=at)
        elif label == "title":
            self.builder.heading(text, 1, at)
        elif label == "section_header":
            self.builder.heading(text, item.level + self.base_level, at)
        elif label == "list_item":
            marker = (item.marker or "1.") if item.enumerated else "-"
            self.builder.list_item(text, max(depth, 1), marker, at)
        elif label == "code":
            language = item.code_language.value.lower()
            self.builder.code(text, None if language == "unknown" else language, at)
        elif label == "formula":
            self.builder.paragraph(f"$${collapse(text)}$$" if text.strip() else "", "formula", at)
        elif label.startswith("checkbox"):
            self.builder.paragraph(f"[{'x' if label == 'checkbox_selected' else ' '}] {text}", at=at)
        else:
            self.builder.paragraph(text, "caption" if label == "caption" else "paragraph", at)
        return children

    def _write_table(self, table: Any) -> None:
        cells = [
            GridCell(
                cell.start_row_offset_idx,
                cell.start_col_offset_idx,
                cell.text,
                cell.column_header or cell.row_header,
                cell.end_row_offset_idx - cell.start_row_offset_idx,
                cell.end_col_offset_idx - cell.start_col_offset_idx,
            )
            for cell in table.data.table_cells
        ]
        self.builder.table(cells, table.caption_text(self.document) or None, self._at(table))

    def _write_picture(self, picture: Any) -> None:
        caption = picture.caption_text(self.document)
        described = [note.text for note in picture.annotations if getattr(note, "text", "")]
        self.builder.figure(" ".join(described), self._at(picture))
        self.builder.paragraph(caption, "caption", self._at(picture))

    def _inline_text(self, group: Any) -> str:
        runs = [run.text for run in _leaves(group, self.document) if getattr(run, "text", "")]
        return self.walk.join(runs) if self.walk.join else join_runs(runs)

    def _at(self, item: Any) -> At:
        places = getattr(item, "prov", None)
        if not places:
            return NOWHERE
        page = self.document.pages.get(places[0].page_no)
        box = places[0].bbox
        if page is not None and page.size is not None:
            box = box.to_top_left_origin(page.size.height)
        if not any(box.as_tuple()):
            return At(places[0].page_no)
        left, top, right, bottom = (round(edge * self.walk.points, 2) for edge in box.as_tuple())
        return At(places[0].page_no, (left, top, right, bottom))


def join_runs(runs: list[str]) -> str:
    """Runs of one line joined by spaces, except where punctuation clings to its neighbour."""
    text = ""
    for run in (run.strip() for run in runs):
        clings = not text or run[:1] in _NO_SPACE_BEFORE or text[-1] in _NO_SPACE_AFTER
        text += run if clings else f" {run}"
    return text


def _leaves(group: Any, document: DoclingDocument) -> Iterator[Any]:
    stack = [group]
    while stack:
        item = stack.pop()
        children = [reference.resolve(document) for reference in item.children]
        if children:
            stack.extend(reversed(children))
        else:
            yield item

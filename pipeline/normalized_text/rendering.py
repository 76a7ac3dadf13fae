"""The text of formats that have none of their own, written together with its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.characters import remove_controls
from pipeline.normalized_text.cleaning import compose
from pipeline.normalized_text.drafts import Draft
from pipeline.normalized_text.grids import GridCell, fill_cells
from pipeline.normalized_text.model import BlockKind, Cell, Warning
from pipeline.normalized_text.settings import NormalizationSettings

_SPACES = re.compile(r"\s+")
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class At:
    """Where a block stands on a page: 1-based page, box from the page's top left in points, and with which
    confidence (0 to 1) it was read from a picture."""

    page: int | None = None
    box: Box | None = None
    confidence: float | None = None


NOWHERE = At()


def collapse(text: str) -> str:
    """``text`` on one line, each run of white space one space."""
    return _SPACES.sub(" ", text).strip()


class TextBuilder:
    """Appends blocks and keeps their exact spans.

    The form is Markdown's, so that a reader of any part of the text sees what it is: ``# `` headings, ``- ``
    items, pipe tables, fenced code, ``> `` quotes. Nothing is escaped but pipes in cells: the blocks, not
    the characters, say what is structure.
    """

    def __init__(self, settings: NormalizationSettings) -> None:
        self._settings = settings
        self._pieces: list[str] = []
        self._length = 0
        self._last: BlockKind | None = None
        self.drafts: list[Draft] = []
        self.removed_controls = 0

    @property
    def text(self) -> str:
        """All that was appended so far."""
        return "".join(self._pieces)

    def text_since(self, offset: int) -> str:
        """The text from ``offset`` on, which must lie in the last block appended."""
        last = self._pieces[-1]
        return last[offset - (self._length - len(last)) :]

    def warnings(self) -> tuple[Warning, ...]:
        """What was removed on the way."""
        removed = self.removed_controls
        return (Warning("control_characters", f"{removed} removed"),) if removed else ()

    def heading(self, title: str, level: int, at: At = NOWHERE) -> None:
        """A heading of ``level`` 1 or deeper; beyond 6 the text shows six marks and the block the level."""
        title = self.clean(collapse(title))
        if title:
            self._append("heading", f"{'#' * min(level, 6)} {title}", at).level = level
            self.drafts[-1].title = title

    def paragraph(self, text: str, kind: BlockKind = "paragraph", at: At = NOWHERE) -> None:
        """A paragraph, caption, formula or figure text, on one line."""
        text = self.clean(collapse(text))
        if text:
            self._append(kind, text, at)

    def list_item(self, text: str, depth: int, marker: str | None = "-", at: At = NOWHERE) -> None:
        """An item of a list ``depth`` levels deep (1 = outermost); without ``marker`` it goes on with one."""
        text = self.clean(collapse(text))
        if text:
            indent = "  " * (depth - 1) + (f"{marker} " if marker else "  ")
            self._append("list_item", indent + text, at, tight=bool(marker)).level = depth
            self.drafts[-1].start += len(indent) - len(indent.lstrip())

    def quote(self, text: str, at: At = NOWHERE) -> None:
        """A quotation, on one line."""
        text = self.clean(collapse(text))
        if text:
            self._append("quote", f"> {text}", at)

    def figure(self, alternative: str, at: At = NOWHERE) -> None:
        """A picture that is described in words; without any it leaves no text."""
        text = self.clean(collapse(alternative))
        if text:
            self._append("figure", f"![{text}]", at).caption = text

    def code(self, text: str, language: str | None = None, at: At = NOWHERE) -> None:
        """Code, verbatim, in a fence longer than any it contains."""
        text = self.clean(text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n").rstrip()
        if text.strip():
            longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
            fence = "`" * max(3, longest + 1)
            self._append("code", f"{fence}{language or ''}\n{text}\n{fence}", at).language = language

    def table(self, cells: Iterable[GridCell], caption: str | None = None, at: At = NOWHERE) -> None:
        """A table as pipe rows under one header row that joins the head's levels with `` / ``; merged cells
        are repeated in each place they fill. A caption becomes a block of its own before it.

        Raises:
            Rejected: ``too_many_cells`` beyond the settings' limit.
        """
        cleaned = [
            GridCell(
                cell.row,
                cell.column,
                self.clean(collapse(cell.text)),
                cell.is_header,
                cell.row_span,
                cell.column_span,
            )
            for cell in cells
        ]
        filled = fill_cells(cleaned, limit=self._settings.limits.table_cells)
        if not any(cell.text for cell in filled):
            return
        if caption is not None:
            caption = self.clean(collapse(caption)) or None
            self.paragraph(caption or "", "caption", at)
        draft = self._append("table", _pipe_table(filled), at)
        draft.cells, draft.caption = filled, caption

    def clean(self, text: str) -> str:
        """``text`` without control characters, and composed as the settings ask."""
        text, removed = remove_controls(text)
        self.removed_controls += removed
        return text if self._settings.unicode_form == "none" else compose(text)

    def append(self, kind: BlockKind, text: str, at: At = NOWHERE) -> Draft:
        """A block whose ``text`` is already as it should stand."""
        return self._append(kind, self.clean(text), at)

    def _append(self, kind: BlockKind, text: str, at: At, *, tight: bool = False) -> Draft:
        separator = "" if not self._pieces else "\n" if tight and self._last == kind else "\n\n"
        start = self._length + len(separator)
        self._pieces += (separator, text)
        self._length = start + len(text)
        self._last = kind
        draft = Draft(kind, start, self._length, page=at.page, box=at.box, confidence=at.confidence)
        self.drafts.append(draft)
        return draft


def _pipe_table(cells: Sequence[Cell]) -> str:
    width = max(cell.column for cell in cells) + 1
    rows: dict[int, list[str]] = {}
    head = [""] * width
    for cell in cells:
        if not cell.is_header or cell.column_headers:
            head[cell.column] = head[cell.column] or " / ".join(cell.column_headers)
            rows.setdefault(cell.row, [""] * width)[cell.column] = cell.text
    if not rows:
        rows = {0: [""] * width}
        for cell in cells:
            head[cell.column] = cell.text
    lines = [_pipe_row(head), "|" + " --- |" * width, *(_pipe_row(row) for row in rows.values())]
    return "\n".join(lines)


def _pipe_row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"

"""NFKC after parsing: characters are folded block by block, so that none of them can become markup."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from pipeline.normalized_text.cleaning import order_marks
from pipeline.normalized_text.drafts import Draft, Parsed
from pipeline.normalized_text.model import Cell


def fold_compatibility(parsed: Parsed) -> Parsed:
    """``parsed`` with its text, titles and cells in NFKC and all offsets moved accordingly.

    The structure is the one of the unfolded text: blocks are folded one at a time, as are the gaps.
    """
    if unicodedata.is_normalized("NFKC", order_marks(parsed.text)):
        return parsed
    pieces: list[str] = []
    drafts: list[Draft] = []
    position = length = 0
    for draft in parsed.drafts:
        gap = _fold(parsed.text[position : draft.start])
        body = _fold(parsed.text[draft.start : draft.end])
        pieces += (gap, body)
        start = length + len(gap)
        length = start + len(body)
        position = draft.end
        drafts.append(
            replace(
                draft,
                start=start,
                end=length,
                title=_fold(draft.title) if draft.title else draft.title,
                caption=_fold(draft.caption) if draft.caption else draft.caption,
                cells=tuple(_fold_cell(cell) for cell in draft.cells),
            )
        )
    pieces.append(_fold(parsed.text[position:]))
    return replace(
        parsed,
        text="".join(pieces),
        drafts=drafts,
        title=_fold(parsed.title) if parsed.title else parsed.title,
    )


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", order_marks(text))


def _fold_cell(cell: Cell) -> Cell:
    return Cell(
        row=cell.row,
        column=cell.column,
        text=_fold(cell.text),
        is_header=cell.is_header,
        row_headers=tuple(_fold(header) for header in cell.row_headers),
        column_headers=tuple(_fold(header) for header in cell.column_headers),
    )

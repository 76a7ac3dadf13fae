"""Raw HTML tables inside of Markdown: one block from ``<table>`` to ``</table>``, whatever stands between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace

from pipeline.normalized_text.drafts import Draft
from pipeline.normalized_text.grids import fill_cells, place_cells
from pipeline.normalized_text.html_tree import parse_html, table_rows
from pipeline.normalized_text.model import Cell

_TABLE_TAG = re.compile(r"<(/?)table(?=[\s>/])", re.IGNORECASE)
_MAX_TAG = 2_000


def merge_html_tables(text: str, drafts: list[Draft], fenced: Set[int], *, cells: int) -> list[Draft]:
    """``drafts`` with every complete outermost HTML table as one ``table`` draft.

    Blank lines inside a table end an HTML block for Markdown, and indented rows after one are even read as
    code; here the table runs to its own end tag. ``fenced`` are the indices of fenced code, whose tags are
    examples. HTML before and after the table in the same block stays an HTML block.

    Raises:
        Rejected: ``too_many_cells`` when a table has more than ``cells``.
    """
    if not _TABLE_TAG.search(text):
        return drafts
    merged: list[Draft] = []
    tables = _table_spans(text, drafts, fenced)
    table = next(tables, None)
    for draft in drafts:
        rest = draft
        while table is not None and table[0] < rest.end:
            start, end = table
            if rest.start < start:
                merged.append(replace(rest, end=start))
            if rest.start <= start:
                merged.append(Draft("table", start, end, cells=read_cells(text[start:end], limit=cells)))
            rest = replace(rest, start=max(end, rest.start))
            if end > draft.end:
                break
            table = next(tables, None)
        if rest.start < rest.end:
            merged.append(rest)
    return merged


def _table_spans(text: str, drafts: list[Draft], fenced: Set[int]) -> Iterator[tuple[int, int]]:
    """Spans of outermost complete tables that open in an HTML block, in text order."""
    complete: list[tuple[int, int]] = []
    opened: list[int] = []
    for index, draft in enumerate(drafts):
        if index in fenced or (draft.kind != "html" and not opened):
            continue
        for tag in _TABLE_TAG.finditer(text, draft.start, draft.end):
            close = text.find(">", tag.end(), tag.end() + _MAX_TAG)
            if not tag[1]:
                opened.append(tag.start())
            elif opened and close >= 0:
                start = opened.pop()
                while complete and complete[-1][0] > start:
                    complete.pop()
                complete.append((start, close + 1))
    return iter(complete)


def read_cells(markup: str, *, limit: int) -> tuple[Cell, ...]:
    """The cells of the first table of ``markup``, spans filled and headers named; nested tables are text."""
    table = next(parse_html(markup).iter("table"), None)
    return fill_cells(place_cells(table_rows(table), limit=limit), limit=limit) if table is not None else ()

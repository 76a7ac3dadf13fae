"""Every string beside the text without control characters: markup can spell them as entities or escapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipeline.characters import one_line, remove_controls
from pipeline.normalized_text.drafts import Draft, Parsed
from pipeline.normalized_text.model import Cell, Warning


def with_plain_strings(parsed: Parsed) -> Parsed:
    """``parsed`` with its title, metadata, warnings and its drafts' strings in valid UTF-8 on one line.

    Cells keep their line breaks. The text itself, cleaned before it was parsed, is left alone.
    """
    for draft in parsed.drafts:
        _make_plain(draft)
    return replace(
        parsed,
        title=_line(parsed.title),
        metadata=plain_metadata(parsed.metadata),
        warnings=plain_warnings(parsed.warnings),
    )


def plain_metadata(metadata: Mapping[str, str]) -> dict[str, str]:
    """Names and values on one line; of names that become equal the first stays."""
    plain: dict[str, str] = {}
    for name, value in metadata.items():
        if plain_name := one_line(name):
            plain.setdefault(plain_name, one_line(value))
    return plain


def plain_warnings(warnings: Iterable[Warning]) -> tuple[Warning, ...]:
    """Warnings whose details are on one line."""
    return tuple(replace(warning, detail=one_line(warning.detail)) for warning in warnings)


def _make_plain(draft: Draft) -> None:
    draft.title = _line(draft.title)
    draft.language = _line(draft.language)
    draft.caption = _line(draft.caption)
    draft.speaker = _line(draft.speaker)
    draft.timestamp = _line(draft.timestamp)
    if draft.cells:
        draft.cells = tuple(map(_plain_cell, draft.cells))


def _line(text: str | None) -> str | None:
    return one_line(text) or None if text else text


def _plain_cell(cell: Cell) -> Cell:
    texts = (cell.text, *cell.row_headers, *cell.column_headers)
    if all(text.isprintable() for text in texts):  # no control character and no lone surrogate is printable
        return cell
    return replace(
        cell,
        text=_plain(cell.text),
        row_headers=tuple(map(_plain, cell.row_headers)),
        column_headers=tuple(map(_plain, cell.column_headers)),
    )


def _plain(text: str) -> str:
    return remove_controls(text)[0]

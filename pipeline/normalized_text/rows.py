"""A normalized text as rows, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from pydantic import TypeAdapter

from pipeline.normalized_text.model import Block, Cell, NormalizedText, Place, Section, Warning
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.spans import Span
from pipeline.storage.rows import BlockRow, NormalizedTextRow, Row, SectionRow

CELLS: Final = TypeAdapter(tuple[Cell, ...])
WARNINGS: Final = TypeAdapter(tuple[Warning, ...])


def rejected_rows(document_id: str, version: str, reason: str, detail: str) -> tuple[Row, ...]:
    """The row of a document that has no text."""
    return (
        NormalizedTextRow(
            document_id=document_id,
            version=version,
            text=None,
            token_count=None,
            title=None,
            loader=None,
            source_format=None,
            family=None,
            bom=None,
            newline=None,
            unicode_form=None,
            metadata=None,
            warnings=None,
            rejection=reason,
            detail=detail,
        ),
    )


def to_rows(
    text: NormalizedText, version: str, token_count: int, settings: NormalizationSettings
) -> tuple[Row, ...]:
    """The text's row, its sections and its blocks, in text order."""
    head = NormalizedTextRow(
        document_id=text.document_id,
        version=version,
        text=text.text,
        token_count=token_count,
        title=text.title,
        loader=text.loader,
        source_format=text.source_format,
        family=text.family,
        bom=settings.bom,
        newline=settings.newline,
        unicode_form=settings.unicode_form,
        metadata=json.dumps(dict(text.metadata), ensure_ascii=False, sort_keys=True),
        warnings=WARNINGS.dump_json(text.warnings).decode(),
        rejection=None,
        detail=None,
    )
    sections = [
        SectionRow(
            text.document_id, s.section_id, s.parent_id, i, s.title, s.level, s.path, s.span.start, s.span.end
        )
        for i, s in enumerate(text.sections)
    ]
    blocks = [_block_row(text.document_id, i, block) for i, block in enumerate(text.blocks)]
    return (head, *sections, *blocks)


def from_rows(
    head: NormalizedTextRow, sections: Sequence[SectionRow], blocks: Sequence[BlockRow]
) -> NormalizedText:
    """The text that ``to_rows`` stored."""
    return NormalizedText(
        document_id=head.document_id,
        text=head.text or "",
        blocks=tuple(_block(row) for row in blocks),
        sections=tuple(
            Section(r.section_id, r.parent_id, r.title, r.level, r.path, Span(r.span_start, r.span_end))
            for r in sections
        ),
        title=head.title,
        loader=head.loader or "",
        source_format=head.source_format or "",
        family="record" if head.family == "record" else "prose",
        metadata=json.loads(head.metadata or "{}"),
        warnings=WARNINGS.validate_json(head.warnings or "[]"),
    )


def _block_row(document_id: str, ordinal: int, block: Block) -> BlockRow:
    return BlockRow(
        document_id=document_id,
        ordinal=ordinal,
        kind=block.kind,
        section_id=block.section_id,
        level=block.level,
        title=block.title,
        language=block.language,
        caption=block.caption,
        speaker=block.speaker,
        spoken_at=block.timestamp,
        lead_in=block.lead_in,
        cells=CELLS.dump_json(block.cells).decode() if block.cells else None,
        line_start=block.place.line_start,
        line_end=block.place.line_end,
        page=block.place.page,
        box=block.place.box,
        confidence=block.place.confidence,
        span_start=block.span.start,
        span_end=block.span.end,
    )


def _block(row: BlockRow) -> Block:
    box = (row.box[0], row.box[1], row.box[2], row.box[3]) if row.box else None
    return Block(
        kind=row.kind,  # pyright: ignore[reportArgumentType]  # written from a Block
        span=Span(row.span_start, row.span_end),
        section_id=row.section_id,
        level=row.level,
        title=row.title,
        language=row.language,
        cells=CELLS.validate_json(row.cells) if row.cells else (),
        caption=row.caption,
        speaker=row.speaker,
        timestamp=row.spoken_at,
        lead_in=row.lead_in,
        place=Place(row.line_start, row.line_end, row.page, box, row.confidence),
    )

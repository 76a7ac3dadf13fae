"""An extraction as rows: spans become absolute, claims know whether their evidence is new."""

from __future__ import annotations

from typing import Final

from pydantic import TypeAdapter

from pipeline.extractions.model import Claim, Extraction, ExtractorIdentity, Mention, Rejection
from pipeline.identifiers import number_repeats, short_id
from pipeline.spans import Span
from pipeline.storage.rows import ChunkExtractionRow, ChunkRow, ClaimRow, MentionRow, Row

REJECTIONS: Final = TypeAdapter(tuple[Rejection, ...])


def to_rows(
    chunk: ChunkRow, key: str, identity: ExtractorIdentity, extraction: Extraction
) -> tuple[Row, ...]:
    """The rows of one chunk. Spans of ``extraction`` are relative to the chunk's text, those of the rows
    to the document's."""
    offset = chunk.body_start if chunk.carried_start is None else chunk.carried_start
    mentions = [_mention_row(chunk, mention, offset) for mention in extraction.mentions]
    return (
        ChunkExtractionRow(
            document_id=chunk.document_id,
            chunk_id=chunk.chunk_id,
            memo_key=key,
            extractor=identity.name,
            model=identity.model,
            rejections=REJECTIONS.dump_json(extraction.rejections).decode(),
        ),
        *mentions,
        *_claim_rows(chunk, extraction.claims, mentions, offset),
    )


def _mention_row(chunk: ChunkRow, mention: Mention, offset: int) -> MentionRow:
    span = mention.span.shift(offset)
    return MentionRow(
        document_id=chunk.document_id,
        mention_id=short_id("men", chunk.document_id, chunk.chunk_id, *span),
        chunk_id=chunk.chunk_id,
        span_start=span.start,
        span_end=span.end,
        surface=mention.surface,
        type=mention.type,
        name=mention.name,
        kind=mention.kind,
    )


def _claim_rows(
    chunk: ChunkRow, claims: tuple[Claim, ...], mentions: list[MentionRow], offset: int
) -> list[ClaimRow]:
    keys = [
        short_id("clm", chunk.document_id, chunk.chunk_id, c.subject, c.object, c.relation, *c.evidence)
        for c in claims
    ]
    return [
        _claim_row(chunk, short_id("clm", key, repeat), claim, mentions, offset)
        for key, repeat, claim in zip(keys, number_repeats(keys), claims, strict=True)
    ]


def _claim_row(
    chunk: ChunkRow, claim_id: str, claim: Claim, mentions: list[MentionRow], offset: int
) -> ClaimRow:
    evidence, predicate = claim.evidence.shift(offset), claim.predicate_span.shift(offset)
    literal = claim.literal.shift(offset) if claim.literal is not None else None
    return ClaimRow(
        document_id=chunk.document_id,
        claim_id=claim_id,
        chunk_id=chunk.chunk_id,
        subject_id=mentions[claim.subject].mention_id,
        object_id=mentions[claim.object].mention_id if claim.object is not None else None,
        literal_start=literal.start if literal else None,
        literal_end=literal.end if literal else None,
        predicate=claim.predicate,
        relation=claim.relation,
        predicate_start=predicate.start,
        predicate_end=predicate.end,
        evidence_start=evidence.start,
        evidence_end=evidence.end,
        polarity=claim.polarity,
        modality=claim.modality,
        attribution=claim.attribution,
        valid_time=claim.valid_time,
        pattern=claim.pattern,
        confidence=claim.confidence,
        outcome=_outcome(chunk, evidence),
    )


def _outcome(chunk: ChunkRow, evidence: Span) -> str:
    """Evidence that lies wholly in carried text belongs to the previous chunk and is not counted again."""
    return "carried" if evidence.end <= chunk.body_start else "accepted"

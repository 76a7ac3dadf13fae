"""The project's own plan, and the greedy rule on the same units, as the benchmark sees them."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.chunking_data import ENCODING, GoldDocument
from benchmarks.chunking_scores import Piece
from pipeline.chunk_plans import ChunkingSettings, plan_document
from pipeline.chunks import ChunkedDocument, cut
from pipeline.chunks.drafting import Ground, survey
from pipeline.normalized_text import NormalizationSettings, normalize_text
from pipeline.normalized_text.model import NormalizedText
from pipeline.sentences import sentence_spans
from pipeline.spans import Span
from pipeline.tokens import token_counter

SETTINGS = ChunkingSettings(tokenizer=ENCODING)
NORMALIZATION = NormalizationSettings(unicode_form="none")
"""The gold offsets are those of the text as it is."""


def normalize(gold: GoldDocument) -> NormalizedText:
    """The document as Markdown, its text unchanged.

    Raises:
        ValueError: if normalization changed the text, for then no gold offset holds.
    """
    normalized = normalize_text(gold.text, document_id="document", settings=NORMALIZATION)
    if normalized.text != gold.text:
        raise ValueError(f"{gold.document_id}: normalization changed the text")
    return normalized


def planned(normalized: NormalizedText) -> ChunkedDocument:
    """The default plan, with the benchmark's tokenizer."""
    return cut(normalized, plan_document(normalized, SETTINGS), SETTINGS)


def pieces(chunked: ChunkedDocument) -> list[Piece]:
    """Level-0 chunks; an atomic or unsplittable one has no size limit."""
    return [
        Piece(chunk.span.start, chunk.span.end, chunk.header, chunk.oversize)
        for chunk in chunked.chunks
        if chunk.level == 0
    ]


def surveyed(normalized: NormalizedText) -> Ground:
    """Units and limits of a document that has text."""
    ground = survey(
        normalized,
        plan_document(normalized, SETTINGS),
        SETTINGS,
        token_counter(ENCODING).map(normalized.text),
    )
    if ground is None:
        raise ValueError("the document has no text")
    return ground


def greedy(ground: Ground, largest: float, overlap: float) -> list[Piece]:
    """Fill with whole units up to ``largest`` targets, step back by whole units up to ``overlap`` targets."""
    units, target = ground.units, ground.limits.target
    tokens, atomic = units.tokens, [unit.atomic for unit in units.items]
    found: list[Piece] = []
    start = 0
    while start < len(units):
        end = start + 1
        while end < len(units) and not atomic[start] and not atomic[end]:
            if tokens[end + 1] - tokens[start] > largest * target:
                break
            end += 1
        span = units.span(start, end)
        found.append(Piece(span.start, span.end, exempt=end == start + 1))
        if end == len(units):
            break
        start_next = end
        while (
            start_next - 1 > start
            and not atomic[start_next - 1]
            and tokens[end] - tokens[start_next - 1] <= overlap * target
        ):
            start_next -= 1
        start = start_next
    return found


def unjustified(chunked: ChunkedDocument) -> list[str]:
    """Seams out of the band whose exemption cannot be derived again from blocks and sentences alone."""
    target = {"sentence": 300, "section": 550, "hierarchical": 400}.get(chunked.plan.tier, 0)
    tokens = token_counter(ENCODING).map(chunked.text)
    children = [chunk for chunk in chunked.chunks if chunk.level == 0]
    wrong: list[str] = []
    for before, chunk in pairwise(children):
        start = chunk.carried.start if chunk.carried else chunk.body.start
        ratio = tokens.count(start, chunk.body.start) / target
        if 0.15 <= ratio <= 0.20:
            continue
        reason = chunk.seam.exemption
        if reason is None or not _holds(reason, chunked, before.body, chunk.body, target):
            wrong.append(f"{chunk.chunk_id}: {reason} at {ratio:.3f}")
    return wrong


def _holds(reason: str, chunked: ChunkedDocument, before: Span, body: Span, target: int) -> bool:
    inside = [block for block in chunked.blocks if block.span.overlaps(body)]
    held = [block for block in chunked.blocks if block.span.overlaps(before)]
    if reason == "section_start":
        return inside[0].kind == "heading" or inside[0].section_id != held[-1].section_id
    if reason == "atomic_neighbour":
        return any(block.atomic for block in (*inside[:3], *held[-12:]))
    tokens = token_counter(ENCODING).map(chunked.text)
    sums: list[float] = []
    for block in reversed(held):
        if block.kind == "heading" or block.atomic:
            break
        sums += [
            tokens.count(sentence.start, body.start) / target
            for sentence in sentence_spans(chunked.text, block.span)
            if before.start < sentence.start < body.start
        ]
    # A first sentence may start with the blank after the block before: a token of difference.
    return not any(0.15 + 2 / target <= each <= 0.20 - 2 / target for each in sums) or _too_long(
        chunked, body, target
    )


def _too_long(chunked: ChunkedDocument, body: Span, target: int) -> bool:
    block = next(block for block in chunked.blocks if block.span.end > body.start and block.kind != "heading")
    first = next(each for each in sentence_spans(chunked.text, block.span) if each.end > body.start)
    return token_counter(ENCODING).map(chunked.text).count(*first) > (1.3 - 0.20) * target

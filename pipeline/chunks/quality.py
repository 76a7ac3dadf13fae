"""How well a document was cut, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.chunks.model import Chunk, ChunkedDocument
from pipeline.spans import Span

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class ChunkQuality:
    """Quality of the level-0 chunks of one document. Shares are 0 … 1, and 1 where nothing is measured.

    ``severed`` sums the link strength that seams cut. ``band_compliance`` is the share of seams in the
    overlap band among those whose place planning decides: not at a section's start, not next to an atomic
    block.
    ``size_quantiles`` are tokens at 0, 25, 50, 75, 95, 100 %. ``duplication`` is tokens of chunks over
    tokens of all bodies; ``duplication_with_headers`` counts the headers as well.
    """

    chunks: int
    parents: int
    seams: int
    severed: float
    band_compliance: float
    exemptions: Mapping[str, int]
    dangling: int
    atomic_splits: int
    headers_present: float
    below_floor: int
    oversize: int
    size_quantiles: tuple[int, ...]
    duplication: float
    duplication_with_headers: float


def measure(chunked: ChunkedDocument) -> ChunkQuality:
    """Quality of a chunked document, re-derived from its spans where they tell."""
    chunks = [chunk for chunk in chunked.chunks if chunk.level == 0]
    seams = [chunk.seam for chunk in chunks if chunk.seam.kind != "start"]
    planned = [seam for seam in seams if seam.exemption in (None, "unsplittable_sentence", "short_previous")]
    exemptions = Counter(seam.exemption for seam in seams if seam.exemption)
    tokens = sum(chunk.tokens for chunk in chunks)
    carried = sum(chunk.seam.carried_tokens for chunk in chunks)
    headers = sum(chunk.header_tokens for chunk in chunks)
    bodies = max(1, tokens - carried)
    return ChunkQuality(
        chunks=len(chunks),
        parents=len(chunked.chunks) - len(chunks),
        seams=len(seams),
        severed=sum(seam.severed for seam in seams),
        band_compliance=_share(sum(seam.exemption is None for seam in planned), len(planned)),
        exemptions=dict(sorted(exemptions.items())),
        dangling=sum(seam.dangling for seam in seams),
        atomic_splits=_atomic_splits(chunked, chunks),
        headers_present=_share(sum(bool(chunk.header) for chunk in chunks), len(chunks)),
        below_floor=sum(not chunk.floor.passed for chunk in chunks),
        oversize=sum(chunk.oversize for chunk in chunks),
        size_quantiles=_quantiles(sorted(chunk.tokens for chunk in chunks)),
        duplication=tokens / bodies if chunks else 1.0,
        duplication_with_headers=(tokens + headers) / bodies if chunks else 1.0,
    )


def _atomic_splits(chunked: ChunkedDocument, chunks: Sequence[Chunk]) -> int:
    """Atomic blocks that no body holds whole, or that some carried text touches."""
    blocks = [block.span for block in chunked.blocks if block.atomic]
    return _not_inside(blocks, [chunk.body for chunk in chunks]) + _touched(
        blocks, [chunk.carried for chunk in chunks if chunk.carried]
    )


def _not_inside(blocks: Sequence[Span], bodies: Sequence[Span]) -> int:
    """Both in text order."""
    count, index = 0, 0
    for block in blocks:
        while index < len(bodies) and bodies[index].end <= block.start:
            index += 1
        count += index == len(bodies) or not bodies[index].contains(block)
    return count


def _touched(blocks: Sequence[Span], carried: Sequence[Span]) -> int:
    count, index = 0, 0
    for block in blocks:
        while index < len(carried) and carried[index].end <= block.start:
            index += 1
        count += index < len(carried) and carried[index].overlaps(block)
    return count


def _quantiles(sizes: Sequence[int]) -> tuple[int, ...]:
    if not sizes:
        return ()
    return tuple(sizes[round(share * (len(sizes) - 1))] for share in _QUANTILES)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0

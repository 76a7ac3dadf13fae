"""Scores of one chunker on gold documents: does every edge find a chunk that holds all of it?

*Strict* containment: one chunk holds a mention of the head, a mention of the tail and all evidence
sentences. *With names*: an end that is named in the chunk's header counts as held; the
marks that make a name code in Markdown are no part of it. *Fit-lost*: the edge's
window fits the target, yet no chunk holds it: the boundary's own fault.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from benchmarks.chunking_data import Edge, GoldDocument, Pronoun, Range

_OPENING_MARKS = re.compile(r"[\s#>*\-_\"“'‘(]*")
BAND = (0.15, 0.20)


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk as the benchmark sees it. ``exempt`` marks atomic and unsplittable ones, whose size is free."""

    start: int
    end: int
    header: str = ""
    exempt: bool = False
    body_start: int | None = None

    def holds(self, span: Range) -> bool:
        """Whether a span lies inside."""
        return self.start <= span.start and span.end <= self.end


@dataclass(slots=True)
class Tally:
    """Sums over documents; rates are derived by :class:`Scores`."""

    counts: Counter[str] = field(default_factory=Counter)
    largest: float = 0.0

    def add(self, other: Tally) -> None:
        """Adds another tally to this one."""
        self.counts.update(other.counts)
        self.largest = max(self.largest, other.largest)

    def rate(self, part: str, whole: str) -> float | None:
        """``part`` over ``whole`` in percent, None where nothing was counted."""
        return 100 * self.counts[part] / self.counts[whole] if self.counts[whole] else None


def score(document: GoldDocument, pieces: Sequence[Piece], header_tokens: int) -> Tally:
    """All counts of one chunked document."""
    tally = Tally()
    counts = tally.counts
    sizes = [document.tokens.count(piece.start, piece.end) for piece in pieces]
    counts["documents"] = 1
    counts["document_tokens"] = document.tokens.total
    counts["chunks"] = len(pieces)
    counts["chunk_tokens"] = sum(sizes)
    counts["header_tokens"] = header_tokens
    tally.largest = max(
        (size / document.target for size, piece in zip(sizes, pieces, strict=True) if not piece.exempt),
        default=0.0,
    )
    ends = [piece.end for piece in pieces]
    headers = [_plain(piece.header) for piece in pieces]
    for edge in document.edges:
        if edge.evidence:
            _score_edge(document, edge, pieces, ends, headers, counts)
    _score_bounds(document, pieces, counts)
    for kind, span in document.blocks:
        counts[f"{kind}_blocks"] += 1
        counts[f"{kind}_splits"] += not any(piece.holds(span) for piece in pieces)
    if document.pronouns:
        _score_pronouns(document, pieces, headers, counts)
    return tally


def _score_edge(
    document: GoldDocument,
    edge: Edge,
    pieces: Sequence[Piece],
    ends: Sequence[int],
    headers: Sequence[str],
    counts: Counter[str],
) -> None:
    low, high = min(each.start for each in edge.evidence), max(each.end for each in edge.evidence)
    kept = named = False
    for index in range(bisect.bisect_left(ends, high), len(pieces)):
        piece = pieces[index]
        if piece.start > low:
            break
        head = any(piece.holds(mention) for mention in edge.head_mentions)
        tail = any(piece.holds(mention) for mention in edge.tail_mentions)
        kept = kept or (head and tail)
        header = headers[index]
        head = head or _plain(edge.head) in header or (_plain(edge.head_name) or "\0") in header
        tail = tail or (edge.kind != "cell" and _plain(edge.tail) in header)
        named = named or (head and tail)
    counts[f"{edge.kind}"] += 1
    counts[f"{edge.kind}_kept"] += kept
    counts[f"{edge.kind}_named"] += named
    if edge.kind in ("intra", "cross"):
        counts["edges"] += 1
        counts["edges_kept"] += kept
        if edge.window_tokens <= document.target:
            counts["fit"] += 1
            counts["fit_lost"] += not kept


def _plain(name: str) -> str:
    return name.replace("`", "").lower()


def _score_bounds(document: GoldDocument, pieces: Sequence[Piece], counts: Counter[str]) -> None:
    last = len(document.text.rstrip())
    for piece in pieces:
        for place, inner in ((piece.start, piece.start > 0), (piece.end, piece.end < last)):
            if inner:
                counts["bounds"] += 1
                counts["sentence_cuts"] += _inside_sentence(document, place) is not None
    for before, after in pairwise(pieces):
        overlap = (
            document.tokens.count(after.start, before.end) / document.target
            if after.start < before.end
            else 0
        )
        counts["seams"] += 1
        counts["seams_in_band"] += BAND[0] <= overlap <= BAND[1]


def _inside_sentence(document: GoldDocument, place: int) -> int | None:
    index = int(document.sentence_starts.searchsorted(place, side="right")) - 1
    if index >= 0 and document.sentences[index].start < place < document.sentences[index].end:
        return index
    return None


def _score_pronouns(
    document: GoldDocument, pieces: Sequence[Piece], headers: Sequence[str], counts: Counter[str]
) -> None:
    for piece in pieces[1:]:
        word, sentence = opens_dangling(document, piece.start, piece.end)
        counts["openings"] += 1
        counts["dangling_words"] += word
        counts["dangling_sentences"] += sentence
    for pronoun in document.pronouns:
        counts["pronouns"] += 1
        holders = [
            (piece, header)
            for piece, header in zip(pieces, headers, strict=True)
            if piece.holds(pronoun.span)
        ]
        kept = any(_resolved(pronoun, piece) for piece, _ in holders)
        surfaces = {_plain(document.text[slice(*mention)]) for mention in pronoun.antecedents}
        counts["pronouns_kept"] += kept
        counts["pronouns_named"] += kept or any(
            surface in header for _, header in holders for surface in surfaces
        )


def opens_dangling(document: GoldDocument, start: int, end: int) -> tuple[bool, bool]:
    """Whether a piece opens on a pronoun that it does not resolve; whether its first sentence has one."""
    piece = Piece(start, end)
    marks = _OPENING_MARKS.match(document.text, start, end)
    first = marks.end() if marks else start
    index = int(document.sentence_starts.searchsorted(first, side="right")) - 1
    last = document.sentences[index].end if index >= 0 else end
    dangling = [
        pronoun.span.start
        for pronoun in document.pronouns
        if start <= pronoun.span.start < min(last, end) and not _resolved(pronoun, piece)
    ]
    return first in dangling, bool(dangling)


def _resolved(pronoun: Pronoun, piece: Piece) -> bool:
    return any(piece.holds(mention) for mention in pronoun.antecedents)

"""chonkie's chunkers as strategies: its places to cut, our exact spans.

chonkie decides where to cut; everything else is the common contract. Its spans are verified against the
text first, since TokenChunker's do not slice back on multi-byte text: where they do not tile, the text is
cut every ``target`` tokens instead, never inside a character. A cut inside an atomic block moves to its
start, and a section right under the root starts a body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pipeline.chunk_plans.settings import ChonkieStrategy
from pipeline.chunks.planner import Cut, Limits, carry_floor
from pipeline.chunks.splitting import grapheme_start
from pipeline.chunks.units import Unit, Units
from pipeline.spans import Span
from pipeline.tokens import TokenCounter, TokenMap


def chonkie_places(
    text: str, span: Span, strategy: ChonkieStrategy, counter: TokenCounter, token_map: TokenMap
) -> list[int]:
    """Offsets strictly inside ``span`` at which bodies start, increasing."""
    stretch = span.of(text)
    spans = [
        (chunk.start_index, chunk.end_index, chunk.text) for chunk in _chunker(strategy, counter)(stretch)
    ]
    exact = all(stretch[start:end] == piece and end > start for start, end, piece in spans)
    tiling = bool(spans) and spans[0][0] == 0 and all(a[1] == b[0] for a, b in pairwise(spans))
    if exact and tiling:
        return [span.start + start for start, _, _ in spans[1:]]
    return _every(text, span, strategy.target, token_map)


def _chunker(strategy: ChonkieStrategy, counter: TokenCounter) -> Callable[[str], Sequence]:
    """The chunker without overlap: what is carried is chosen afterwards, in whole units."""
    from chonkie import RecursiveChunker, SentenceChunker, TokenChunker

    if strategy.name == "chonkie_sentence":
        return SentenceChunker(tokenizer=_plain_text(counter), chunk_size=strategy.target, chunk_overlap=0)
    if strategy.name == "chonkie_recursive":
        return RecursiveChunker(tokenizer=_plain_text(counter), chunk_size=strategy.target)
    return TokenChunker(tokenizer=_plain_text(counter), chunk_size=strategy.target, chunk_overlap=0)


def _plain_text(counter: TokenCounter):
    """chonkie's tokenizer interface over ours, so that text that spells a control token stays text."""
    from chonkie.tokenizer import Tokenizer

    encoding = counter.encoding

    class PlainText(Tokenizer):
        def __repr__(self) -> str:
            return f"PlainText({counter.name!r})"

        def tokenize(self, text: str) -> Sequence[str]:
            return [encoding.decode([token]) for token in self.encode(text)]

        def encode(self, text: str) -> Sequence[int]:
            return encoding.encode(text, disallowed_special=())

        def decode(self, tokens: Sequence[int]) -> str:
            return encoding.decode(list(tokens))

    return PlainText()


def _every(text: str, span: Span, target: int, token_map: TokenMap) -> list[int]:
    first, last = np.searchsorted(token_map.starts, span)
    places: list[int] = []
    before = span.start
    for place in token_map.starts[first + target : last : target].tolist():
        at = grapheme_start(text, before, place)
        if before < at < span.end:
            places.append(at)
            before = at
    return places


def cut_at(units: Units, places: Sequence[int], token_map: TokenMap) -> tuple[Units, list[int]]:
    """Units split at ``places``, and those at which bodies start; no place stays in an atomic unit."""
    items: list[Unit] = []
    bodies = [0]
    waiting = list(places)[::-1]
    start = int(units.starts[0])
    for unit in units.items:
        while waiting and waiting[-1] < unit.end:
            place = waiting.pop()
            if place > start and not unit.atomic and place > unit.content:
                items.append(replace(unit, end=place))
                unit = replace(
                    unit, content=place, starts_block=False, starts_section=False, inside_sentence=True
                )
                start = place
            if bodies[-1] < len(items):
                bodies.append(len(items))
        items.append(unit)
        start = unit.end
    ends = np.array([unit.end for unit in items], dtype=np.int64)
    starts = np.concatenate([units.starts[:1], ends[:-1]])
    tokens = token_map.before(np.append(starts[:1], ends))
    return Units(tuple(items), starts, ends, tokens - tokens[0]), bodies


def carry(units: Units, bodies: Sequence[int], limits: Limits) -> list[Cut]:
    """Cuts that carry the whole units that fit the overlap, never a whole body nor an atomic block."""
    floor = carry_floor(units, limits)
    ends = [*bodies[1:], len(units)]
    cuts: list[Cut] = []
    for body, end in zip(bodies, ends, strict=True):
        earliest = max(int(floor[body]), cuts[-1].body + 1) if cuts else body
        fits = int(np.searchsorted(units.tokens, units.tokens[body] - limits.band_high))
        cuts.append(Cut(min(max(earliest, fits), body), body, end))
    return cuts

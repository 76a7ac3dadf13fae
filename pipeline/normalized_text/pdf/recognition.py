"""Words of scanned pages, read by RapidOCR where that optional package is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from statistics import median
from typing import Any

from pipeline.normalized_text.pdf.pages import Page, Word

_DOTS_PER_INCH = 100
_POINTS_PER_INCH = 72
_SAME_HEIGHT = 0.3
_CERTAIN = 0.999


def recognize_pages(data: bytes, pages: Sequence[Page]) -> list[Page]:
    """``pages`` of the PDF ``data``, with words for those that are pictures; unchanged without RapidOCR.

    Pages are rendered at 100 dots an inch, at which RapidOCR finds more words than at 200 or 300.
    """
    if find_spec("rapidocr") is None or not any(page.has_pictures and not page.words for page in pages):
        return list(pages)
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    return [
        replace(page, words=tuple(_recognize(document[page.number - 1])))
        if page.has_pictures and not page.words
        else page
        for page in pages
    ]


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR  # pyright: ignore[reportMissingImports]  # an optional package

    return RapidOCR()


def _recognize(page: Any) -> Iterator[Word]:
    """Words of one page. The engine gives lines; a word's edges are its share of its line's characters."""
    scale = _DOTS_PER_INCH / _POINTS_PER_INCH
    result = _engine()(page.render(scale=scale).to_numpy())
    if result.txts is None:
        return
    boxes = [[(float(x) / scale, float(y) / scale) for x, y in corners] for corners in result.boxes]
    heights = [max(y for _, y in box) - min(y for _, y in box) for box in boxes]
    usual = median(heights)
    for text, box, height, score in zip(result.txts, boxes, heights, result.scores, strict=True):
        # A line's box depends on its letters; only clearly larger type is larger type.
        size = usual if abs(height - usual) <= _SAME_HEIGHT * usual else height
        left, top = min(x for x, _ in box), min(y for _, y in box)
        width = (max(x for x, _ in box) - left) / max(len(text), 1)
        position = 0
        for word in text.split():
            start = text.index(word, position)
            position = start + len(word)
            edges = (left + start * width, top, left + position * width, top + height)
            yield Word(word, *edges, size=size, confidence=min(float(score), _CERTAIN))

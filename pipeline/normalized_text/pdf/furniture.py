"""Running headers and footers: lines in the margins that come again on other pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.normalized_text.pdf.pages import Page, Word

_MARGIN = 0.12
_MIN_SHARE = 0.4
_SAME_HEIGHT = 6.0


def split_furniture(pages: Sequence[Page]) -> tuple[list[tuple[Word, ...]], dict[str, list[int]]]:
    """For each page its words without furniture, and the furniture texts with the pages they stood on.

    A margin line is furniture when its text (numbers aside) stands at the same height on at least two pages
    and 40 % of all pages, or on every other page as in a bound book. The first page may lack it.
    """
    margins = [_margin_lines(page) for page in pages]
    seen = Counter(key for lines in margins for key in {_key(page_line) for page_line in lines})
    least = max(2, round(_MIN_SHARE * len(pages)))
    kept: list[tuple[Word, ...]] = []
    furniture: dict[str, list[int]] = {}
    for page, lines in zip(pages, margins, strict=True):
        dropped: set[int] = set()
        for line in lines:
            if seen[_key(line)] >= least:
                dropped.update(id(word) for word in line)
                text = " ".join(word.text for word in line)
                furniture.setdefault(re.sub(r"\d+", "#", text), []).append(page.number)
        kept.append(tuple(word for word in page.words if id(word) not in dropped))
    return kept, furniture


def _margin_lines(page: Page) -> list[list[Word]]:
    """The outermost lines at the top and the bottom of a page."""
    lines: list[list[Word]] = []
    for word in sorted(page.words, key=lambda word: (word.bottom, word.left)):
        if page.height * _MARGIN < word.bottom and word.top < page.height * (1 - _MARGIN):
            continue
        if lines and abs(lines[-1][0].bottom - word.bottom) <= 0.35 * word.size:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.left) for line in lines]


def _key(line: Sequence[Word]) -> tuple[str, int]:
    text = re.sub(r"\d+|\b[ivxlc]+\b", "#", " ".join(word.text for word in line).lower())
    return text, round(line[0].bottom / _SAME_HEIGHT)

"""Running headers and footers: lines in the margins that come again on other pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.normalized_text.pdf.pages import Page, Word

_MARGIN = 0.12
_MIN_SHARE = 0.4
_MIN_NUMBERED = 3
_SAME_HEIGHT = 6.0
_NUMBER = re.compile(r"\d{1,5}")
_COUNTER = re.compile(r"\d+|\b[ivxlc]+\b")


def split_furniture(pages: Sequence[Page]) -> tuple[list[tuple[Word, ...]], dict[str, list[int]]]:
    """For each page its words without furniture, and the furniture texts with the pages they stood on.

    A margin line is furniture when its text (numbers aside) stands at the same height on at least two pages
    and 40 % of all pages, or when it holds the page's number: a number that grows with the pages, at the
    same height on at least three of them.
    """
    margins = [_margin_lines(page) for page in pages]
    seen = Counter(key for lines in margins for key in {_key(line) for line in lines})
    numbered = Counter(
        key
        for page, lines in zip(pages, margins, strict=True)
        for key in {key for line in lines for key in _number_keys(line, page.number)}
    )
    least = max(2, round(_MIN_SHARE * len(pages)))
    kept: list[tuple[Word, ...]] = []
    furniture: dict[str, list[int]] = {}
    for page, lines in zip(pages, margins, strict=True):
        dropped: set[int] = set()
        for line in lines:
            counts_pages = any(numbered[key] >= _MIN_NUMBERED for key in _number_keys(line, page.number))
            if seen[_key(line)] >= least or counts_pages:
                dropped.update(id(word) for word in line)
                text = " ".join(word.text for word in line)
                furniture.setdefault(_NUMBER.sub("#", text), []).append(page.number)
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
    text = _COUNTER.sub("#", " ".join(word.text for word in line).lower())
    return text, round(line[0].bottom / _SAME_HEIGHT)


def _number_keys(line: Sequence[Word], page: int) -> set[tuple[int, int]]:
    """For a number at either end of the line: by how much it differs from the page's, and its height."""
    height = round(line[0].bottom / _SAME_HEIGHT)
    ends = (line[0].text, line[-1].text)
    return {(int(text) - page, height) for text in ends if _NUMBER.fullmatch(text)}

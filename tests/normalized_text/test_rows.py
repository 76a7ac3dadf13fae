"""A text survives its way into rows and back, whatever it holds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pipeline.normalized_text import NormalizationSettings, normalize_text
from pipeline.normalized_text.model import NormalizedText, Place
from pipeline.normalized_text.rows import from_rows, to_rows
from pipeline.rejections import Rejected
from pipeline.storage.rows import BlockRow, NormalizedTextRow, SectionRow

MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# One",
            "## Two",
            "- item",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "```py\nx\n```",
            "> quote",
            "é 🚢",
        ]
    ),
    min_size=1,
).map("\n\n".join)


def _round_trip(text: NormalizedText) -> NormalizedText:
    rows = to_rows(text, "version", 3, NormalizationSettings())
    [head] = [row for row in rows if isinstance(row, NormalizedTextRow)]
    sections = [row for row in rows if isinstance(row, SectionRow)]
    blocks = [row for row in rows if isinstance(row, BlockRow)]
    return from_rows(head, sections, blocks)


@given(MARKDOWN)
def test_a_text_comes_back_from_its_rows(markdown: str) -> None:
    try:
        text = normalize_text(markdown, document_id="d", settings=NormalizationSettings())
    except Rejected:
        return
    assert _round_trip(text) == text


def test_page_box_and_confidence_come_back() -> None:
    text = normalize_text("read from a picture", document_id="d", settings=NormalizationSettings())
    place = Place(page=2, box=(0.0, 1.0, 2.5, 3.0), confidence=0.87)
    scanned = replace(text, blocks=tuple(replace(block, place=place) for block in text.blocks))
    assert _round_trip(scanned) == scanned

"""PDF pages: columns, furniture, broken words, frames, and files that cannot be read."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from pipeline.normalized_text import LimitSettings, NormalizationSettings, normalize
from pipeline.normalized_text.model import NormalizedText
from pipeline.normalized_text.pdf.line_joining import WordForms, join_lines
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact, headings, kinds, sources

canvas_module = pytest.importorskip("reportlab.pdfgen.canvas")

SETTINGS = NormalizationSettings()
WIDTH, HEIGHT = 595, 842


def draw(*pages: Callable[[Any], None], **options: Any) -> bytes:
    stream = io.BytesIO()
    canvas = canvas_module.Canvas(stream, pagesize=(WIDTH, HEIGHT), **options)
    for page in pages:
        canvas.setFont("Helvetica", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def lines(canvas: Any, left: float, top: float, texts: list[str], size: float = 10) -> None:
    canvas.setFont("Helvetica", size)
    for number, text in enumerate(texts):
        canvas.drawString(left, HEIGHT - top - number * size * 1.2, text)


def read(data: bytes, settings: NormalizationSettings = SETTINGS) -> NormalizedText:
    document = normalize(data, document_id="d", file_name="a.pdf", settings=settings)
    assert_exact(document)
    return document


def reason_of(data: bytes, settings: NormalizationSettings = SETTINGS) -> str:
    with pytest.raises(Rejected) as rejection:
        read(data, settings)
    return rejection.value.reason


def test_columns_are_read_one_after_the_other_below_a_title_across_both() -> None:
    def page(canvas: Any) -> None:
        lines(canvas, 72, 80, ["A title across the whole width of the page here"], 18)
        lines(canvas, 72, 120, [f"left line {i} of the first column goes on" for i in range(12)])
        lines(canvas, 320, 123, [f"right line {i} of the second column goes on" for i in range(12)])
        lines(
            canvas,
            72,
            300,
            ["A closing paragraph runs over the whole width of the page and goes on and on to it."],
        )

    text = read(draw(page)).text
    positions = [
        text.index(part)
        for part in ("A title", "left line 0", "left line 11", "right line 0", "right line 11", "closing")
    ]
    assert positions == sorted(positions)


def test_words_broken_at_line_ends_are_joined() -> None:
    def page(canvas: Any) -> None:
        texts = [
            "The agree-",
            "ment of the well-",
            "known port is a well-known re-",
            "sult of 2024-",
            "25 work.",
        ]
        lines(canvas, 72, 80, texts)

    assert (
        read(draw(page)).text
        == "The agreement of the well-known port is a well-known result of 2024- 25 work."
    )


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["inter-", "national"], "international"),
        (["soft\u00ad", "ly so\u00adft"], "softly soft"),
        (["Jean-", "Paul"], "Jean- Paul"),
        (["plain", "words"], "plain words"),
    ],
)
def test_joining_lines(parts: list[str], expected: str) -> None:
    assert join_lines(parts, WordForms(parts)) == expected


def test_headings_get_levels_from_size_and_number() -> None:
    def page(canvas: Any) -> None:
        lines(canvas, 72, 80, ["1 Scope"], 16)
        lines(canvas, 72, 110, ["Some words of the body stand here."])
        lines(canvas, 72, 140, ["1.1 Parts"], 16)
        lines(canvas, 72, 170, ["Some more words of the body stand here."])
        lines(canvas, 72, 200, ["2 Terms"], 16)
        lines(canvas, 72, 230, ["And the last words of the body are here."])

    document = read(draw(page))
    assert headings(document) == [(1, "1 Scope"), (2, "1.1 Parts"), (1, "2 Terms")]
    assert document.blocks[0].place.page == 1
    left, top, right, bottom = document.blocks[0].place.box or (0, 0, 0, 0)
    assert 70 < left < 75 and 60 < top < 80 and right < 160 and 75 < bottom < 90


def test_furniture_is_reported_with_its_pages() -> None:
    def page(canvas: Any) -> None:
        canvas.drawString(72, HEIGHT - 30, "Confidential manual")
        canvas.drawString(500, 25, f"{canvas.getPageNumber()} of 3")
        lines(canvas, 72, 200, [f"Words of page {canvas.getPageNumber()} stand here alone."])

    document = read(draw(page, page, page))
    assert [warning.detail for warning in document.warnings] == [
        "Confidential manual (pages 1-3)",
        "# of # (pages 1-3)",
    ]
    assert "Confidential" not in document.text


def test_one_page_has_no_furniture() -> None:
    assert read(draw(lambda canvas: canvas.drawString(72, HEIGHT - 30, "Only line"))).text == "Only line"


def test_frames_are_no_tables() -> None:
    def page(canvas: Any) -> None:
        canvas.rect(70, HEIGHT - 130, 300, 60)
        lines(canvas, 80, 100, ["A boxed remark."])
        lines(canvas, 80, 200, ["Underlined words"])
        canvas.line(80, HEIGHT - 203, 160, HEIGHT - 203)

    assert kinds(read(draw(page))) == ["paragraph", "paragraph"]


def test_lists_have_depths_and_markers() -> None:
    def page(canvas: Any) -> None:
        lines(canvas, 72, 80, ["• first item that goes", "   on here", "• second item"])
        lines(canvas, 90, 116, ["• inner item"])
        lines(canvas, 72, 140, ["1. numbered"])

    document = read(draw(page))
    assert sources(document, "list_item") == [
        "- first item that goes on here",
        "- second item",
        "- inner item",
        "1. numbered",
    ]
    assert [block.level for block in document.blocks] == [1, 1, 2, 1]


def test_monospaced_lines_are_code_as_it_stands() -> None:
    def page(canvas: Any) -> None:
        lines(canvas, 72, 80, ["This program reads the list of owners:"])
        canvas.setFont("Courier", 9)
        program = ["def owners of path:", "    # of all berths", "    return x", "", "owners(1)"]
        for number, text in enumerate(program):
            canvas.drawString(90, HEIGHT - 110 - 11 * number, text)
        lines(canvas, 72, 200, ["And this is prose in another font again."])

    document = read(draw(page))
    assert kinds(document) == ["paragraph", "code", "paragraph"]
    assert sources(document, "code") == [
        "```\ndef owners of path:\n    # of all berths\n    return x\n\nowners(1)\n```"
    ]
    assert document.blocks[0].lead_in


def test_encrypted_files_say_so() -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    page = lambda canvas: canvas.drawString(72, 700, "secret")  # noqa: E731
    assert reason_of(draw(page, encrypt=StandardEncryption("user", "owner"))) == "encrypted"
    assert read(draw(page, encrypt=StandardEncryption("", "owner"))).text == "secret"


def test_files_cut_short_say_so() -> None:
    data = draw(lambda canvas: canvas.drawString(72, 700, "words"))
    for share in (0.3, 0.6, 0.95):
        with pytest.raises(Rejected) as rejection:
            read(data[: int(len(data) * share)])
        assert rejection.value.reason == "damaged"
        assert "cut short" in rejection.value.detail


def test_pages_have_a_limit() -> None:
    data = draw(*[lambda canvas: canvas.drawString(72, 700, "words")] * 3)
    assert reason_of(data, NormalizationSettings(limits=LimitSettings(pages=2))) == "too_many_pages"


def _scan(canvas: Any) -> None:
    from PIL import Image, ImageDraw
    from reportlab.lib.utils import ImageReader

    picture = Image.new("RGB", (1240, 1754), "white")
    ImageDraw.Draw(picture).text((150, 200), "Vantor Rail owns Brack Mill.", fill="black", font_size=40)
    canvas.drawImage(ImageReader(picture), 0, 0, WIDTH, HEIGHT)


def _has_ocr() -> bool:
    from importlib.util import find_spec

    return find_spec("rapidocr") is not None


@pytest.mark.skipif(_has_ocr(), reason="RapidOCR is installed")
def test_scanned_pages_need_ocr() -> None:
    assert reason_of(draw(_scan)) == "needs_ocr"
    document = read(draw(lambda canvas: canvas.drawString(72, 700, "words"), _scan))
    assert document.text == "words"
    assert [(warning.code, warning.detail) for warning in document.warnings] == [
        ("needs_ocr", "page 2 is a picture without text")
    ]


@pytest.mark.skipif(not _has_ocr(), reason="RapidOCR is not installed")
def test_scanned_pages_are_read_with_page_box_and_confidence() -> None:
    document = read(draw(_scan))
    assert document.text == "Vantor Rail owns Brack Mill."
    place = document.blocks[0].place
    assert place.page == 1
    assert place.box is not None
    assert 0.5 < (place.confidence or 0) < 1


def test_layout_models_must_be_installed_to_be_used() -> None:
    from importlib.util import find_spec

    if find_spec("docling_ibm_models") is not None:
        pytest.skip("docling's models are installed")
    data = draw(lambda canvas: canvas.drawString(72, 700, "words"))
    assert reason_of(data, NormalizationSettings(pdf_layout="models")) == "unsupported"

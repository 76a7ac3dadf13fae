"""Files written by other libraries from a known outline are recovered, in every format."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from pipeline.normalized_text import NormalizationSettings, normalize
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact
from tests.normalized_text.made_files import (
    Outline,
    make_outline,
    write_docx,
    write_html,
    write_pdf,
    write_pptx,
    write_xlsx,
)
from tests.normalized_text.recovery import measure

pytest.importorskip("reportlab")

SETTINGS = NormalizationSettings()


def read(data: bytes, name: str) -> NormalizedText:
    document = normalize(data, document_id="d", file_name=name, settings=SETTINGS)
    assert_exact(document)
    return document


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "write", "options"),
    [
        ("a.html", write_html, {}),
        ("a.docx", write_docx, {}),
        ("a.pptx", write_pptx, {"levels": False}),
        ("a.xlsx", write_xlsx, {"levels": False, "prose": False, "title_length": 31}),
        ("a.pdf", write_pdf, {}),
        ("a.pdf", lambda outline: write_pdf(outline, columns=2), {}),
    ],
    ids=["html", "docx", "pptx", "xlsx", "pdf", "pdf in columns"],
)
def test_headings_cells_and_order_are_recovered(
    seed: int, name: str, write: Callable[[Outline], bytes], options: dict[str, Any]
) -> None:
    outline = make_outline(seed)
    document = read(write(outline), name)
    found = measure(document, outline, **options)
    assert found.headings_found == found.headings
    assert found.cells_found == found.cells
    assert found.texts_found >= 0.98 * found.texts
    assert found.in_order
    assert document.title == outline.title


def test_running_heads_are_reported_and_not_in_the_text() -> None:
    for name, data in (("a.docx", write_docx(make_outline(1))), ("a.pdf", write_pdf(make_outline(1)))):
        document = read(data, name)
        assert "running" not in document.text.lower()
        details = [warning.detail.lower() for warning in document.warnings if warning.code == "furniture"]
        assert any("running" in detail for detail in details)


def test_word_runs_keep_their_spacing() -> None:
    docx = pytest.importorskip("docx")
    made = docx.Document()
    paragraph = made.add_paragraph("Van")
    paragraph.add_run("tor").bold = True
    paragraph.add_run(" Rail, ")
    paragraph.add_run("owner").italic = True
    paragraph.add_run(".")
    made.add_paragraph("Table 1: Loads", style="Caption")
    made.add_table(1, 2).cell(0, 0).text = "x"
    stream = io.BytesIO()
    made.save(stream)
    document = read(stream.getvalue(), "a.docx")
    assert document.text.startswith("Vantor Rail, owner.\n\n")
    assert [block.kind for block in document.blocks] == ["paragraph", "caption", "table"]
    assert document.blocks[2].caption == "Table 1: Loads"


def test_slides_have_pages_boxes_and_notes() -> None:
    pptx = pytest.importorskip("pptx")
    deck = pptx.Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Slide {number}"
        slide.notes_slide.notes_text_frame.text = f"Said on {number}."
    stream = io.BytesIO()
    deck.save(stream)
    document = read(stream.getvalue(), "a.pptx")
    assert document.text == "# Slide 1\n\nNotes: Said on 1.\n\n# Slide 2\n\nNotes: Said on 2."
    assert [block.place.page for block in document.blocks] == [1, 1, 2, 2]
    assert document.blocks[0].place.box == (36.0, 21.63, 684.0, 111.63)


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.xlsx"])
@pytest.mark.parametrize("share", [0.3, 0.97])
def test_packages_cut_short_are_damaged(name: str, share: float) -> None:
    write = {"a.docx": write_docx, "a.pptx": write_pptx, "a.xlsx": write_xlsx}[name]
    data = write(make_outline(0))
    with pytest.raises(Rejected) as rejection:
        read(data[: int(len(data) * share)], name)
    assert rejection.value.reason == "damaged"


def test_a_package_that_unpacks_to_too_much_is_rejected() -> None:
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", b"<a/>" + b" " * 3_000_000)
    settings = NormalizationSettings.model_validate({"limits": {"file_bytes": 50_000}})
    with pytest.raises(Rejected) as rejection:
        normalize(stream.getvalue(), document_id="d", file_name="a.docx", settings=settings)
    assert rejection.value.reason == "too_large"

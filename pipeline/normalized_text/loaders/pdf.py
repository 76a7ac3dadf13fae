"""PDF: docling-parse gives words and rules with their boxes, the layout engine here gives the blocks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec

from pipeline.normalized_text.docling_conversion import convert_with_docling
from pipeline.normalized_text.docling_walk import Walk, write_document
from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.model import Warning
from pipeline.normalized_text.pdf.layout import Element, lay_out
from pipeline.normalized_text.pdf.line_joining import WordForms, join_lines
from pipeline.normalized_text.pdf.monospaced import code_text
from pipeline.normalized_text.pdf.pages import Page, page_from_parser
from pipeline.normalized_text.pdf.recognition import recognize_pages
from pipeline.normalized_text.rendering import At, TextBuilder, collapse
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected

_END_MARK = b"%%EOF"
_METADATA = {"Title": "title", "Author": "author", "CreationDate": "date", "ModDate": "modified"}


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """Headings, paragraphs, list items, monospaced code and ruled tables with page and box, in reading order.

    Running headers and footers are ``furniture`` warnings with their pages. A page that has pictures but no
    words is read by RapidOCR where that is installed, else it is a ``needs_ocr`` warning.

    Raises:
        Rejected: ``encrypted``, ``damaged`` (also for a file cut short), ``too_many_pages``, ``needs_ocr``
            when no page has words, ``unsupported`` when the settings ask for models that are not installed.
    """
    metadata = _metadata(source.data, settings)
    if settings.pdf_layout == "models":
        return _by_models(source, settings, metadata)
    pages = _read_pages(source.data)
    pages = recognize_pages(source.data, pages)
    unread = [page for page in pages if not page.words and page.has_pictures]
    if unread and not any(page.words for page in pages):
        raise Rejected("needs_ocr", f"{len(unread)} pages are pictures without text")
    layout = lay_out(pages)
    builder = TextBuilder(settings)
    _write(layout.elements, builder)
    warnings = [
        *(
            Warning("furniture", f"{text} (pages {_ranges(numbers)})")
            for text, numbers in layout.furniture.items()
        ),
        *(Warning("needs_ocr", f"page {page.number} is a picture without text") for page in unread),
        *builder.warnings(),
    ]
    return Parsed(
        builder.text, builder.drafts, metadata.get("title"), metadata, tuple(warnings), has_lines=False
    )


def _by_models(source: Source, settings: NormalizationSettings, metadata: dict[str, str]) -> Parsed:
    if find_spec("docling_ibm_models") is None:
        raise Rejected("unsupported", "pdf_layout is 'models', but docling's models are not installed")
    builder = TextBuilder(settings)
    furniture = write_document(convert_with_docling(source), builder, Walk())
    warnings = (*furniture, *builder.warnings())
    return Parsed(builder.text, builder.drafts, metadata.get("title"), metadata, warnings, has_lines=False)


def _metadata(data: bytes, settings: NormalizationSettings) -> dict[str, str]:
    """What the file says of itself; opening it also tells whether it can be read at all."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
        pages, described = len(document), document.get_metadata_dict(skip_empty=True)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise Rejected("encrypted", "the file is protected by a password") from error
        cut = _END_MARK not in data[-2048:]
        raise Rejected("damaged", f"{'cut short: ' if cut else ''}{error}") from error
    if _END_MARK not in data[-2048:]:
        raise Rejected("damaged", "cut short: the end mark is missing")
    if pages > settings.limits.pages:
        raise Rejected("too_many_pages", f"{pages} pages, more than {settings.limits.pages}")
    named = {_METADATA[key]: collapse(value) for key, value in described.items() if key in _METADATA}
    return {key: value for key, value in named.items() if value}


def _read_pages(data: bytes) -> list[Page]:
    from docling_parse.pdf_parser import ContentConfig, ContentLevel, DoclingPdfParser

    # Characters and lines are not needed as objects, which take most of the time.
    content = ContentConfig(
        char_cells_content_level=ContentLevel.COMPUTE,
        line_cells_content_level=ContentLevel.SKIP,
        include_bitmap_bytes=False,
    )
    document = DoclingPdfParser(loglevel="fatal").load(io.BytesIO(data))
    pages = []
    for number in range(1, document.number_of_pages() + 1):
        pages.append(page_from_parser(number, document.get_page(number, content_config=content)))
        document.unload_pages((number, number + 1))
    return pages


def _write(elements: Sequence[Element], builder: TextBuilder) -> None:
    forms = WordForms(line.text for element in elements for line in element.lines)
    for element in elements:
        left, top, right, bottom = (round(edge, 2) for edge in element.box)
        at = At(element.page, (left, top, right, bottom), element.confidence)
        text = join_lines([line.text for line in element.lines], forms)
        if element.kind == "table":
            builder.table(element.cells, at=at)
        elif element.kind == "code":
            builder.code(code_text(element.lines, element.character_width), at=at)
        elif element.kind == "heading":
            builder.heading(text, element.level, at)
        elif element.kind == "list_item":
            marker = element.marker or "-"
            numbered = any(character.isalnum() for character in marker)
            builder.list_item(text[len(marker) :], element.level, marker if numbered else "-", at)
        else:
            builder.paragraph(text or " ".join(cell.text for cell in element.cells), at=at)


def _ranges(numbers: Sequence[int]) -> str:
    """Page numbers, runs joined: ``1-4, 7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)

"""Word, PowerPoint and Excel files, read by docling."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, no stubs

from pipeline.normalized_text.docling_conversion import convert_with_docling
from pipeline.normalized_text.docling_walk import Walk, join_runs, write_document
from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.rendering import TextBuilder, collapse
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected

_EMU_IN_POINTS = 1 / 12_700
_MAX_EXPANSION = 30
"""A package that unpacks to more than this multiple of the file limit is a decompression bomb."""

_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "created": "date",
    "modified": "modified",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "language": "language",
}
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """Headings, paragraphs, lists, tables with merged cells filled, formulas, slides and their notes, sheets.

    Every slide and every sheet is a page; boxes are in points on slides and in cells on sheets. Running
    headers and footers are ``furniture`` warnings. Title, author and dates come from the core properties.

    Raises:
        Rejected: ``damaged`` for a broken package, ``encrypted`` for a protected one, ``too_large`` for one
            that unpacks to more than 30 times the file limit, ``too_many_cells``.
    """
    package = _open(source.data, settings)
    document = convert_with_docling(source)
    builder = TextBuilder(settings)
    furniture = write_document(document, builder, _walk(source, package))
    metadata = _properties(package)
    warnings = (*furniture, *builder.warnings())
    return Parsed(builder.text, builder.drafts, metadata.get("title"), metadata, warnings, has_lines=False)


def _open(data: bytes, settings: NormalizationSettings) -> zipfile.ZipFile:
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise Rejected("damaged", str(error)) from error
    entries = package.infolist()
    if any(entry.flag_bits & 1 for entry in entries):
        raise Rejected("encrypted", "the package is protected by a password")
    size = sum(entry.file_size for entry in entries)
    if size > _MAX_EXPANSION * settings.limits.file_bytes:
        raise Rejected("too_large", f"unpacks to {size} bytes")
    return package


def _walk(source: Source, package: zipfile.ZipFile) -> Walk:
    if source.source_format == "docx":
        return Walk(join=_exact_paragraphs(package))
    if source.source_format == "pptx":
        return Walk(points=_EMU_IN_POINTS)
    return Walk(sheet_headings=True)


def _exact_paragraphs(package: zipfile.ZipFile) -> Callable[[list[str]], str]:
    """Docling strips each run of a paragraph, so the space between two runs is lost; the package has it."""
    exact: dict[str, str] = {}
    for paragraph in _xml(package, "word/document.xml").iter(f"{_WORD}p"):
        text = "".join(
            node.text or "" if node.tag == f"{_WORD}t" else " "
            for node in paragraph.iter(f"{_WORD}t", f"{_WORD}tab", f"{_WORD}br")
        )
        exact.setdefault("".join(text.split()), collapse(text))

    def join(runs: list[str]) -> str:
        return exact.get("".join("".join(runs).split())) or join_runs(runs)

    return join


def _properties(package: zipfile.ZipFile) -> dict[str, str]:
    if "docProps/core.xml" not in package.namelist():
        return {}
    metadata: dict[str, str] = {}
    for node in _xml(package, "docProps/core.xml"):
        name = _PROPERTIES.get(etree.QName(node).localname) if isinstance(node.tag, str) else None
        value = collapse(node.text or "")
        if name and value:
            metadata[name] = value
    return metadata


def _xml(package: zipfile.ZipFile, name: str) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(package.read(name), parser)
    except (KeyError, etree.XMLSyntaxError, zipfile.BadZipFile) as error:
        raise Rejected("damaged", f"{name}: {error}") from error

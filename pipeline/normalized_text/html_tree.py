"""HTML as a tree in which only text is left, by libxml2 (HTML 5 tokenizer): no recursion, bounded depth."""

from __future__ import annotations

import re

from lxml import etree, html  # pyright: ignore[reportAttributeAccessIssue]  # compiled, no stubs

from pipeline.normalized_text.grids import GridCell
from pipeline.rejections import Rejected

HtmlElement = html.HtmlElement

_WITHOUT_TEXT = (
    *("nav", "script", "style", "template", "noscript", "svg", "iframe", "object", "embed", "audio"),
    *("video", "canvas", "map", "select", "datalist", "button", "input", "textarea"),
)
_SEPARATE = ("p", "div", "li", "tr", "br", "td", "th", "dt", "dd", "section", "article")
ROW_GROUPS = frozenset(("thead", "tbody", "tfoot", "form"))
TABLE_PARTS = ROW_GROUPS | {"tr", "caption", "colgroup", "col"}
_MAX_COLUMN_SPAN, _MAX_ROW_SPAN = 1_000, 65_534


def parse_html(markup: str) -> HtmlElement:
    """The root element, without comments, navigation, scripts, styles and form controls.

    Blocks and line breaks get a line feed, so that words of two blocks never join; a superscript of
    letters or digits gets a caret, so that 10² does not become 102.

    Raises:
        Rejected: ``too_deep`` when elements nest deeper than libxml2 goes (2,048), ``empty`` without any.
    """
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(markup.encode("utf-8", "surrogatepass"), parser=parser)
    except etree.ParserError as error:
        raise Rejected("empty", "no element in the file") from error
    for entry in parser.error_log:
        if entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise Rejected("too_deep", entry.message)
    etree.strip_elements(root, *_WITHOUT_TEXT, with_tail=False)
    for element in root.iter(*_SEPARATE):
        element.tail = "\n" + (element.tail or "")
    for element in root.iter("sup"):
        if len(element) == 0 and (element.text or "").strip().isalnum():
            element.text = f"^{(element.text or '').strip()}"
    return root


def text_of(element: HtmlElement) -> str:
    """All text inside ``element``."""
    return "".join(element.itertext())


def table_rows(table: HtmlElement) -> list[list[GridCell]]:
    """The rows of a table element, without those of tables nested in it; header cells are marked."""
    rows: list[list[GridCell]] = []
    for part in table:
        group = [part] if part.tag == "tr" else part if part.tag in ROW_GROUPS else ()
        for row in group:
            cells = [_cell(cell, part.tag == "thead") for cell in row if cell.tag in ("td", "th")]
            if cells:
                rows.append(cells)
    return rows


def _cell(cell: HtmlElement, in_head: bool) -> GridCell:
    return GridCell(
        row=0,
        column=0,
        text=" ".join(text_of(cell).split()),
        is_header=in_head or cell.tag == "th",
        row_span=_span(cell.get("rowspan"), _MAX_ROW_SPAN),
        column_span=_span(cell.get("colspan"), _MAX_COLUMN_SPAN),
    )


def _span(value: str | None, most: int) -> int:
    """A span attribute within the bounds of the HTML standard; 0 rows means the rest of the table."""
    digits = re.match(r"\s*(\d{1,9})", value or "1")
    number = int(digits[1]) if digits else 1
    return most if number == 0 and most == _MAX_ROW_SPAN else min(max(number, 1), most)

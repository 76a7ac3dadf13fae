"""HTML: what a reader sees, in one pass over the tree and without recursion."""

from __future__ import annotations

import re

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, no stubs

from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.grids import place_cells
from pipeline.normalized_text.html_tree import TABLE_PARTS, HtmlElement, parse_html, table_rows, text_of
from pipeline.normalized_text.rendering import TextBuilder, collapse
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected

_BLOCKS = frozenset(
    (
        *("html", "body", "main", "article", "section", "header", "footer", "aside", "address", "div", "p"),
        *("center", "form", "fieldset", "legend", "details", "summary", "dialog", "hgroup", "figure"),
        *("figcaption", "dl", "dt", "dd", "ul", "ol", "menu", "dir", "li", "blockquote", "hr", "table"),
        *("caption", "thead", "tbody", "tfoot", "tr", "td", "th", "title"),
    )
)
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_ITEMS = frozenset(("li", "dd"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_LAYOUT_TABLES = 20
"""Tables nested deeper than this are layout: looking into each of them would take quadratic time."""
_MAX_DIGITS = 9
"""Digits of a list's first number: HTML's integers have 32 bits."""
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:?)[-\s]([\w+#-]{1,30})")
_META = {
    "author": "author",
    "date": "date",
    "dcterms.date": "date",
    "article:published_time": "date",
    "article:modified_time": "modified",
    "last-modified": "modified",
    "description": "description",
    "keywords": "keywords",
    "og:title": "title",
    "dc.title": "title",
}


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """Headings, paragraphs, lists, tables (merged cells filled), code, quotes, figures and captions.

    Navigation, scripts, styles, form controls and hidden elements leave no text. The title is that of the
    head; metadata comes from its ``meta`` elements and the document's language. Tables for layout only (role
    ``presentation``, a single cell, headings or tables inside but no header cell) are read as their content.

    Raises:
        Rejected: ``too_deep`` when elements nest deeper than libxml2 goes (2,048), or lists and quotes
            deeper than the settings' limit; ``too_many_cells``; ``empty`` without any element.
    """
    root = parse_html(source.text)
    builder = TextBuilder(settings)
    _Renderer(builder, settings).render(root)
    title, metadata = _describe(root)
    return Parsed(builder.text, builder.drafts, title, metadata, builder.warnings(), has_lines=False)


def _describe(root: HtmlElement) -> tuple[str | None, dict[str, str]]:
    metadata: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or meta.get("http-equiv") or "").lower()
        content = collapse(meta.get("content") or "")
        if name in _META and content:
            metadata.setdefault(_META[name], content)
    if language := root.get("lang"):
        metadata["language"] = language
    titles = (collapse(text_of(element)) for element in root.iterfind("head/title"))
    title = next((text for text in titles if text), metadata.get("title"))
    return title, metadata | ({"title": title} if title else {})


class _Renderer:
    """Start and end events in turn; inline text gathers until a block begins or ends."""

    def __init__(self, builder: TextBuilder, settings: NormalizationSettings) -> None:
        self.builder = builder
        self.settings = settings
        self.inline: list[str] = []
        self.numbers: list[int | None] = []
        self.markers: list[str | None] = []
        self.quotes = 0
        self.captions = 0
        self.layout_tables = 0

    def render(self, root: HtmlElement) -> None:
        """Append every visible element of the tree to the builder."""
        walk = etree.iterwalk(root, events=("start", "end"))
        skipped: HtmlElement | None = None
        for event, element in walk:
            if event == "start":
                if element.tag == "head" or _is_hidden(element) or self._take_whole(element):
                    skipped = element
                    walk.skip_subtree()
                else:
                    self._open(element)
                    self.inline.append(element.text or "")
                continue
            if element is skipped:
                skipped = None
            else:
                self._close(element.tag)
            self.inline.append(element.tail or "")
        self._flush()

    def _take_whole(self, element: HtmlElement) -> bool:
        """Append an element that is one block (or one word) with all it contains."""
        tag = element.tag
        if tag in _HEADINGS:
            self._flush()
            self.builder.heading(text_of(element), _HEADINGS[tag])
        elif tag == "pre":
            self._flush()
            self.builder.code(text_of(element), _code_language(element))
        elif tag == "table" and self.layout_tables < _MAX_LAYOUT_TABLES and not _is_layout(element):
            self._flush()
            cells = place_cells(table_rows(element), limit=self.settings.limits.table_cells)
            caption = element.find("caption")
            self.builder.table(cells, text_of(caption) if caption is not None else None)
        elif tag == "img":
            self._take_image(element.get("alt") or "")
        elif tag == "math":
            self._take_formula(element)
        else:
            return False
        return True

    def _take_image(self, alternative: str) -> None:
        if collapse("".join(self.inline)):
            self.inline.append(f" {alternative} ")
        else:
            self.builder.figure(alternative)

    def _take_formula(self, element: HtmlElement) -> None:
        notes = [
            text_of(note) for note in element.iter("annotation") if "tex" in (note.get("encoding") or "")
        ]
        source = element.get("alttext") or (notes[0] if notes else text_of(element))
        if element.get("display") == "block":
            self._flush()
            self.builder.paragraph(f"$${collapse(source)}$$", "formula")
        else:
            self.inline.append(f" {source} ")

    def _open(self, element: HtmlElement) -> None:
        tag = element.tag
        if tag not in _BLOCKS:
            return
        self._flush()
        if tag in _LISTS:
            self.numbers.append(_first_number(element) if tag == "ol" else None)
        elif tag in _ITEMS:
            self.markers.append(self._marker())
        elif tag == "blockquote":
            self.quotes += 1
        elif tag in ("figcaption", "caption"):
            self.captions += 1
        elif tag == "table":
            self.layout_tables += 1
        if len(self.markers) + self.quotes > self.settings.limits.nesting:
            raise Rejected("too_deep", f"lists and quotes nest deeper than {self.settings.limits.nesting}")

    def _marker(self) -> str:
        if not self.numbers or self.numbers[-1] is None:
            return "-"
        self.numbers[-1] += 1
        return f"{self.numbers[-1] - 1}."

    def _close(self, tag: str) -> None:
        if tag not in _BLOCKS:
            return
        self._flush()
        if tag in _LISTS:
            self.numbers.pop()
        elif tag in _ITEMS:
            self.markers.pop()
        elif tag == "blockquote":
            self.quotes -= 1
        elif tag in ("figcaption", "caption"):
            self.captions -= 1
        elif tag == "table":
            self.layout_tables -= 1

    def _flush(self) -> None:
        text = collapse("".join(self.inline))
        self.inline.clear()
        if not text:
            return
        if self.captions:
            self.builder.paragraph(text, "caption")
        elif self.quotes:
            self.builder.quote(text)
        elif self.markers:
            self.builder.list_item(text, len(self.markers), self.markers[-1])
            self.markers[-1] = None
        else:
            self.builder.paragraph(text)


def _first_number(ordered_list: HtmlElement) -> int:
    start = ordered_list.get("start") or ""
    return int(start) if start.isdecimal() and len(start) <= _MAX_DIGITS else 1


def _is_hidden(element: HtmlElement) -> bool:
    style = element.get("style")
    return element.get("hidden") is not None or (
        style is not None and "display:none" in style.replace(" ", "")
    )


def _is_layout(table: HtmlElement) -> bool:
    if table.get("role") in ("presentation", "none") or any(part.tag not in TABLE_PARTS for part in table):
        return True
    if next(table.iterdescendants("table", *_HEADINGS), None) is not None:
        return next(table.iterdescendants("th"), None) is None
    return sum(1 for _ in table.iterdescendants("td", "th")) <= 1


def _code_language(element: HtmlElement) -> str | None:
    for candidate in (element, *element.iterdescendants("code")):
        found = _LANGUAGE.search(candidate.get("class") or "")
        if found:
            return found[1].lower()
    return None

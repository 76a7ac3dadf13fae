"""AsciiDoc: a line scanner, because blocks must be exact ranges of the file's own text."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipeline.normalized_text.asciidoc_tables import read_table
from pipeline.normalized_text.drafts import Draft, Parsed, Source
from pipeline.normalized_text.model import BlockKind, Warning
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.spans import Span

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r"(={3,}|-{3,}|~{3,}|\^{3,}|\+{3,})[ \t]*")
_UNDERLINE_LEVELS = "=-~^+"
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```\w*|[|,:!]===+)[ \t]*")
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:[ \t]+(.*))?")
_BLOCK_ATTRIBUTES = re.compile(r"\[[^\n]*\][ \t]*")
_BLOCK_TITLE = re.compile(r"\.([^\s.].*)")
_ITEM = re.compile(r"[ \t]*(\*{1,6}|\.{1,6}|-|\d{1,4}\.|[a-zA-Z]\.)[ \t]+(?=\S)")
_DESCRIPTION = re.compile(r"[ \t]*\S.*?(:{2,4}|;;)(?=\s|$)")
_DIRECTIVE = re.compile(
    r"(?:include|ifdef|ifndef|ifeval|endif|toc)::.*|//(?!/).*|'{3,}[ \t]*|<<<[ \t]*|\+[ \t]*"
)
_IMAGE = re.compile(r"(?:image|video)::[^\[\n]*\[([^\]\n]*)\][ \t]*")
_AUTHOR = re.compile(r"([A-Z][\w.'-]+(?: [\w.'-]+){0,4})(?: <[^>\n]*>)?(?:;.*)?")
_REVISION = re.compile(
    r"(?:v?([\w.]+),[ \t]*)?(\d{4}-\d\d-\d\d|\d{1,2} \w+ \d{4}|\w+ \d{1,2}, \d{4})(?::.*)?"
)
_VERBATIM: dict[str, BlockKind] = {
    "-": "code",
    ".": "code",
    "`": "code",
    "+": "html",
    "/": "html",
    "_": "quote",
}


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """Headings, paragraphs, lists, tables, listings, quotes, figures and captions with exact ranges.

    The document header (attributes, author, revision) is a ``front_matter`` block and metadata. Example,
    sidebar and open blocks are read as their content.

    Raises:
        Rejected: ``too_many_cells``.
    """
    scanner = _Scanner(source.text, settings.limits.table_cells)
    scanner.scan()
    title = scanner.metadata.get("title")
    return Parsed(source.text, scanner.drafts, title, scanner.metadata, tuple(scanner.warnings))


class _Scanner:
    """Reads line by line; ``attributes``, ``language`` and ``caption`` wait for the block they belong to."""

    def __init__(self, text: str, table_cells: int) -> None:
        self.text = text
        self.table_cells = table_cells
        self.lines = [(match.start(), match[1]) for match in re.finditer(r"([^\n]*)(?:\n|\Z)", text)]
        self.drafts: list[Draft] = []
        self.metadata: dict[str, str] = {}
        self.warnings: list[Warning] = []
        self.attributes = ""
        self.caption: str | None = None
        self.closers = self._closing_lines()
        self.at = 0

    def _closing_lines(self) -> dict[str, list[int]]:
        """The line numbers of every delimiter, last first, so that closing lines are found without search."""
        found: dict[str, list[int]] = {}
        for number in range(len(self.lines) - 1, -1, -1):
            line = self.lines[number][1].rstrip()
            if _DELIMITER.fullmatch(line):
                found.setdefault("```" if line.startswith("```") else line, []).append(number)
        return found

    def scan(self) -> None:
        """Fill ``drafts``, ``metadata`` and ``warnings``."""
        while self.at < len(self.lines):
            line = self.lines[self.at][1].rstrip("\r")
            if not line.strip():
                self.at += 1
            elif not (
                self._take_heading(line)
                or self._take_mark(line)
                or self._take_delimited(line)
                or self._take_item(line)
            ):
                self._take_paragraph(line)

    def _append(self, kind: BlockKind, first: int, last: int) -> Draft:
        """A block of whole lines; attributes that waited are used up."""
        start, line = self.lines[last]
        draft = Draft(kind, self.lines[first][0], start + len(line))
        draft.caption = self.caption if kind in ("table", "code", "figure") else None
        self.drafts.append(draft)
        self.at = last + 1
        return draft

    def _release(self) -> str:
        attributes, self.attributes, self.caption = self.attributes, "", None
        return attributes

    def _take_heading(self, line: str) -> bool:
        heading = _HEADING.fullmatch(line)
        following = self.lines[self.at + 1][1].rstrip() if self.at + 1 < len(self.lines) else ""
        if heading is not None:
            level, title, last = len(heading[1]), heading[2], self.at
        elif (
            _UNDERLINE.fullmatch(following)
            and abs(len(following) - len(line.rstrip())) <= 1
            and line[:1].isalnum()
        ):
            level, title, last = 1 + _UNDERLINE_LEVELS.index(following[0]), line, self.at + 1
        else:
            return False
        draft = self._append("heading", self.at, last)
        title = title.strip().rstrip("=#").strip()
        draft.level, draft.title = level, title
        self._release()
        if level == 1 and not any(earlier.kind != "html" for earlier in self.drafts[:-1]):
            self.metadata["title"] = title
            self._take_header()
        return True

    def _take_header(self) -> None:
        """Author, revision and attributes: the lines right under the document's title."""
        first = last = self.at
        for number in range(first, len(self.lines)):
            line = self.lines[number][1].rstrip()
            attribute, author, revision = (
                _ATTRIBUTE.fullmatch(line),
                _AUTHOR.fullmatch(line),
                _REVISION.fullmatch(line),
            )
            if attribute is not None:
                self.metadata.setdefault(attribute[1], attribute[2] or "")
            elif number == first and author is not None:
                self.metadata["author"] = author[1]
            elif number == first + 1 and revision is not None:
                self.metadata["date"] = revision[2]
            else:
                break
            last = number + 1
        if last > first:
            self._append("front_matter", first, last - 1)

    def _take_mark(self, line: str) -> bool:
        """Lines about other blocks: attributes, titles, directives, comments, pictures."""
        title, image = _BLOCK_TITLE.fullmatch(line), _IMAGE.fullmatch(line)
        if image is not None:
            self._append("figure", self.at, self.at).caption = self.caption or image[1] or None
            self._release()
        elif title is not None:
            caption = title[1].strip()
            self._append("caption", self.at, self.at)
            self.caption = caption
        elif _BLOCK_ATTRIBUTES.fullmatch(line):
            self.attributes += line
            self._append("html", self.at, self.at)
        elif _DIRECTIVE.fullmatch(line) or (_ATTRIBUTE.fullmatch(line) and line.startswith(":")):
            self._append("html", self.at, self.at)
        else:
            return False
        return True

    def _take_delimited(self, line: str) -> bool:
        mark = line.rstrip()
        if _DELIMITER.fullmatch(mark) is None:
            return False
        closing = "```" if mark.startswith("```") else mark
        if mark[0] in "=*" or mark == "--":
            self._append("html", self.at, self.at)
            return True
        closers = self.closers.get(closing, [])
        while closers and closers[-1] <= self.at:
            closers.pop()
        last = closers.pop() if closers else len(self.lines) - 1
        self._append_delimited(mark, self.at, last)
        if self.lines[last][1].rstrip() != closing:
            start = self.lines[last][0]
            self.warnings.append(
                Warning("unclosed_fence", "the block runs to the end", Span(self.drafts[-1].start, start))
            )
        return True

    def _append_delimited(self, mark: str, first: int, last: int) -> None:
        table = mark[1:].startswith("===") and mark[0] in "|,:!"
        draft = self._append("table" if table else _VERBATIM[mark[0]], first, last)
        attributes = self._release()
        before = self.drafts[-2] if len(self.drafts) > 1 else None
        if before is not None and attributes and before.end + 1 == draft.start and before.kind == "html":
            draft.start = self.drafts.pop(-2).start
        if table:
            body = self.text[self.lines[first][0] + len(self.lines[first][1]) + 1 : self.lines[last][0]]
            draft.cells = read_table(body, attributes, mark, limit=self.table_cells)
        elif draft.kind == "code":
            named = re.search(r"\[source\s*,\s*([\w+#-]+)", attributes)
            draft.language = (named[1] if named else mark.strip("`-. ")).lower() or None
        elif "stem" in attributes or "latexmath" in attributes:
            draft.kind = "formula"

    def _take_item(self, line: str) -> bool:
        item, description = _ITEM.match(line), _DESCRIPTION.match(line)
        if item is None and description is None:
            return False
        last = self._last_line_of_text(
            lambda following: not (_ITEM.match(following) or _DESCRIPTION.match(following))
        )
        draft = self._append("list_item", self.at, last)
        marker = item[1] if item else (description[1][1:] if description else "")
        draft.level = len(marker) if marker[0] in "*.:" else 1
        self._release()
        return True

    def _take_paragraph(self, line: str) -> None:
        literal = line[0] in " \t"
        attributes = self.attributes
        last = self._last_line_of_text(lambda _: True)
        kind: BlockKind = (
            "code" if literal or "[source" in attributes or "[listing" in attributes else "paragraph"
        )
        if "[quote" in attributes or "[verse" in attributes:
            kind = "quote"
        self._append(kind, self.at, last)
        self._release()

    def _last_line_of_text(self, goes_on: Callable[[str], object]) -> int:
        """The last line before a blank one, a delimiter, an attribute line or the start of something new."""
        last = self.at
        for number in range(self.at + 1, len(self.lines)):
            line = self.lines[number][1].rstrip()
            begins = (
                _DELIMITER.fullmatch(line) or _BLOCK_ATTRIBUTES.fullmatch(line) or _DIRECTIVE.fullmatch(line)
            )
            if not line.strip() or begins or not goes_on(line):
                break
            last = number
        return last

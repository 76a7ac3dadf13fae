"""Documents with known structure, written to office, HTML and PDF files by libraries that never read them.

One outline is made from a seed; every writer turns it into a file and every reader must find it again.
"""

from __future__ import annotations

import html
import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_NAMES = (
    *("Halden Foundry", "Quill Registry", "Marrow Bay Port", "Brack Mill", "Tresk Valve", "Fallow Station"),
    *("Ister Council", "Vantor Rail", "Orsan Depot", "Everly Dock", "Pell Laboratory", "Cobrin Yard"),
    *("Dunmore Kiln", "Lumen Ferry", "Hythe Archive"),
)
_VERBS = ("owns", "requires", "supersedes", "has leased", "supplies", "audits", "depends on")
_TOPICS = ("Scope", "Loads", "Owners", "Intake", "Exit Rules", "Fees", "Audits", "Storage", "Permits", "Crew")


@dataclass(frozen=True)
class Heading:
    level: int
    title: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Items:
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """``merged`` are (first row, first column, last row, last column), inclusive."""

    rows: tuple[tuple[str, ...], ...]
    merged: tuple[tuple[int, int, int, int], ...] = ()

    def filled(self) -> list[list[str]]:
        """The grid with the text of merged cells in each place."""
        grid = [list(row) for row in self.rows]
        for top, left, bottom, right in self.merged:
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    grid[row][column] = self.rows[top][left]
        return grid

    def covered(self) -> set[tuple[int, int]]:
        """Places hidden under a merged cell."""
        return {
            (row, column)
            for top, left, bottom, right in self.merged
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
            if (row, column) != (top, left)
        }


Part = Heading | Paragraph | Items | Table


@dataclass(frozen=True)
class Outline:
    title: str
    parts: tuple[Part, ...]


def make_outline(seed: int, sections: int = 8) -> Outline:
    """A document of ``sections`` sections with unique texts."""
    rng = random.Random(seed)
    number = iter(range(1, 100_000))
    parts: list[Part] = [Heading(1, f"Manual {seed} of {rng.choice(_NAMES)}")]
    level = 1
    for _ in range(sections):
        level = rng.choice([2, 2, 3] if level > 1 else [2])
        parts.append(Heading(level, f"{rng.choice(_TOPICS)} of {rng.choice(_NAMES)} {next(number)}"))
        parts += [Paragraph(_prose(rng, number)) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.4:
            parts.append(Items(tuple(_sentence(rng, next(number)) for _ in range(rng.randint(2, 4)))))
        if rng.random() < 0.6:
            parts.append(_table(rng, number))
            parts.append(Paragraph(_prose(rng, number)))
    return Outline(f"Made file {seed}", tuple(parts))


def _sentence(rng: random.Random, number: int) -> str:
    one, other = rng.sample(_NAMES, 2)
    return f"{one} {rng.choice(_VERBS)} {other} under permit {number}."


def _prose(rng: random.Random, number: Iterator[int]) -> str:
    return " ".join(_sentence(rng, next(number)) for _ in range(rng.randint(2, 6)))


def _table(rng: random.Random, number: Iterator[int]) -> Table:
    height, width = rng.randint(3, 7), rng.randint(2, 4)
    rows = [[f"Column {column} {next(number)}" for column in range(width)]]
    rows += [[f"{rng.choice(_NAMES)} {next(number)}" for _ in range(width)] for _ in range(height - 1)]
    merged = []
    if rng.random() < 0.5:
        merged.append((1, 0, 2, 0))
    if height > 4 and rng.random() < 0.5:
        merged.append((height - 1, width - 2, height - 1, width - 1))
    return Table(tuple(map(tuple, rows)), tuple(merged))


def write_html(outline: Outline) -> bytes:
    """A page with navigation, script and footer around the outline."""
    body = []
    for part in outline.parts:
        if isinstance(part, Heading):
            body.append(f"<h{part.level}>{html.escape(part.title)}</h{part.level}>")
        elif isinstance(part, Paragraph):
            words = part.text.split(" ")
            words[1] = f"<b>{words[1]}</b>"
            body.append(f"<p>{' '.join(words)}</p>")
        elif isinstance(part, Items):
            body.append("<ul>" + "".join(f"<li>{text}" for text in part.texts) + "</ul>")
        else:
            body.append(_html_table(part))
    return (
        f"<!doctype html><html><head><title>{outline.title}</title>"
        "<script>var x = '<p>no</p>'</script></head>"
        f"<body><nav><ul><li>Home</li></ul></nav><main>{''.join(body)}</main></body></html>"
    ).encode()


def _html_table(table: Table) -> str:
    covered = table.covered()
    spans = {(top, left): (bottom - top + 1, right - left + 1) for top, left, bottom, right in table.merged}
    rows = []
    for row, texts in enumerate(table.rows):
        tag = "th" if row == 0 else "td"
        cells = []
        for column, text in enumerate(texts):
            if (row, column) in covered:
                continue
            down, across = spans.get((row, column), (1, 1))
            cells.append(f'<{tag} rowspan="{down}" colspan={across}>{text}</{tag}>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def write_docx(outline: Outline) -> bytes:
    """A Word file with a running header and footer, and bold runs inside of words."""
    import docx

    document = docx.Document()
    document.core_properties.title = outline.title
    document.sections[0].header.paragraphs[0].text = "RUNNING HEAD"
    document.sections[0].footer.paragraphs[0].text = "RUNNING FOOT"
    for part in outline.parts:
        if isinstance(part, Heading):
            document.add_heading(part.title, part.level)
        elif isinstance(part, Paragraph):
            paragraph = document.add_paragraph(part.text[:3])
            paragraph.add_run(part.text[3:9]).bold = True
            paragraph.add_run(part.text[9:])
        elif isinstance(part, Items):
            for text in part.texts:
                document.add_paragraph(text, style="List Bullet")
        else:
            table = document.add_table(len(part.rows), len(part.rows[0]))
            covered = part.covered()
            for row, texts in enumerate(part.rows):
                for column, text in enumerate(texts):
                    if (row, column) not in covered:
                        table.cell(row, column).text = text
            for top, left, bottom, right in part.merged:
                table.cell(top, left).merge(table.cell(bottom, right)).text = part.rows[top][left]
    return _bytes_of(document.save)


def write_pptx(outline: Outline) -> bytes:
    """A slide a heading, its text in the body; tables on the same slide below."""
    import pptx
    from pptx.util import Inches

    deck = pptx.Presentation()
    deck.core_properties.title = outline.title
    slide: Any = None
    frame: Any = None
    for part in outline.parts:
        if isinstance(part, Heading):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            _set_title(slide, part.title)
            frame = None
        elif isinstance(part, Table) and slide is not None:
            shape = slide.shapes.add_table(
                len(part.rows), len(part.rows[0]), Inches(1), Inches(5), Inches(8), Inches(2)
            )
            for row, texts in enumerate(part.rows):
                for column, text in enumerate(texts):
                    if (row, column) not in part.covered():
                        shape.table.cell(row, column).text = text
            for top, left, bottom, right in part.merged:
                shape.table.cell(top, left).merge(shape.table.cell(bottom, right))
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            _set_title(slide, f"After {part.rows[0][0]}")
            frame = None
        elif slide is not None:
            texts = _lines_of(part)
            for text in texts:
                if frame is None:
                    frame = slide.placeholders[1].text_frame
                    frame.text = text
                else:
                    frame.add_paragraph().text = text
    return _bytes_of(deck.save)


def _lines_of(part: Part) -> tuple[str, ...]:
    if isinstance(part, Items):
        return part.texts
    return (part.text,) if isinstance(part, Paragraph) else ()


def _set_title(slide: Any, title: str) -> None:
    slide.shapes.title.text = title


def write_xlsx(outline: Outline) -> bytes:
    """A sheet a heading, with the tables of its section below each other."""
    import openpyxl

    book = openpyxl.Workbook()
    book.properties.title = outline.title
    book.remove(book.worksheets[0])
    sheet, row = None, 1
    for part in outline.parts:
        if isinstance(part, Heading):
            sheet, row = book.create_sheet(part.title[:31]), 1
        elif isinstance(part, Table) and sheet is not None:
            covered = part.covered()
            for down, texts in enumerate(part.rows):
                for across, text in enumerate(texts):
                    if (down, across) not in covered:
                        sheet.cell(row + down, 1 + across).value = text
            for top, left, bottom, right in part.merged:
                sheet.merge_cells(
                    start_row=row + top, start_column=1 + left, end_row=row + bottom, end_column=1 + right
                )
            row += len(part.rows) + 2
    return _bytes_of(book.save)


def write_pdf(outline: Outline, columns: int = 1) -> bytes:
    """Pages of one or two columns with a running header and page numbers; tables are ruled."""
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
    from reportlab.platypus import BaseDocTemplate, Frame, ListFlowable, ListItem, PageTemplate
    from reportlab.platypus import Paragraph as Flowing
    from reportlab.platypus import Table as Ruled

    def decorate(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, A4[1] - 40, "Running head of the made file")
        canvas.drawString(280, 30, f"Page {document.page}")

    styles = getSampleStyleSheet()
    body = styles["BodyText"]
    small = ParagraphStyle("cell", parent=body, fontSize=9 if columns == 1 else 7)
    sizes = {1: 20, 2: 15, 3: 12.5}
    headings = {
        level: ParagraphStyle(f"h{level}", parent=styles["Heading1"], fontSize=size, leading=size * 1.2)
        for level, size in sizes.items()
    }
    width = (A4[0] - 144 - 18 * (columns - 1)) / columns
    frames = [Frame(72 + i * (width + 18), 72, width, A4[1] - 144) for i in range(columns)]
    stream = io.BytesIO()
    document = BaseDocTemplate(stream, pagesize=A4, title=outline.title, author="Made by hand")
    document.addPageTemplates([PageTemplate(frames=frames, onPage=decorate)])
    story = []
    for part in outline.parts:
        if isinstance(part, Heading):
            story.append(Flowing(part.title, headings[part.level]))
        elif isinstance(part, Paragraph):
            story.append(Flowing(part.text, body))
        elif isinstance(part, Items):
            items: list[Any] = [ListItem(Flowing(text, body)) for text in part.texts]
            story.append(ListFlowable(items, bulletType="bullet"))
        else:
            rules = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("VALIGN", (0, 0), (-1, -1), "TOP")]
            rules += [("SPAN", (left, top), (right, bottom)) for top, left, bottom, right in part.merged]
            covered = part.covered()
            cells = [
                [
                    Flowing("" if (row, column) in covered else text, small)
                    for column, text in enumerate(texts)
                ]
                for row, texts in enumerate(part.rows)
            ]
            story.append(
                Ruled(cells, style=rules, colWidths=[width * 0.95 / len(part.rows[0])] * len(part.rows[0]))
            )
    document.build(story)
    return stream.getvalue()


def _bytes_of(save: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()

"""Quality figures, the HTML view, and how light the entry point is."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest

from pipeline.chunk_plans.settings import FloorSettings
from pipeline.chunking import chunk_document
from pipeline.chunks.floor import FastProbe, SpacyProbe, measure_floor
from pipeline.chunks.html_view import render_html
from pipeline.chunks.quality import measure
from tests.chunks.documents import bodies

FACTS = "The pump of Arden Bridge feeds Relay Nine. It was built by Mira Holt for the north depot. " * 60
TABLE = "| a | b |\n| - | - |\n| <script>alert(1)</script> | 2 |"
PAGE = f"# Yard <b>&\n\n{FACTS}\n\n## Loads\n\n{TABLE}\n\n{FACTS}"


class _Page(HTMLParser):
    """Collects what a browser would show, and every tag."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(dict(attrs).get("class") or "")

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.shown.append(data)
        if "text" in self.open:
            self.text.append(data)


def test_quality_is_read_off_the_chunks() -> None:
    chunked = chunk_document(PAGE, document_id="d")
    quality = measure(chunked)
    children = bodies(chunked)
    assert quality.chunks == len(children)
    assert quality.seams == len(children) - 1
    assert quality.atomic_splits == 0
    assert quality.headers_present == 1
    assert sum(quality.exemptions.values()) == sum(chunk.seam.exemption is not None for chunk in children)
    assert quality.size_quantiles[0] == min(chunk.tokens for chunk in children)
    assert quality.size_quantiles[-1] == max(chunk.tokens for chunk in children)
    assert 1 <= quality.duplication < quality.duplication_with_headers


def test_a_document_of_one_chunk_has_perfect_shares() -> None:
    quality = measure(chunk_document("The pump feeds Relay Nine.", document_id="d"))
    assert (quality.seams, quality.band_compliance, quality.duplication) == (0, 1.0, 1.0)


def test_the_page_shows_the_whole_text_and_runs_nothing() -> None:
    chunked = chunk_document(PAGE, document_id="<i>d</i>")
    page = _Page(render_html(chunked))
    assert "".join(page.text) == chunked.text
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "img", "iframe", "i"})
    assert not any(
        name.startswith("on") or name in ("src", "href") for _, attrs in page.tags for name in attrs
    )
    classes = [attrs.get("class") or "" for _, attrs in page.tags]
    assert classes.count("chunk") == len(bodies(chunked))
    assert any("carried" in each for each in classes)
    assert any("atomic" in each for each in classes)
    for chunk in bodies(chunked)[1:]:
        assert f"severed {chunk.seam.severed:.1f}" in "".join(page.shown)


def test_no_control_and_no_mark_of_direction_is_raw_in_the_page() -> None:
    chunked = chunk_document(f"# Yard \u202eand\n\n{FACTS}", document_id="a\x1b[31m\u2066\udc80.md")
    page = render_html(chunked)
    for raw, seen in (("\u202e", "\\u202e"), ("\x1b", "\\x1b"), ("\u2066", "\\u2066"), ("\udc80", "\\udc80")):
        assert raw not in page and seen in page


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("The pump feeds Relay Nine.", True),
        ("Arden Bridge, Relay Nine, Mira Holt", False),
        ("Yes.", False),
        ("It is.", False),
        ("工場は新しい機械を使う。それは北の倉庫から来た。", True),
    ],
)
def test_fast_floor(text: str, passed: bool) -> None:
    assert measure_floor(text, FloorSettings(), FastProbe()).passed is passed


def test_spacy_floor() -> None:
    probe = SpacyProbe()
    assert measure_floor("The pump feeds Relay Nine.", FloorSettings(), probe).passed
    assert not measure_floor("Arden Bridge.", FloorSettings(), probe).passed


def test_the_entry_point_is_light() -> None:
    code = (
        "import sys\nfrom pipeline import chunk_document\n"
        "chunk_document('# A\\n\\nThe pump feeds Relay Nine. ' * 300)\n"
        "heavy = {'spacy', 'docling', 'docling_core', 'dagster', 'duckdb', 'chonkie', 'torch'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_antecedents_are_names_of_the_text_before() -> None:
    filler = "The depot of the yard was cleaned in spring by the crew that came from the hills. " * 26
    chunked = chunk_document(
        f"Arden Bridge was built by Mira Holt. {filler}It carries a load of 3 kN. {filler}", document_id="d"
    )
    last = bodies(chunked)[-1]
    for name in last.antecedents:
        assert name in chunked.text[: last.span.start]
        assert name not in last.span.of(chunked.text)
        assert name in last.header


_CREW = "The crew swept the yard and it was dry by noon when they left for the hills again. " * 22


def _antecedents(opening: str, title: str = "Yard") -> tuple[str, ...]:
    """Names in the header of the second chunk of a document that starts with ``opening``."""
    chunked = chunk_document(f"# {title}\n\n{_CREW}{opening} {_CREW}", document_id="d")
    return tuple(name for chunk in bodies(chunked)[1:] for name in chunk.antecedents)


@pytest.mark.parametrize(
    ("opening", "found", "absent"),
    [
        ("Mrs. Hall met the crew with Mr. Hall.", "Mrs. Hall", "Mrs"),
        ("Nobody saw Oren Vale on Monday at noon UTC.", "Oren Vale", "Nobody"),
        ("According to the crew, Oren Vale left in September.", "Oren Vale", "According"),
        ("I'm told that Vale's dog barks.", "Vale", "I'm"),
        ("Vale was there.", "Vale", "Vale was"),
        ("Later that day Oren Vale met J. K. Moss.", "J. K. Moss", "Later"),
    ],
)
def test_antecedents_are_names(opening: str, found: str, absent: str) -> None:
    names = _antecedents(opening)
    assert found in names
    assert absent not in names
    assert not {"Monday", "UTC", "September"} & set(names)


def test_a_name_in_the_titles_is_not_said_again() -> None:
    names = _antecedents("There Oren Vale met Mira Holt.", title="The memoir of Oren Vale")
    assert "Mira Holt" in names
    assert "Oren Vale" not in names


def test_a_name_after_the_pronoun_is_an_antecedent() -> None:
    late = "In the end the crew thanked Oren Vale."
    chunked = chunk_document(f"{_CREW}There was Oren Vale. {_CREW}{late}", document_id="d")
    last = bodies(chunked)[-1]
    assert late in last.body.of(chunked.text)
    assert "Oren Vale" in last.antecedents


def test_a_header_is_never_larger_than_its_text() -> None:
    titles = "\n\n".join(
        f"{'#' * level} {'A very long title of a part of the yard manual ' * 3}{level}"
        for level in range(1, 6)
    )
    chunked = chunk_document(f"{titles}\n\nThe pump feeds Relay Nine.", document_id="d")
    for chunk in bodies(chunked):
        assert chunk.header_tokens <= max(64, chunk.tokens)

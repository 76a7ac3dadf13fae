"""What people see of the whole corpus in Dagster, and that no text of a document acts there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import dagster as dg
import pyromark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.home import Home
from pipeline.lineage import ChunkText, Evidence, TracedEdge, chunk_texts, find_edges, trace
from pipeline.markdown_text import plain_markdown
from pipeline.orchestration.corpus_metadata import quote_evidence
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.trace_page import render_trace
from pipeline.workers import Workers

FACTS = "Vantor Rail owns Brack Mill. Orsan Depot uses Gate One.\n"
MORE = "# More\n\nVantor Rail owns Brack Mill.\n"
LONELY = "# Notes\n\nBrack Mill is old. Mount Ember, Lake Tarn.\n"
HOSTILE = (
    "<script>alert(1)</script>",
    "](javascript:alert(1))",
    "![x](http://evil.example/p.png)",
    "a | b | c",
    "`code` ```fence",
    "# heading\n\n- item\n> quote",
    "&lt;b&gt; &amp; &#x41;",
    "<http://evil.example> www.evil.example https://evil.example",
    "*a* _b_ ~~c~~ **d** \\* \\",
    "1. one\n2. two\n\n---\n\n    code",
    "' onmouseover='x' \"><img src=x onerror=alert(1)>",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Three documents, one of which names things that nothing relates."""
    base = tmp_path_factory.mktemp("the home")
    docs, home = base / "docs", Home(base / "home")
    docs.mkdir()
    (docs / "facts.md").write_text(FACTS)
    (docs / "more.md").write_text(MORE)
    (docs / "lonely.md").write_text(LONELY)
    assert ingest(home, [docs], workers=Workers(0)).succeeded
    return home


def _metadata(home: Home, asset: str) -> Mapping[str, dg.MetadataValue]:
    with open_instance(home) as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey(asset))
    assert event is not None and event.asset_materialization is not None
    return event.asset_materialization.metadata


def test_the_profile_shows_four_pictures_and_numbers(home: Home) -> None:
    metadata = _metadata(home, "corpus_profile")
    pictures = [v.value for v in metadata.values() if isinstance(v, dg.MarkdownMetadataValue)]
    assert len(pictures) == 4
    assert all(re.fullmatch(r"!\[[^\]]+\]\(data:image/png;base64,[\w+/=]+\)", str(p)) for p in pictures)
    assert metadata["documents"].value == 3 and metadata["latest run: calls made"].value == 3


def test_the_strongest_edges_are_shown_with_a_command_that_traces_them(home: Home) -> None:
    metadata = _metadata(home, "graph_edges")
    table = metadata["strongest edges"]
    assert isinstance(table, dg.TableMetadataValue)
    first = table.records[0].data
    assert (first["subject"], first["relation"], first["object"]) == ("Vantor Rail", "own", "Brack Mill")
    assert [record.data["support"] for record in table.records] == [2, 1]
    command, verb, edge_id, option, folder = shlex.split(str(first["trace"]))
    assert (command, verb, option, Path(folder)) == ("edgekeeper", "trace", "--home", home.folder)
    assert trace(home.store(), edge_id) is not None
    quotes = str(metadata["what the documents say"].value)
    assert "“Vantor Rail owns Brack Mill\\.” (docs\\/more\\.md)" in quotes
    assert metadata["dagster/row_count"].value == 2


def test_the_orphans_of_the_run_are_shown(home: Home) -> None:
    table = _metadata(home, "graph_edges")["orphans of this run"]
    assert isinstance(table, dg.TableMetadataValue)
    names = {record.data["name"] for record in table.records}
    assert names and "Vantor Rail" not in names
    assert {record.data["document_id"] for record in table.records} == {"docs/lonely.md"}


def test_a_page_marks_the_sentence_in_its_chunk(home: Home) -> None:
    [edge] = find_edges(home.store(), subject="Vantor Rail")
    chunks = chunk_texts(home.store(), [item.chunk_id for item in edge.evidence])
    page = render_trace([edge], chunks)
    assert page.count("<blockquote>") == 2 and edge.evidence[0].header in _shown(page)
    assert "<mark class='subject'>Vantor Rail</mark><mark class='evidence'> owns </mark>" in page
    assert FACTS.strip() in _shown(page) and MORE.strip() in _shown(page)


# --- text of documents is text ---------------------------------------------------------------------


class _Reader(HTMLParser):
    """Tags with their attributes, and the text outside of them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert all(name in ("class", "id", "lang", "charset", "name", "content") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def _read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    return reader


def _shown(html: str) -> str:
    return _read(html).text


def _hostile_edge(text: str) -> tuple[TracedEdge, ChunkText]:
    """An edge all of whose texts are this one."""
    evidence = Evidence(
        *("clm_1", text, "0" * 64, text, text, "chk_1", text, text, "pattern", 0.5, text),
        *(0, len(text), text, 0, 1, text, len(text) - 1, len(text)),
    )
    return TracedEdge("edg_1", text, text, text, 1, (evidence,)), ChunkText(0, text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text_in_markdown(text: str) -> None:
    edge, _ = _hostile_edge(text)
    read = _read(pyromark.html(quote_evidence([edge]), options=pyromark.Options.ENABLE_STRIKETHROUGH))
    assert set(read.tags) <= {"ul", "li", "strong"}
    assert read.text.count(" ".join(text.split())) == 5  # three names, the sentence, the document


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text_in_a_page(text: str) -> None:
    edge, chunk = _hostile_edge(text)
    read = _read(render_trace([edge], {"chk_1": chunk}))
    assert not {"script", "img", "a", "b", "http:"} & set(read.tags)
    assert read.text.count(text) >= 6


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    shown = _shown(pyromark.html(plain_markdown("x" + text)))
    line = " ".join(("x" + text).split())
    assert shown.split() == "".join(c for c in line if c.isprintable()).split()

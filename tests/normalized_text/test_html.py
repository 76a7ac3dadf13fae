"""HTML: what a reader sees, and nothing a hostile page can do."""

from __future__ import annotations

import pytest

from pipeline.normalized_text import LimitSettings, NormalizationSettings, normalize
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact, headings, kinds, sources

SETTINGS = NormalizationSettings()
PAGE = """<!doctype html><html lang="en">
<head><title>A &amp; B</title><meta name="author" content="Ann Roe"><style>p {}</style></head>
<body><nav><a>Home</a></nav><h1>Top <em>words</em></h1><script>evil()</script>
<p>One <b>wo</b>rd.<br>Next.</p>
<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><ol start=3><li>e</ol>
<pre><code class="language-py">if x &lt; 1:

    # y
</code></pre><blockquote>q</blockquote>
<figure><img alt="A crane" src=x><figcaption>Figure 1: C</figcaption></figure>
<p hidden>no</p><div style="display: none">no</div><h4>Deep</h4>tail</body></html>"""


def read(body: str, settings: NormalizationSettings = SETTINGS) -> NormalizedText:
    document = normalize(body.encode(), document_id="d", file_name="a.html", settings=settings)
    assert_exact(document)
    return document


def test_every_kind_of_block() -> None:
    document = read(PAGE)
    assert document.text == (
        "# Top words\n\nOne word. Next.\n\n- a\n  - b\n- c\n\n  d\n3. e\n\n"
        "```py\nif x < 1:\n\n    # y\n```\n\n> q\n\n"
        "![A crane]\n\nFigure 1: C\n\n#### Deep\n\ntail"
    )
    assert kinds(document) == [
        *("heading", "paragraph", "list_item", "list_item", "list_item", "list_item", "list_item", "code"),
        *("quote", "figure", "caption", "heading", "paragraph"),
    ]
    assert headings(document) == [(1, "Top words"), (4, "Deep")]
    assert document.title == document.metadata["title"] == "A & B"
    assert (document.metadata["author"], document.metadata["language"]) == ("Ann Roe", "en")


def test_merged_cells_are_filled_and_named() -> None:
    document = read(
        "<table><caption>Leases</caption>"
        "<thead><tr><th rowspan=2>Berth<th colspan=2>Lease<tr><th>Owner<th>User"
        "</thead><tr><td>B0<td rowspan=2>Vantor|Rail<td>X<tr><td>B1<td>Y</table>"
    )
    table = document.blocks[1]
    assert [block.kind for block in document.blocks] == ["caption", "table"]
    assert table.caption == "Leases"
    assert table.span.of(document.text).splitlines() == [
        "| Berth | Lease / Owner | Lease / User |",
        "| --- | --- | --- |",
        "| B0 | Vantor\\|Rail | X |",
        "| B1 | Vantor\\|Rail | Y |",
    ]
    last = table.cells[-1]
    assert (last.text, last.row_headers, last.column_headers) == ("Y", ("B1",), ("Lease", "User"))


def test_layout_tables_are_read_as_their_content() -> None:
    document = read(
        "<table role=presentation><tr><td><h2>In</h2><p>x<td>y</table><table><tr><td>alone</table>"
    )
    assert kinds(document) == ["heading", "paragraph", "paragraph", "paragraph"]


def test_words_of_blocks_never_join_and_exponents_stay() -> None:
    document = read(
        "<table><tr><th>a<th>b<tr><td><p>one</p><p>two</p><td>10<sup>2</sup> kN<br>H<sub>2</sub>O</table>"
    )
    assert [cell.text for cell in document.blocks[0].cells[2:]] == ["one two", "10^2 kN H2O"]


def test_code_keeps_lines_and_outgrows_its_own_fences() -> None:
    document = read("<pre>a\n```\nb</pre>")
    assert sources(document, "code") == ["````\na\n```\nb\n````"]


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "blockquote", "table><tr><td", "font"])
def test_depth_is_bounded(tag: str) -> None:
    markup = f"<{tag}>" * 50_000 + "deep"
    try:
        assert "deep" in read(markup).text
    except Rejected as rejection:
        assert rejection.reason == "too_deep"


def test_deep_but_readable_pages_are_read() -> None:
    assert read("<div>" * 1_500 + "deep" + "</div>" * 1_500 + "<p>after").text == "deep\n\nafter"


@pytest.mark.parametrize(
    "markup",
    [
        "<p>a<p>b</i></div><td>c",
        "<li>alone",
        "<table><td>x",
        "</ul></li></blockquote>text",
        "<p>&#0;&#27;[0m&#xD800;x",
        "<!-- --><p>x</p><!--",
        "text only",
        "<svg><text>no</text></svg><math alttext='x=1' display=block></math>",
    ],
)
def test_malformed_markup_is_read(markup: str) -> None:
    assert read(markup).text


def test_cells_have_a_limit() -> None:
    with pytest.raises(Rejected) as rejection:
        read(
            "<table>" + "<tr><td colspan=1000 rowspan=60000>x" * 400 + "</table>",
            NormalizationSettings(limits=LimitSettings(table_cells=1_000)),
        )
    assert rejection.value.reason == "too_many_cells"


def test_text_outside_of_rows_is_not_lost() -> None:
    assert "stray" in read("<table><div>stray</div><tr><td>a<td>b</table>").text
    cells = read("<table><form><tr><th>h<th>k<tr><td>a<td>b</form></table>").blocks[0].cells
    assert [cell.text for cell in cells] == ["h", "k", "a", "b"]


def test_tables_nested_to_the_limit_are_read_as_content() -> None:
    body = "<table><tr><td>" * 450 + "<p>x</p>" * 20_000
    assert read(body).text.count("x") == 20_000

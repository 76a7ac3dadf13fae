"""Markdown blocks: what each kind covers, variants of the known failures, hostile input."""

from __future__ import annotations

import pytest

from pipeline.normalized_text import LimitSettings, NormalizationSettings, normalize, normalize_text
from pipeline.normalized_text.model import Block, NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact, headings, kinds, sources, spans

SETTINGS = NormalizationSettings()


def read(text: str, settings: NormalizationSettings = SETTINGS) -> NormalizedText:
    document = normalize_text(text, document_id="d", settings=settings)
    assert_exact(document)
    return document


def only(document: NormalizedText, kind: str) -> Block:
    (block,) = [block for block in document.blocks if block.kind == kind]
    return block


def test_every_kind_of_block() -> None:
    document = read(
        "# Title `x` #\n\npara\n\n- item\n  - nested\n\n> quote\n>\n> > deeper\n\n"
        "| a |\n|---|\n| b |\n\n"
        "[ref]: http://x.org\n\n<!-- note -->\n\n    indented\n\n$$\nx=1\n$$\n\n![alt](a.png)\n\n"
        "[^1]: foot\n\n***\n"
    )
    assert kinds(document) == [
        *("heading", "paragraph", "list_item", "list_item", "quote", "table", "html", "html", "code"),
        *("formula", "figure", "paragraph", "html"),
    ]
    assert headings(document) == [(1, "Title x")]
    assert only(document, "figure").caption == "alt"
    assert sources(document, "code") == ["    indented"]
    assert only(document, "quote").place.line_start == 8
    assert only(document, "quote").place.line_end == 10


def test_items_have_depths_and_keep_their_own_text() -> None:
    document = read("Steps:\n\n1. one\n\n   more of one\n   - nested\n2. two\n")
    assert [(block.kind, block.level) for block in document.blocks] == [
        ("paragraph", 0),
        ("list_item", 1),
        ("list_item", 2),
        ("list_item", 1),
    ]
    assert sources(document, "list_item") == ["1. one\n\n   more of one", "- nested", "2. two"]
    assert [block.lead_in for block in document.blocks] == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- a\n\n  ```py\n  # x\n\n  y\n  ```\n- b\n", "  ```py\n  # x\n\n  y\n  ```"),
        ("- ```py\n  # x\n  ```\n", "- ```py\n  # x\n  ```"),
        ("1.\n   ```\n   # x\n   ```\n", "1.\n   ```\n   # x\n   ```"),
        ("> a\n>\n> ```\n> # x\n> ```\n> b\n", "> ```\n> # x\n> ```"),
        ("- a\n  > q\n  > ~~~\n  > # x\n  > ~~~\n", "  > ~~~\n  > # x\n  > ~~~"),
        ("````\n```\n# x\n```\n````\n", "````\n```\n# x\n```\n````"),
        ("~~~\n```\n# x\n~~~\n", "~~~\n```\n# x\n~~~"),
        ("\t# x\n\n\ty\n", "\t# x\n\n\ty"),
    ],
)
def test_code_in_any_container_is_one_block_and_no_heading(text: str, code: str) -> None:
    document = read(text)
    assert sources(document, "code") == [code]
    assert headings(document) == []


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ("rust,ignore", "rust"),
        ("{.Bash #id}", "bash"),
        ("", None),
        ('go title="a b"', "go"),
    ],
)
def test_language_of_a_fence(info: str, language: str | None) -> None:
    assert only(read(f"```{info}\nx\n```\n"), "code").language == language


@pytest.mark.parametrize(
    ("text", "unclosed"),
    [
        ("```\nx\n", 1),
        ("```\nx\n~~~\n", 1),
        ("````\nx\n```\n", 1),
        ("- ```\n  x\n\nafter\n", 1),
        ("```", 1),
        ("```\n```\n", 0),
        ("```\nx\n`````  \n", 0),
        ("> ```\n> x\n> ```\n", 0),
    ],
)
def test_unclosed_fences_are_reported(text: str, unclosed: int) -> None:
    document = read(f"Words.\n\n{text}")
    assert [warning.code for warning in document.warnings] == ["unclosed_fence"] * unclosed


def test_tables_name_every_cell() -> None:
    table = only(read("| Part | Load |\n|:--|--:|\n| KT-1 | `a\\|b` |\n| KT-2 |\n"), "table")
    values = [cell for cell in table.cells if not cell.is_header]
    assert [(cell.row, cell.column, cell.text) for cell in values] == [
        (1, 0, "KT-1"),
        (1, 1, "a|b"),
        (2, 0, "KT-2"),
        (2, 1, ""),
    ]
    assert values[1].row_headers == ("KT-1",)
    assert values[1].column_headers == ("Load",)


@pytest.mark.parametrize(
    "table",
    [
        "<table>\n<tr><td>a</td></tr>\n\n<tr><td>b</td></tr>\n</table>",
        "<TABLE border=1>\n\n    <tr><td>a</td></tr>\n\n    <tr><td>b</td></tr>\n\n</TABLE>",
        "<table><tr><td>a<table><tr><td>in</td></tr></table></td></tr>\n\n<tr><td>b</td></tr></table>",
    ],
)
def test_raw_html_tables_run_to_their_end_tag(table: str) -> None:
    document = read(f"Before.\n\n<div>\n{table}\n</div>\n\nAfter `</table>`.\n")
    assert sources(document, "table") == [table]
    assert [cell.text for cell in only(document, "table").cells if cell.column == 0][-1] == "b"
    assert kinds(document) == ["paragraph", "html", "table", "html", "paragraph"]


def test_html_tables_in_code_or_without_end_are_none() -> None:
    document = read("```html\n<table><tr><td>x</td></tr></table>\n```\n\n<table>\n<tr><td>open\n\nprose\n")
    assert spans(document, "table") == []


def test_captions_go_with_their_block() -> None:
    document = read("Table 1: Loads.\n\n| a |\n|---|\n| b |\n\n![x](y.png)\n\n**Figure 2.** A crane.\n")
    assert kinds(document) == ["caption", "table", "figure", "caption"]
    assert only(document, "table").caption == "Table 1: Loads."
    assert only(document, "figure").caption == "Figure 2.** A crane."


@pytest.mark.parametrize(
    ("lead", "expected"),
    [("Run this:", True), ("**Run this:**", True), ("The following shows it.", True), ("It rains.", False)],
)
def test_lead_ins(lead: str, expected: bool) -> None:
    assert read(f"{lead}\n\n```\nx\n```\n").blocks[0].lead_in is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\nB\n=\n\nC\n-\n", [(1, "A"), (1, "B"), (2, "C")]),
        ("- a\n---\n> q\n***\n# h\n---\n", [(1, "h")]),
        ("####### seven\n\n#no space\n\n\\# escaped\n", []),
        ("#\n\n##   \n\n### ###\n", [(1, ""), (2, ""), (3, "")]),
        ("## *E* [l](u) ![i](s) <b>h</b> `c` &amp; {#id}\n", [(2, "E l i h c &")]),
        ("> # quoted\n\n- # item\n", []),
        ("a\r\n===\r\n\r\n## b\r\n", [(1, "a"), (2, "b")]),
    ],
)
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(read(f"{text}\nwords\n")) == expected


def test_sections_of_a_preface_and_of_equal_titles() -> None:
    document = read("preface\n\n# A\n\n## B\n\nx\n\n## B\n\n# A\n\n## B\n\ny\n")
    root, *sections = document.sections
    assert document.blocks[0].section_id == root.section_id
    assert [section.path for section in sections] == [("A",), ("A", "B"), ("A", "B"), ("A",), ("A", "B")]
    assert len({section.section_id for section in sections}) == 5


def test_section_ids_survive_edits_elsewhere() -> None:
    before = read("# A\n\nx\n\n# B\n\ny\n\n## C\n\nz\n")
    after = read("# New\n\nq\n\n# A\n\nlonger x\n\n# B\n\ny\n\n## C\n\nz\n")
    assert {section.section_id for section in before.sections} < {
        section.section_id for section in after.sections
    }


@pytest.mark.parametrize(
    ("text", "kind", "metadata"),
    [
        (
            "---\ntitle: T\nauthors: [A, B]\ndate: 2024-13-45\n---\nx\n",
            "front_matter",
            {"authors": "A, B", "date": "2024-13-45"},
        ),
        ("---\ntitle: a: b\nkey: v\n...\nx\n", "front_matter", {"title": "a: b", "key": "v"}),
        ("+++\ntitle = 'T'\n+++\nx\n", "front_matter", {"title": "T"}),
        ("---\nprose between rules\n---\nx\n", "html", {}),
        ("---\n\n---\nx\n", "html", {}),
        ("x\n\n---\ntitle: T\n---\n", "paragraph", {}),
        ("\n---\ntitle: T\n---\n", "html", {}),
    ],
)
def test_front_matter(text: str, kind: str, metadata: dict[str, str]) -> None:
    document = read(text)
    assert document.blocks[0].kind == kind
    assert metadata.items() <= document.metadata.items()
    if kind == "front_matter":
        assert headings(document) == []


def test_front_matter_cannot_explode() -> None:
    aliases = "\n".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9) if i else 'x'}]" for i in range(9))
    assert read(f"---\n{aliases}\n---\nx\n").metadata["a0"] == "x"
    read(f"---\nk: {'[' * 60_000}\n---\nx\n")


def test_byte_order_mark_kept_is_part_of_the_first_block() -> None:
    document = normalize(
        b"\xef\xbb\xbf# Title\r\n\r\nx",
        document_id="d",
        file_name="a.md",
        settings=NormalizationSettings(bom="keep", newline="keep", unicode_form="none"),
    )
    assert document.text == "\ufeff# Title\r\n\r\nx"
    assert headings(document) == [(1, "Title")]
    assert document.blocks[0].span == (0, 8)


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_nesting_has_a_limit(mark: str) -> None:
    with pytest.raises(Rejected) as rejection:
        read(mark * 100_000 + "x")
    assert rejection.value.reason == "too_deep"


@pytest.mark.parametrize(
    "table",
    [
        "|a" * 30 + "|\n" + "|-" * 30 + "|\n" + "|b|\n" * 30,
        "<table><tr><td colspan=1000>a" + "<tr><td>b" * 30 + "</table>",
    ],
)
def test_cells_have_a_limit(table: str) -> None:
    with pytest.raises(Rejected) as rejection:
        read(table, NormalizationSettings(limits=LimitSettings(table_cells=300)))
    assert rejection.value.reason == "too_many_cells"


def test_tokens_have_a_limit() -> None:
    settings = NormalizationSettings(limits=LimitSettings(tokens=10))
    assert read("ten words are less than ten tokens are here", settings).text
    with pytest.raises(Rejected) as rejection:
        read("eleven words are more than ten tokens in any tokenizer whatever it may be", settings)
    assert rejection.value.reason == "too_many_tokens"


def test_size_has_a_limit() -> None:
    settings = NormalizationSettings(limits=LimitSettings(file_bytes=10))
    with pytest.raises(Rejected) as rejection:
        normalize(b"x" * 11, document_id="d", file_name="a.md", settings=settings)
    assert rejection.value.reason == "too_large"


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "![",
        "*a ",
        "`" * 3 + "\n",
        "<table>",
        "</table>",
        "<!--",
        "[a]: b\n",
        "> - ",
        "\\",
        "&",
        "| a ",
        "\ufeff",
        "a\n---\n",
    ],
)
def test_hostile_repetition_is_read_or_rejected(unit: str) -> None:
    try:
        read(unit * 20_000 + "\n\nend")
    except Rejected as rejection:
        assert rejection.reason in ("too_deep", "too_many_cells")


def test_canonical_forms_never_become_markup() -> None:
    document = read("\u1fef\u1fef\u1fef\nprose, not code\n\ne\u0301\n")
    assert kinds(document) == ["paragraph", "paragraph"]
    assert document.text.endswith("\u00e9\n")


def test_normalize_text_knows_text_formats_only() -> None:
    assert (
        normalize_text("= T\n\nx", source_format="asciidoc", document_id="d", settings=SETTINGS).title == "T"
    )
    with pytest.raises(Rejected) as rejection:
        normalize_text("x", source_format="pdf", document_id="d", settings=SETTINGS)
    assert rejection.value.reason == "unsupported"


def test_how_a_file_was_read_is_recorded() -> None:
    document = normalize(b"---\nlanguage: de\n---\nx", document_id="d", file_name="a.md", settings=SETTINGS)
    assert document.metadata == {
        "language": "de",
        "bom": "drop",
        "newline": "lf",
        "unicode_form": "nfc",
        "encoding": "utf-8",
    }
    assert read("x").metadata["language"] == "en"


def test_title_falls_back_from_metadata_to_heading_to_name() -> None:
    assert read("# H\n\nx\n").title == "H"
    assert normalize_text("x", document_id="d", title="Given", settings=SETTINGS).title == "Given"
    assert normalize(b"x", document_id="d", file_name="sub/a b.txt", settings=SETTINGS).title == "a b"

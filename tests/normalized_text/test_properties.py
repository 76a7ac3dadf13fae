"""What holds for any text at all, however it is made."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.normalized_text import NormalizationSettings, normalize, normalize_text
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact

SETTINGS = NormalizationSettings()
VERBATIM = NormalizationSettings(bom="keep", newline="keep", unicode_form="none")

words = st.text(
    alphabet="abcXYZ äß漢字🙂é1.,:;!?*_`[]()<>&|\\#-+=~$\u00a0\u3000ﬁ²＃｜｀①", min_size=1, max_size=30
)
lines = st.sampled_from(["# Title", "## Sub ##", "Set\nText\n---", "Top\n===", "---", "***", "<!-- c -->"])
fences = st.builds(
    lambda mark, info, body, close: f"{mark}{info}\n{body}\n{mark if close else ''}",
    st.sampled_from(["```", "~~~~", "````"]),
    st.sampled_from(["", "py", "rust,ignore"]),
    words,
    st.booleans(),
)
tables = st.builds(lambda a, b: f"| h | k |\n| --- | :-: |\n| {a} | x |\n{b} | y", words, words)
html_tables = st.sampled_from(
    [
        "<table>\n<tr><td>a</td></tr>\n\n    <tr><td>b</td></tr>\n</table> tail",
        "<table><tr><td>open",
        "</table>",
    ]
)
others = st.sampled_from(
    [
        "[ref]: http://x.org 'T'",
        "[^1]: note\n    more",
        "![alt](a.png)",
        "$$\nx=1\n$$",
        "    indented",
        "Table 1: c",
    ]
)
leaves = st.one_of(words, lines, fences, tables, html_tables, others)


def _prefixed(first: str, rest: str, inner: str) -> str:
    return "\n".join((first if i == 0 else rest) + line for i, line in enumerate(inner.split("\n")))


blocks = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda text: _prefixed("- ", "  ", text), inner),
        st.builds(lambda text: _prefixed("1. ", "   ", text), inner),
        st.builds(lambda text: _prefixed("> ", "> ", text), inner),
        st.builds(lambda a, b: f"{a}\n\n{b}", inner, inner),
        st.builds(lambda a, b: f"{a}\n{b}", inner, inner),
    ),
    max_leaves=12,
)
documents = st.one_of(
    blocks,
    st.builds(lambda body: f"---\ntitle: T\n---\n{body}", blocks),
    st.builds(lambda body, end: body.replace("\n", end), blocks, st.sampled_from(["\r\n", "\r"])),
    st.text(max_size=200),
    st.text(alphabet="#`~>-*+ \n\t|:1.[]()<!table/td>=a\r\x00\ufeff", max_size=120),
)


def _read(text: str, options: NormalizationSettings = SETTINGS) -> NormalizedText | None:
    try:
        return normalize_text(text, document_id="d", settings=options)
    except Rejected as rejection:
        assert rejection.reason == "empty"
        return None


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents)
def test_blocks_are_exact_and_parsing_is_idempotent(text: str) -> None:
    document = _read(text)
    if document is None:
        return
    assert_exact(document)
    again = _read(document.text)
    assert again is not None
    assert replace(again, warnings=()) == replace(document, warnings=())


@settings(max_examples=200, deadline=None)
@given(documents)
def test_verbatim_settings_keep_every_code_point_of_the_file(text: str) -> None:
    encodable = text.encode("utf-8", "ignore").decode("utf-8")
    document = _read(encodable, VERBATIM)
    if document is None:
        return
    assert_exact(document)
    if not any(warning.code == "control_characters" for warning in document.warnings):
        assert document.text == encodable


@settings(max_examples=200, deadline=None)
@given(documents)
def test_compatibility_folding_changes_characters_but_no_structure(text: str) -> None:
    plain, folded = _read(text), _read(text, NormalizationSettings(unicode_form="nfkc"))
    if plain is None or folded is None:
        return
    assert [(block.kind, block.level, block.language) for block in plain.blocks] == [
        (block.kind, block.level, block.language) for block in folded.blocks
    ]
    assert len(plain.sections) == len(folded.sections)


@settings(max_examples=150, deadline=None)
@given(documents, st.sampled_from(["a.md", "a.txt", "a.html", "a.adoc", "a.csv", "a.jsonl"]))
def test_any_text_under_any_name_is_exact_or_rejected(text: str, name: str) -> None:
    try:
        document = normalize(
            text.encode("utf-8", "ignore"), document_id="d", file_name=name, settings=SETTINGS
        )
    except Rejected:
        return
    assert_exact(document)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_exact_or_rejected(data: bytes) -> None:
    try:
        document = normalize(data, document_id="d", file_name="a.md", settings=SETTINGS)
    except Rejected:
        return
    assert_exact(document)
    assert "\ufffd" not in document.text or "\ufffd".encode() in data

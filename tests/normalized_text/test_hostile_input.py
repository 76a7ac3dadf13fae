"""Input made to break a parser or to take its time gives a result or a reason."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.normalized_text import NormalizationSettings, normalize, normalize_text
from pipeline.normalized_text.cleaning import compose
from pipeline.normalized_text.loaders.chat import TURN
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact

SETTINGS = NormalizationSettings()
BODY = "\n\nVantor Rail owns Gate One.\n"
DIGITS = "9" * 5_000


def read(text: str, source_format: str = "markdown") -> NormalizedText:
    document = normalize_text(text, source_format=source_format, document_id="d", settings=SETTINGS)
    assert_exact(document)
    return document


MARKS = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.combining(chr(code))]
COMPOSED_MARKS = ["\u0344", "\u0f73", "\u0f75", "\u0f81", "\u0340"]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.one_of(st.sampled_from(MARKS), st.sampled_from([*COMPOSED_MARKS, "e", "é", "\u034f", "。"])),
        min_size=1,
        max_size=20,
    ),
    st.integers(1, 40),
)
def test_composition_of_runs_of_marks_is_nfc(characters: list[str], repeats: int) -> None:
    text = "a" + "".join(characters) * repeats
    composed = compose(text)
    assert composed == unicodedata.normalize("NFC", text)
    assert compose(composed) == composed


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
@pytest.mark.parametrize("marks", ["\u0301", "\u0301\u0316", "\u0f73", "\u0344\u0323\u0335"])
def test_runs_of_marks_of_any_length_are_read(marks: str, form: str) -> None:
    options = NormalizationSettings.model_validate({"unicode_form": form})
    text = "a" + marks * (300_000 // len(marks))
    document = normalize_text(text, source_format="text", document_id="d", settings=options)
    again = normalize_text(document.text, source_format="text", document_id="d", settings=options)
    assert again.text == document.text
    expected = sorted(unicodedata.normalize("NFD", marks), key=unicodedata.combining)
    assert document.text[-1] == expected[-1]


@pytest.mark.parametrize(
    "front",
    [
        f"+++\na = {DIGITS}\n+++",
        f"+++\na = 0x{DIGITS}\n+++",
        "+++\na = 2024-99-99\n+++",
        "+++\na = 2024-01-01T99:99:99Z\n+++",
        f"+++\na = {'[' * 3_000}\n+++",
        f"+++\n{'.'.join('a' * 3_000)} = 1\n+++",
        f"+++\n{'.'.join('a' * 30_000)} = 1\n+++",
        f"+++\n[{'.'.join('a' * 20_000)}]\nb = 1\n+++",
        f"---\na: {'[' * 4_000}\n---",
        f"---\na: {'[' * 40_000}\n---",
        f"---\na: {'{b: ' * 3_000}\n---",
        f"---\na:\n{'- ' * 2_000}x\n---",
        "---\na: &a [*a]\n---",
        "---\na: b\n&a ? *a : b\n---",
        "---\na: b\n? [a, b]\n: c\n---",
        "---\na: b\n<<: 1\n---",
        '---\na: "\\UFFFFFFFF"\n---',
        f"---\nkey: {'x' * 20_000}\n---",
    ],
)
def test_front_matter_that_no_parser_reads_is_still_front_matter(front: str) -> None:
    document = read(front + BODY)
    assert document.blocks[0].kind == "front_matter"
    assert document.blocks[0].span == (0, len(front))
    assert [block.kind for block in document.blocks[1:]] == ["paragraph"]


@pytest.mark.parametrize(
    "front",
    [
        f"+++\na = {DIGITS}\n+++",
        "+++\na = \n+++",
        f"+++\na = '{'x' * 9_000}'\n+++",
        f"---\na: b\nc: {'[' * 20_000}\n---",
    ],
)
def test_unread_front_matter_is_reported(front: str) -> None:
    assert [warning.code for warning in read(front + BODY).warnings] == ["front_matter_syntax"]


def test_aliases_do_not_multiply_a_value_beyond_bounds() -> None:
    front = f"---\nlong: &a {'x' * 8_000}\nmany: [{', '.join(['*a'] * 1_500)}]\nlast: z\n---"
    metadata = read(front + BODY).metadata
    assert metadata["long"] == "x" * 8_000
    assert metadata["last"] == "z"
    assert sum(map(len, metadata.values())) < 70_000


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["---", "+++"]),
    st.text(alphabet="ab0:=\"'[]{}<>&*?!|#%@,.-+ \n\\uxUe", max_size=80),
)
def test_any_front_matter_is_read_or_is_text(rule: str, source: str) -> None:
    read(f"{rule}\ntitle: x\n{source}\n{rule}{BODY}")
    read(f"{rule}\n{source}\n{rule}{BODY}")


@pytest.mark.parametrize(
    "charset",
    (
        *("rot13", "rot_13", "hex", "zlib", "bz2", "base64", "uu", "quopri", "zip", "idna", "punycode"),
        *("undefined", "unicode_escape", "raw_unicode_escape", "aliases", "__init__", "mbcs", "no-such"),
    ),
)
def test_a_declared_encoding_is_one_of_texts(charset: str) -> None:
    data = f'<meta charset="{charset}"><p>Un café à Orléans, déjà payé.'.encode("cp1252")
    document = normalize(data, document_id="d", file_name="a.html", settings=SETTINGS)
    assert document.metadata["encoding"] == "cp1252"
    assert document.text.strip() == "Un café à Orléans, déjà payé."


@pytest.mark.parametrize(
    ("start", "number"), [("7", "7"), ("007", "7"), (DIGITS, "1"), ("-3", "1"), ("x", "1"), ("²", "1")]
)
def test_first_number_of_a_list(start: str, number: str) -> None:
    document = read(f'<ol start="{start}"><li>Gate</ol>', "html")
    assert document.text.strip() == f"{number}. Gate"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["A: b", "Bo: c", "10:00 A: b", "x", "", '"', "'"]), max_size=8),
    st.sampled_from(["\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\r\n"]),
    st.sampled_from(["lf", "keep"]),
)
def test_transcripts_with_any_separator(parts: list[str], separator: str, newline: str) -> None:
    options = NormalizationSettings.model_validate({"newline": newline})
    text = separator.join(parts)
    try:
        as_told = normalize_text(text, source_format="transcript", document_id="d", settings=options)
        as_found = normalize(text.encode(), document_id="d", file_name="a.txt", settings=options)
    except Rejected as rejection:
        assert rejection.reason in ("empty", "binary")
        return
    assert_exact(as_told)
    assert_exact(as_found)
    assert sum(block.kind == "chat_turn" for block in as_told.blocks) == len(TURN.findall(as_told.text))


@pytest.mark.parametrize("text", ["\"x`'", "word", "A\vB: c"])
def test_a_transcript_without_turns_is_text(text: str) -> None:
    assert [block.kind for block in read(text, "transcript").blocks] == ["paragraph"]


def test_a_transcript_without_any_letter_is_empty() -> None:
    with pytest.raises(Rejected) as rejection:
        read('""`\'"', "transcript")
    assert rejection.value.reason == "empty"

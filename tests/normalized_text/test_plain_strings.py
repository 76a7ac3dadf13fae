"""Every string of a result or a rejection is valid UTF-8 on one line, whatever a file or its name spells."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.characters import one_line, remove_controls
from pipeline.normalized_text import NormalizationSettings, normalize, normalize_text
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected

SETTINGS = NormalizationSettings()
BODY = "\n\nVantor Rail owns Gate One.\n"

hostile = st.text(
    alphabet=st.one_of(
        st.sampled_from("\x00\x07\x1b[31m\x7f\x85\x9b\u2028\ud800\udfff\udcff\n\r\t\v\f\x1c aé漢"),
        st.characters(),
    ),
    max_size=20,
)


def strings_of(document: NormalizedText) -> Iterator[str]:
    """All strings beside the text and its cells that stand for something in a file."""
    yield from (document.title or "", document.loader, document.source_format, *document.metadata)
    yield from document.metadata.values()
    for warning in document.warnings:
        yield from (warning.code, warning.detail)
    for section in document.sections:
        yield from (section.title, *section.path)
    for block in document.blocks:
        yield from (block.title or "", block.language or "", block.caption or "")
        yield from (block.speaker or "", block.timestamp or "")


def assert_plain(document: NormalizedText) -> None:
    for text in strings_of(document):
        text.encode("utf-8")
        assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in text), text
    document.text.encode("utf-8")
    for block in document.blocks:
        for cell in block.cells:
            for text in (cell.text, *cell.row_headers, *cell.column_headers):
                assert remove_controls(text) == (text, 0), "cells have line breaks, nothing else"


def read(text: str, source_format: str = "markdown") -> NormalizedText:
    return normalize_text(text, source_format=source_format, document_id="d", settings=SETTINGS)


def escaped(text: str) -> str:
    """A double-quoted scalar of YAML and TOML in which everything unusual is escaped, surrogates apart."""
    return "".join(
        character if character.isascii() and character.isalnum() else f"\\U{ord(character):08X}"
        for character in text
    )


@settings(max_examples=150, deadline=None)
@given(hostile, hostile, st.sampled_from([("---", ": "), ("+++", " = ")]))
def test_front_matter_cannot_spell_control_characters(name: str, value: str, syntax: tuple[str, str]) -> None:
    rule, equals = syntax
    pair = f'"{escaped(name)}"{equals}"{escaped(value)}"'
    document = read(f'{rule}\ntitle{equals}"{escaped(value)}"\n{pair}\n{rule}{BODY}')
    assert_plain(document)
    assert document.title != ""


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ('---\ntitle: "a\\x00b\\x1b[31mc"\n---', "abc"),
        (f'---\ntitle: "\\uD800x"\nlong: {"y" * 5_000}\n---', "x"),
        ('---\ntitle: "a\\nb"\n---', "a b"),
        ('+++\ntitle = "a\\u0000b\\u001b[31mc"\n+++', "abc"),
        ('---\ntitle: "\\e"\n---', None),
    ],
)
def test_titles_of_front_matter(front: str, title: str | None) -> None:
    assert read(front + BODY).title == title


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=12), st.sampled_from([".txt", ".md", ".html", ".pdf", ".csv", ""]))
def test_file_names_of_any_bytes(name: bytes, extension: str) -> None:
    file_name = os.fsdecode(name.replace(b"/", b"")) + extension
    try:
        document = normalize(BODY.encode(), document_id="d", file_name=file_name, settings=SETTINGS)
    except Rejected as rejection:
        for text in (rejection.detail, str(rejection)):
            text.encode("utf-8")
            assert text == one_line(text)
        return
    assert_plain(document)


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=1, max_size=8))
def test_extensions_of_any_bytes(extension: bytes) -> None:
    file_name = "a." + os.fsdecode(extension.replace(b"/", b""))
    try:
        normalize(b"\xff\x00\x01", document_id="d", file_name=file_name, settings=SETTINGS)
    except Rejected as rejection:
        str(rejection).encode("utf-8")
        assert rejection.detail == one_line(rejection.detail)


def test_a_binary_format_is_read_under_any_name() -> None:
    import io

    import docx

    document, stream = docx.Document(), io.BytesIO()
    document.add_paragraph("Vantor Rail owns Gate One.")
    document.save(stream)
    read = normalize(
        stream.getvalue(), document_id="d", file_name=os.fsdecode(b"f\xff.docx"), settings=SETTINGS
    )
    assert read.title == "f"
    assert_plain(read)


@settings(max_examples=100, deadline=None)
@given(hostile, st.sampled_from(["markdown", "html", "asciidoc", "text"]))
def test_entities_cannot_spell_control_characters(text: str, source_format: str) -> None:
    spelled = "".join(f"&#{ord(character)};" for character in text)
    parts = {
        "markdown": f"# A{spelled}\n\n| a{spelled} | b |\n| - | - |\n| x{spelled} | y |\n\n"
        f"```p{spelled}\nx\n```\n",
        "html": f"<title>T{spelled}</title><meta name=author content='a{spelled}'>"
        f"<h1>A{spelled}</h1><img alt='x{spelled}'><table><tr><th>a{spelled}<td>b</table>",
        "asciidoc": f"= T{spelled}\n:author: {spelled}\n\n|===\n|a{spelled} |b\n|===\n",
        "text": spelled,
    }
    assert_plain(read(parts[source_format] + BODY, source_format))


@settings(max_examples=100, deadline=None)
@given(hostile, hostile, hostile)
def test_json_escapes_cannot_spell_control_characters(name: str, value: str, time: str) -> None:
    turn = json.dumps({"role": f"u{name}", "content": f"x {value}", "ts": time})
    assert_plain(read(f"{turn}\n{{\n", "chat"))
    assert_plain(read(json.dumps({"k": "v", f"a{name}": f"x{value}"}) + "\n{\n", "jsonl"))

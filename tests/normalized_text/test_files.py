"""Bytes and names: encodings, detection, rejections."""

from __future__ import annotations

import random

import pytest

from pipeline.normalized_text import HEAD_BYTES, NormalizationSettings, detect, normalize
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected

SETTINGS = NormalizationSettings()
RUSSIAN = "Привет, мир. Это старый архив договоров порта, и в нём записаны все владельцы причалов. " * 4
JAPANESE = "港の管理規則。この文書は埠頭の所有者と借主を記録する。契約は毎年更新される。" * 4
POLISH = "Zażółć gęślą jaźń. Przedsiębiorstwo wodociągów podpisało umowę z dostawcą. " * 4
FRENCH = "L’été, à Orléans, le café coûte 2 € — « déjà » payé. Ça suffit, n’est-ce pas ? " * 2
GREEK = "Το λιμάνι ανήκει στην εταιρεία και η σύμβαση ανανεώνεται κάθε χρόνο από τον δήμο. " * 4


def read(data: bytes, name: str = "a.txt", settings: NormalizationSettings = SETTINGS) -> NormalizedText:
    return normalize(data, document_id="d", file_name=name, settings=settings)


def reason_of(data: bytes, name: str = "a.txt") -> str:
    with pytest.raises(Rejected) as rejection:
        read(data, name)
    return rejection.value.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    "text", ["Plain words.\n", FRENCH, "Ключ 🙂 and words, mostly ASCII in this line.\n"]
)
def test_unicode_encodings(text: str, encoding: str) -> None:
    document = read(text.encode(encoding))
    assert document.text == text
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (GREEK, "cp1253"),
    ],
)
def test_legacy_encodings_are_read_letter_by_letter_or_rejected(text: str, encoding: str) -> None:
    try:
        document = read(text.encode(encoding))
    except Rejected as rejection:
        assert rejection.reason == "undecodable"
        return
    assert document.text == text
    assert [warning.code for warning in document.warnings] == ["guessed_encoding"]


@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE])
def test_most_legacy_encodings_are_known(text: str) -> None:
    encoding = {FRENCH: "cp1252", RUSSIAN: "cp1251", JAPANESE: "shift_jis"}[text]
    assert read(text.encode(encoding)).text == text


def test_central_european_text_is_never_read_as_western() -> None:
    try:
        assert read(POLISH.encode("cp1250")).text == POLISH
    except Rejected as rejection:
        assert rejection.reason == "undecodable"


def test_declared_encoding_of_html_is_used() -> None:
    page = f"<html><head><meta charset='cp1251'></head><body><p>{RUSSIAN}</p></body></html>"
    assert read(page.encode("cp1251"), "a.html").text == RUSSIAN.strip()


def test_noise_is_rejected() -> None:
    noise = bytes(random.Random(1).choices(range(128, 256), k=600))
    assert reason_of(noise) == "undecodable"


def test_replacement_characters_of_the_file_itself_are_reported() -> None:
    assert [warning.code for warning in read("a \ufffd b".encode()).warnings] == ["replacement_character"]


def test_controls_escape_sequences_and_surrogates_are_removed() -> None:
    document = read(b"a\x00b \x1b[1;31mred\x1b[0m \x7f\xc2\x80end\x0c")
    assert document.text == "ab red end\x0c"


@pytest.mark.parametrize(
    ("name", "data", "loader", "source_format"),
    [
        ("a.md", b"x", "markdown", "markdown"),
        ("A.MARKDOWN", b"", "markdown", "markdown"),
        ("a.txt", b"x", "text", "text"),
        ("a.htm", b"<p>", "html", "html"),
        ("a.adoc", b"= T", "asciidoc", "asciidoc"),
        ("a.csv", b"a,b", "records", "csv"),
        ("a.tsv", b"a\tb", "records", "tsv"),
        ("a.jsonl", b'{"id": 1}', "records", "jsonl"),
        ("a.jsonl", b'{"role": "user", "content": "hi"}', "chat", "chat"),
        ("a.jsonl", b'{"messages": []}', "chat", "chat"),
        ("a.txt", b"Ann: hi\nBen: ho\nAnn: hm\nBen: ok\n", "chat", "transcript"),
        ("a.txt", b"Note: one\nWarning: two\nRemark: three\nHint: four\n", "text", "text"),
        ("a.bin", b"%PDF-1.7", "pdf", "pdf"),
        ("a.md", b"\n%PDF-1.7", "pdf", "pdf"),
        ("a.docx", b"PK\x03\x04....word/", "office", "docx"),
        ("a.zip", b"PK\x03\x04....xl/workbook", "office", "xlsx"),
    ],
)
def test_detection(name: str, data: bytes, loader: str, source_format: str) -> None:
    assert detect(name, data[:HEAD_BYTES]) == (loader, source_format)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.exe", b"words", "unsupported"),
        ("README", b"words", "unsupported"),
        ("a.md", b"\x89PNG\r\n\x1a\n", "binary"),
        ("a.md", b"PK\x03\x04 archive", "binary"),
        ("a.md", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "binary"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 locked", "encrypted"),
        ("a.docx", b"words", "damaged"),
        ("a.txt", bytes(range(1, 9)) * 40, "binary"),
        ("a.txt", b"\x00\x01\x02\x03" * 50, "binary"),
        ("a.md", b"", "empty"),
        ("a.pdf", b"", "empty"),
        ("a.md", b"\xef\xbb\xbf \n", "empty"),
        ("a.md", b"---\ntitle: only metadata\n---\n", "empty"),
        ("a.html", b"<html><body><script>1</script></body></html>", "empty"),
        ("a.html", b"<!-- -->", "empty"),
        ("a.csv", b"only,head\n", "empty"),
        ("a.jsonl", b"not json\n", "damaged"),
    ],
)
def test_rejections(name: str, data: bytes, reason: str) -> None:
    assert reason_of(data, name) == reason

"""Records, chat logs and AsciiDoc."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.normalized_text import (
    NormalizationSettings,
    RecordSettings,
    expand_records,
    normalize,
    normalize_record,
)
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact, headings, kinds, sources, spans

SETTINGS = NormalizationSettings()
CSV = 'part;maker;note\nKT-1;"Vantor; Rail";"says ""hi"""\n\nKT-2;Brack;\nKT-1;Orsan;x;extra\n'


def read(data: str | bytes, name: str, settings: NormalizationSettings = SETTINGS) -> NormalizedText:
    encoded = data.encode() if isinstance(data, str) else data
    document = normalize(encoded, document_id="d", file_name=name, settings=settings)
    assert_exact(document)
    return document


def test_rows_become_records_with_keys() -> None:
    by_row = expand_records(CSV.encode(), file_name="a.csv", settings=SETTINGS).records
    assert [record.key for record in by_row] == ["1", "2", "3"]
    keyed = NormalizationSettings(records=RecordSettings(key_column="part"))
    records = expand_records(CSV.encode(), file_name="a.csv", settings=keyed).records
    assert [record.key for record in records] == ["KT-1", "KT-2", "KT-1 (2)"]
    assert records[0].fields == (("part", "KT-1"), ("maker", "Vantor; Rail"), ("note", 'says "hi"'))
    assert records[2].fields[-1] == ("column 4", "extra")


def _keys(*ids: str) -> list[str]:
    settings = NormalizationSettings(records=RecordSettings(key_column="id"))
    lines = "".join(json.dumps({"id": value, "n": 1}) + "\n" for value in ids)
    return [r.key for r in expand_records(lines.encode(), file_name="a.jsonl", settings=settings).records]


@given(st.lists(st.sampled_from(["", "a", "a (2)", "a (2) (2)", "a (3)", "row 1", "row 2"]), min_size=1))
def test_no_record_takes_anothers_key_and_later_ones_change_none(ids: list[str]) -> None:
    ids = ["first", *ids]
    keys = _keys(*ids)
    assert len(set(keys)) == len(ids)
    assert _keys(*ids[:-1]) == keys[:-1]


def test_columns_of_one_name_are_told_apart() -> None:
    records = expand_records(b"a,a,a 2\n1,2,3\n", file_name="a.csv", settings=SETTINGS).records
    assert records[0].fields == (("a", "1"), ("a 2", "2"), ("a 2 2", "3"))


def test_a_record_is_a_document_of_its_own() -> None:
    (record, *_) = expand_records(CSV.encode(), file_name="a.csv", settings=SETTINGS).records
    document = normalize_record(record, document_id="d/1", source_format="csv", settings=SETTINGS)
    assert_exact(document)
    assert (document.family, document.loader, document.title) == ("record", "records", record.key)
    assert document.text == 'part: KT-1\nmaker: Vantor; Rail\nnote: says "hi"'
    assert [(cell.text, cell.column_headers) for cell in document.blocks[0].cells] == [
        ("KT-1", ("part",)),
        ("Vantor; Rail", ("maker",)),
        ('says "hi"', ("note",)),
    ]


def test_a_file_of_records_is_one_document_of_their_texts() -> None:
    document = read(CSV, "a.csv")
    records = expand_records(CSV.encode(), file_name="a.csv", settings=SETTINGS).records
    texts = [
        normalize_record(record, document_id="x", source_format="csv", settings=SETTINGS).text
        for record in records
    ]
    assert document.text == "\n\n".join(texts)
    assert document.family == "record"
    assert kinds(document) == ["table"] * 3


def test_long_values_are_prose() -> None:
    document = read(f"id\tstory\tend\n7\t{'word ' * 100}\tx\n", "a.tsv")
    assert kinds(document) == ["table", "paragraph", "table"]


def test_json_lines_are_flattened_and_bad_lines_reported() -> None:
    rows = ['{"id": 1, "a": {"b": [1, 2.5, null], "c": [{"d": "x\\ud800"}]}, "t": true}', "oops", "[1]", ""]
    document = read("\n".join(rows), "a.jsonl")
    assert document.text == "id: 1\na.b: 1, 2.5\na.c.0.d: x\nt: true"
    assert [warning.code for warning in document.warnings] == ["bad_record", "bad_record"]


def test_deep_json_is_a_bad_record() -> None:
    document = read('{"a": 1}\n{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n", "a.jsonl")
    assert document.text == "a: 1"
    assert len(document.warnings) == 1


def test_an_unknown_key_column_is_said() -> None:
    with pytest.raises(Rejected) as rejection:
        read(CSV, "a.csv", NormalizationSettings(records=RecordSettings(key_column="nope")))
    assert rejection.value.reason == "unreadable"


def test_no_other_file_has_records() -> None:
    assert expand_records(b"# x", file_name="a.md", settings=SETTINGS).records == ()


def test_chat_turns_have_speakers_and_code_of_their_own() -> None:
    turns = [
        {
            "role": "user",
            "content": "Look:\n\n```py\n# no heading\n```\n\nthanks",
            "timestamp": "2024-05-01T10:00",
        },
        {"role": "assistant", "content": [{"type": "text", "text": "# Not a section"}]},
        {"role": "assistant", "content": ""},
        {"role": "tool"},
    ]
    document = read("\n".join(json.dumps(turn) for turn in turns), "a.jsonl")
    assert kinds(document) == ["chat_turn", "code", "chat_turn", "chat_turn"]
    assert {block.speaker for block in document.blocks[:3]} == {"user"}
    assert document.blocks[1].timestamp == "2024-05-01T10:00"
    assert document.blocks[1].language == "py"
    assert sources(document, "chat_turn")[0] == "[2024-05-01T10:00] user: Look:"
    assert headings(document) == []
    assert [warning.code for warning in document.warnings] == ["bad_record"]


def test_lists_of_messages_are_turns() -> None:
    line = json.dumps(
        {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]}
    )
    assert read(line, "a.jsonl").text == "system: Be brief.\n\nuser: Hi"


def test_transcripts_keep_their_own_text() -> None:
    text = (
        "Minutes\n\n[10:00] Ann Roe: Hello.\n[10:01] Ben: Hi.\nAnd more.\n\n"
        "[10:02] Ann Roe: Go on.\n[10:03] Ben: Bye.\n"
    )
    document = read(text, "a.txt")
    assert document.text == text
    assert kinds(document) == ["paragraph", *["chat_turn"] * 4]
    assert [(block.speaker, block.timestamp) for block in document.blocks[1:3]] == [
        ("Ann Roe", "10:00"),
        ("Ben", "10:01"),
    ]
    assert sources(document, "chat_turn")[1] == "[10:01] Ben: Hi.\nAnd more."


ASCIIDOC = """= Yard Manual
Jane Roe <jane@x.org>
v1.0, 2024-05-01
:product: Crane

Preface of
two lines.

== Loads

.Loads of parts
[cols="1,2",options="header"]
|===
|Part |Maker

|KT-1|Vantor \\| Rail

2+|both
|===

* one
** nested
goes on

[source,python]
----
== no section
----

image::crane.png[A crane]

____
quoted
____

Old Section
-----------

====
Inside
====
"""


def test_asciidoc_blocks_are_exact() -> None:
    document = read(ASCIIDOC, "a.adoc")
    assert document.text == ASCIIDOC
    assert headings(document) == [(1, "Yard Manual"), (2, "Loads"), (2, "Old Section")]
    assert kinds(document) == [
        *(
            "heading",
            "front_matter",
            "paragraph",
            "heading",
            "caption",
            "table",
            "list_item",
            "list_item",
            "code",
        ),
        *("figure", "quote", "heading", "html", "paragraph", "html"),
    ]
    assert (
        document.metadata.items() >= {"author": "Jane Roe", "date": "2024-05-01", "product": "Crane"}.items()
    )
    table = document.blocks[5]
    assert table.caption == "Loads of parts"
    assert [(cell.row, cell.column, cell.text) for cell in table.cells] == [
        (0, 0, "Part"),
        (0, 1, "Maker"),
        (1, 0, "KT-1"),
        (1, 1, "Vantor | Rail"),
        (2, 0, "both"),
        (2, 1, "both"),
    ]
    assert document.blocks[8].language == "python"
    assert [block.level for block in document.blocks if block.kind == "list_item"] == [1, 2]


def test_asciidoc_listing_without_end_is_reported() -> None:
    document = read("= T\n\nx\n\n----\n== no\n", "a.adoc")
    assert spans(document, "code") == [(8, 18)]
    assert [warning.code for warning in document.warnings] == ["unclosed_fence"]


@pytest.mark.parametrize(
    "unit",
    ["----\n", "====\n", "|===\n", "* ", ". a\n", "[a]\n", "a::\n", ".t\n", "|=== x\n", "=" * 9 + "\n"],
)
def test_hostile_asciidoc_is_read_or_rejected(unit: str) -> None:
    try:
        read("x\n\n" + unit * 20_000, "a.adoc")
    except Rejected as rejection:
        assert rejection.reason == "too_many_cells"

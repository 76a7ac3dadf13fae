"""Files of records: each row is a document that lives and dies on its own."""

from __future__ import annotations

from pathlib import Path

import yaml

from pipeline.home import Home
from tests.orchestration.conftest import Ingest, query

ROWS = """\
code,name,notes
E-1,Vantor Rail,Vantor Rail owns Brack Mill.
E-2,Orsan Depot,Orsan Depot uses Gate One.
"""


def _ids(home: Home) -> list[str]:
    return [row[0] for row in query(home.store(), "select document_id from documents order by 1")]


def _written(home: Home, asset: str) -> dict[str, str]:
    return dict(query(home.store(), "select document_id, run_id from ledger where asset = ?", [asset]))


def _use_key_column(home: Home) -> None:
    home.folder.mkdir(exist_ok=True)
    home.config_file.write_text(yaml.safe_dump({"normalization": {"records": {"key_column": "code"}}}))


def test_each_row_is_a_document(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "places.csv").write_text(ROWS)
    assert run().succeeded
    assert _ids(home) == ["docs/places.csv#1", "docs/places.csv#2"]
    assert query(home.store(), "select distinct family, source_format from normalized_text") == [
        ("record", "csv")
    ]
    texts = query(home.store(), "select text from normalized_text order by document_id")
    assert "Vantor Rail owns Brack Mill." in texts[0][0] and "Gate One" not in texts[0][0]
    assert run().run_ids == []


def test_a_row_with_a_key_is_known_again_wherever_it_stands(home: Home, docs: Path, run: Ingest) -> None:
    _use_key_column(home)
    (docs / "places.csv").write_text(ROWS)
    assert run().succeeded
    assert _ids(home) == ["docs/places.csv#E-1", "docs/places.csv#E-2"]
    before = _written(home, "documents")
    head, first, second = ROWS.splitlines()
    (docs / "places.csv").write_text("\n".join([head, "E-0,Pell,Pell is new.", first, second]) + "\n")
    report = run()
    assert report.succeeded and report.due["new"] == 1 and report.calls_made == 1
    after = _written(home, "documents")
    assert {key: after[key] for key in before} == before


def test_an_edit_or_a_deletion_touches_one_row(home: Home, docs: Path, run: Ingest) -> None:
    _use_key_column(home)
    (docs / "places.csv").write_text(ROWS)
    run()
    before = _written(home, "extractions")
    (docs / "places.csv").write_text(ROWS.replace("Gate One", "Gate Two"))
    assert run().succeeded
    after = _written(home, "extractions")
    assert after["docs/places.csv#E-1"] == before["docs/places.csv#E-1"]
    assert after["docs/places.csv#E-2"] != before["docs/places.csv#E-2"]
    (docs / "places.csv").write_text("\n".join(ROWS.splitlines()[:2]) + "\n")
    assert run().removed == 1
    assert _ids(home) == ["docs/places.csv#E-1"]


def test_a_line_that_is_no_record_is_a_row_with_a_reason(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "log.jsonl").write_text('{"a": "Vantor Rail owns Brack Mill."}\nnot json\n[1, 2]\n{"a": "x"}\n')
    assert run().succeeded
    statuses = query(home.store(), "select document_id, status, detail from document_status order by 1")
    assert [status for _, status, _ in statuses].count("ingested") == 2
    bad = [detail for _, status, detail in statuses if status == "rejected:damaged"]
    assert len(bad) == 2 and any("line 2" in detail for detail in bad)


def test_a_file_of_records_may_stay_one_document(home: Home, docs: Path, run: Ingest) -> None:
    home.folder.mkdir()
    home.config_file.write_text(yaml.safe_dump({"normalization": {"records": {"split": False}}}))
    (docs / "places.csv").write_text(ROWS)
    assert run().succeeded
    assert _ids(home) == ["docs/places.csv"]


def test_a_file_without_any_record_is_a_row_with_a_reason(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "none.csv").write_text("a,b\n")
    (docs / "bad.jsonl").write_text("nothing\nof the kind\n")
    assert run().succeeded
    statuses = dict(query(home.store(), "select path, status from document_status"))
    assert statuses == {"none.csv": "empty", "bad.jsonl": "rejected:damaged"}

"""Each check passes on a good home and fails on a fault put into its tables."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pydantic import ValidationError

from pipeline.checks import Check, load_checks, run_checks
from pipeline.home import Home
from pipeline.storage.store import Store

FAULTS = {
    "rejected_documents": "update documents set rejection = 'binary' where path = 'index.md'",
    "failed_documents": "insert into failures values ('chunks', 'handbook/index.md', 'boom', 'x')",
    "blocks_in_text": "update blocks set span_end = span_end + 100000 where ordinal = 0",
    "bodies_tile_text": "update chunks set body_end = body_end - 1 where level = 0 and ordinal = 1",
    "atomic_blocks_whole": "update chunks set body_start = b.span_start + 1 from blocks b "
    "where b.kind = 'table' and b.document_id = chunks.document_id and b.span_start = "
    "(select max(span_start) from blocks t where t.kind = 'table' and t.document_id = b.document_id)",
    "carried_precedes_body": "update chunks set carried_end = carried_end - 1 where carried_end is not null",
    "overlap_in_band": "update chunks set overlap_ratio = 0.5, exemption = null where seam_kind <> 'start'",
    "exemption_justified": "update chunks set exemption = 'because' where ordinal = 0",
    "header_present": "update chunks set header = '' where ordinal = 0",
    "parent_contains_child": "update chunks set parent_id = 'nobody' where parent_id is not null",
    "mention_is_its_text": "update mentions set span_start = span_start + 1, span_end = span_end + 1",
    "claim_in_its_evidence": "update claims set evidence_end = evidence_start + 1",
    "edge_without_evidence": "delete from claims where claim_id in (select claim_id from edge_claims)",
    "support_is_distinct_evidence": "update edges set support = support + 1",
    "orphan_rate": "delete from edges",
}


@pytest.fixture
def store(handbook_home: Home, tmp_path: Path) -> Store:
    """A copy of the good home's database, to be damaged."""
    copy = tmp_path / "copy.duckdb"
    shutil.copy(handbook_home.database, copy)
    return Store(copy)


def _outcomes(store: Store) -> dict[str, str]:
    return {result.check.name: result.outcome for result in run_checks(store, load_checks())}


def test_a_good_home_passes_every_check(store: Store) -> None:
    assert set(_outcomes(store).values()) == {"pass"}


def test_every_check_has_a_fault() -> None:
    assert {check.name for check in load_checks()} == set(FAULTS)


@pytest.mark.parametrize("check", load_checks(), ids=lambda check: check.name)
def test_a_check_fails_on_its_fault(store: Store, check: Check) -> None:
    with store.transaction() as connection:
        connection.execute(FAULTS[check.name])
    [result] = run_checks(store, [check])
    assert result.outcome == ("warn" if check.severity == "warn" else "error")
    assert result.failing_rows > 0 and result.sample


def test_a_check_may_be_limited_to_some_documents(store: Store) -> None:
    with store.transaction() as connection:
        connection.execute("update chunks set header = '' where document_id = 'handbook/index.md'")
    [check] = [check for check in load_checks() if check.name == "header_present"]
    assert run_checks(store, [check], ["handbook/glossary.md"])[0].outcome == "pass"
    assert run_checks(store, [check], ["handbook/index.md"])[0].outcome == "error"


@pytest.mark.parametrize("name", ["zero", "one"])
def test_checks_on_an_empty_home_divide_by_nothing(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path / f"{name}.duckdb")
    store.create()
    assert set(_outcomes(store).values()) == {"pass"}


@pytest.mark.parametrize(
    ("severity", "warn_if", "error_if", "rows", "outcome"),
    [
        ("error", "!= 0", "!= 0", 0, "pass"),
        ("error", "!= 0", "!= 0", 1, "error"),
        ("error", "> 0", "> 3", 2, "warn"),
        ("error", "> 0", "> 3", 4, "error"),
        ("warn", "> 5", "!= 0", 5, "pass"),
        ("warn", ">= 5", "!= 0", 5, "warn"),
    ],
)
def test_severity_follows_the_number_of_failing_rows(
    severity: str, warn_if: str, error_if: str, rows: int, outcome: str
) -> None:
    check = Check.model_validate(
        {
            "name": "x",
            "asset": "a",
            "description": "",
            "severity": severity,
            "warn_if": warn_if,
            "error_if": error_if,
            "sql": "select 1",
        }
    )
    assert check.outcome(rows) == outcome


def test_a_condition_that_is_none_is_refused() -> None:
    with pytest.raises(ValidationError, match="not a condition"):
        Check(name="x", asset="a", description="", warn_if="some", sql="select 1")


def test_a_check_without_its_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checks.yaml").write_text("checks:\n  - {name: a, asset: b, description: c}\n")
    with pytest.raises(ValueError, match="differ: a"):
        load_checks(tmp_path)

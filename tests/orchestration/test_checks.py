"""Each check passes on a good home and fails on a fault put into its tables."""

from __future__ import annotations

import os
import shutil
from contextlib import AbstractContextManager
from pathlib import Path

import dagster as dg
import pytest
from duckdb import DuckDBPyConnection
from pydantic import ValidationError

from pipeline.checks import (
    Check,
    CheckError,
    Findings,
    failing_documents,
    load_checks,
    run_checks,
    running,
)
from pipeline.home import Home
from pipeline.orchestration.asset_checks import to_check_result
from pipeline.storage.store import Store

BUNDLED = Path(__file__).resolve().parents[2] / "dbt_like_checks"
ROUTER = "handbook/services/atlas-router.md"
FAULTS = {
    "rejected_documents": "update documents set rejection = 'binary' where path = 'index.md'",
    "quarantined_documents": "insert into quarantine values ('chunks', 'handbook/index.md', 'x', 1)",
    "failed_documents": "insert into failures values ('chunks', 'handbook/index.md', 'boom', 'x')",
    "blocks_in_text": "update blocks set span_end = span_end + 100000 where ordinal = 0",
    "sections_nested": "update sections set span_end = span_end + 1 where level = 1",
    "bodies_tile_text": "update chunks set body_end = body_end - 1 where level = 0 and ordinal = 1",
    "atomic_blocks_whole": "update chunks set body_start = b.span_start + 1 from blocks b "
    "where b.kind = 'table' and b.document_id = chunks.document_id and b.span_start = "
    "(select max(span_start) from blocks t where t.kind = 'table' and t.document_id = b.document_id)",
    "carried_precedes_body": "update chunks set carried_end = carried_end - 1 where carried_end is not null",
    "stale_chunks": "update normalized_text set text = replace(text, 'Kestrel', 'Falcon!')",
    "overlap_in_band": "update chunks set overlap_ratio = 0.5, exemption = null where seam_kind <> 'start'",
    "exemption_justified": "update chunks set exemption = 'because' where ordinal = 0",
    "header_present": "update chunks set header = '' where ordinal = 0",
    "parent_contains_child": "update chunks set parent_id = 'nobody' where parent_id is not null",
    "token_range": "update chunks set tokens = 9999 where level = 0 and not atomic",
    "below_floor": "update chunks set floor_passed = false where level = 0",
    "dangling_opening": "update chunks set dangling = true where level = 0",
    "mention_is_its_text": "update mentions set span_start = span_start + 1, span_end = span_end + 1",
    "claim_in_its_evidence": "update claims set evidence_end = evidence_start + 1",
    "claim_counted_once": "insert into claims by name "
    "select * replace ('clm_2' as claim_id, 'chk_2' as chunk_id) from claims "
    "where claim_id = (select min(claim_id) from claims where outcome = 'accepted')",
    "duplicate_claims": "insert into claims by name "
    "select * replace (claim_id || '2' as claim_id) from claims",
    "ontology_conformance": "update claims set relation = 'Depends On' where relation = 'depend_on'",
    "rows_without_ledger": "insert into blocks by name select * replace ('handbook/gone.md' as document_id) "
    "from blocks where document_id = 'handbook/index.md'",
    "edge_without_evidence": "delete from claims where claim_id in (select claim_id from edge_claims)",
    "support_is_distinct_evidence": "update edges set support = support + 1",
    "orphan_rate": "delete from edges",
    "generic_edge_rate": "update edges set relation = 'have'",
    "degree_outlier": "insert into edges select 'edg_' || entity_id, (select min(entity_id) from entities), "
    "'use', entity_id, 1, 1 from entities",
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
    assert {path.stem for path in BUNDLED.glob("*.sql")} == set(FAULTS)


@pytest.mark.parametrize("check", load_checks(), ids=lambda check: check.name)
def test_a_check_fails_on_its_fault(store: Store, check: Check) -> None:
    with store.transaction() as connection:
        connection.execute(FAULTS[check.name])
    [result] = run_checks(store, [check])
    assert result.outcome in {"warn", "error"}, result.problem
    assert result.outcome == check.outcome(result.findings)
    assert result.problem is None and result.failing_rows > 0 and result.sample


def _check(sql: str, **fields: object) -> Check:
    return Check.model_validate({"name": "c", "asset": "chunks", "description": "", "sql": sql, **fields})


def test_a_check_may_be_limited_to_some_documents(store: Store) -> None:
    with store.transaction() as connection:
        connection.execute("update chunks set header = '' where document_id = 'handbook/index.md'")
    [check] = [check for check in load_checks() if check.name == "header_present"]
    [clean] = run_checks(store, [check], ["handbook/glossary.md"])
    [damaged] = run_checks(store, [check], ["handbook/index.md", "handbook/glossary.md"])
    assert clean.outcome == "pass"
    assert (damaged.findings.documents, damaged.findings.looked_at) == (1, 2)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("chunks", {"handbook/index.md", ROUTER}),
        ("document_status", {"handbook/index.md", ROUTER}),
        ("edge_lineage", {ROUTER}),
        ("quarantine_of_nobody", {"handbook/index.md", ROUTER}),
    ],
)
def test_tables_and_views_show_only_the_documents_looked_at(
    store: Store, table: str, expected: set[str]
) -> None:
    if table == "quarantine_of_nobody":
        with store.transaction() as connection:
            connection.execute("create table quarantine_of_nobody as select distinct document_id from chunks")
    check = _check(f"select distinct document_id from {table}")
    [result] = run_checks(store, [check], ["handbook/index.md", ROUTER, "nobody.md"])
    [everything] = run_checks(store, [check])
    assert {row[0] for row in result.sample} == expected and everything.failing_rows > 2


def test_a_check_of_scope_home_always_looks_at_all_documents(store: Store) -> None:
    [result] = run_checks(store, [_check("from documents", scope="home")], ["handbook/index.md"])
    assert result.failing_rows == result.findings.looked_at == 26


def test_many_rows_are_counted_and_few_are_shown_in_one_order(store: Store) -> None:
    [result] = run_checks(store, [_check("select i % 7 as b, i from range(100000) r(i) order by hash(i)")])
    assert result.failing_rows == 100_000
    assert result.sample == tuple((0, 7 * i) for i in range(20))


def test_values_are_shown_as_plain_and_short_ones(store: Store) -> None:
    [result] = run_checks(
        store,
        [_check("select [1, 2] as a, 'nan'::double as b, repeat('x', 9999) as c, null as d, 1.5e0 as e")],
    )
    [(a, b, c, d, e)] = result.sample
    assert (a, b, d, e) == ("[1, 2]", "nan", None, 1.5)
    assert c == "x" * 500 + "…"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("interval 9999999 years", "9999999 years"),
        ("map {interval 9999999 years: 1}", "{9999999 years=1}"),
        ("'290000-01-01'::date", "290000-01-01"),
        ("'0044-03-15 (BC)'::timestamp", "0044-03-15 (BC) 00:00:00"),
        ("1e300::double", 1e300),
        ("(2::hugeint ** 100)::hugeint", 2**100),
    ],
)
def test_a_value_that_python_cannot_hold_is_shown_as_text(store: Store, value: str, shown: object) -> None:
    check = _check(f'select document_id, {value} as "a ""b" from chunks limit 3', blocking=True)
    [result] = run_checks(store, [check])
    assert result.problem is None and result.columns == ("document_id", 'a "b')
    assert [row[1] for row in result.sample] == [shown] * 3


def test_failing_rows_are_counted_by_document(store: Store) -> None:
    [check] = [check for check in load_checks() if check.name == "header_present"]
    asked = ["handbook/index.md", "handbook/glossary.md"]
    with store.transaction() as connection:
        connection.execute("update chunks set header = '' where ordinal = 0")
    with store.connect() as connection:
        found = failing_documents(connection, [check], asked)
        [(all_documents,)] = connection.execute("select count(distinct document_id) from chunks").fetchall()
    assert found == {"header_present": dict.fromkeys(sorted(asked), 1)}
    assert all_documents == 26


BROKEN = {
    "syntax": "selec 1",
    "column": "select nothing from chunks",
    "while running": "select error('boom') from chunks",
    "two statements": "select 1; drop table chunks",
    "none": "-- nothing",
    "writes": "delete from chunks returning document_id",
    "writes in a select": 'with x as (delete from "copy".main.claims returning document_id) select * from x',
    "checkpoint": "from force_checkpoint()",
    "logs": "from enable_logging(storage := 'file', storage_path := '/nowhere')",
    "other files": "select * from read_text('/etc/passwd')",
}


@pytest.mark.parametrize("sql", BROKEN.values(), ids=BROKEN)
def test_a_check_that_cannot_run_is_an_error_and_its_neighbours_run(store: Store, sql: str) -> None:
    broken, fine = _check(sql), _check("from chunks where false", name="fine")
    results = run_checks(store, [broken, fine], ["handbook/index.md"])
    assert [result.outcome for result in results] == ["error", "pass"]
    assert results[0].problem
    with store.connect() as connection:
        assert failing_documents(connection, [broken, fine], ["handbook/index.md"]) == {"fine": {}}
        assert connection.execute("select count(*) > 900 from claims").fetchone() == (True,)


def test_a_check_that_does_not_tell_the_documents_gives_no_verdict(store: Store) -> None:
    vague = _check("select chunk_id from chunks")
    clear = _check('select document_id as "DOCUMENT_ID" from chunks', name="b")
    with store.connect() as connection:
        found = failing_documents(connection, [vague, clear], ["handbook/index.md"])
    assert set(found) == {"b"} and set(found["b"]) == {"handbook/index.md"}


@pytest.mark.parametrize(
    "named",
    [
        "1",
        "null",
        "document_id::blob",
        "{'a': document_id}",
        "[document_id]",
        "interval 9999999 years",
        "chunk_id",
        "null::varchar",
    ],
)
def test_a_check_whose_document_ids_are_of_no_document_has_a_problem(store: Store, named: str) -> None:
    check = _check(f"select {named} as document_id from chunks", blocking=True)
    for documents in (None, ["handbook/index.md"]):
        [result] = run_checks(store, [check], documents)
        assert result.outcome == "error" and result.problem and "names no document" in result.problem
    with store.connect() as connection:
        assert failing_documents(connection, [check], ["handbook/index.md"]) == {}


def test_a_document_id_of_an_enumeration_or_of_other_documents_is_one(store: Store) -> None:
    other = _check(
        "select document_id from main.documents where document_id like '%glossary.md'", blocking=True
    )
    listed = _check(f"select '{ROUTER}'::enum('{ROUTER}') as document_id", name="listed", blocking=True)
    with store.connect() as connection:
        found = failing_documents(connection, [other, listed], [ROUTER])
    assert found == {"c": {}, "listed": {ROUTER: 1}}
    assert [result.problem for result in run_checks(store, [other, listed], [ROUTER])] == [None, None]


@pytest.mark.parametrize("table", ["looked_at", "temp.failing", "incoming_documents"])
def test_a_check_sees_nothing_of_how_it_is_run(store: Store, table: str) -> None:
    checks = [_check("from chunks", name="first"), _check(f"from {table}", blocking=True)]
    for documents in (None, [ROUTER]):
        assert run_checks(store, checks, documents)[1].problem
    with store.connect() as connection:
        assert "c" not in failing_documents(connection, checks, [ROUTER])


def test_a_check_that_never_ends_is_an_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS", 0.3)
    endless = _check("select count(*) as document_id from range(100000000000) a, range(1000) b")
    fine = _check("from chunks where false", name="fine")
    assert [result.outcome for result in run_checks(store, [endless, fine])] == ["error", "pass"]


@pytest.mark.parametrize("documents", [None, ["handbook/index.md", ROUTER]])
def test_long_checks_let_others_at_the_file_in_between(
    store: Store, documents: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = load_checks()
    at_once = run_checks(store, checks, documents)
    turns: list[bool] = []

    connect = Store.connect

    def counted(self: Store, *, read_only: bool = False) -> AbstractContextManager[DuckDBPyConnection]:
        turns.append(read_only)
        return connect(self, read_only=read_only)

    monkeypatch.setattr(Store, "connect", counted)
    monkeypatch.setattr(running, "HOLD_SECONDS", 0.0)
    assert run_checks(store, checks, documents) == at_once
    assert len(turns) >= len(checks) - 1 and all(turns)


def test_blocking_checks_take_a_limited_time_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS", 0.3)
    endless = _check("select count(*) as document_id from range(100000000000) a, range(1000) b")
    left_out = _check("from chunks where false", name="left_out")
    with store.connect() as connection:
        assert failing_documents(connection, [endless, left_out], ["handbook/index.md"]) == {}


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
    check = _check("select 1", severity=severity, warn_if=warn_if, error_if=error_if)
    assert check.outcome(Findings(rows, None, 0)) == outcome


@pytest.mark.parametrize(
    ("condition", "failing", "looked_at", "outcome"),
    [
        ("> 20%", 3, 10, "error"),
        ("> 20%", 2, 10, "pass"),
        (">= 20 %", 2, 10, "error"),
        ("> 0.5%", 1, 100, "error"),
        ("> 20%", 9, 9, "pass"),
        ("= 100%", 10, 10, "error"),
    ],
)
def test_a_share_is_of_the_documents_looked_at_and_holds_on_ten_or_more(
    condition: str, failing: int, looked_at: int, outcome: str
) -> None:
    check = _check("select 1", warn_if="> 1000", error_if=condition)
    assert check.outcome(Findings(1000, failing, looked_at)) == outcome


def test_a_share_needs_rows_that_name_their_document(store: Store) -> None:
    [result] = run_checks(store, [_check("select chunk_id from chunks", warn_if="> 5%")])
    assert result.outcome == "error"
    assert result.problem and "document_id" in result.problem


def test_a_blocking_check_is_an_error_where_more_than_half_of_the_documents_fail() -> None:
    check = _check("select 1", blocking=True)
    assert check.outcome(Findings(60, 6, 12)) == "warn"
    assert check.outcome(Findings(70, 7, 12)) == "error"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"warn_if": "some"}, "not a condition"),
        ({"error_if": "> 5 rows"}, "not a condition"),
        ({"warn_if": "> ٣"}, "not a condition"),
        ({"warn_if": "> " + "9" * 5000}, "not a condition"),
        ({"asset": "chunkz"}, "asset"),
        ({"blocking": True, "scope": "home"}, "scope documents"),
        ({"blocking": True, "asset": "graph_edges"}, "scope documents"),
        ({"asset": "graph_edges", "scope": "documents"}, "whole corpus"),
        ({"warning_if": "> 0"}, "warning_if"),
        ({"blocking": 1}, "valid boolean"),
        ({"blocking": "yes"}, "valid boolean"),
    ],
)
def test_a_check_that_means_nothing_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        _check("select 1", **fields)


ENTRY = "checks:\n  - name: own\n    asset: chunks\n    description: d\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"checks.yaml": ENTRY}, "own: there is no file own.sql beside it"),
        ({"own.sql": "select 1"}, "checks.yaml: cannot be read"),
        ({"checks.yaml": "checks: []", "own.sql": "select 1"}, "no entry for own.sql"),
        ({"checks.yaml": ENTRY + "    warning: x\n", "own.sql": ""}, "own: warning: there is no such field"),
        ({"checks.yaml": ENTRY + "    warn_if: many\n", "own.sql": ""}, "own: warn_if: 'many' is not a cond"),
        (
            {"checks.yaml": ENTRY + "    blocking: true\n    scope: home\n", "own.sql": ""},
            "own: blocking: a che",
        ),
        ({"checks.yaml": ENTRY + "    sql: select 1\n", "own.sql": ""}, "own: sql: the query belongs into"),
        ({"checks.yaml": ENTRY + ENTRY[8:], "own.sql": ""}, "own: there are two entries"),
        ({"checks.yaml": "checks:\n  - {asset: chunks}\n"}, "entry 1: name: Field required"),
        ({"checks.yaml": "checks:\n  - own\n"}, "entry 1: expected a mapping of fields, found str"),
        ({"checks.yaml": "check: {}"}, "expected 'checks:' with a list"),
        ({"checks.yaml": "checks: ["}, "not valid YAML"),
        ({"checks.yaml": ENTRY + "    tags: !!timestamp foo\n"}, "cannot be read as timestamp"),
        ({"checks.yaml": ENTRY + "    asset: chunks\n"}, "the key 'asset' stands twice"),
        (
            {"checks.yaml": f"checks:\n  - name: 0x{'f' * 5000}\n"},
            "entry 1: name: Input should be a valid str",
        ),
        ({"checks.yaml": "- a"}, "expected 'checks:' with a list"),
        ({"checks.yaml": ENTRY.replace("own", "header_present"), "header_present.sql": ""}, "choose another"),
    ],
)
def test_a_folder_of_checks_that_cannot_be_used_names_file_entry_and_field(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(CheckError) as caught:
        load_checks(tmp_path)
    assert message in str(caught.value)
    assert str(tmp_path / "checks.yaml") in str(caught.value)


@pytest.mark.parametrize("kind", ["file", "dangling link"])
def test_what_is_no_folder_of_checks_is_named(tmp_path: Path, kind: str) -> None:
    own = tmp_path / "checks"
    if kind == "file":
        own.write_text("checks: []")
    else:
        own.symlink_to(tmp_path / "nowhere")
    with pytest.raises(CheckError, match=f"{own}: must be a folder"):
        load_checks(own)


@pytest.mark.parametrize("name", ["checks.yaml", "own.sql"])
@pytest.mark.parametrize("kind", ["pipe", "folder", "dangling link"])
def test_what_is_no_file_in_a_folder_of_checks_is_named(tmp_path: Path, name: str, kind: str) -> None:
    if name == "own.sql":
        (tmp_path / "checks.yaml").write_text(ENTRY)
    if kind == "pipe":
        os.mkfifo(tmp_path / name)
    elif kind == "folder":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).symlink_to(tmp_path / "nowhere")
    with pytest.raises(CheckError, match=f"{tmp_path / name}: cannot be read: "):
        load_checks(tmp_path)


def test_a_folder_adds_its_checks_to_the_bundled_ones(tmp_path: Path, store: Store) -> None:
    assert load_checks(tmp_path / "absent") == load_checks(tmp_path) == load_checks()
    (tmp_path / "checks.yaml").write_text(ENTRY)
    (tmp_path / "own.sql").write_text("select document_id from chunks where level = 0")
    *bundled, own = load_checks(tmp_path)
    assert tuple(bundled) == load_checks()
    assert run_checks(store, [own])[0].outcome == "error"


def test_an_error_of_a_blocking_check_stops_a_run_but_not_where_it_cannot_run(store: Store) -> None:
    fails = _check("select document_id from chunks", blocking=True)
    [most, few, broken] = [
        to_check_result(run_checks(store, [check], documents)[0])
        for check, documents in (
            (fails, None),
            (fails, ["handbook/index.md"]),
            (_check("selec", blocking=True), None),
        )
    ]
    assert [result.severity.value for result in (most, few, broken)] == ["ERROR", "WARN", "WARN"]
    assert not (most.passed or few.passed or broken.passed)
    assert broken.description and "puts no document into quarantine" in broken.description
    assert few.metadata["failing_documents"].value == few.metadata["documents"].value == 1
    table = few.metadata["sample"]
    assert isinstance(table, dg.TableMetadataValue)
    assert [dict(record.data) for record in table.records] == [{"document_id": "handbook/index.md"}]

"""What a run does with checks: where they look, what they show, and what stops it."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from pipeline.home import Home
from pipeline.orchestration.instance import open_instance
from tests.orchestration.conftest import Ingest, query


def _add_check(home: Home, name: str, sql: str, **fields: str) -> None:
    home.checks.mkdir(parents=True, exist_ok=True)
    (home.checks / f"{name}.sql").write_text(sql)
    listed = home.checks / "checks.yaml"
    entries = listed.read_text() if listed.exists() else "checks:\n"
    entry = {"name": name, "asset": "normalized_text", "description": "A check of one's own.", **fields}
    listed.write_text(entries + f"  - {{{', '.join(f'{key}: {value}' for key, value in entry.items())}}}\n")


def _evaluations(home: Home, run_id: str) -> dict[str, dg.AssetCheckEvaluation]:
    with open_instance(home) as instance:
        events = instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
    found = [event.dagster_event.event_specific_data for event in events if event.dagster_event]
    return {each.check_name: each for each in found if isinstance(each, dg.AssetCheckEvaluation)}


def _value(evaluation: dg.AssetCheckEvaluation, name: str) -> object:
    return evaluation.metadata[name].value


def test_a_check_of_the_users_own_looks_at_the_documents_of_the_run(
    home: Home, docs: Path, run: Ingest
) -> None:
    _add_check(home, "texts", "select document_id, title from normalized_text", severity="warn")
    _add_check(home, "all_texts", "select document_id from normalized_text", severity="warn", scope="home")
    for name in ("a", "b", "c"):
        (docs / f"{name}.md").write_text(f"# {name}\n\nVantor Rail owns Mill {name.upper()}.\n")
    [first] = run().run_ids
    (docs / "b.md").write_text("# [b](x)\n\nVantor Rail owns Mill D.\n")
    [second] = run().run_ids
    assert [_value(_evaluations(home, each)["texts"], "failing_rows") for each in (first, second)] == [3, 1]
    evaluations = _evaluations(home, second)
    table = evaluations["texts"].metadata["sample"]
    assert isinstance(table, dg.TableMetadataValue)
    assert [record.data["document_id"] for record in table.records] == ["docs/b.md"]
    assert _value(evaluations["all_texts"], "failing_rows") == 3
    assert _value(evaluations["texts"], "documents") == 1
    assert evaluations["header_present"].passed


def test_a_check_that_cannot_run_shows_why_and_the_run_goes_on(home: Home, docs: Path, run: Ingest) -> None:
    _add_check(home, "broken", "select nothing from normalized_text", blocking="true")
    (docs / "a.md").write_text("Vantor Rail owns Brack Mill.\n")
    report = run()
    broken = _evaluations(home, report.run_ids[0])["broken"]
    assert report.succeeded
    assert (broken.passed, broken.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert broken.description and "puts no document into quarantine" in broken.description
    assert "nothing" in str(_value(broken, "problem"))
    assert query(home.store(), "select count(*) from edges") == [(1,)]


def test_a_blocking_check_that_few_documents_fail_stops_no_run(home: Home, docs: Path, run: Ingest) -> None:
    _add_check(
        home, "no_gates", "select document_id from normalized_text where text like '%Gate%'", blocking="true"
    )
    (docs / "a.md").write_text("Vantor Rail owns Brack Mill.\n")
    (docs / "b.md").write_text("Orsan Depot uses Gate One.\n")
    report = run()
    evaluation = _evaluations(home, report.run_ids[0])["no_gates"]
    assert report.succeeded
    assert (evaluation.passed, evaluation.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert _value(evaluation, "failing_documents") == 1
    assert ("Vantor Rail", "own", "Brack Mill") in set(
        query(home.store(), "select subject, relation, object from edge_lineage")
    )


def test_a_blocking_check_stays_not_passed_while_it_holds_a_document(
    home: Home, docs: Path, run: Ingest
) -> None:
    _add_check(
        home, "no_gates", "select document_id from normalized_text where text like '%Gate%'", blocking="true"
    )
    (docs / "a.md").write_text("Vantor Rail owns Brack Mill.\n")
    (docs / "b.md").write_text("Orsan Depot uses Gate One.\n")
    run()
    (docs / "a.md").write_text("Vantor Rail owns Brack Mine.\n")
    evaluation = _evaluations(home, run().run_ids[0])["no_gates"]
    assert (evaluation.passed, evaluation.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert _value(evaluation, "in_quarantine_since_earlier_runs") == 1
    table = evaluation.metadata["sample"]
    assert isinstance(table, dg.TableMetadataValue)
    assert [record.data["document_id"] for record in table.records] == ["docs/b.md"]
    (docs / "b.md").write_text("Orsan Depot uses Weir One.\n")
    assert _evaluations(home, run().run_ids[0])["no_gates"].passed


def test_a_blocking_check_that_most_documents_fail_stops_the_run(home: Home, docs: Path, run: Ingest) -> None:
    _add_check(home, "nobody", "select document_id from normalized_text", blocking="true")
    for number in range(10):
        (docs / f"{number}.md").write_text(f"Vantor Rail owns Mill {number}.\n")
    report = run()
    evaluation = _evaluations(home, report.run_ids[0])["nobody"]
    assert not report.succeeded
    assert (evaluation.passed, evaluation.severity) == (False, dg.AssetCheckSeverity.ERROR)
    assert query(home.store(), "select count(*) from chunks") == [(0,)]

"""A document that fails, or whose rows fail a blocking check, keeps its older graph until it is mended."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.checks import Check
from pipeline.corpus import GRAPH, rebuild
from pipeline.discovery import discover
from pipeline.extractions.stage import CallCounts, ExtractionsStage
from pipeline.home import Home
from pipeline.incremental import run_stage
from pipeline.orchestration.ingest import IngestReport, ingest
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import Gate
from pipeline.staleness import Due, due_documents
from pipeline.storage.store import Store
from pipeline.storage.tables import HELD_TABLES
from pipeline.summary import DocumentStatus, document_statuses
from pipeline.workers import Workers
from tests.orchestration.conftest import Tables, edges, query, snapshot
from tests.orchestration.own_sentences import OwnSentences

EXTRACTORS = Extractors(lambda _config: OwnSentences())
NO_BAD_MILL = Check(
    name="no_bad_mill",
    asset="extractions",
    description="Nobody names the Bad Mill.",
    blocking=True,
    sql="select document_id, mention_id, surface from mentions where surface = 'Bad Mill'",
)
NO_HALDEN = Check(
    name="no_halden",
    asset="chunks",
    description="No chunk is about Halden.",
    blocking=True,
    sql="select c.document_id, c.chunk_id from chunks c join normalized_text n using (document_id) "
    "where contains(n.text, 'Halden')",
)
CHECKS = (NO_BAD_MILL, NO_HALDEN)
GOOD = {
    "a": "Vantor Rail owns Brack Mill.",
    "b": "Orsan Depot owns Gate One.",
    "c": "Pell Works owns Mast One.",
}


@dataclass(frozen=True)
class Settled:
    """What bringing the tables up to date took."""

    processed: int
    calls_made: int


Go = Callable[..., Settled]


@pytest.fixture
def go(home: Home, docs: Path) -> Go:
    """What an ingest of the folder does to the tables, without Dagster, under some checks of the user's."""
    home.store().create()

    def _go(checks: Sequence[Check] = CHECKS) -> Settled:
        return _settle(home, docs, checks)

    return _go


@pytest.fixture
def write(docs: Path) -> Callable[..., None]:
    """Write documents by name."""

    def _write(**texts: str) -> None:
        for name, text in texts.items():
            (docs / f"{name}.md").write_text(text + "\n")

    return _write


@pytest.fixture
def quarantined(go: Go, write: Callable[..., None]) -> None:
    """Good documents are in the graph, and the next version of ``a`` fails a blocking check."""
    write(**GOOD)
    go()
    write(a="Vantor Rail owns Bad Mill.")
    go()


def _status(home: Home, name: str) -> DocumentStatus:
    [found] = [item for item in document_statuses(home.store()) if item.path == f"{name}.md"]
    return found


def _evidence(store: Store) -> dict[str, list[str]]:
    """The quoted sentences of the graph by the file that they stand in."""
    found: dict[str, list[str]] = {}
    for path, evidence in query(store, "select path, evidence from edge_lineage order by all"):
        found.setdefault(path.removesuffix(".md"), []).append(evidence)
    return found


def _untraced(store: Store) -> list[tuple[str, ...]]:
    """Claims of edges that do not trace to a sentence."""
    return query(
        store,
        "select edge_id, claim_id, document_id from edge_claims "
        "except select edge_id, claim_id, document_id from edge_lineage where evidence <> ''",
    )


def _held(store: Store) -> int:
    return sum(query(store, f"select count(*) from held.{table}")[0][0] for table in HELD_TABLES)


def _settle(home: Home, docs: Path, checks: Sequence[Check]) -> Settled:
    store, config = home.store(), home.config()
    discovery = discover(home, [docs], config)
    store.forget(discovery.gone)
    processed, calls = 0, CallCounts()
    for stage in document_stages(store, home, config, Workers(0), OwnSentences()):
        if isinstance(stage, ExtractionsStage):
            calls = stage.calls
        outcome = run_stage(store, stage, discovery.found, "run", Gate(tuple(checks)))
        processed += len(outcome.outputs) + len(outcome.failed)
    for asset in GRAPH:
        rebuild(store, asset, "run")
    return Settled(processed, calls.made)


def _ingest(home: Home, docs: Path, checks: Sequence[Check]) -> IngestReport:
    """The real thing, with the checks as files of the user's."""
    shutil.rmtree(home.checks, ignore_errors=True)
    home.checks.mkdir(parents=True)
    entries = [check.model_dump(exclude={"sql", "scope", "tags"}) for check in checks]
    (home.checks / "checks.yaml").write_text(yaml.safe_dump({"checks": entries}))
    for check in checks:
        (home.checks / f"{check.name}.sql").write_text(check.sql)
    return ingest(home, [docs], extractors=EXTRACTORS, workers=Workers(0))


def _due(home: Home) -> set[Due]:
    store, config = home.store(), home.config()
    stages = document_stages(store, home, config, Workers(0), OwnSentences())
    keys = list(store.ledger("documents"))
    return set(due_documents(store, stages, keys, Gate(CHECKS), retry=False))


def _clean_tables(tmp_path: Path, docs: Path) -> Tables:
    """The tables of a home that never saw another version of these documents."""
    home = Home(tmp_path / "clean")
    home.store().create()
    _settle(home, docs, ())
    return _without_memo(home)


def _without_memo(home: Home) -> Tables:
    return {table: rows for table, rows in snapshot(home.store()).items() if table != "memo"}


def test_a_quarantined_document_keeps_its_older_graph_until_it_is_mended(
    home: Home, docs: Path, tmp_path: Path, write: Callable[..., None]
) -> None:
    write(**GOOD)
    assert _ingest(home, docs, CHECKS).succeeded
    old_version = _status(home, "a").version

    write(a="Vantor Rail owns Bad Mill.", b="Orsan Depot owns Gate Two.")
    assert _ingest(home, docs, CHECKS).succeeded
    store = home.store()
    assert _evidence(store) == {"a": [GOOD["a"]], "b": ["Orsan Depot owns Gate Two."], "c": [GOOD["c"]]}
    assert query(store, "select version from edge_lineage where path = 'a.md'") == [(old_version,)]
    assert _untraced(store) == []
    status = _status(home, "a")
    assert status.status == "quarantined"
    assert status.detail == "extractions: no_bad_mill (1 row); its edges in the graph stay"

    again = _ingest(home, docs, CHECKS)
    assert (again.run_ids, again.calls_made) == ([], 0)

    write(a="Vantor Rail owns Good Mill.")
    assert _ingest(home, docs, CHECKS).succeeded
    assert _evidence(store)["a"] == ["Vantor Rail owns Good Mill."]
    assert _status(home, "a").status == "ingested" and _held(store) == 0
    assert _without_memo(home) == _clean_tables(tmp_path, docs)


@pytest.mark.usefixtures("quarantined")
def test_a_mended_check_lets_a_document_return_without_reading_it_again(
    home: Home, docs: Path, tmp_path: Path, go: Go
) -> None:
    mended = NO_BAD_MILL.model_copy(update={"sql": NO_BAD_MILL.sql.replace("Bad Mill", "Worse Mill")})
    assert go(checks=(mended, NO_HALDEN)).calls_made == 0
    assert _evidence(home.store())["a"] == ["Vantor Rail owns Bad Mill."]
    assert _held(home.store()) == 0
    assert _without_memo(home) == _clean_tables(tmp_path, docs)


@pytest.mark.usefixtures("quarantined")
def test_a_check_that_no_longer_tells_the_documents_lets_nobody_go(home: Home, go: Go) -> None:
    vague = NO_BAD_MILL.model_copy(update={"sql": "select surface from mentions where surface = 'Bad Mill'"})
    go(checks=(vague, NO_HALDEN))
    assert _status(home, "a").status == "quarantined"
    assert _evidence(home.store())["a"] == [GOOD["a"]]


def test_a_document_that_is_quarantined_at_once_goes_no_further(
    home: Home, go: Go, write: Callable[..., None]
) -> None:
    write(**GOOD, d="Halden Foundry owns Pell Mill.")
    assert go().calls_made == len(GOOD)
    store = home.store()
    assert set(_evidence(store)) == set(GOOD)
    assert "docs/d.md" in store.ledger("chunks") and "docs/d.md" not in store.ledger("extractions")
    assert _status(home, "d").detail == "chunks: no_halden (1 row)"
    assert go().processed == 0
    assert go(checks=()).calls_made == 1
    assert _evidence(store)["d"] == ["Halden Foundry owns Pell Mill."]


def test_a_stricter_check_keeps_what_the_graph_says_and_marks_the_document(
    home: Home, go: Go, write: Callable[..., None]
) -> None:
    write(**{**GOOD, "a": "Halden Foundry owns Pell Mill."})
    go(checks=())
    store, before = home.store(), _evidence(home.store())
    assert go().calls_made == 0
    assert _status(home, "a").status == "quarantined"
    assert _evidence(store) == before and _untraced(store) == []
    assert go().processed == 0
    go(checks=())
    assert _status(home, "a").status == "ingested" and _held(store) == 0


def test_a_document_on_which_an_asset_raises_keeps_its_older_graph(
    home: Home, docs: Path, tmp_path: Path, go: Go, write: Callable[..., None]
) -> None:
    write(**GOOD)
    go()
    write(a="This is unreadable.", b="Orsan Depot owns Gate Two.")
    go()
    store = home.store()
    assert _evidence(store) == {"a": [GOOD["a"]], "b": ["Orsan Depot owns Gate Two."], "c": [GOOD["c"]]}
    assert _untraced(store) == []
    status = _status(home, "a")
    assert status.status == "failed" and status.detail is not None
    assert status.detail.endswith("; its edges in the graph stay")
    write(a="Vantor Rail owns Good Mill.")
    go()
    assert _evidence(store)["a"] == ["Vantor Rail owns Good Mill."]
    assert _without_memo(home) == _clean_tables(tmp_path, docs) and _held(store) == 0


def test_a_file_that_is_emptied_takes_its_facts_with_it(
    home: Home, go: Go, write: Callable[..., None]
) -> None:
    write(**GOOD)
    go()
    write(a="")
    go()
    assert _status(home, "a").status == "empty"
    assert set(_evidence(home.store())) == {"b", "c"} and _held(home.store()) == 0


@pytest.mark.usefixtures("quarantined")
def test_a_quarantined_file_that_is_deleted_leaves_nothing(home: Home, docs: Path, go: Go) -> None:
    (docs / "a.md").unlink()
    go()
    store = home.store()
    assert set(_evidence(store)) == {"b", "c"} and _held(store) == 0
    assert query(store, "select * from quarantine") == []
    assert query(store, "select * from ledger where document_id = 'docs/a.md'") == []
    assert edges(store) == {("Orsan Depot", "own", "Gate One"), ("Pell Works", "own", "Mast One")}


@pytest.mark.usefixtures("quarantined")
def test_rows_that_nobody_judged_are_judged_by_the_next_run(home: Home, go: Go) -> None:
    store = home.store()
    quarantined = snapshot(store)
    with store.transaction() as connection:  # as a kill between rows and verdict leaves them
        connection.execute("delete from quarantine")
        connection.execute(
            "update ledger set checked = null where asset = 'extractions' and document_id = 'docs/a.md'"
        )
    assert _due(home) == {Due("docs/a.md", "extractions", "unchecked")}
    assert go().calls_made == 0
    assert _status(home, "a").status == "quarantined"
    assert snapshot(store) == quarantined and _evidence(store)["a"] == [GOOD["a"]]


def test_a_run_that_its_checks_stop_leaves_the_graph_whole(
    home: Home, docs: Path, go: Go, write: Callable[..., None]
) -> None:
    write(**GOOD)
    go()
    store, before = home.store(), _evidence(home.store())
    write(a="Vantor Rail owns Bad Mill.", b="Orsan Depot owns Gate Two.")
    strict = NO_BAD_MILL.model_copy(update={"error_if": "> 0"})
    assert not _ingest(home, docs, (strict, NO_HALDEN)).succeeded
    assert _evidence(store) == before and _untraced(store) == []
    go()
    assert _evidence(store) == {**before, "b": ["Orsan Depot owns Gate Two."]}


STATES = {
    "first": "{name} Rail owns Brack Mill. {name} Rail owns First Dock.",
    "second": "{name} Rail owns Brack Mill. {name} Rail owns Second Dock. {name} Yard owns Third Dock.",
    "quarantined": "{name} Rail owns Brack Mill. {name} Rail owns Bad Mill.",
    "failing": "{name} Rail owns Brack Mill. This is unreadable.",
    "emptied": "",
    "deleted": None,
}


@settings(max_examples=3)
@given(
    st.lists(
        st.fixed_dictionaries({name: st.sampled_from(sorted(STATES)) for name in ("Alder", "Birch")}),
        min_size=3,
        max_size=5,
    )
)
def test_the_graph_says_what_the_last_good_version_of_each_document_says(days: list[dict[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, docs = Home(Path(folder) / "home"), Path(folder) / "docs"
        docs.mkdir()
        home.store().create()
        expected: dict[str, list[str]] = {}
        for day in days:
            for name, state in day.items():
                text = STATES[state]
                if text is None:
                    (docs / f"{name}.md").unlink(missing_ok=True)
                else:
                    (docs / f"{name}.md").write_text(text.format(name=name) + "\n")
                if state in ("first", "second"):
                    sentences = (text or "").format(name=name).split(". ")
                    expected[name] = sorted(f"{sentence.rstrip('.')}." for sentence in sentences)
                elif state in ("emptied", "deleted"):
                    expected.pop(name, None)
            _settle(home, docs, CHECKS)
            assert _evidence(home.store()) == expected
            assert _untraced(home.store()) == []


def test_an_empty_file_is_empty_whatever_a_check_says(home: Home, docs: Path) -> None:
    everything = NO_BAD_MILL.model_copy(
        update={"asset": "normalized_text", "sql": "select document_id from normalized_text"}
    )
    home.store().create()
    (docs / "a.md").write_text("")
    _settle(home, docs, (everything,))
    assert (_status(home, "a").status, home.store().quarantined(["normalized_text"])) == (
        "empty",
        {"docs/a.md"},
    )

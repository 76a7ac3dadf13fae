"""The whole pipeline through Dagster on real files: idempotence, edits, deletions, odd and bad files."""

from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from pipeline.config import Config
from pipeline.extractions.factory import build_extractor
from pipeline.extractions.model import (
    Claim,
    Extraction,
    ExtractionRequest,
    Extractor,
    ExtractorIdentity,
    Mention,
)
from pipeline.extractions.names import normalize_name
from pipeline.home import Home
from pipeline.orchestration.ingest import IngestError, ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.resources import Extractors
from pipeline.spans import Span
from pipeline.summary import document_statuses
from pipeline.workers import Workers
from tests.orchestration.conftest import Ingest, edges, query, snapshot

FACTS = "Vantor Rail owns Brack Mill. Orsan Depot uses Gate One.\n"


def _statuses(home: Home) -> dict[str, str]:
    return {item.path: item.status for item in document_statuses(home.store())}


# --- again and again -------------------------------------------------------------------------------


def test_a_second_ingest_calls_nothing_and_changes_no_row(
    home: Home, docs: Path, run: Ingest, cases_dir: Path
) -> None:
    shutil.copy(cases_dir / "039-reingest-idempotent" / "input.md", docs / "input.md")
    first = run()
    assert first.succeeded and first.calls_made > 0 and edges(home.store())
    before = snapshot(home.store())
    second = run()
    assert second.run_ids == [] and second.calls_made == 0
    assert snapshot(home.store()) == before


def test_forced_materializations_change_no_row(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "a.md").write_text(FACTS)
    run()
    before = snapshot(home.store())
    from pipeline.orchestration.definitions import INGEST_JOB, build_definitions

    with open_instance(home) as instance:
        job = build_definitions(home, workers=Workers(0)).resolve_job_def(INGEST_JOB)
        for _ in range(3):
            assert job.execute_in_process(instance=instance, partition_key="docs/a.md").success
            assert snapshot(home.store()) == before


def test_two_homes_of_the_same_files_hold_the_same_rows(tmp_path: Path, docs: Path) -> None:
    for number in range(4):
        (docs / f"{number}.md").write_text(
            f"# Part {number}\n\nPart {number} belongs to Vantor Rail. {FACTS}"
        )
    tables = []
    for name, count in (("one", 0), ("other", 2)):
        home = Home(tmp_path / name)
        assert ingest(home, [docs], workers=Workers(count)).succeeded
        tables.append(snapshot(home.store()))
    assert tables[0] == tables[1]


# --- the life of a document ------------------------------------------------------------------------


def test_an_edit_touches_its_document_only(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "a.md").write_text(FACTS)
    (docs / "b.md").write_text("Halden Foundry supplies Pell Laboratory.\n")
    run()
    neighbour = query(home.store(), "select * from claims where document_id = 'docs/b.md' order by all")
    (docs / "a.md").write_text("Vantor Rail owns Brack Mill. Orsan Depot uses Gate Two.\n")
    report = run()
    assert report.calls_made == 1
    names = {name for edge in edges(home.store()) for name in (edge[0], edge[2])}
    assert "Gate Two" in names and "Gate One" not in names
    assert neighbour == query(
        home.store(), "select * from claims where document_id = 'docs/b.md' order by all"
    )


def test_a_document_that_shrinks_leaves_nothing_of_its_old_self(
    home: Home, docs: Path, run: Ingest, cases_dir: Path
) -> None:
    case = cases_dir / "040-shrunk-document"
    (docs / "other.md").write_text("Halden Foundry supplies Pell Laboratory.\n")
    shutil.copy(case / "v1.md", docs / "doc.md")
    run()
    other = query(home.store(), "select * from claims where document_id = 'docs/other.md' order by all")
    old = query(home.store(), "select version from documents where document_id = 'docs/doc.md'")
    shutil.copy(case / "v2.md", docs / "doc.md")
    assert run().succeeded
    store = home.store()
    chunks = query(store, "select chunk_id from chunks where document_id = 'docs/doc.md'")
    assert len(chunks) == 1
    for table in ("mentions", "claims", "chunk_extractions"):
        cited = query(store, f"select distinct chunk_id from {table} where document_id = 'docs/doc.md'")
        assert set(cited) <= set(chunks)
    assert query(store, "select version from documents where document_id = 'docs/doc.md'") != old
    surfaces = {row[0] for row in query(store, "select surface from mentions")}
    assert not {"Wharf Alpha", "Gauge Omega"} & surfaces
    assert {(s, o) for s, _, o in edges(store)} >= {
        ("Vantor Rail", "Brack Mill"),
        ("Orsan Depot", "Gate One"),
    }
    assert other == query(store, "select * from claims where document_id = 'docs/other.md' order by all")


def test_two_files_of_one_content_are_two_documents(
    home: Home, docs: Path, run: Ingest, cases_dir: Path
) -> None:
    case = cases_dir / "038-same-content-two-names"
    for name in ("orders.md", "orders copy.md"):
        shutil.copy(case / name, docs / name)
    assert run().succeeded
    store = home.store()
    assert len(query(store, "select distinct chunk_id from chunks")) == 2
    assert len(query(store, "select distinct version from documents")) == 1
    assert query(store, "select distinct documents from edges") == [(2,)]
    (docs / "orders copy.md").unlink()
    assert run().removed == 1
    assert query(store, "select distinct documents, support from edges") == [(1, 1)]
    assert query(store, "select distinct path from edge_lineage") == [("orders.md",)]
    assert query(store, "select count(*) from ledger where document_id like '%copy%'") == [(0,)]


def test_a_setting_touches_only_the_documents_it_matters_to(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "small.md").write_text(FACTS)
    (docs / "notes.txt").write_text(FACTS)
    run()
    config = {"chunking": {"rules": [{"name": "text", "match": {"source_format": "text"}, "strategy": TIER}]}}
    home.config_file.write_text(yaml.safe_dump(config))
    before = dict(
        query(home.store(), "select document_id, recorded_at from ledger where asset = 'chunk_plans'")
    )
    assert run().succeeded
    after = dict(
        query(home.store(), "select document_id, recorded_at from ledger where asset = 'chunk_plans'")
    )
    assert after["docs/small.md"] == before["docs/small.md"]
    assert after["docs/notes.txt"] > before["docs/notes.txt"]
    assert query(home.store(), "select rule from chunk_plans where document_id = 'docs/notes.txt'") == [
        ("text",)
    ]


TIER = {"name": "tier", "whole_max": 200}


# --- files that are no documents -------------------------------------------------------------------


def test_empty_and_binary_files_are_rows_with_reasons(
    home: Home, docs: Path, run: Ingest, cases_dir: Path
) -> None:
    case = cases_dir / "033-empty-and-binary"
    names = ["zero.md", "blank.md", "bom_only.md", "rule_only.md", "picture.md", "good.md"]
    for name in names:
        shutil.copy(case / name, docs / name)
    report = run()
    assert report.succeeded, report.errors
    assert _statuses(home) == {
        "zero.md": "empty",
        "blank.md": "empty",
        "bom_only.md": "empty",
        "rule_only.md": "empty",
        "picture.md": "rejected:binary",
        "good.md": "ingested",
    }
    for table in ("chunks", "mentions", "claims", "chunk_extractions"):
        found = query(home.store(), f"select distinct document_id from {table}")
        assert set(found) <= {("docs/good.md",)}
    assert report.calls_made == 1
    for asset in ("documents", "normalized_text", "chunk_plans", "chunks", "extractions"):
        assert len(home.store().ledger(asset)) == len(names)


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("spaces.md", b" \t \n\n   ", "empty"),
        ("rules.md", b"***\n\n___\n- - -\n", "empty"),
        ("bom16.txt", b"\xff\xfe", "empty"),
        ("photo.txt", b"\xff\xd8\xff\xe0" + bytes(range(256)) * 4, "rejected:binary"),
        ("program", b"\x7fELF" + bytes(200), "rejected:binary"),
        ("archive.xyz", b"some text", "rejected:unsupported"),
        ("big.md", b"word " * 3000, "rejected:too_large"),
    ],
)
def test_a_folder_of_nothing_but_bad_files_ends_well(
    home: Home, docs: Path, run: Ingest, name: str, data: bytes, status: str
) -> None:
    home.folder.mkdir()
    home.config_file.write_text(yaml.safe_dump({"normalization": {"limits": {"file_bytes": 10_000}}}))
    (docs / name).write_bytes(data)
    report = run()
    assert report.succeeded, report.errors
    assert _statuses(home) == {name: status}
    assert edges(home.store()) == set()


def test_an_empty_folder_ends_well(home: Home, run: Ingest) -> None:
    report = run()
    assert report.succeeded and _statuses(home) == {}


def test_a_file_that_went_before_an_ingest_took_it_is_gone(home: Home, run: Ingest) -> None:
    run()
    with open_instance(home) as instance:
        instance.add_dynamic_partitions(DOCUMENTS, ["docs/never.md"])  # and there the ingest was killed
        report = run()
        assert (report.removed, report.errors) == (1, [])
        assert instance.get_dynamic_partitions(DOCUMENTS) == []


def test_odd_file_names_cite_their_own_files(home: Home, docs: Path, run: Ingest, cases_dir: Path) -> None:
    script = cases_dir / "035-odd-file-names" / "make_files.py"
    subprocess.run([sys.executable, str(script), str(docs)], check=True)
    assert run().succeeded
    store = home.store()
    assert len(_statuses(home)) == 14 and set(_statuses(home).values()) == {"ingested"}
    cited = query(
        store, "select path, count(distinct document_id) from edge_lineage group by path order by path"
    )
    assert len(cited) >= 13 and {count for _, count in cited} == {1}


def test_a_file_that_cannot_be_read_fails_alone(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "good.md").write_text(FACTS)
    (docs / "gone.md").write_text(FACTS)

    def remove_one_after_discovery(config: Config) -> Extractor:
        (docs / "gone.md").unlink(missing_ok=True)
        return build_extractor(config.extraction)

    run(docs / "good.md", docs / "gone.md", extractors=Extractors(remove_one_after_discovery))
    store = home.store()
    assert "cannot be read" in store.failures("documents")["docs/gone.md"].error
    assert query(store, "select distinct document_id from claims") == [("docs/good.md",)]
    assert run().removed == 1
    assert store.failures("documents") == {}


def test_a_missing_path_says_so(home: Home, run: Ingest) -> None:
    with pytest.raises(IngestError, match="no such file"):
        run(Path("/nowhere/at/all"))


def test_the_home_is_not_ingested(home: Home, run: Ingest) -> None:
    (home.folder / "blobs").mkdir(parents=True)
    for path in (home.folder, home.folder / "blobs"):
        with pytest.raises(IngestError, match="this is the home"):
            run(path)
    assert not home.exists()


def test_a_source_that_is_not_there_keeps_what_is_known_of_it(
    home: Home, docs: Path, run: Ingest, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (docs / "b0.md").write_text("Halden Foundry supplies Pell Laboratory.\n")
    run(docs)
    (other / "a.md").write_text(FACTS)
    run(other)
    known = edges(home.store())
    other.rename(tmp_path / "unmounted")
    (docs / "b0.md").write_text("Halden Foundry supplies Quill Registry.\n")
    (docs / "b1.md").write_text("Everly Dock uses Gate Nine.\n")
    assert run(docs).succeeded
    now = edges(home.store())
    assert {edge for edge in known if edge[0] != "Halden Foundry"} < now
    assert ("Everly Dock", "use", "Gate Nine") in now


@pytest.mark.parametrize("name", [b"ext.\xff", b"name\xff.txt", b"\xff.md"])
def test_a_name_that_is_no_text_stops_nobody(home: Home, docs: Path, run: Ingest, name: bytes) -> None:
    (docs / "good.md").write_text(FACTS)
    (docs / os.fsdecode(name)).write_text("Everly Dock uses Gate Nine.\n")
    assert run().succeeded
    assert _statuses(home)["good.md"] == "ingested" and len(_statuses(home)) == 2


# --- what the graph says ---------------------------------------------------------------------------


def test_only_what_is_asserted_becomes_an_edge(home: Home, docs: Path, run: Ingest, cases_dir: Path) -> None:
    shutil.copy(cases_dir / "047-negated-and-hedged" / "input.md", docs / "input.md")
    assert run().succeeded
    store = home.store()
    assert {(s, r, o) for s, r, o in edges(store)} == {
        ("Vantor Rail", "own", "Orsan Depot"),
        ("Halden Foundry", "certify", "Tresk Valve"),
    }
    others = query(
        store,
        "select distinct evidence_start from claims where polarity <> 'affirmed' or modality <> 'asserted'",
    )
    assert len(others) == 6
    attributed = "select attribution from claims where modality = 'attributed' and polarity = 'affirmed'"
    assert set(query(store, attributed)) == {("Ister Council",)}


@dataclass(frozen=True)
class PlainSentences:
    """Reads plain 'A verb B' sentences by the patterns of ``fake_extractor.py``."""

    script: Path

    @property
    def identity(self) -> ExtractorIdentity:
        return ExtractorIdentity("plain", "pattern", "1")

    def extract(self, request: ExtractionRequest) -> Extraction:
        mentions: list[Mention] = []
        claims: list[Claim] = []
        for match in _load(self.script).PAT.finditer(request.text):
            for group in ("s", "o"):
                surface = match[group]
                mentions.append(
                    Mention(Span(*match.span(group)), surface, "ORG", normalize_name(surface), "named")
                )
            claims.append(
                Claim(
                    subject=len(mentions) - 2,
                    object=len(mentions) - 1,
                    literal=None,
                    predicate=match["v"],
                    relation=match["v"].replace(" ", "_"),
                    predicate_span=Span(*match.span("v")),
                    evidence=Span(*match.span()),
                    polarity="affirmed",
                    modality="asserted",
                    pattern="plain",
                )
            )
        return Extraction(tuple(mentions), tuple(claims))


def _load(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("fake_extractor", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_sentence_in_two_chunks_supports_its_edge_once(
    home: Home, docs: Path, run: Ingest, cases_dir: Path
) -> None:
    shutil.copy(cases_dir / "049-overlap-counted-twice" / "input.md", docs / "input.md")
    extractor = PlainSentences(cases_dir / "fake_extractor.py")
    assert run(extractors=Extractors(lambda _config: extractor)).succeeded
    store = home.store()
    assert query(store, "select sum(support), count(*), max(support) from edges") == [(34, 34, 1)]
    carried = query(store, "select count(*) from claims where outcome = 'carried'")[0][0]
    seams = query(store, "select count(*) from chunks where carried_start is not null")[0][0]
    assert seams > 0 and carried > 0  # the overlap was read twice, and both readings are kept
    assert query(store, "select count(*) from claims") == [(34 + carried,)]
    assert query(store, "select count(*) from claims c join chunks k using (chunk_id)") == [(34 + carried,)]


def test_support_is_the_same_whatever_the_overlap(
    home: Home, docs: Path, run: Ingest, cases_dir: Path
) -> None:
    shutil.copy(cases_dir / "049-overlap-counted-twice" / "input.md", docs / "input.md")
    extractors = Extractors(lambda _config: PlainSentences(cases_dir / "fake_extractor.py"))
    for target in (120, 300, 600):
        home.folder.mkdir(exist_ok=True)
        size = {"target": target, "low": target // 2, "high": target * 2}
        tier = {"name": "tier", "sentence": size}
        home.config_file.write_text(yaml.safe_dump({"chunking": {"fallback": tier}}))
        assert run(extractors=extractors).succeeded
        assert query(home.store(), "select sum(support), count(*) from edges") == [(34, 34)]


# --- one at a time ---------------------------------------------------------------------------------


def test_a_second_ingest_of_the_same_home_gives_way(home: Home, run: Ingest) -> None:
    from filelock import FileLock

    home.folder.mkdir()
    with FileLock(home.lock_file), pytest.raises(IngestError, match="another ingest"):
        run()


def test_a_home_that_cannot_be_written_is_not_taken_for_a_busy_one(
    home: Home, run: Ingest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(IngestError, match="cannot be the home: Permission denied"):
        run()


@pytest.mark.parametrize(
    "interrupt", [KeyboardInterrupt(), RuntimeError("Query interrupted")], ids=["in Python", "in DuckDB"]
)
def test_an_interrupt_is_no_failure(
    home: Home, docs: Path, run: Ingest, monkeypatch: pytest.MonkeyPatch, interrupt: BaseException
) -> None:
    def stop(*_args: object) -> None:
        raise interrupt

    (docs / "a.md").write_text(FACTS)
    with monkeypatch.context() as patch:
        patch.setattr("pipeline.orchestration.document_assets.run_stage", stop)
        with pytest.raises(KeyboardInterrupt):
            run()
    assert run().succeeded and edges(home.store())


# --- bytes that databases dislike ------------------------------------------------------------------


def test_control_codes_reach_no_table(home: Home, docs: Path, run: Ingest, cases_dir: Path) -> None:
    shutil.copy(cases_dir / "037-nul-and-surrogates" / "input.md", docs / "input.md")
    (docs / "entities.html").write_text("<p>Vantor Rail&#0; owns&#xD800; Brack&#1; Mill&#27;[31m.</p>")
    (docs / "escapes.txt").write_bytes(b"Orsan\x00 Depot \x1b[1muses\x1b[0m Gate One.\n")
    assert run().succeeded
    assert set(_statuses(home).values()) == {"ingested"}
    for rows in snapshot(home.store()).values():
        for value in (value for row in rows for value in row if isinstance(value, str)):
            assert not {c for c in value if ord(c) < 32 and c not in "\n\t"} and "\ud800" not in value
    assert ("Pell Laboratory", "require", "Tresk Valve") in edges(home.store())

"""The command as a user types it: shapes of --json, messages with a remedy, exit codes."""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dagster_postgres.utils import DagsterPostgresException
from filelock import FileLock
from sqlalchemy.exc import DBAPIError

from pipeline.checks import CheckError
from pipeline.cli import main
from pipeline.cli.errors import explain
from pipeline.cli.ingest import adopt_config
from pipeline.config import ConfigError
from pipeline.discovery import remember_source
from pipeline.documents.sources import Source
from pipeline.home import Home
from pipeline.orchestration import ingest as orchestrated_ingest
from pipeline.storage.faults import StoreUnusable
from pipeline.storage.store import StoreOutdated

FACTS = "Vantor Rail owns Brack Mill. Orsan Depot uses Gate One.\n"
COMMAND = [sys.executable, "-m", "pipeline.cli.main"]
ROOT = Path(__file__).resolve().parents[2]


def edgekeeper(*arguments: object, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command; output is plain, as in a pipe."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160"}
    environment.pop("EDGEKEEPER_HOME", None)
    options = ["--home", str(home)] if home else []
    return subprocess.run(
        [*COMMAND, *map(str, arguments), *options],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


def one_object(result: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one line of JSON on stdout."""
    assert result.stdout.count("\n") == 1, result.stdout + result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, Any]]:
    """A home, its folder of documents, and what the first ingest printed."""
    base = tmp_path_factory.mktemp("cli")
    docs = base / "docs"
    docs.mkdir()
    (docs / "facts.md").write_text(FACTS)
    (docs / "empty.md").write_text("\n")
    result = edgekeeper("ingest", docs, "--json", home=base / "home")
    assert result.returncode == 0, result.stderr
    return base / "home", docs, one_object(result)


def test_ingest_prints_the_documented_object(world: tuple[Path, Path, dict[str, Any]]) -> None:
    printed = world[2]
    assert list(printed) == [
        "documents",
        "chunks",
        "extraction_calls",
        "extractions_reused",
        "claims",
        "entities",
        "edges",
        "orphans",
        "checks",
        "seconds",
    ]
    assert printed["documents"] == {"total": 2, "empty": 1, "ingested": 1}
    assert (printed["chunks"], printed["extraction_calls"], printed["extractions_reused"]) == (1, 1, 0)
    assert (printed["edges"], printed["entities"], printed["orphans"]) == (2, 4, 0)
    assert printed["checks"]["failed"] == 0


def test_a_second_ingest_reuses_everything(world: tuple[Path, Path, dict[str, Any]]) -> None:
    home, docs, first = world
    second = one_object(edgekeeper("ingest", docs, "--json", home=home))
    same = {key: value for key, value in first.items() if key not in ("seconds",)}
    assert {**same, "extraction_calls": 0, "extractions_reused": 1} == {
        key: value for key, value in second.items() if key != "seconds"
    }


def test_ingest_ends_with_a_table_and_names_what_was_not_taken(
    world: tuple[Path, Path, dict[str, Any]],
) -> None:
    home, docs, _ = world
    result = edgekeeper("ingest", docs, home=home)
    assert result.returncode == 0
    for word in ("documents", "1 empty, 1 ingested", "extraction calls", "edges", "docs/empty.md"):
        assert word in result.stdout


def test_trace_shows_the_whole_chain(world: tuple[Path, Path, dict[str, Any]]) -> None:
    home = world[0]
    found = one_object(edgekeeper("trace", "--subject", "vantor rail", "--json", home=home))["edges"]
    assert [(edge["subject"], edge["relation"], edge["object"]) for edge in found] == [
        ("Vantor Rail", "own", "Brack Mill")
    ]
    [evidence] = found[0]["evidence"]
    assert evidence["evidence"] == FACTS[evidence["evidence_start"] : evidence["evidence_end"]]
    assert evidence["path"] == "facts.md" and len(evidence["version"]) == 64
    text = edgekeeper("trace", found[0]["edge_id"], home=home).stdout
    for word in ("Vantor Rail", "claim", "chunk", "[doc=", "version", "facts.md", "owns Brack Mill"):
        assert word in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--subject", "Nobody Known"), "no entity is called 'Nobody Known'"),
        (("--subject", "Vantor Rail", "--relation", "sells"), "these do: own"),
        (("--subject", "Brack Mill"), "no edge joins"),
        (("edg_0000000000000000",), "there is no edge"),
    ],
)
def test_trace_says_why_it_found_nothing(
    world: tuple[Path, Path, dict[str, Any]], arguments: tuple[str, ...], says: str
) -> None:
    result = edgekeeper("trace", *arguments, home=world[0])
    assert result.returncode == 1 and says in result.stderr


def test_trace_takes_a_relation_in_the_words_of_the_text(world: tuple[Path, Path, dict[str, Any]]) -> None:
    found = one_object(edgekeeper("trace", "--relation", "owns", "--json", home=world[0]))["edges"]
    assert [edge["object"] for edge in found] == ["Brack Mill"]


def test_status_shows_documents_and_checks(world: tuple[Path, Path, dict[str, Any]]) -> None:
    status = one_object(edgekeeper("status", "--json", home=world[0]))
    assert status["documents"] == {"total": 2, "empty": 1, "ingested": 1}
    assert {item["path"]: item["status"] for item in status["document_statuses"]} == {
        "facts.md": "ingested",
        "empty.md": "empty",
    }
    assert status["sources"][0]["name"] == "docs"


def test_status_tells_what_is_due_and_processes_nothing(
    world: tuple[Path, Path, dict[str, Any]], tmp_path: Path
) -> None:
    home, docs = Path(shutil.copytree(world[0], tmp_path / "home")), world[1]
    assert "nothing is due" in edgekeeper("status", "--due", home=home).stdout
    (home / "config.yaml").write_text("chunking: {fallback: {name: tier, whole_max: 5}}")
    new = docs / "new.md"
    new.write_text(FACTS)
    try:
        pending = one_object(edgekeeper("status", "--due", "--json", home=home))["pending"]
        assert {(item["asset"], item["reason"]) for item in pending["due"]} == {
            ("documents", "new"),
            ("chunk_plans", "settings"),
        }
        assert "due docs/new.md: new, from documents on" in edgekeeper("status", "--due", home=home).stdout
        assert one_object(edgekeeper("status", "--json", home=home))["documents"]["total"] == 2
    finally:
        new.unlink()


def test_doctor_finds_everything(world: tuple[Path, Path, dict[str, Any]]) -> None:
    result = edgekeeper("doctor", "--json", home=world[0])
    findings = one_object(result)
    assert result.returncode == 0 and findings["ok"], findings


def test_plan_prints_the_documented_object_and_writes_nothing(tmp_path: Path, handbook_dir: Path) -> None:
    file = tmp_path / "document.md"
    shutil.copy(handbook_dir / "services" / "atlas-router.md", file)
    result = edgekeeper("plan", file, "--json")
    plan = one_object(result)
    assert list(plan) == ["text", "token_count", "plan", "sections", "blocks", "chunks"]
    assert list(plan["blocks"][0]) == ["kind", "span", "section_id", "level", "title"]
    assert list(plan["chunks"][0]) == [
        "chunk_id",
        "level",
        "parent_id",
        "section_id",
        "section_path",
        "body",
        "carried",
        "header",
        "tokens",
        "overlap_ratio",
        "seam",
        "atomic",
        "floor",
    ]
    bodies = [chunk["body"] for chunk in plan["chunks"] if chunk["level"] == 0]
    assert bodies[-1][1] == len(plan["text"])
    assert all(one[1] == other[0] for one, other in pairwise(bodies))
    assert [path.name for path in tmp_path.iterdir()] == ["document.md"]


def test_plan_of_a_terminal_shows_tier_and_seams(handbook_dir: Path) -> None:
    result = edgekeeper("plan", handbook_dir / "services" / "platform-architecture.md")
    assert result.returncode == 0
    for word in ("hierarchical", "tokens", "seam", "floor"):
        assert word in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("ingest", "/nowhere"), 2, "no such file or folder"),
        (("trace", "edg_0"), 1, "edgekeeper ingest"),
        (("trace",), 2, "--subject"),
        (("status",), 1, "edgekeeper ingest"),
        (("plan", "/nowhere.md"), 2, "cannot be read"),
    ],
)
def test_an_error_names_the_thing_and_the_remedy(
    tmp_path: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    home = None if arguments[0] == "plan" else tmp_path / "none"
    result = edgekeeper(*arguments, home=home)
    assert result.returncode == code
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    as_json = edgekeeper(*arguments, "--json", home=home)
    assert as_json.returncode == code and says in one_object(as_json)["error"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("chunkin: {}", "chunkin"),
        ("chunking: {fallback: {name: tier, whole_max: many}}", "whole_max"),
        ("- a\n- b", "expected a mapping"),
        ("a: [", "not valid YAML"),
        ("a: 2024-99-99", "not valid YAML"),
        ("false", "expected a mapping"),
        ("chunking: {fallback: {whole_maxx: 1}}", "whole_maxx: there is no such setting"),
        ("chunking: {rules: [{name: a, match: {loader: txt}}]}", "known: asciidoc"),
    ],
)
def test_a_wrong_configuration_names_file_and_field(tmp_path: Path, content: str, says: str) -> None:
    config = tmp_path / "settings.yaml"
    config.write_text(content)
    (tmp_path / "a.md").write_text(FACTS)
    result = edgekeeper("ingest", tmp_path / "a.md", "--config", config, home=tmp_path / "home")
    assert result.returncode == 2
    assert says in result.stderr and "settings.yaml" in result.stderr
    assert not (tmp_path / "home" / "config.yaml").exists()


@pytest.mark.parametrize("model", ["no_such_pipeline", "json", "/tmp"])
def test_what_is_not_installed_is_refused_before_any_work(
    world: tuple[Path, Path, dict[str, Any]], tmp_path: Path, model: str
) -> None:
    home, docs, _ = world
    config = tmp_path / "settings.yaml"
    config.write_text(f"extraction: {{model: {model}}}\n")
    result = edgekeeper("ingest", docs, "--config", config, home=home)
    assert result.returncode == 2 and "extraction.model" in result.stderr
    assert not (home / "config.yaml").exists()
    assert one_object(edgekeeper("status", "--json", home=home))["edges"] == 2


def test_a_port_in_use_is_refused(world: tuple[Path, Path, dict[str, Any]]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = edgekeeper("ui", "--port", taken.getsockname()[1], home=world[0])
    assert result.returncode == 2 and "--port" in result.stderr


def test_a_broken_database_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "edgekeeper.duckdb").write_bytes(b"this is no database" * 100)
    result = edgekeeper("status", home=tmp_path)
    assert result.returncode == 1 and "Rename or delete it and ingest again" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_pipe_is_neither_a_document_nor_a_reason_to_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert edgekeeper("ingest", tmp_path / "pipe.md", home=tmp_path / "home").returncode == 2
    assert edgekeeper("plan", tmp_path / "pipe.md").returncode == 2


def test_plan_of_a_file_that_is_no_document_gives_the_reason(tmp_path: Path) -> None:
    (tmp_path / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    result = edgekeeper("plan", tmp_path / "picture.md")
    assert result.returncode == 1 and "rejected (binary)" in result.stderr


@pytest.mark.parametrize("verb", ["", "ingest", "plan", "trace", "status", "ui", "doctor"])
def test_help_has_an_example(verb: str) -> None:
    result = edgekeeper(*([verb] if verb else []), "--help")
    assert result.returncode == 0 and f"edgekeeper {verb}" in result.stdout


def in_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, str]:
    """The exit code and what was said, of the command with --json run in this process."""
    monkeypatch.setattr(sys, "argv", ["edgekeeper", *map(str, arguments), "--json"])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize("verb", ["status", "ingest", "plan", "ui", "doctor", "check"])
def test_a_home_that_cannot_be_one_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str
) -> None:
    (tmp_path / "a.md").write_text(FACTS)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    paths = [tmp_path / "a.md"] if verb in ("ingest", "plan") else []
    for home, says in (
        (tmp_path / "a.md", "not a folder"),
        (tmp_path / "loop", "loop"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path / "a.md" / "below", "Not a directory"),
        ("~nosuch/x", "home directory"),
    ):
        code, said = in_process(monkeypatch, capsys, verb, *paths, "--home", home)
        assert code == 2 and str(home) in said and says in said, said


def test_a_path_that_cannot_be_one_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, said = in_process(monkeypatch, capsys, "ingest", "x" * 300, "--home", tmp_path)
    assert code == 2 and "x: File name too long" in said


ADDRESS = "postgresql+psycopg2://keeper:secret@host/db"


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/home/x"), 1, "on device. Make room on the disk"),
        (
            OSError(errno.EROFS, "Read-only file system", "/h/ingest.lock"),
            2,
            "/h/ingest.lock: Read-only file",
        ),
        (DBAPIError("", {}, sqlite3.OperationalError("disk I/O error")), 1, "home cannot be used: disk I/O"),
        (
            DBAPIError("", {}, sqlite3.OperationalError("database or disk is full")),
            1,
            "Make room on the disk",
        ),
        (DBAPIError("", {}, sqlite3.OperationalError("database is locked")), 1, "Close the program"),
        (DBAPIError("", {}, sqlite3.DatabaseError("file is not a database")), 1, "Delete the folder dagster"),
        (StoreUnusable("/h/edgekeeper.duckdb: no", "Delete it."), 1, "/h/edgekeeper.duckdb: no. Delete it."),
        (DBAPIError("", {}, RuntimeError(ADDRESS)), 1, "EDGEKEEPER_DAGSTER_POSTGRES_URL"),
        (DagsterPostgresException(ADDRESS), 1, "Dagster's database cannot be reached"),
        (StoreOutdated("made by another version"), 1, "made by another version"),
        (ConfigError("/h/dagster/dagster.yaml: no"), 2, "/h/dagster/dagster.yaml: no"),
        (CheckError("/h/checks/checks.yaml: no"), 2, "/h/checks/checks.yaml: no"),
    ],
)
def test_files_and_databases_that_fail_are_messages_without_a_password(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    code: int,
    says: str,
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(main, "app", fail)
    found, said = in_process(monkeypatch, capsys)
    assert found == code and says in said and "secret" not in said


def test_a_disk_that_is_full_is_said_where_sqlite_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    error = DBAPIError("", {}, sqlite3.OperationalError("disk I/O error"))
    error.add_note(str(tmp_path / "history" / "runs.db"))
    assert "Make room" not in str(explain(error))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=4096))
    assert "no space left on the disk" in str(explain(error)) and "Make room" in str(explain(error))


def test_doctor_says_what_to_do_about_a_damaged_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    Home(tmp_path).database.write_bytes(b"")
    monkeypatch.setattr(sys, "argv", ["edgekeeper", "doctor", "--json", "--home", str(tmp_path)])
    with pytest.raises(SystemExit):
        main.main()
    [finding] = [f for f in json.loads(capsys.readouterr().out)["findings"] if f["name"] == "database"]
    assert str(Home(tmp_path).database) in finding["detail"] and "delete it" in finding["remedy"]


def test_a_configuration_may_come_from_a_pipe(tmp_path: Path) -> None:
    home, pipe = Home(tmp_path / "home"), tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("extraction: {extractor: local}\n",))
    writer.start()
    adopt_config(home, pipe)
    writer.join()
    assert home.config_file.read_text() == "extraction: {extractor: local}\n"


def test_a_configuration_is_not_written_into_a_pipe(tmp_path: Path) -> None:
    home, config = Home(tmp_path / "home"), tmp_path / "config.yaml"
    home.folder.mkdir()
    os.mkfifo(home.config_file)
    config.write_text("extraction: {extractor: local}\n")
    with pytest.raises(ConfigError, match=f"{home.config_file}: cannot be read: not a regular file"):
        adopt_config(home, config)


def test_an_ingest_into_a_busy_home_ends_with_its_own_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text(FACTS)
    monkeypatch.setattr(orchestrated_ingest, "LOCK_SECONDS", 0.1)
    home = tmp_path / "home"
    home.mkdir()
    with FileLock(home / "ingest.lock"):
        code, said = in_process(monkeypatch, capsys, "ingest", tmp_path / "a.md", "--home", home)
    assert code == 3 and "another ingest is at work" in said


def test_an_interrupted_ingest_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def stop(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(orchestrated_ingest, "ingest", stop)
    code, said = in_process(monkeypatch, capsys, "ingest", tmp_path, "--home", tmp_path)
    assert code == 130 and "the next ingest goes on from there" in said


def test_a_plan_is_what_an_ingest_into_the_home_would_make(tmp_path: Path) -> None:
    file = tmp_path / "news" / "a.md"
    file.parent.mkdir()
    file.write_text(FACTS)
    home, other = Home(tmp_path / "home"), tmp_path / "other.yaml"
    home.store().create()
    remember_source(home.store(), Source("site", tmp_path, watched=True))
    rule = "chunking: {{rules: [{{name: {}, match: {{uri: '*/news/*'}}}}]}}\n"
    home.config_file.write_text(rule.format("of the home"))
    other.write_text(rule.format("of the option"))
    planned = one_object(edgekeeper("plan", file, "--json", home=home.folder))
    assert planned["plan"]["rule"] == "of the home"
    planned = one_object(edgekeeper("plan", file, "--config", other, "--json", home=home.folder))
    assert planned["plan"]["rule"] == "of the option"


def test_a_plan_of_a_file_of_records_says_what_an_ingest_makes_of_it(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("name,owner\nGate One,Vantor Rail\n")
    assert "a document of each of its records" in edgekeeper("plan", tmp_path / "rows.csv").stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, pipeline.cli.main; "
        "print(sorted({'dagster', 'docling', 'spacy', 'chonkie', 'duckdb', 'sqlalchemy'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(eval(result.stdout)) <= {"duckdb"}

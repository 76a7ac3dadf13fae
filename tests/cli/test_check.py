"""``edgekeeper check``: the promises without Dagster."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.checks import load_checks
from pipeline.cli.main import app
from pipeline.home import Home

INSERT = "insert into documents values (?, 'docs', ?, 'v', null, null, 1, null, [], ?, null)"
SHORT_PATHS = """
checks:
  - name: short_paths
    asset: documents
    description: Paths have at most [five] letters.
    tags: [naming]
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Two documents, one of them rejected, and a check of the user's own that the other one breaks."""
    home = Home(tmp_path / "home")
    home.store().create()
    with home.store().transaction() as connection:
        connection.execute(INSERT, ["docs/a.md", "a.md", "binary"])
        connection.execute(INSERT, ["docs/[red]long.md", "[red]long.md", None])
    home.checks.mkdir()
    (home.checks / "checks.yaml").write_text(SHORT_PATHS)
    (home.checks / "short_paths.sql").write_text(
        "select document_id, path from documents where length(path) > 5"
    )
    return home


def run(home: Home, *arguments: str) -> tuple[int, str]:
    """Exit code and standard output."""
    result = CliRunner().invoke(app, ["check", *arguments, "--home", str(home.folder)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout


def run_json(home: Home, *arguments: str) -> tuple[int, dict[str, Any]]:
    code, printed = run(home, *arguments, "--json")
    assert printed.count("\n") == 1
    return code, json.loads(printed)


def test_all_checks_run_and_an_error_is_exit_code_1(home: Home) -> None:
    code, printed = run_json(home)
    verdicts = {result["name"]: result["outcome"] for result in printed["check_results"]}
    assert code == 1
    assert verdicts.keys() == {check.name for check in load_checks(home.checks)}
    assert {name for name, verdict in verdicts.items() if verdict != "pass"} == {
        "short_paths",
        "rejected_documents",
        "rows_without_ledger",
    }
    assert printed["checks"] == {"passed": len(verdicts) - 3, "warned": 1, "failed": 2}


def test_a_warning_is_exit_code_0_and_shows_its_rows(home: Home) -> None:
    code, printed = run(home, "rejected_documents")
    assert code == 0
    assert "docs/a.md" in printed and "rejected:binary" in printed and "1 of 2" in printed


def test_failing_rows_are_shown_as_plain_text(home: Home) -> None:
    code, printed = run(home, "short_paths")
    assert code == 1
    assert "docs/[red]long.md" in printed and "[five]" in printed


def test_the_shape_of_a_result(home: Home) -> None:
    _, printed = run_json(home, "short_paths")
    assert printed["check_results"] == [
        {
            "name": "short_paths",
            "asset": "documents",
            "outcome": "error",
            "rows": 1,
            "failing_documents": 1,
            "documents": 2,
            "columns": ["document_id", "path"],
            "sample": [["docs/[red]long.md", "[red]long.md"]],
            "problem": None,
        }
    ]


def test_a_document_an_asset_and_a_tag_narrow_what_is_looked_at(home: Home) -> None:
    assert run_json(home, "short_paths", "--document", "docs/a.md")[0] == 0
    _, by_tag = run_json(home, "--tag", "naming")
    assert [result["name"] for result in by_tag["check_results"]] == ["short_paths"]
    _, by_asset = run_json(home, "--asset", "documents")
    assert {result["asset"] for result in by_asset["check_results"]} == {"documents"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["nope"],
        ["short_paths", "nope"],
        ["--document", "docs/nope.md"],
        ["--asset", "chunkz"],
        ["--tag", "nope"],
        ["short_paths", "--asset", "chunks"],
    ],
)
def test_an_unknown_name_is_exit_code_2(home: Home, arguments: list[str]) -> None:
    code, printed = run_json(home, *arguments)
    assert code == 2
    assert printed["error"]


def test_the_list_names_every_check_without_running_it(home: Home) -> None:
    (home.checks / "short_paths.sql").write_text("selec")
    code, printed = run_json(home, "--list")
    listed = {item["name"]: item for item in printed["definitions"]}
    assert code == 0
    assert listed["short_paths"]["tags"] == ["naming"]
    assert listed["bodies_tile_text"]["error_if"] == "> 50%"
    assert "short_paths" in run(home, "--list")[1]


def test_a_broken_check_says_why_and_the_others_run(home: Home) -> None:
    (home.checks / "short_paths.sql").write_text("select nothing from documents")
    code, printed = run_json(home, "short_paths", "failed_documents")
    outcomes = {result["name"]: result["outcome"] for result in printed["check_results"]}
    assert code == 1
    assert outcomes == {"failed_documents": "pass", "short_paths": "error"}
    assert "nothing" in printed["check_results"][1]["problem"]


def test_a_wrong_entry_is_exit_code_2(home: Home) -> None:
    (home.checks / "checks.yaml").write_text(SHORT_PATHS.replace("asset: documents", "asset: document"))
    code, printed = run_json(home)
    assert code == 2
    assert "short_paths: asset:" in printed["error"]


def test_dagster_is_not_imported(home: Home) -> None:
    program = (
        "import sys\n"
        "from pipeline.cli.main import app\n"
        f"app(['check', '--json', '--home', {str(home.folder)!r}], standalone_mode=False)\n"
        "print('imported:', sorted(m for m in ('dagster', 'spacy', 'docling') if m in sys.modules))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert result.stdout.splitlines()[-1] == "imported: []", result.stdout + result.stderr

"""What is written as files to look at: ``edgekeeper profile`` and ``edgekeeper trace --html``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli.main import app
from pipeline.home import Home
from pipeline.orchestration.ingest import ingest
from pipeline.workers import Workers

FACTS = "Vantor Rail owns Brack Mill. Orsan Depot uses Gate One.\n\n<script>alert(1)</script>\n"
PICTURES = ("tokens", "seams", "orphans", "costs")
LOADED = re.compile(r"<script|(?:src|href)=['\"](?!data:)|url\(")
"""What would make a page run or fetch something."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One document whose text would be markup if it were not escaped."""
    base = tmp_path_factory.mktemp("pages")
    (base / "docs").mkdir()
    (base / "docs" / "facts.txt").write_text(FACTS)
    home = Home(base / "home")
    assert ingest(home, [base / "docs"], workers=Workers(0)).succeeded
    return home


def run(home: Home, *arguments: object) -> Result:
    """The command in this process."""
    result = CliRunner().invoke(app, [*map(str, arguments), "--home", str(home.folder)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_profile_writes_its_pictures_and_a_page_that_needs_nothing_else(home: Home, tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    result = run(home, "profile", "--out", out)
    assert result.exit_code == 0
    assert str(out / "profile.html") in result.stdout and "4 pictures" in result.stdout
    assert {file.name for file in out.iterdir()} == {*(f"{name}.png" for name in PICTURES), "profile.html"}
    assert all((out / f"{name}.png").read_bytes().startswith(b"\x89PNG") for name in PICTURES)
    page = (out / "profile.html").read_text()
    assert page.count("data:image/png;base64,") == len(PICTURES) and not LOADED.search(page)
    assert str(home.folder) in page


def test_profile_prints_the_documented_object(home: Home, tmp_path: Path) -> None:
    result = run(home, "profile", "--out", tmp_path, "--json")
    printed = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1 and list(printed) == ["page", "pictures", "numbers"]
    assert printed["page"] == str(tmp_path / "profile.html")
    assert printed["pictures"] == [str(tmp_path / f"{name}.png") for name in PICTURES]
    assert (printed["numbers"]["documents"], printed["numbers"]["entities"]) == (1, 4)


@pytest.mark.parametrize("verb", [("profile", "--out"), ("trace", "--subject", "Vantor Rail", "--html")])
def test_a_place_that_cannot_be_written_is_named(home: Home, tmp_path: Path, verb: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "inside"
    result = run(home, *verb, place, "--json")
    assert result.exit_code == 2
    error = json.loads(result.stdout)["error"]
    assert str(tmp_path / "file") in error and "cannot be written" in error


@pytest.mark.parametrize("verb", [("profile", "--out"), ("trace", "--subject", "Vantor Rail", "--html")])
def test_a_home_without_documents_says_how_to_begin(tmp_path: Path, verb: tuple[str, ...]) -> None:
    result = run(Home(tmp_path / "none"), *verb, tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert "edgekeeper ingest FOLDER" in json.loads(result.stdout)["error"]
    assert not (tmp_path / "out").exists()


def test_trace_writes_the_sentence_marked_in_its_chunk(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "evidence.html"
    result = run(home, "trace", "--subject", "Vantor Rail", "--html", file)
    assert result.exit_code == 0
    assert str(file) in result.stdout and "Brack Mill" in result.stdout
    page = file.read_text()
    assert "<mark class='subject'>Vantor Rail</mark>" in page
    assert "<mark class='object'>Brack Mill</mark>" in page
    assert "docs/facts.txt" in page and "Orsan Depot uses Gate One." in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page and not LOADED.search(page)


def test_trace_writes_a_page_and_still_prints_one_object(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "evidence.html"
    result = run(home, "trace", "--relation", "own", "--html", file, "--json")
    [edge] = json.loads(result.stdout)["edges"]
    assert result.stdout.count("\n") == 1
    assert edge["edge_id"] in file.read_text()


def test_trace_writes_nothing_where_there_is_no_such_edge(home: Home, tmp_path: Path) -> None:
    result = run(home, "trace", "--subject", "Nobody Known", "--html", tmp_path / "evidence.html")
    assert result.exit_code == 1
    assert not (tmp_path / "evidence.html").exists()

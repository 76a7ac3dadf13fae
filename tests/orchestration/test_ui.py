"""Dagster's user interface on a home, in a real browser: what people look at there, and what they switch on.

Skipped where Chromium and its driver are not installed. ``EDGEKEEPER_PICTURES=folder`` keeps what it saw.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from pipeline.corpus_profile import CORPUS_PROFILE
from pipeline.home import Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import REASON
from pipeline.storage.tables import TABLES_OF
from pipeline.workers import Workers
from tests.orchestration.browser import IN_GRAPH, SECONDS, SWITCH, Page

ROOT = Path(__file__).resolve().parents[2]
MENDED = "# Mercury\n\nThe Portal Team owns Mercury.\n"
DRAFT = "# Harbor Clock\n\nDRAFT: the Portal Team owns Harbor Clock.\n"
MARKUP = "<script>alert(1)</script> ![x](http://evil.example/p.png)"
HOSTILE = f"# Notes\n\nVantor Rail owns Brack Mill **today** {MARKUP} | a | b.\n"
CONFIG = "orchestration:\n  sensor: {interval_seconds: 1, settle_seconds: 0}\n"
NO_DRAFTS = """
select document_id, line_number, line
from (
    select document_id, unnest(string_split(text, chr(10))) as line,
        generate_subscripts(string_split(text, chr(10)), 1) as line_number
    from normalized_text
)
where line like 'DRAFT%'
"""
CHECKS = """
checks:
  - name: no_drafts
    asset: normalized_text
    description: A page that calls itself a draft stays out of the graph.
    blocking: true
"""
EXPANDED = "global%40global%3Adocuments%2Cglobal%40global%3Acorpus"
LOCATION = "locations/pipeline.orchestration.definitions"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, handbook_dir: Path) -> Home:
    """A few documents, one of them changed since the ingest, one that a check of the user's own holds back,
    and one whose sentence would be markup if it were not shown as text."""
    base = tmp_path_factory.mktemp("ui")
    docs, home = base / "handbook", Home(base / "home")
    docs.mkdir()
    for name in ("mercury.md", "ledgerline.md"):
        shutil.copy(handbook_dir / "services" / name, docs)
    (docs / "draft.md").write_text(DRAFT)
    (docs / "hostile.md").write_text(HOSTILE)
    (docs / "more.md").write_text(
        "# More\n\nVantor Rail owns Brack Mill.\n"
    )  # so that this edge is the strongest
    home.checks.mkdir(parents=True)
    home.config_file.write_text(CONFIG)
    (home.checks / "no_drafts.sql").write_text(NO_DRAFTS)
    (home.checks / "checks.yaml").write_text(CHECKS)
    assert ingest(home, [docs], workers=Workers(0)).succeeded
    (docs / "mercury.md").write_text(MENDED)
    return home


@pytest.fixture(scope="module")
def url(home: Home) -> Iterator[str]:
    """The address of a running ``edgekeeper ui``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    verb = ["ui", "--home", str(home.folder), "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli.main", *verb],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address)
        yield address
    finally:
        process.terminate()
        process.wait(SECONDS)


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/server_info", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    raise AssertionError(f"no answer from {address} within {SECONDS} s")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[Page]:
    """Headless Chromium, once the user interface answers."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    page = Page(chromium, driver, tmp_path_factory.mktemp("chromium"))
    page.open(url, "Overview")
    yield page
    page.close()


def _finished_run(home: Home, tags: dict[str, str]) -> dg.DagsterRun:
    """The run with these tags, once it has ended."""
    deadline = time.monotonic() + SECONDS
    with open_instance(home) as instance:
        while time.monotonic() < deadline:
            runs = instance.get_runs(dg.RunsFilter(tags=tags))
            if runs and runs[0].is_finished:
                return runs[0]
            time.sleep(1)
    raise AssertionError(f"no run with {tags} ended within {SECONDS} s")


def _size(home: Home, document: str) -> list[tuple[int]]:
    with home.store().connect(read_only=True) as connection:
        return connection.execute(
            "select size_bytes from documents where document_id = ?", [document]
        ).fetchall()


def test_the_graph_shows_every_asset_in_its_group(page: Page, url: str) -> None:
    page.size(2800, 660)
    page.open(f"{url}/asset-groups/?expanded={EXPANDED}", "documents", "corpus")
    page.wait(
        lambda: all(page.has(IN_GRAPH.format(asset)) for asset in TABLES_OF), "not all assets are drawn"
    )
    assert page.has(IN_GRAPH.format(CORPUS_PROFILE))
    marks = "//*[name()='foreignObject'][contains(., ' Passed')]"
    page.wait(lambda: page.has(marks), "no marks of checks")
    page.picture("asset-graph")


def test_an_asset_shows_what_it_is(page: Page, url: str) -> None:
    page.size(1500, 900)
    page.open(
        f"{url}/assets/chunks", "bodies tile it", "documents", "knowledge-graph", "DuckDB", "chunk_plans"
    )
    page.open(
        f"{url}/assets/chunks?view=checks", "bodies_tile_text", "atomic_blocks_whole", "overlap_in_band"
    )
    page.picture("asset-checks")


def test_a_failed_check_shows_its_rows_and_its_query(page: Page, url: str) -> None:
    page.size(1400, 980)
    page.open(
        f"{url}/assets/normalized_text?view=checks&checkDetail=no_drafts",
        "blocking asset check",
        "A page that calls itself a draft stays out of the graph.",
        "where line like 'DRAFT%'",
        "Failed",
    )
    for cell in (
        "document_id",
        "line_number",
        "handbook/draft.md",
        "DRAFT: the Portal Team owns Harbor Clock.",
    ):
        assert page.has(f"//table//*[normalize-space()='{cell}']"), cell
    page.picture("failed-check")


def test_the_profile_shows_its_pictures(page: Page, url: str) -> None:
    page.size(1400, 860)
    page.open(f"{url}/assets/corpus_profile", "Documents by size", "What runs did and cost")
    page.click("//tr[contains(., 'Documents by size')]//*[text()='[Show Markdown]']")
    picture = "//img[starts-with(@src, 'data:image/png;base64,')]"
    page.wait(lambda: page.has(picture), "no picture")
    width = page.chrome.execute_script(
        "return document.evaluate(arguments[0], document, null, 9).singleNodeValue.naturalWidth", picture
    )
    assert width == 640
    page.picture("corpus-profile")


def test_quoted_evidence_is_shown_as_text(page: Page, url: str) -> None:
    page.size(1400, 860)
    page.open(f"{url}/assets/graph_edges", "strongest edges", "what the documents say", "orphans of this run")
    assert page.has("//table//*[normalize-space()='Brack Mill']")
    page.click("//tr[contains(., 'what the documents say')]//*[text()='[Show Markdown]']")
    page.see(f"Vantor Rail owns Brack Mill **today** {MARKUP} | a | b.")
    assert not page.has("//*[contains(@src, 'evil.example')] | //script[contains(., 'alert(1)')]")
    # Dagster makes a link of every address it finds in a text; its words must be its target.
    assert not page.has("//a[contains(@href, 'evil.example') and @href != string(.)]")
    page.picture("quoted-evidence")


def test_one_partition_is_materialized_by_hand(page: Page, url: str, home: Home) -> None:
    page.size(1500, 900)
    page.open(
        f"{url}/assets/documents?view=partitions&partition=handbook%2Fmercury.md", "handbook/mercury.md"
    )
    page.see("Materialized")
    page.click("//button[starts-with(normalize-space(), 'Materialize')]")
    page.see("Launch 1 run")
    page.picture("materialize-partition")
    page.click("//button[normalize-space()='Launch 1 run']")
    run = _finished_run(home, {"dagster/partition": "handbook/mercury.md"})
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert _size(home, "handbook/mercury.md") == [(len(MENDED),)]


def test_everything_that_acts_by_itself_is_listed_and_off(page: Page, url: str) -> None:
    page.size(1400, 560)
    page.open(f"{url}/automation", "watch_sources", "nightly_backfill", "automation")
    assert page.chrome.execute_script("return document.querySelectorAll('input:checked').length") == 0
    page.picture("automation")


def test_the_schedule_is_switched_on(page: Page, url: str) -> None:
    page.size(1400, 640)
    page.open(
        f"{url}/{LOCATION}/schedules/nightly_backfill", "At 02:00 AM UTC", "within the limits of the night"
    )
    page.click(SWITCH)
    page.see("Next tick")
    page.picture("schedule")


def test_the_sensor_is_switched_on_and_takes_in_a_new_file(page: Page, url: str, home: Home) -> None:
    page.size(1400, 960)
    added = "# Beacon\n\nThe Identity Team operates Beacon.\n"
    (home.folder.parent / "handbook" / "beacon.md").write_text(added)
    page.open(f"{url}/{LOCATION}/sensors/watch_sources", "Watches the folders", "Frequency")
    page.click(SWITCH)
    page.see("1 run requested")
    page.picture("sensor")
    run = _finished_run(home, {"dagster/sensor_name": "watch_sources"})
    assert run.status is dg.DagsterRunStatus.SUCCESS and "new" in run.tags[REASON]
    assert _size(home, "handbook/beacon.md") == [(len(added),)]

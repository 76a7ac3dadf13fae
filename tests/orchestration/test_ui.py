"""Dagster's user interface on a home, in a real browser: the assets are there, a partition is made by hand.

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
from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from pipeline.home import Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.workers import Workers

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120
MENDED = "# Mercury\n\nThe Portal Team owns Mercury.\n"
IN_GRAPH = "//*[name()='foreignObject']//*[text()='{}']"
"""A label in the drawn graph; such labels are not in the text of the page."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1900,1000",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, handbook_dir: Path) -> Home:
    """A home with a few documents, one of them changed since it was ingested."""
    base = tmp_path_factory.mktemp("ui")
    docs = base / "handbook"
    shutil.copytree(handbook_dir / "services", docs)
    home = Home(base / "home")
    assert ingest(home, [docs], workers=Workers(0)).succeeded
    (docs / "mercury.md").write_text(MENDED)
    return home


@pytest.fixture(scope="module")
def url(home: Home) -> Iterator[str]:
    """The address of a running ``edgekeeper ui``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "pipeline.cli.main",
        "ui",
        "--home",
        str(home.folder),
        "--port",
        str(port),
    ]
    process = subprocess.Popen(
        command,
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
        process.wait(30)


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
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Headless Chromium."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    yield chrome
    chrome.quit()


def _close_greeting(chrome: webdriver.Chrome) -> None:
    """A new browser is greeted with a dialog over the page, some time after the page is there."""
    for button in chrome.find_elements(By.XPATH, "//button[contains(., 'Skip')]"):
        button.click()


def _see(browser: webdriver.Chrome, *texts: str) -> None:
    """Wait until all texts are on the page; a greeting that covers it is closed first."""

    def visible(chrome: webdriver.Chrome) -> bool:
        _close_greeting(chrome)
        body = chrome.find_element(By.TAG_NAME, "body").text
        return all(text in body for text in texts)

    WebDriverWait(browser, SECONDS).until(visible, f"not on the page: {texts}")


def _expand(browser: webdriver.Chrome, group: str, asset: str) -> None:
    """Open a group of the graph until one of its assets shows; a click on a moving node is lost."""

    def opened(chrome: webdriver.Chrome) -> bool:
        if chrome.find_elements(By.XPATH, IN_GRAPH.format(asset)):
            return True
        _close_greeting(chrome)
        titles = chrome.find_elements(By.XPATH, IN_GRAPH.format(group))
        if titles:
            ActionChains(chrome).double_click(titles[0]).perform()
        return False

    WebDriverWait(browser, SECONDS, poll_frequency=4).until(opened, f"{group} does not open")


def _click(browser: webdriver.Chrome, path: str) -> None:
    def clicked(chrome: webdriver.Chrome) -> bool:
        _close_greeting(chrome)
        found = chrome.find_elements(By.XPATH, path)
        if found:
            found[0].click()
        return bool(found)

    waiting = WebDriverWait(browser, SECONDS, ignored_exceptions=[ElementClickInterceptedException])
    waiting.until(clicked, path)


def _picture(browser: webdriver.Chrome, name: str) -> None:
    folder = os.environ.get("EDGEKEEPER_PICTURES")
    if folder:
        time.sleep(2)  # let the page's animations end
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))


def test_the_graph_shows_every_asset_in_its_group(browser: webdriver.Chrome, url: str) -> None:
    browser.get(f"{url}/asset-groups")
    _see(browser, "documents", "corpus")
    _expand(browser, "documents", "normalized_text")
    _expand(browser, "corpus", "resolved_entities")
    for asset in (
        "normalized_text",
        "chunk_plans",
        "chunks",
        "extractions",
        "resolved_entities",
        "graph_edges",
    ):
        assert browser.find_elements(By.XPATH, IN_GRAPH.format(asset)), asset
    _picture(browser, "asset-graph")


def test_an_asset_shows_what_it_is(browser: webdriver.Chrome, url: str) -> None:
    browser.get(f"{url}/assets/chunks")
    _see(browser, "bodies tile it", "documents", "knowledge-graph", "DuckDB", "Python", "chunk_plans")
    browser.get(f"{url}/assets/chunks?view=checks")
    _see(browser, "bodies_tile_text", "atomic_blocks_whole", "overlap_in_band")
    _picture(browser, "asset-checks")


def test_one_partition_is_materialized_by_hand(browser: webdriver.Chrome, url: str, home: Home) -> None:
    browser.get(f"{url}/assets/documents?view=partitions&partition=handbook%2Fmercury.md")
    _see(browser, "handbook/mercury.md", "Materialized")
    _click(browser, "//button[starts-with(normalize-space(), 'Materialize')]")
    _see(browser, "Launch 1 run")
    _picture(browser, "materialize-partition")
    _click(browser, "//button[normalize-space()='Launch 1 run']")
    deadline = time.monotonic() + SECONDS
    with open_instance(home) as instance:
        while time.monotonic() < deadline:
            runs = instance.get_runs(dg.RunsFilter(tags={"dagster/partition": "handbook/mercury.md"}))
            if runs and runs[0].is_finished:
                break
            time.sleep(1)
        else:
            raise AssertionError("the run did not end")
    assert runs[0].status is dg.DagsterRunStatus.SUCCESS
    with home.store().connect(read_only=True) as connection:
        size = connection.execute(
            "select size_bytes from documents where document_id = 'handbook/mercury.md'"
        ).fetchall()
    assert size == [(len(MENDED),)]

"""Files that change under a real Dagster daemon: taken back, touched, half written, and 2,500 at once.

Each change is requested once, and what comes to nothing is not, though the daemon is killed in between.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.orchestration.partitions import DOCUMENTS
from tests.orchestration.conftest import edges, query
from tests.orchestration.daemon import Daemon, wait_for

SETTLE_SECONDS = 3.0
"""Long enough that a writer on a busy machine never rests as long."""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    daemon = Daemon(tmp_path_factory.mktemp("changes"), SETTLE_SECONDS)
    daemon.start()
    daemon.turn_on()
    try:
        yield daemon
    finally:
        daemon.end()


def _grow(file: Path, text: str, *, seconds: float) -> None:
    """Write a file letter by letter, for a while longer than it would have to be left alone."""
    with file.open("w") as opened:
        for letter in text:
            opened.write(letter)
            opened.flush()
            time.sleep(seconds / len(text))


def test_revert_touch_and_partial_writes(daemon: Daemon, cases_dir: Path) -> None:
    case = cases_dir / "055-revert-touch-partial"
    versions = {name: (case / f"{name}.md").read_text() for name in "AB"}
    sheet, big = daemon.docs / "sheet.md", daemon.docs / "big.md"
    requests: list[int] = []

    def settle() -> None:
        before = sum(requests)
        daemon.wait_until_nothing_is_due()
        requests.append(len(daemon.requested()) - before)

    for version in "AB":
        sheet.write_text(versions[version])
        settle()
    assert any("Gate One" in edge for edge in edges(daemon.home.store()))
    daemon.kill()
    sheet.write_text(versions["A"])
    daemon.start()
    settle()
    assert not any("Gate One" in edge for edge in edges(daemon.home.store()))
    os.utime(sheet)
    settle()
    _grow(big, versions["B"][: len(versions["B"]) // 2], seconds=2 * SETTLE_SECONDS)
    with big.open("a") as opened:
        requests.append(len(daemon.requested()) - sum(requests))
        opened.write(versions["B"][len(versions["B"]) // 2 :])
    settle()
    settle()

    assert daemon.requested() == ["1 new", "1 changed", "1 changed", "1 new"]
    assert requests == json.loads((case / "case.json").read_text())["oracle"]["requests"]
    texts = dict(query(daemon.home.store(), "select document_id, text from normalized_text"))
    assert texts == {"docs/sheet.md": versions["A"], "docs/big.md": versions["B"]}
    assert daemon.materializations() == {"docs/sheet.md": 3, "docs/big.md": 1}


def test_many_files_at_once(daemon: Daemon, cases_dir: Path) -> None:
    case, log = cases_dir / "056-many-files-one-tick", daemon.base / "daemon.log"
    before = len(daemon.requested())
    known = daemon.materializations()
    subprocess.run([sys.executable, str(case / "make_files.py"), str(daemon.base / "notes")], check=True)
    time.sleep(SETTLE_SECONDS)
    # The folder comes in one step, so that every look sees all of them.
    (daemon.base / "notes").rename(daemon.docs / "notes")

    wait_for(lambda: len(daemon.requested()) == before + 2, log)
    daemon.kill()
    daemon.start()
    daemon.wait_until_nothing_is_due()
    daemon.wait_until_nothing_is_due()

    assert daemon.requested()[before:] == ["500 new"] * 5
    counts = daemon.materializations() - known
    assert len(counts) == 2500 and set(counts.values()) == {1}
    assert set(daemon.instance.get_dynamic_partitions(DOCUMENTS)) == counts.keys() | known.keys()
    sheds = "select count(*), count(distinct object) from edge_lineage where object similar to 'Shed [0-9]+'"
    [(stated, things)] = query(daemon.home.store(), sheds)
    assert stated == things > 0.99 * 2500
    cursors = [look.cursor for look in daemon.looks() if look.run_ids]
    assert len(cursors) == len(set(cursors)) == len(daemon.requested())

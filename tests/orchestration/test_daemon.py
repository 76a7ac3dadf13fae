"""A day of a watched folder with a real Dagster daemon, which is killed twice; a run is killed too.

What the day is made of are files on which other pipelines failed: odd names, two names for one content,
documents that shrink. It ends in the tables of a clean ingest, and no document was processed once too often.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.home import Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.summary import document_statuses
from pipeline.workers import Workers
from tests.orchestration.conftest import digest, edges, query
from tests.orchestration.daemon import Daemon, wait_for


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    daemon = Daemon(tmp_path_factory.mktemp("daemon"))
    try:
        yield daemon
    finally:
        daemon.end()


def _ids(daemon: Daemon, like: str) -> list[str]:
    found = query(daemon.home.store(), "select document_id from documents where path like ?", [like])
    return [row[0] for row in found]


def test_a_day(daemon: Daemon, cases_dir: Path) -> None:
    log = daemon.base / "daemon.log"
    store = daemon.home.store()
    shrunk, same = cases_dir / "040-shrunk-document", cases_dir / "038-same-content-two-names"
    script = cases_dir / "035-odd-file-names" / "make_files.py"
    subprocess.run([sys.executable, str(script), str(daemon.docs)], check=True)
    for name in ("orders.md", "orders copy.md"):
        shutil.copy(same / name, daemon.docs / name)
    shutil.copy(cases_dir / "039-reingest-idempotent" / "input.md", daemon.docs / "input.md")
    shutil.copy(shrunk / "v1.md", daemon.docs / "doc.md")

    # Morning: many new files. The process of their run is killed before it could write a row.
    daemon.start()
    daemon.turn_on()
    wait_for(lambda: daemon.instance.all_instigator_state(), log)
    wait_for(daemon.run_at_work, log)
    run = daemon.run_at_work()
    if run is not None:
        os.kill(daemon.process_of(run) or 0, signal.SIGKILL)
    daemon.wait_until_nothing_is_due()
    assert len(document_statuses(store)) == 18
    assert {status.status for status in document_statuses(store)} == {"ingested"}
    odd = query(store, "select count(distinct document_id) from edge_lineage where object like 'Shed%'")
    assert odd == [(14,)]
    assert query(store, "select min(support), max(documents) from edges where documents = 2") == [(2, 2)]
    assert "Wharf Alpha" in {name for edge in edges(store) for name in (edge[0], edge[2])}
    idempotent = query(store, "select * from claims where document_id = 'docs/input.md' order by all")

    # Noon: the daemon is killed, and files change while nobody looks.
    daemon.kill()
    shutil.copy(shrunk / "v2.md", daemon.docs / "doc.md")
    (daemon.docs / "orders copy.md").unlink()
    times = (daemon.docs / "input.md").stat()
    os.utime(daemon.docs / "input.md", ns=(times.st_atime_ns, times.st_mtime_ns))
    daemon.start()

    # Afternoon: it is killed again while a run is at work, and a file is renamed meanwhile.
    wait_for(daemon.run_at_work, log)
    daemon.kill()
    (daemon.docs / "sub" / "dir" / "deep.md").rename(daemon.docs / "deeper.md")
    daemon.start()
    daemon.wait_until_nothing_is_due()

    names = {name for edge in edges(store) for name in (edge[0], edge[2])}
    assert not {"Wharf Alpha", "Gauge Omega"} & names and {"Brack Mill", "Gate One"} <= names
    assert query(store, "select count(*) from chunks where document_id = 'docs/doc.md'") == [(1,)]
    assert query(store, "select * from edge_lineage where path like '%copy%'") == []
    assert _ids(daemon, "%copy%") == _ids(daemon, "%deep.md") == [] and _ids(daemon, "deeper.md")
    assert idempotent == query(store, "select * from claims where document_id = 'docs/input.md' order by all")
    assert set(daemon.instance.get_dynamic_partitions(DOCUMENTS)) == set(_ids(daemon, "%"))

    counts = daemon.materializations()
    assert {counts[key] for key in _ids(daemon, "%") if key != "docs/doc.md"} == {1}
    assert counts["docs/doc.md"] == 2

    clean = Home(daemon.base / "clean")
    assert ingest(clean, [daemon.docs], workers=Workers(2)).succeeded
    wanted, found = digest(clean.store()), digest(store)
    assert {k: v for k, v in found.items() if k != "memo"} == {k: v for k, v in wanted.items() if k != "memo"}

"""Many processes write one home at once, as parallel runs and steps do, and somebody reads meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from pipeline.storage.store import Store

ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import sys
from pathlib import Path
from pipeline.storage.rows import SectionRow
from pipeline.storage.store import LedgerEntry, Replacement, Store

database, writer, partitions, rows = sys.argv[1], *map(int, sys.argv[2:])
for number in range(partitions):
    key = f"documents/{writer}-{number}.md"
    sections = tuple(
        SectionRow(key, f"{key}#{place}", None, place, "Title", 1, ("Title",), place, place + 1)
        for place in range(rows)
    )
    replacement = Replacement(key, sections, LedgerEntry("inputs", "output"))
    Store(Path(database)).replace("normalized_text", [replacement], f"run-{writer}")
"""


def test_parallel_writers_and_a_reader(tmp_path: Path, cases_dir: Path) -> None:
    plan = json.loads((cases_dir / "057-duckdb-parallel-writers" / "plan.json").read_text())
    processes, partitions, rows = (
        plan[name] for name in ("processes", "partitions_each", "rows_per_partition")
    )
    store = Store(tmp_path / "home.duckdb")
    store.create()
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(store.path), str(number), str(partitions), str(rows)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
        )
        for number in range(processes)
    ]
    seen: set[int] = set()
    while any(writer.poll() is None for writer in writers):
        with store.connect(read_only=True) as connection:
            counted = connection.execute("select count(*) from sections group by document_id").fetchall()
        seen |= {count for (count,) in counted}
        time.sleep(0.05)  # as a person looks now and then
    assert [(writer.wait(), writer.communicate()[1]) for writer in writers] == [(0, b"")] * processes
    assert seen <= {rows}, "half a partition was seen"
    with store.connect(read_only=True) as connection:
        counted = connection.execute("select count(*), count(distinct document_id) from sections").fetchall()
    assert counted == [(processes * partitions * rows, processes * partitions)]
    assert len(store.ledger("normalized_text")) == processes * partitions

"""The event log with open connections keeps what Dagster's own keeps, for many processes at once."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.events.log import EventLogEntry
from dagster._core.storage.event_log import SqliteEventLogStorage

from pipeline.home import Home
from pipeline.orchestration.event_log import OPEN_RUNS, PooledSqliteEventLogStorage
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.workers import Workers

ROOT = Path(__file__).resolve().parents[2]
WRITTEN_AT = ("create_timestamp", "migration_completed")
Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[EventLogEntry]:
    """Every event of a real run: materializations with data versions, checks, starts and ends."""
    folder = tmp_path_factory.mktemp("events")
    home, docs = Home(folder / "home"), folder / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# One\n\nVantor Rail owns Gate One.\n")
    (docs / "b.md").write_text("# Two\n\nGate One depends on Hall Two.\n")
    ids = ingest(home, [docs], workers=Workers(0)).run_ids
    with open_instance(home) as instance:
        return [event for run_id in ids for event in instance.all_logs(run_id)]


def tables(folder: Path) -> dict[str, Rows]:
    """All rows of every database of an event log. When a row was written is left out."""
    return {file.name: _rows(file) for file in sorted(folder.glob("*.db"))}


def _rows(file: Path) -> Rows:
    connection = sqlite3.connect(file)
    names = [row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")]
    found: Rows = {}
    for table in sorted(names):
        columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
        kept = ", ".join(f'"{name}"' for name in columns if name not in WRITTEN_AT)
        found[table] = connection.execute(f"select {kept} from {table} order by 1").fetchall()
    connection.close()
    return found


def store_all(storage: SqliteEventLogStorage, events: list[EventLogEntry]) -> None:
    for event in events:
        storage.store_event(event)
    storage.dispose()


def test_every_row_is_that_of_dagsters_own_class(events: list[EventLogEntry], tmp_path: Path) -> None:
    store_all(SqliteEventLogStorage(str(tmp_path / "stock")), events)
    store_all(PooledSqliteEventLogStorage(str(tmp_path / "pooled")), events)
    stock, pooled = tables(tmp_path / "stock"), tables(tmp_path / "pooled")
    assert (pooled == stock) is True  # pytest's account of how they differ would take minutes
    assert pooled["index.db"]["asset_event_tags"], "the run has data versions"
    assert pooled["index.db"]["asset_check_executions"], "the run has checks"


def test_rows_stored_together_are_those_stored_one_by_one(
    events: list[EventLogEntry], tmp_path: Path
) -> None:
    run_id = events[0].run_id
    materialized = [event for event in events if event.run_id == run_id and is_materialization(event)]
    assert len({event.dagster_event.asset_key for event in materialized if event.dagster_event}) > 2
    store_all(SqliteEventLogStorage(str(tmp_path / "stock")), materialized)
    pooled = PooledSqliteEventLogStorage(str(tmp_path / "pooled"))
    with pooled.together():
        for event in materialized:
            pooled.store_event(event)
    assert pooled.get_logs_for_run(run_id) == materialized
    pooled.dispose()
    assert (tables(tmp_path / "pooled") == tables(tmp_path / "stock")) is True


def test_what_was_kept_is_stored_though_the_block_fails(events: list[EventLogEntry], tmp_path: Path) -> None:
    storage = PooledSqliteEventLogStorage(str(tmp_path))
    event = next(filter(is_materialization, events))
    with pytest.raises(RuntimeError), storage.together():
        storage.store_event(event)
        raise RuntimeError
    assert storage.get_logs_for_run(event.run_id) == [event]
    storage.dispose()


def is_materialization(event: EventLogEntry) -> bool:
    return event.dagster_event is not None and event.dagster_event.is_step_materialization


def test_dagsters_own_class_reads_it(events: list[EventLogEntry], tmp_path: Path) -> None:
    pooled = PooledSqliteEventLogStorage(str(tmp_path))
    for event in events:
        pooled.store_event(event)
    stock = SqliteEventLogStorage(str(tmp_path))  # beside the open connections
    [run_id, *_] = [event.run_id for event in events]
    key = dg.AssetKey("chunks")
    for storage in (stock, pooled):
        read = storage.get_records_for_run(run_id)
        assert [record.event_log_entry for record in read.records] == [
            event for event in events if event.run_id == run_id
        ]
        assert [record.storage_id for record in read.records] == sorted(r.storage_id for r in read.records)
        rest = storage.get_records_for_run(run_id, cursor=storage.get_records_for_run(run_id, limit=5).cursor)
        assert rest.records == read.records[5:]
    assert pooled.get_asset_records([key]) == stock.get_asset_records([key])
    assert pooled.get_materialized_partitions(key) == stock.get_materialized_partitions(key)
    assert pooled.get_latest_tags_by_partition(
        key, dg.DagsterEventType.ASSET_MATERIALIZATION, ["dagster/data_version"]
    ) == stock.get_latest_tags_by_partition(
        key, dg.DagsterEventType.ASSET_MATERIALIZATION, ["dagster/data_version"]
    )
    pooled.dispose()


WRITER = """
import pickle, sys
from pathlib import Path
from pipeline.orchestration.event_log import PooledSqliteEventLogStorage
events = pickle.loads(Path(sys.argv[2]).read_bytes())
storage = PooledSqliteEventLogStorage(sys.argv[1])
for number in range(int(sys.argv[3])):
    storage.store_event(events[number % len(events)])
    print(number + 1, flush=True)
storage.dispose()
"""


def start_writer(folder: Path, events: list[EventLogEntry], count: int) -> subprocess.Popen[str]:
    """A process that stores so many events, and says after each how many it has stored."""
    pickled = folder.with_suffix(".events")
    pickled.write_bytes(pickle.dumps(events))
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(pickled), str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def stored(storage: SqliteEventLogStorage, events: list[EventLogEntry]) -> int:
    """How many events the runs' own databases hold."""
    return sum(len(storage.get_logs_for_run(run_id)) for run_id in {event.run_id for event in events})


def test_a_fork_shares_no_connection(events: list[EventLogEntry], tmp_path: Path) -> None:
    storage = PooledSqliteEventLogStorage(str(tmp_path))
    half = len(events) // 2
    for event in events[:half]:
        storage.store_event(event)
    child = multiprocessing.get_context("fork").Process(target=store_all, args=(storage, events[half:]))
    child.start()
    child.join()
    assert child.exitcode == 0
    storage.store_event(events[0])
    assert stored(storage, events) == len(events) + 1
    storage.dispose()


def test_a_killed_writer_loses_nothing(events: list[EventLogEntry], tmp_path: Path) -> None:
    folder = tmp_path / "log"
    writer = start_writer(folder, events, 1_000_000)
    assert writer.stdout is not None
    told = 0
    while told < 200:
        told = int(writer.stdout.readline())
    writer.kill()
    told = max([told, *map(int, writer.stdout.read().split())])
    writer.wait()
    for file in folder.glob("*.db"):
        assert sqlite3.connect(file).execute("pragma integrity_check").fetchall() == [("ok",)]
    storage = PooledSqliteEventLogStorage(str(folder))
    assert stored(storage, events) in (told, told + 1)
    storage.store_event(events[0])
    storage.dispose()


def test_a_watcher_hears_of_events_as_they_come(events: list[EventLogEntry], tmp_path: Path) -> None:
    run_id = events[0].run_id
    members = [event for event in events if event.run_id == run_id]
    writer, reader = (PooledSqliteEventLogStorage(str(tmp_path)) for _ in range(2))
    heard: list[EventLogEntry] = []
    writer.store_event(members[0])
    reader.watch(run_id, None, lambda event, _cursor: heard.append(event))
    for event in members[1:4]:
        writer.store_event(event)
    deadline = time.monotonic() + 30
    while len(heard) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert heard == members[:4]
    reader.dispose()
    writer.dispose()


def test_few_files_stay_open(events: list[EventLogEntry], tmp_path: Path) -> None:
    storage = PooledSqliteEventLogStorage(str(tmp_path))
    for number in range(3 * OPEN_RUNS):
        storage.store_event(events[0]._replace(run_id=f"run-{number}"))
    links = [link for link in Path("/proc/self/fd").iterdir() if link.exists()]
    names = {link.resolve().name for link in links}
    assert len([name for name in names if name.startswith("run-") and name.endswith(".db")]) <= OPEN_RUNS
    storage.wipe()
    assert storage.get_logs_for_run("run-1") == []
    storage.dispose()

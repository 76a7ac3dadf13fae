"""Dagster's SQLite event log with open connections. Dagster's own class opens and closes two databases anew
for every event, compiles every statement again and waits twice for the disk.

The files, tables and rows are those of Dagster's class, which can read and write them beside this one. It
rests on private parts of Dagster, which is pinned to a minor version; tests compare both classes.
"""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import dagster as dg
import sqlalchemy
import sqlalchemy.event
from dagster._config import UserConfigSchema
from dagster._core.event_api import EventHandlerFn
from dagster._core.events.log import EventLogEntry
from dagster._core.storage.event_log import SqlEventLogStorageTable, SqliteEventLogStorage
from dagster._core.storage.event_log.sqlite.sqlite_event_log import (
    INDEX_SHARD_NAME,
    SqliteEventLogStorageWatchdog,
)
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._serdes import ConfigurableClassData
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import QueuePool
from watchdog.events import FileSystemEvent
from watchdog.observers import Observer

OPEN_RUNS: Final = 8
"""How many runs' databases stay open. The user interface looks at many runs in its life."""
FILES: Final = Path("history") / "runs"
"""Where the files are in an instance's folder, for Dagster's class as well."""
BATCH_EVENTS: Final = 500
"""How many events are stored together at most."""


@contextlib.contextmanager
def stored_together(instance: dg.DagsterInstance) -> Iterator[None]:
    """Store the materializations that are logged in the block in batches, where the event log can.

    The block must only log materializations of one run, and in one thread.
    """
    log = instance.event_log_storage
    with log.together() if isinstance(log, PooledSqliteEventLogStorage) else contextlib.nullcontext():
        yield


class PooledSqliteEventLogStorage(SqliteEventLogStorage):
    """One open connection for the index and for each of the runs used last.

    Writes reach the operating system at every commit and the disk at checkpoints: a process that is killed
    loses nothing, a power cut can lose the last events but leaves the files whole.

    The files are in the folder of the instance that the log is registered with, wherever that was moved or
    copied to; ``base_dir`` is where they are without an instance.
    """

    def __init__(self, base_dir: str | None = None, inst_data: ConfigurableClassData | None = None) -> None:
        self._engines: OrderedDict[str, Engine] = OrderedDict()
        self._owner = os.getpid()
        self._tables: set[str] = set()
        self._asset_key_columns: set[str] = set()
        self._kept: list[EventLogEntry] | None = None
        self._inst_data = inst_data
        if base_dir is not None:
            super().__init__(base_dir, inst_data)

    @classmethod
    def config_type(cls) -> UserConfigSchema:
        """No setting: a path in dagster.yaml would be wrong once the home is moved."""
        return {}

    @classmethod
    def from_config_value(
        cls,
        inst_data: ConfigurableClassData | None,
        config_value: Mapping[str, Any],  # noqa: ARG003, there are no settings
    ) -> PooledSqliteEventLogStorage:
        """Called by Dagster, which registers the instance before anything else."""
        return cls(inst_data=inst_data)

    def register_instance(self, instance: dg.DagsterInstance) -> None:
        """Called by Dagster: the instance's folder is known, and the files in it are made or opened."""
        folder = Path(instance.root_directory) / FILES
        index = folder / f"{INDEX_SHARD_NAME}.db"
        if index.exists() and not index.stat().st_size:
            index.unlink()  # Dagster makes its tables only where there is no file
        super().__init__(str(folder), self._inst_data)
        super().register_instance(instance)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Keep the events of the block and store them in batches; see ``stored_together``."""
        self._kept = []
        try:
            yield
        finally:
            kept, self._kept = self._kept, None
            self._store_batch(kept)

    def store_event(self, event: EventLogEntry) -> None:
        """Store an event, or keep it for the batch that is being gathered."""
        if self._kept is None:
            super().store_event(event)
            return
        self._kept.append(event)
        if len(self._kept) == BATCH_EVENTS:
            self._store_batch(self._kept)
            self._kept = []

    def _store_batch(self, events: Sequence[EventLogEntry]) -> None:
        """Store materializations of one run: the rows of Dagster's class, one transaction a database."""
        if not events:
            return
        rows = [self._event_to_row(event) for event in events]
        insert = SqlEventLogStorageTable.insert()
        with self._connect(events[0].run_id) as connection:
            connection.execute(insert, rows)
        latest = {row["asset_key"]: place for place, row in enumerate(rows)}
        with self._connect(INDEX_SHARD_NAME) as connection:
            returning = insert.returning(SqlEventLogStorageTable.c.id, sort_by_parameter_order=True)
            ids = connection.execute(returning, rows).scalars().all()
            self._store_asset_event_tags(connection, events, ids)
            for place in latest.values():
                self._store_asset_event(connection, events[place], ids[place])

    @contextlib.contextmanager
    def _connect(self, shard: str) -> Iterator[Connection]:
        with self._db_lock:
            engine = self._engine(shard)
            if shard not in self._initialized_dbs:
                self._initdb(engine)
                self._initialized_dbs.add(shard)
            with engine.connect() as connection, connection.begin():
                yield connection

    def _engine(self, shard: str) -> Engine:
        """The shard's engine; only to be called with the lock held."""
        if self._owner != os.getpid():
            # SQLite's connections do not survive a fork; the parent goes on using them.
            for engine in self._engines.values():
                engine.dispose(close=False)
            self._engines.clear()
            self._owner = os.getpid()
        if shard not in self._engines:
            self._engines[shard] = _open(self.conn_string_for_shard(shard))
        self._engines.move_to_end(shard)
        runs = [name for name in self._engines if name != INDEX_SHARD_NAME]
        for name in runs[:-OPEN_RUNS]:
            self._engines.pop(name).dispose()
        return self._engines[shard]

    def has_table(self, table_name: str) -> bool:
        """Whether a table exists. Asked for every event; tables never go."""
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    def _has_asset_key_col_on_connection(self, conn: Connection, column_name: str) -> bool:
        if column_name not in self._asset_key_columns and super()._has_asset_key_col_on_connection(
            conn, column_name
        ):
            self._asset_key_columns.add(column_name)
        return column_name in self._asset_key_columns

    def watch(self, run_id: str, cursor: str | None, callback: EventHandlerFn) -> None:
        """Call back for each new event of a run. Dagster's class sees the main file change at every event;
        with open connections only the write-ahead log does."""
        if not self._obs:
            self._obs = Observer()
            self._obs.start()
        handler = RunWatcher(self, run_id, callback, cursor)
        self._watchers[run_id][callback] = (
            handler,
            self._obs.schedule(handler, self._base_dir, recursive=True),
        )

    def wipe(self) -> None:
        """Delete every event. Open files go first: a deleted one would swallow what is written to it."""
        self._close()
        super().wipe()

    def dispose(self) -> None:
        """Close everything."""
        super().dispose()
        self._close()

    def _close(self) -> None:
        with self._db_lock:
            for engine in self._engines.values():
                engine.dispose()
            self._engines.clear()


class RunWatcher(SqliteEventLogStorageWatchdog):
    """Reads a run's new events whenever its database or the write-ahead log beside it changes."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._patterns = [self._log_path, f"{self._log_path}-wal"]

    def on_modified(self, event: FileSystemEvent) -> None:  # noqa: ARG002, one of the two files is certain
        """Called by the observer's thread."""
        self._process_log()


def _open(address: str) -> Engine:
    # Dagster's lock lets one thread at a time in, so one connection is kept; which thread it is changes.
    # Only the creation of the tables takes a few more.
    engine = sqlalchemy.create_engine(
        address,
        poolclass=QueuePool,
        pool_size=1,
        connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS, "check_same_thread": False},
    )
    sqlalchemy.event.listen(
        engine, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous=NORMAL")
    )
    return engine

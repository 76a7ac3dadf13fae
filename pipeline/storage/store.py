"""The DuckDB file of a home: short connections, a transaction for each replacement, a ledger beside the data.

Connections are opened for one operation and closed at once, because a DuckDB file has one writer process
and an open connection holds its lock. Opening the file takes longer than most operations, so several in a row
stand in a ``with store.connect():``, inside which the file is open already. Processes take turns.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import duckdb
import pyarrow as pa

from pipeline.storage.faults import fault_at_opening, fault_at_work
from pipeline.storage.held import hold
from pipeline.storage.rows import DocumentTableRow, Row
from pipeline.storage.schema import schema, schema_mark
from pipeline.storage.tables import CORPUS, DOCUMENT_ASSETS, TABLES_OF, later_assets
from pipeline.storage.turns import turn

RowType = TypeVar("RowType", bound=DocumentTableRow)

LOCKED: Final = "IO Error: Could not set lock on file"
"""How DuckDB's message begins where another process has the file open."""


class StoreBusy(RuntimeError):
    """The database file stayed locked by another process longer than the store waits."""


class StoreOutdated(RuntimeError):
    """The database file has the tables of another version of Edgekeeper."""


class LedgerEntry(NamedTuple):
    """What an asset's rows of one document were made from, and the version of what came out.

    ``checked`` is the mark of the blocking checks that looked at this output; None where none did yet.
    """

    inputs: str
    output: str
    checked: str | None = None


@dataclass(frozen=True, slots=True)
class Replacement:
    """New rows of one document for one asset."""

    document_id: str
    rows: tuple[Row, ...]
    entry: LedgerEntry


@dataclass(frozen=True, slots=True)
class Failure:
    """A document on which an asset failed, and what it was then made from."""

    document_id: str
    error: str
    inputs: str


class Store:
    """Access to one DuckDB file. Holds no connection; safe to copy into other processes."""

    def __init__(self, path: Path, lock_timeout: float = 120.0) -> None:
        """``lock_timeout``: seconds to wait for another process to let go of the file."""
        self.path = path
        self.lock_timeout = lock_timeout

    @contextlib.contextmanager
    def connect(self, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """An open connection, closed on leaving. Raises StoreBusy when the lock never comes free, and
        StoreUnusable, also for what happens inside of the block, where the file is what is wrong.

        ``read_only`` lets other processes read meanwhile; inside a writing block it shares that block's hold.
        """
        deadline = time.monotonic() + self.lock_timeout
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(turn(self.path, deadline, shared=read_only))
                connection = stack.enter_context(self._open(deadline, read_only=read_only))
            except TimeoutError:
                raise StoreBusy(
                    f"{self.path} is locked by another process; waited {self.lock_timeout:.0f} s. "
                    "Close the program that has it open, or wait for the run in progress."
                ) from None
            except duckdb.Error as error:
                raise fault_at_opening(self.path, error) from error
            try:
                yield connection
            except duckdb.Error as error:
                fault = fault_at_work(self.path, error)
                if fault is None:
                    raise
                raise fault from error

    def _open(self, deadline: float, *, read_only: bool) -> duckdb.DuckDBPyConnection:
        """Open the file, waiting for programs that do not ask for a turn. Raises TimeoutError."""
        while True:
            try:
                return duckdb.connect(str(self.path), read_only=read_only)
            except duckdb.ConnectionException:
                # One process cannot have a file open in both ways. Where it writes already, it can read;
                # where another of its threads reads, it waits to write.
                if read_only:
                    read_only = False
                    continue
                if time.monotonic() > deadline:
                    raise TimeoutError from None
                time.sleep(random.uniform(0.02, 0.2))
            except duckdb.IOException as error:
                # The message quotes the path, so only its beginning says what is wrong.
                if not str(error).startswith(LOCKED):
                    raise
                if time.monotonic() > deadline:
                    raise TimeoutError from error
                time.sleep(random.uniform(0.02, 0.2))

    @contextlib.contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection inside one transaction: all of it is committed, or none."""
        with self.connect() as connection:
            connection.begin()
            try:
                yield connection
            except BaseException:
                with contextlib.suppress(duckdb.Error):  # what went wrong may have ended the transaction
                    connection.rollback()
                raise
            connection.commit()

    def create(self) -> None:
        """Create the file where it does not exist, whole or not at all. Raises StoreOutdated."""
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
                fresh = Store(Path(folder) / self.path.name)
                with fresh.transaction() as connection:
                    connection.execute(schema())
                    connection.execute("insert into made_by values (?)", [schema_mark()])
                # What was not yet written into a file that somebody deleted belongs to no other.
                self.path.with_name(f"{self.path.name}.wal").unlink(missing_ok=True)
                fresh.path.replace(self.path)
        self.require_current()

    def require_current(self) -> None:
        """Raise StoreOutdated where the file was made by another version of Edgekeeper."""
        with self.connect(read_only=True) as connection:
            try:
                marks = connection.execute("select schema_mark from made_by").fetchall()
            except duckdb.CatalogException:
                marks = []
        if marks != [(schema_mark(),)]:
            raise StoreOutdated(
                f"this home was made by another version of Edgekeeper; ingest into a new --home, "
                f"or delete {self.path} and ingest again"
            )

    def ledger(self, asset: str, *, published: bool = False) -> dict[str, LedgerEntry]:
        """The ledger of one asset by document id: of the latest attempts, or of what is published."""
        table = "published.ledger" if published else "ledger"
        with self.connect(read_only=True) as connection:
            rows = connection.execute(
                f"select document_id, inputs, output, checked from {table} where asset = ?", [asset]
            ).fetchall()
        return {document_id: LedgerEntry(*values) for document_id, *values in rows}

    def quarantined(self, assets: Sequence[str]) -> set[str]:
        """The documents whose rows of one of these assets fail a blocking check."""
        with self.connect(read_only=True) as connection:
            rows = connection.execute(
                "select document_id from quarantine where asset in (select unnest(?))", [list(assets)]
            ).fetchall()
        return {row[0] for row in rows}

    def failures(self, asset: str) -> dict[str, Failure]:
        """The documents on which an asset failed, by document id."""
        with self.connect(read_only=True) as connection:
            rows = connection.execute(
                "select document_id, error, inputs from failures where asset = ? order by document_id",
                [asset],
            ).fetchall()
        return {row[0]: Failure(*row) for row in rows}

    def load(self, row_type: type[RowType], document_ids: Sequence[str]) -> dict[str, list[RowType]]:
        """The rows of one table by document id, each list in the document's order."""
        names = [field.name for field in fields(row_type)]
        order = "document_id, ordinal" if "ordinal" in names else "document_id"
        with self.connect(read_only=True) as connection:
            found = connection.execute(
                f"select {', '.join(names)} from {row_type.table} "
                f"where document_id in (select unnest(?)) order by {order}",
                [list(document_ids)],
            ).fetchall()
        loaded: dict[str, list[RowType]] = {key: [] for key in document_ids}
        for record in found:
            values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in record]
            row = row_type(*values)
            loaded[row.document_id].append(row)
        return loaded

    def replace(self, asset: str, replacements: Sequence[Replacement], run_id: str) -> None:
        """Replace all rows of some documents and write their ledger, in one transaction.

        Where the output of a document differs from before, the rows that later assets derived from the old
        output are deleted with it: a span never refers to a text that is gone. What the graph was made from
        is held before.
        """
        ids = [item.document_id for item in replacements]
        with self.transaction() as connection:
            before = dict(
                connection.execute(
                    "select document_id, output from ledger "
                    "where asset = ? and document_id in (select unnest(?))",
                    [asset, ids],
                ).fetchall()
            )
            changed = [r.document_id for r in replacements if before.get(r.document_id) != r.entry.output]
            hold(connection, changed)
            _delete(connection, TABLES_OF[asset], ids)
            _delete_of(connection, ("quarantine",), [asset], changed)
            _delete_of(connection, ("failures",), [asset], ids)
            _delete_assets(connection, later_assets(asset), changed)
            _insert(connection, [row for item in replacements for row in item.rows])
            _record(connection, asset, {item.document_id: item.entry for item in replacements}, run_id)

    def replace_corpus(self, asset: str, statements: str, entry: LedgerEntry, run_id: str) -> None:
        """Empty the tables of an asset over the whole corpus and run its statements, in one transaction."""
        with self.transaction() as connection:
            for table in TABLES_OF[asset]:
                connection.execute(f"delete from {table}")
            connection.execute(statements)
            _record(connection, asset, {CORPUS: entry}, run_id)

    def record_failures(self, asset: str, failures: Sequence[Failure]) -> None:
        """Record failed documents; rows that the asset derived from their older input are deleted.

        What the graph was made from is held before.
        """
        ids = [failure.document_id for failure in failures]
        with self.transaction() as connection:
            hold(connection, ids)
            _delete_assets(connection, later_assets(asset), ids)
            _delete(connection, TABLES_OF[asset], ids)
            _delete_of(connection, ("ledger", "quarantine"), [asset], ids)
            connection.executemany(
                "insert or replace into failures values (?, ?, ?, ?)",
                [(asset, f.document_id, f.error, f.inputs) for f in failures],
            )

    def forget(self, document_ids: Sequence[str]) -> None:
        """Delete all rows of documents that are gone, in one transaction. Blobs stay, and what the graph was
        made from is held until it is made anew."""
        with self.transaction() as connection:
            hold(connection, document_ids)
            _delete_assets(connection, DOCUMENT_ASSETS, document_ids)
            connection.execute(
                "delete from files where file_id in "
                "(select file_id from files where document_id in (select unnest(?)))",
                [list(document_ids)],
            )

    def memo(self, keys: Sequence[str]) -> dict[str, str]:
        """Stored extractions (JSON) of those memo keys that are known."""
        with self.connect(read_only=True) as connection:
            return dict(
                connection.execute(
                    "select memo_key, extraction from extraction_memo where memo_key in (select unnest(?))",
                    [list(keys)],
                ).fetchall()
            )

    def memorize(self, extractions: Mapping[str, str]) -> None:
        """Keep extractions by memo key; the first answer for a key stays."""
        if not extractions:
            return
        with self.transaction() as connection:
            rows = pa.table({"memo_key": list(extractions), "extraction": list(extractions.values())})
            connection.register("incoming", rows)
            connection.execute("insert or ignore into extraction_memo by name select * from incoming")


def _delete(connection: duckdb.DuckDBPyConnection, tables: Sequence[str], ids: Sequence[str]) -> None:
    if ids:
        for table in tables:
            connection.execute(f"delete from {table} where document_id in (select unnest(?))", [list(ids)])


def _delete_of(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[str], assets: Sequence[str], ids: Sequence[str]
) -> None:
    """Delete from tables that tell assets apart."""
    if assets and ids:
        for table in tables:
            connection.execute(
                f"delete from {table} where asset in (select unnest(?)) "
                "and document_id in (select unnest(?))",
                [list(assets), list(ids)],
            )


def _delete_assets(connection: duckdb.DuckDBPyConnection, assets: Sequence[str], ids: Sequence[str]) -> None:
    """Delete everything that assets made of some documents, and what is known of how they fared."""
    for asset in assets:
        _delete(connection, TABLES_OF[asset], ids)
    _delete_of(connection, ("ledger", "failures", "quarantine"), assets, ids)


def _insert(connection: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
    by_type: dict[type[Row], list[Row]] = {}
    for row in rows:
        by_type.setdefault(type(row), []).append(row)
    for row_type, members in by_type.items():
        columns = {
            field.name: pa.array([_arrow_value(getattr(member, field.name)) for member in members])
            for field in fields(row_type)
        }
        connection.register("incoming", pa.table(columns))
        connection.execute(f"insert into {row_type.table} by name select * from incoming")
        connection.unregister("incoming")


def _arrow_value(value: object) -> object:
    """What Arrow takes: lists for tuples, and no lone surrogate, which no UTF-8 column can hold."""
    if isinstance(value, tuple):
        return [_arrow_value(item) for item in value]
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", errors="backslashreplace").decode("utf-8")
    return value


def _record(
    connection: duckdb.DuckDBPyConnection, asset: str, entries: Mapping[str, LedgerEntry], run_id: str
) -> None:
    rows = pa.table(
        {
            "document_id": list(entries),
            "inputs": [entry.inputs for entry in entries.values()],
            "output": [entry.output for entry in entries.values()],
        }
    )
    connection.register("incoming", rows)
    connection.execute(
        "insert into ledger (asset, document_id, inputs, output, checked, run_id, recorded_at) "
        "select ?, document_id, inputs, output, null, ?, current_localtimestamp() from incoming "
        # Checks that looked at this very output need not look again.
        "on conflict do update set inputs = excluded.inputs, output = excluded.output, "
        "checked = case when ledger.output = excluded.output then ledger.checked end, "
        "run_id = excluded.run_id, recorded_at = excluded.recorded_at",
        [asset, run_id],
    )
    connection.unregister("incoming")

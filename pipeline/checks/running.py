"""Evaluates checks, over a whole home or over some documents of it.

A query names plain tables. To look at some documents only, temporary views with the tables' names shadow
them: DuckDB resolves an unqualified name in the temporary schema first, also inside of views.
"""

from __future__ import annotations

import contextlib
import math
import re
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import uuid4

import duckdb
import pyarrow as pa

from pipeline.checks.model import Check, CheckResult, Findings, Plain
from pipeline.storage.store import Store

SAMPLE_ROWS: Final = 20
SECONDS: Final = 60.0
"""How long a check's query may take, or all blocking ones of an asset; others wait for the file meanwhile."""
HOLD_SECONDS: Final = 5.0
"""How long the file is kept from writers while checks are left; then it is theirs for a turn."""
_CHECKPOINT: Final = re.compile(r"\b(?:force_)?checkpoint\s*\(", re.IGNORECASE)
"""A function that writes the file and may abort other transactions, though it stands in a SELECT."""
VALUE_LIMIT: Final = 500
"""Characters of a sampled value that are kept; a row may hold a whole text."""
_INTEGERS: Final = ("tinyint", "smallint", "integer", "bigint", "hugeint")
_NUMBERS: Final = frozenset({"boolean", "float", "double", *_INTEGERS, *(f"u{name}" for name in _INTEGERS)})
"""DuckDB's types of which Python can hold every value."""
_TEXTS: Final = frozenset({"varchar", "enum"})
"""Those in which a column can name documents."""


def run_checks(
    store: Store, checks: Sequence[Check], document_ids: Sequence[str] | None = None
) -> list[CheckResult]:
    """Evaluate checks over the whole home, or over some documents (checks of scope ``home`` never are).

    A check whose query fails has the outcome ``error`` and says why; the others are evaluated all the same.
    """
    limited = deque(c for c in checks if document_ids is not None and c.scope == "documents")
    whole = deque(c for c in checks if c not in limited)
    results: dict[str, CheckResult] = {}
    while whole or limited:
        with store.connect(read_only=True) as connection:
            _shut_in(connection)
            until = time.monotonic() + HOLD_SECONDS
            results |= _evaluate_some(connection, whole, until)
            if limited and not whole:
                with only(connection, document_ids or ()):
                    results |= _evaluate_some(connection, limited, until)
    return [results[check.name] for check in checks]


def _evaluate_some(
    connection: duckdb.DuckDBPyConnection, waiting: deque[Check], until: float
) -> dict[str, CheckResult]:
    """Take checks from a queue and evaluate them until the time is over, at least one."""
    results: dict[str, CheckResult] = {}
    while waiting:
        check = waiting.popleft()
        results[check.name] = _evaluate(connection, check)
        if time.monotonic() > until:
            break
    return results


def failing_documents(
    connection: duckdb.DuckDBPyConnection, checks: Sequence[Check], document_ids: Sequence[str]
) -> Mapping[str, Mapping[str, int]]:
    """How many rows of each of some documents fail each check: check name, document id, rows.

    Works on a writable connection as well, outside of transactions, which a failing query would abort. The
    connection can open no other file afterwards. A check that has a problem, or for which the others leave no
    time, is not in the answer.
    """
    _shut_in(connection)
    asked, until = set(document_ids), time.monotonic() + SECONDS
    found: dict[str, Mapping[str, int]] = {}
    with only(connection, document_ids):
        for check in checks:
            if time.monotonic() > until:
                break
            with contextlib.suppress(duckdb.Error), _harmless(connection, until - time.monotonic()):
                _select_failing(connection, check)
                if _why_unnamed(connection) is None:
                    rows = _rows_by_document(connection)
                    found[check.name] = {key: count for key, count in rows.items() if key in asked}
    return found


@contextlib.contextmanager
def only(connection: duckdb.DuckDBPyConnection, document_ids: Sequence[str]) -> Iterator[None]:
    """Make every table that has a document_id show some documents only, as long as this lasts.

    The views belong to the connection, and are left behind where an error gets out.
    """
    connection.register("incoming_documents", pa.table({"document_id": pa.array(document_ids, pa.string())}))
    looked_at = f"looked_at_{uuid4().hex}"  # a name that no query knows: a check sees only what a home holds
    connection.execute(
        f"create temp table {looked_at} as select distinct document_id from incoming_documents"
    )
    connection.unregister("incoming_documents")
    tables = connection.execute(
        "select database_name, table_name from duckdb_columns() "
        "where database_name = current_database() and schema_name = 'main' and column_name = 'document_id' "
        "and table_name in (select t.table_name from duckdb_tables() t "
        "where t.database_name = current_database() and t.schema_name = 'main') order by table_name"
    ).fetchall()
    for database, table in tables:
        connection.execute(
            f'create temp view {table} as select * from "{database}".main.{table} '
            f"where document_id in (select document_id from temp.{looked_at})"
        )
    yield
    for _, table in tables:
        connection.execute(f"drop view temp.{table}")
    connection.execute(f"drop table temp.{looked_at}")


def _shut_in(connection: duckdb.DuckDBPyConnection) -> None:
    """Let queries read nothing but the database, and change no setting: a check is a file that anybody may
    have written, and a SELECT may call functions that write logs and profiles anywhere.

    This holds until the database is closed, for all that have it open in this process.
    """
    [(locked,)] = connection.execute("select current_setting('lock_configuration')").fetchall()
    if not locked:
        connection.execute("set enable_external_access = false")
        connection.execute("set lock_configuration = true")


def _evaluate(connection: duckdb.DuckDBPyConnection, check: Check) -> CheckResult:
    looked_at = connection.execute("select count(*) from document_status").fetchall()[0][0]
    try:
        with _harmless(connection, SECONDS):
            _select_failing(connection, check)
            findings, columns, sample = _describe_failing(connection, looked_at)
            problem = _why_unnamed(connection) if check.needs_documents else None
    except duckdb.InterruptException:
        problem = f"its query took longer than {SECONDS:.0f} seconds"
        return CheckResult(check, "error", Findings(0, None, looked_at), problem=problem)
    except duckdb.Error as error:
        return CheckResult(check, "error", Findings(0, None, looked_at), problem=str(error))
    if problem is not None:
        return CheckResult(check, "error", findings, columns, sample, problem)
    return CheckResult(check, check.outcome(findings), findings, columns, sample)


@contextlib.contextmanager
def _harmless(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """A transaction that can write nothing but temporary tables, for a query that anybody may have written.

    DuckDB takes a SELECT whose WITH deletes rows for a SELECT. Raises duckdb.InterruptException after
    ``seconds``.
    """
    connection.execute("begin transaction read only")
    timer = threading.Timer(seconds, connection.interrupt)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        connection.rollback()


def _select_failing(connection: duckdb.DuckDBPyConnection, check: Check) -> None:
    """Put the failing rows into a temporary table. Raises duckdb.Error."""
    if _CHECKPOINT.search(check.sql):
        raise duckdb.InvalidInputException("a check may not make a checkpoint")
    statements = connection.extract_statements(check.sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise duckdb.InvalidInputException("a check is exactly one SELECT statement")
    connection.execute(f"create or replace temp table failing as {statements[0].query}")


def _columns(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The columns of the failing rows, with their types."""
    failing = connection.table("temp.failing")
    return {name: kind.id for name, kind in zip(failing.columns, failing.types, strict=True)}


def _document_type(connection: duckdb.DuckDBPyConnection) -> str | None:
    """The type of the column that says whose the failing rows are. SQL knows no upper and lower case."""
    return next((kind for name, kind in _columns(connection).items() if name.lower() == "document_id"), None)


def _why_unnamed(connection: duckdb.DuckDBPyConnection) -> str | None:
    """Why the failing rows do not say whose they are; None where they do, or where there are none."""
    kind = _document_type(connection)
    if kind is None:
        return "its rows must have a column document_id, because it is blocking or counts a share"
    if kind not in _TEXTS:
        return "the document_id of its rows is no text, so it names no document"
    [(rows,)] = connection.execute("select count(*) from temp.failing").fetchall()
    if rows and not _rows_by_document(connection):
        return "the document_id of its rows names no document"
    return None


def _describe_failing(
    connection: duckdb.DuckDBPyConnection, looked_at: int
) -> tuple[Findings, tuple[str, ...], tuple[tuple[Plain, ...], ...]]:
    columns = _columns(connection)
    documents = "null" if _document_type(connection) is None else "count(distinct document_id)"
    [(rows, failing)] = connection.execute(f"select count(*), {documents} from temp.failing").fetchall()
    shown = ", ".join(_shown(name, kind) for name, kind in columns.items())
    sample = connection.execute(
        f"select {shown} from (from temp.failing order by all limit {SAMPLE_ROWS})"
    ).fetchall()
    return (
        Findings(rows, failing, looked_at),
        tuple(columns),
        tuple(tuple(map(_plain, row)) for row in sample),
    )


def _shown(column: str, kind: str) -> str:
    """SQL for what is shown of a column. DuckDB writes as text what Python cannot hold, or not whole."""
    quoted = '"' + column.replace('"', '""') + '"'
    return quoted if kind in _NUMBERS else f"left({quoted}::varchar, {VALUE_LIMIT + 1})"


def _plain(value: object) -> Plain:
    """A value that every place where it is shown can hold."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    text = str(value)
    return text if len(text) <= VALUE_LIMIT else f"{text[:VALUE_LIMIT]}…"


def _rows_by_document(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """How many failing rows each known document has."""
    return dict(
        connection.execute(
            "select document_id, count(*) from temp.failing "
            "where document_id in (select document_id from main.documents) group by 1 order by 1"
        ).fetchall()
    )

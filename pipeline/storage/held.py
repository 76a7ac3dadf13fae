"""The version of a document that the graph was made from, kept while another one is in the making, or until
the graph is made without it.

All functions work inside the transaction of their caller.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from pipeline.storage.tables import HELD_TABLES


def hold(connection: duckdb.DuckDBPyConnection, document_ids: Sequence[str]) -> None:
    """Keep the rows of those documents that are whole and not held yet, before they are changed."""
    found = connection.execute(
        "select document_id from whole_documents where document_id in (select unnest(?)) "
        "and document_id not in (select document_id from held.ledger)",
        [list(document_ids)],
    ).fetchall()
    leaving = [row[0] for row in found]
    if leaving:
        for table in HELD_TABLES:
            connection.execute(
                f"insert into held.{table} select * from {table} where document_id in (select unnest(?))",
                [leaving],
            )


def drop_held(connection: duckdb.DuckDBPyConnection, document_ids: Sequence[str]) -> None:
    """Delete what is held of some documents."""
    for table in HELD_TABLES:
        connection.execute(
            f"delete from held.{table} where document_id in (select unnest(?))", [list(document_ids)]
        )


def replaced(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The documents whose held version the graph can do without: the latest is whole, or they are gone."""
    found = connection.execute(
        "select distinct document_id from held.ledger where document_id in (select document_id from "
        "whole_documents) or document_id not in (select document_id from documents "
        "union select document_id from failures) order by document_id"
    ).fetchall()
    return [row[0] for row in found]

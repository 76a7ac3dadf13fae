"""Quarantine: a document whose rows fail a blocking check goes no further until it is mended.

The verdict stands beside the rows: ``ledger.checked`` says which checks looked at an output, ``quarantine``
which of them it failed. An edited check is another check, so it looks again at what is there. What the graph
was made from before stays in it, until the document's latest version is whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from pipeline.checks import Check, failing_documents
from pipeline.identifiers import fingerprint
from pipeline.storage.held import drop_held, hold, replaced
from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class Gate:
    """The blocking checks in force, of all assets."""

    checks: tuple[Check, ...] = ()

    def of(self, asset: str) -> tuple[Check, ...]:
        """The checks that an asset's rows have to pass."""
        return tuple(check for check in self.checks if check.asset == asset)

    def mark(self, asset: str) -> str:
        """The version of an asset's checks: what they are called and what they ask."""
        return fingerprint(asset, [(check.name, check.sql) for check in self.of(asset)])


def gate_of(checks: Sequence[Check]) -> Gate:
    """The gate that some checks make: the blocking ones."""
    return Gate(tuple(check for check in checks if check.blocking))


def judge(store: Store, asset: str, gate: Gate, document_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Let the asset's present checks look at the rows they have not seen, and write the verdicts.

    One query a check for all of them, one transaction. Returns the failing rows by check of every
    document among the given ones that is in quarantine. A check that cannot run gives no verdict: its
    earlier ones stay, and it looks again once it is mended.
    """
    with store.transaction() as connection:
        unseen = [
            row[0]
            for row in connection.execute(
                "select document_id from ledger where asset = ? and checked is distinct from ? "
                "and document_id in (select unnest(?)) order by document_id",
                [asset, gate.mark(asset), list(document_ids)],
            ).fetchall()
        ]
        if unseen:
            failing = _failing(connection, gate.of(asset), unseen)
            _write_verdicts(connection, asset, gate, unseen, failing)
        rows = connection.execute(
            "select document_id, check_name, failing_rows from quarantine "
            "where asset = ? and document_id in (select unnest(?)) order by all",
            [asset, list(document_ids)],
        ).fetchall()
    verdicts: dict[str, dict[str, int]] = {}
    for document_id, check, count in rows:
        verdicts.setdefault(document_id, {})[check] = count
    return verdicts


def held_back(store: Store, asset: str) -> dict[str, list[str]]:
    """The documents that each check of an asset holds in quarantine, by check name."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select check_name, document_id from quarantine where asset = ? order by all", [asset]
        ).fetchall()
    found: dict[str, list[str]] = {}
    for check, document_id in rows:
        found.setdefault(check, []).append(document_id)
    return found


def awaits_publication(store: Store) -> bool:
    """Whether the graph shows a held version of some document, but may show its latest one, or none."""
    with store.connect(read_only=True) as connection:
        return bool(replaced(connection))


def publish(store: Store) -> None:
    """Let go of held versions whose successor is whole or whose document is gone. Only to be called where the
    graph is then rebuilt."""
    if awaits_publication(store):
        with store.transaction() as connection:
            drop_held(connection, replaced(connection))


def _failing(
    connection: duckdb.DuckDBPyConnection, checks: Sequence[Check], document_ids: Sequence[str]
) -> Mapping[str, Mapping[str, int]]:
    """Failing rows by check and document; a check that cannot run is not in it."""
    # A cursor of its own: what shadows the tables for the checks must not shadow them for the verdicts.
    with connection.cursor() as cursor:
        return failing_documents(cursor, checks, document_ids)


def _write_verdicts(
    connection: duckdb.DuckDBPyConnection,
    asset: str,
    gate: Gate,
    document_ids: Sequence[str],
    failing: Mapping[str, Mapping[str, int]],
) -> None:
    verdicts = [
        (asset, key, check, count)
        for check, documents in sorted(failing.items())
        for key, count in sorted(documents.items())
    ]
    mute = [check.name for check in gate.of(asset) if check.name not in failing]
    hold(connection, [key for _, key, _, _ in verdicts])
    connection.execute(
        "delete from quarantine where asset = ? and document_id in (select unnest(?)) "
        "and check_name not in (select unnest(?))",
        [asset, list(document_ids), mute],
    )
    if verdicts:
        connection.executemany("insert into quarantine values (?, ?, ?, ?)", verdicts)
    connection.execute(
        "update ledger set checked = ? where asset = ? and document_id in (select unnest(?))",
        [gate.mark(asset), asset, list(document_ids)],
    )

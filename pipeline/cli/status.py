"""``edgekeeper status``: what a home holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pipeline.checks import Check, CheckError, load_checks, run_checks
from pipeline.cli.output import HomeOption, JsonOption, console, existing_home, fail, print_json, shown
from pipeline.config import ConfigError
from pipeline.discovery import known_sources
from pipeline.home import Home
from pipeline.quarantine import gate_of
from pipeline.summary import count_outcomes, document_statuses, summarize
from pipeline.wording import count_of

if TYPE_CHECKING:
    from pipeline.pending import Pending


def status(
    home: HomeOption = None,
    all_documents: Annotated[bool, typer.Option("--all", help="List every document.")] = False,
    due: Annotated[
        bool, typer.Option("--due", help="Look at the files, and list what the next ingest would process.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the sources, documents by status, sizes of the graph, and the checks.

    Exit code 1 if a document or a check failed, or a document is in quarantine.
    """
    place = existing_home(home, as_json=as_json)
    try:
        known_checks = load_checks(place.checks)
        pending = _look_ahead(place, known_checks) if due else None
    except (CheckError, ConfigError) as error:
        fail(str(error), as_json=as_json, code=2)
    store = place.store()
    summary, documents = summarize(store), document_statuses(store)
    sources, checks = known_sources(store), run_checks(store, known_checks)
    outcomes = count_outcomes(checks)
    if as_json:
        print_json(
            {
                "home": str(place.folder),
                "sources": [dataclasses.asdict(source) for source in sources],
                **dataclasses.asdict(summary),
                "documents": {"total": len(documents), **summary.documents},
                "checks": outcomes,
                "check_results": [
                    {
                        "name": c.check.name,
                        "asset": c.check.asset,
                        "outcome": c.outcome,
                        "rows": c.failing_rows,
                    }
                    for c in checks
                ],
                "document_statuses": [dataclasses.asdict(document) for document in documents],
                **({"pending": dataclasses.asdict(pending)} if pending else {}),
            }
        )
    else:
        out = console()
        for source in sources:
            kind = "folder" if source.watched else "single files of"
            out.print(f"source [bold]{shown(source.name)}[/]: {kind} {shown(str(source.path))}")
        table = Table()
        for name in ("document", "status", "rule", "tier", "tokens", "labels", "detail"):
            table.add_column(name, overflow="fold")
        for item in documents:
            if all_documents or item.status != "ingested":
                table.add_row(
                    shown(item.document_id),
                    item.status,
                    shown(item.rule or ""),
                    item.tier or "",
                    "" if item.token_count is None else str(item.token_count),
                    shown(", ".join(item.access_labels)),
                    shown(item.detail or ""),
                )
        if table.row_count:
            out.print(table)
        out.print(", ".join(f"{count} {name}" for name, count in summary.documents.items()))
        out.print(
            f"{summary.chunks} chunks, {summary.claims} claims, {summary.entities} entities, "
            f"{summary.edges} edges, {summary.orphans} orphans"
        )
        for result in checks:
            if result.outcome != "pass":
                why = f": {shown(result.problem)}" if result.problem else ""
                rows = count_of(result.failing_rows, "row")
                out.print(f"check {result.outcome}: {result.check.name}, {rows}{why}")
        if pending is not None:
            _print_pending(pending, out)
    raise typer.Exit(1 if outcomes["failed"] or summary.has_failed else 0)


def _look_ahead(home: Home, checks: Sequence[Check]) -> Pending:
    from pipeline.pending import look_ahead

    return look_ahead(home, home.config(), gate_of(checks))


def _print_pending(pending: Pending, out: Console) -> None:
    for warning in pending.warnings:
        out.print(f"[yellow]not looked at[/] {shown(warning)}")
    for item in pending.due:
        out.print(f"due {shown(item.document_id)}: {item.reason}, from {item.asset} on")
    for key in pending.gone:
        out.print(f"due {shown(key)}: gone")
    if not pending.due and not pending.gone:
        out.print("nothing is due")

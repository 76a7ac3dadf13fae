"""``edgekeeper check``: the promises, evaluated without Dagster."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pipeline.checks import Check, CheckError, CheckResult, load_checks, run_checks
from pipeline.cli.output import HomeOption, JsonOption, console, existing_home, fail, print_json, shown
from pipeline.home import find_home
from pipeline.summary import count_outcomes, document_statuses

COLOURS = {"pass": "green", "warn": "yellow", "error": "red"}


def check(
    names: Annotated[
        list[str] | None, typer.Argument(help="Checks to run. Default: all of them.", show_default=False)
    ] = None,
    home: HomeOption = None,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            "--document",
            help="Look at this document only (its id), but in checks of scope home. May be repeated.",
        ),
    ] = None,
    asset: Annotated[str | None, typer.Option("--asset", help="Only checks of this asset.")] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only checks with this tag.")] = None,
    list_only: Annotated[
        bool, typer.Option("--list", help="List the checks instead of running them.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run the checks and show the rows that break them.

    Exit code 1 if any check is an error, 2 if a name, an asset, a tag or a document does not exist.
    """
    try:
        every = load_checks(find_home(home).checks)
    except CheckError as error:
        fail(str(error), as_json=as_json, code=2)
    for kind, wanted, known in (
        ("check", names or [], [each.name for each in every]),
        ("asset", [asset] if asset else [], [each.asset for each in every]),
        ("tag", [tag] if tag else [], [each for one in every for each in one.tags]),
    ):
        _require_known(kind, wanted, known, as_json=as_json)
    chosen = [
        each
        for each in every
        if (not names or each.name in names)
        and asset in (None, each.asset)
        and (tag is None or tag in each.tags)
    ]
    if not chosen:
        fail("no check is all of that. See: edgekeeper check --list", as_json=as_json, code=2)
    if list_only:
        _list(chosen, as_json=as_json)
        raise typer.Exit
    store = existing_home(home, as_json=as_json).store()
    if documents:
        known = [document.document_id for document in document_statuses(store)]
        _require_known("document", documents, known, as_json=as_json)
    results = run_checks(store, chosen, documents or None)
    if as_json:
        print_json(
            {"checks": count_outcomes(results), "check_results": [_as_data(result) for result in results]}
        )
    else:
        _print(results)
    raise typer.Exit(1 if any(result.outcome == "error" for result in results) else 0)


def _require_known(kind: str, wanted: Sequence[str], known: Collection[str], *, as_json: bool) -> None:
    missing = [name for name in wanted if name not in known]
    if missing:
        remedy = "edgekeeper status --all" if kind == "document" else "edgekeeper check --list"
        fail(f"there is no {kind} {missing[0]!r}. See: {remedy}", as_json=as_json, code=2)


def _list(checks: Sequence[Check], *, as_json: bool) -> None:
    if as_json:
        print_json({"definitions": [each.model_dump(mode="json") for each in checks]})
        return
    table = Table("check", "asset", "warn if", "error if", "blocking", "scope", "tags", "description")
    for each in checks:
        table.add_row(
            each.name,
            each.asset,
            each.warn_if,
            each.error_if if each.severity == "error" else "never",
            "yes" if each.blocking else "",
            each.scope,
            shown(", ".join(each.tags)),
            shown(each.description),
        )
    console().print(table)


def _as_data(result: CheckResult) -> dict[str, object]:
    return {
        "name": result.check.name,
        "asset": result.check.asset,
        "outcome": result.outcome,
        "rows": result.findings.rows,
        "failing_documents": result.findings.documents,
        "documents": result.findings.looked_at,
        "columns": result.columns,
        "sample": result.sample,
        "problem": result.problem,
    }


def _print(results: Sequence[CheckResult]) -> None:
    out = console()
    table = Table("check", "asset", "verdict", "rows", "documents")
    for result in results:
        failing = result.findings.documents
        table.add_row(
            result.check.name,
            result.check.asset,
            f"[{COLOURS[result.outcome]}]{result.outcome}[/]",
            str(result.findings.rows),
            "" if failing is None else f"{failing} of {result.findings.looked_at}",
        )
    out.print(table)
    for result in results:
        if result.outcome != "pass":
            _print_rows(out, result)
    counts = count_outcomes(results)
    out.print(f"{counts['passed']} passed, {counts['warned']} warned, {counts['failed']} failed")


def _print_rows(out: Console, result: CheckResult) -> None:
    out.print(f"\n[bold]{result.check.name}[/] {shown(result.check.description)}")
    if result.problem is not None:
        out.print(f"[red]cannot run[/] {shown(result.problem)}")
    if result.sample:
        table = Table(*(shown(name) for name in result.columns))
        for row in result.sample:
            table.add_row(*("" if value is None else shown(str(value)) for value in row))
        out.print(table)
        if (more := result.findings.rows - len(result.sample)) > 0:
            out.print(f"… and {more} more rows")

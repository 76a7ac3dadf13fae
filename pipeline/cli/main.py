"""``edgekeeper``: one verb a module; heavy imports happen inside the verb that needs them."""

from __future__ import annotations

import errno
import importlib.metadata
import sys
from typing import Annotated, Final

import duckdb
import typer

from pipeline.checks import CheckError
from pipeline.cli import check, doctor, ingest, plan, profile, status, trace, ui
from pipeline.cli.output import say_error
from pipeline.config import ConfigError
from pipeline.home import HomeError
from pipeline.orchestration.settings import POSTGRES_VARIABLE
from pipeline.storage.store import StoreBusy, StoreOutdated

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Errors of the disk; all others of the operating system are about a path that cannot be used."""
UNUSABLE: Final = (HomeError, ConfigError, CheckError)
"""Errors whose message names the path of what cannot be used, and says why."""

app = typer.Typer(
    name="edgekeeper",
    epilog="Start with:  edgekeeper ingest examples/handbook",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"edgekeeper {importlib.metadata.version('edgekeeper')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Turn a folder of documents into a knowledge graph whose every edge traces to an exact sentence."""


app.command(
    epilog="Examples:  edgekeeper ingest docs/   |   edgekeeper ingest a.md b.html --home /tmp/kg --json"
)(ingest.ingest)
app.command(epilog="Examples:  edgekeeper plan README.md   |   edgekeeper plan notes.md --html plan.html")(
    plan.plan
)
app.command(
    epilog="Examples:  edgekeeper trace edg_0123456789abcdef   |   edgekeeper trace --subject 'Atlas Router'"
)(trace.trace)
app.command(epilog="Examples:  edgekeeper check --tag spans   |   edgekeeper check overlap_in_band --json")(
    check.check
)
app.command(epilog="Example:  edgekeeper status --json")(status.status)
app.command(epilog="Example:  edgekeeper profile --out profile/")(profile.profile)
app.command(epilog="Example:  edgekeeper ui --port 3001")(ui.ui)
app.command(epilog="Example:  edgekeeper doctor")(doctor.doctor)


def main() -> None:
    """The command. What goes wrong with files and databases is a message, not a stack of calls."""
    try:
        app()
    except (OSError, *UNUSABLE, StoreBusy, StoreOutdated, duckdb.Error, *_dagsters_errors()) as error:
        message, code = explain(error)
        say_error(message, as_json="--json" in sys.argv)
        sys.exit(code)


def explain(error: Exception) -> tuple[str, int]:
    """What to say of an error of files or databases, and the exit code: 2 where a path is wrong, else 1."""
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        message = what if error.filename is None else f"{error.filename}: {what}"
        return message, 1 if error.errno in NO_ROOM else 2
    if isinstance(error, UNUSABLE):
        return str(error), 2
    if isinstance(error, StoreOutdated):
        return str(error), 1
    if isinstance(error, StoreBusy | duckdb.Error):
        return f"the database cannot be used: {error}", 1
    cause = getattr(error, "orig", error)
    if "sqlite3" in type(cause).__module__:
        return f"Dagster's records in the home cannot be used: {cause}", 1
    # What PostgreSQL says may quote the address, which holds a password.
    return (
        f"Dagster's database cannot be reached: see that its server runs, and that {POSTGRES_VARIABLE} "
        "holds its address",
        1,
    )


def _dagsters_errors() -> list[type[Exception]]:
    """The errors of the database that keeps Dagster's records, of the modules that were imported."""
    names = {"sqlalchemy.exc": "DBAPIError", "dagster_postgres.utils": "DagsterPostgresException"}
    return [getattr(sys.modules[module], name) for module, name in names.items() if module in sys.modules]


if __name__ == "__main__":
    main()

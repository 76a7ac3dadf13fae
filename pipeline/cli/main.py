"""``edgekeeper``: one verb a module; heavy imports happen inside the verb that needs them."""

from __future__ import annotations

import importlib.metadata
import sys
from typing import Annotated

import typer

from pipeline.cli import check, doctor, ingest, plan, profile, status, trace, ui
from pipeline.cli.errors import explain, known_errors
from pipeline.cli.output import say_error

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
    except known_errors() as error:
        explanation = explain(error)
        say_error(str(explanation), as_json="--json" in sys.argv)
        sys.exit(explanation.code)


if __name__ == "__main__":
    main()

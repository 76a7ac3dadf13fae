"""How verbs speak: tables and messages for people, one line of JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from pipeline.home import DEFAULT_HOME, HOME_VARIABLE, Home, find_home

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home",
        help=f"Folder that holds everything. Default: ${HOME_VARIABLE}, else ./{DEFAULT_HOME}",
        show_default=False,
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", help="YAML file with settings; every field is optional.", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on one line, nothing else.")]

PIPE_WIDTH = 200
"""Columns of a table that is not printed to a terminal."""


def shown(text: str) -> str:
    """Text of documents, names and errors as a terminal may show it: no markup, no control sequence."""
    return escape("".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text))


def console() -> Console:
    """Where results for people go. In a pipe there is no edge to wrap at, so tables may be wide."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def print_json(value: Any) -> None:
    """One JSON object on one line. The one place where a dict leaves the program."""
    typer.echo(json.dumps(value, default=str))


def say_error(message: str, *, as_json: bool) -> None:
    """Say what went wrong and what to do: on stderr, or as ``{"error": …}`` with ``--json``."""
    if as_json:
        print_json({"error": message})
    else:
        Console(stderr=True, highlight=False).print(f"[bold red]error[/] {shown(message)}", soft_wrap=True)


def fail(message: str, *, as_json: bool, code: int = 1) -> NoReturn:
    """Say what went wrong and end with an exit code."""
    say_error(message, as_json=as_json)
    raise typer.Exit(code)


def existing_home(folder: Path | None, *, as_json: bool) -> Home:
    """The home in use. Exits with a hint where nothing was ever ingested there. Raises StoreOutdated."""
    home = find_home(folder)
    if not home.exists():
        fail(f"{home.folder}: nothing was ingested here yet. Run: edgekeeper ingest FOLDER", as_json=as_json)
    home.store().require_current()
    return home

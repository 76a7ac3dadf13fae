"""``edgekeeper doctor``: what is installed, reachable and writable, and what to do about what is not."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass

import typer
from rich.table import Table

from pipeline.cli.errors import explain, known_errors
from pipeline.cli.output import HomeOption, JsonOption, console, print_json, shown
from pipeline.config import ConfigError
from pipeline.home import Home, find_home

PACKAGES = ("dagster", "dagster-webserver", "dagster-duckdb", "duckdb", "tiktoken", "pyromark", "spacy")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and the remedy where it is not well."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def doctor(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Look at everything an ingest needs. Exit code 1 if something is missing."""
    place = find_home(home)
    reinstall = "install again: make setup (or pip install -r requirements.lock)"
    findings = [
        _examine("python", _python, "use Python 3.11 or 3.12"),
        *(_examine(name, lambda name=name: importlib.metadata.version(name), reinstall) for name in PACKAGES),
        _examine("tokenizer", _tokenizer, reinstall),
        _examine(
            "language model",
            lambda: _language_model(place),
            f"{reinstall}; or correct extraction.model in {place.config_file}",
        ),
        _examine("configuration", lambda: _configuration(place), f"correct {place.config_file}"),
        _examine("home is writable", lambda: _writable(place), "choose another folder with --home"),
        _examine("database", lambda: _database(place), "do as it says"),
        _examine(
            "dagster instance", lambda: describe_instance(place), f"look into {place.dagster}/dagster.yaml"
        ),
    ]
    if as_json:
        print_json({"ok": all(item.ok for item in findings), "findings": [asdict(item) for item in findings]})
    else:
        table = Table("", "what", "found", "what to do")
        for item in findings:
            mark = "[green]ok[/]" if item.ok else "[red]no[/]"
            table.add_row(mark, item.name, shown(item.detail), shown(item.remedy))
        console().print(table)
    raise typer.Exit(0 if all(item.ok for item in findings) else 1)


def _examine(name: str, look: Callable[[], str], remedy: str) -> Finding:
    try:
        return Finding(name, True, look())
    except ConfigError as error:  # whatever needed the configuration
        return Finding(name, False, str(error), "correct the file, and look again")
    except known_errors() as error:
        explanation = explain(error)
        return Finding(name, False, explanation.problem, explanation.remedy or remedy)
    except Exception as error:  # whatever is wrong with one thing, the others are still looked at
        return Finding(name, False, f"{type(error).__name__}: {error}", remedy)


def _python() -> str:
    if sys.version_info[:2] not in ((3, 11), (3, 12)):
        raise RuntimeError(sys.version)
    return sys.version.split()[0]


def _tokenizer() -> str:
    from pipeline.tokens import DEFAULT_ENCODING, count_tokens

    return f"{DEFAULT_ENCODING}: {count_tokens('Every edge has its sentence.')} tokens, no network"


def _language_model(home: Home) -> str:
    import spacy

    name = home.config().extraction.model
    return f"{name} {spacy.load(name).meta['version']}"


def _configuration(home: Home) -> str:
    home.config()
    return str(home.config_file) if os.path.lexists(home.config_file) else "defaults"


def _writable(home: Home) -> str:
    folder = home.folder
    while not folder.exists():
        folder = folder.parent
    with tempfile.TemporaryFile(dir=folder):
        return str(home.folder) if home.folder.exists() else f"{home.folder} (to be made)"


def _database(home: Home) -> str:
    if not home.exists():
        return "none yet: edgekeeper ingest FOLDER"
    store = home.store()
    store.lock_timeout = 2.0
    store.require_current()
    with store.connect() as connection:
        rows = connection.execute("select count(*) from documents").fetchall()
    return f"{rows[0][0]} documents, {home.database.stat().st_size / 1e6:.1f} MB"


def describe_instance(home: Home) -> str:
    """What is in Dagster's instance, and where it keeps it."""
    if not home.dagster.exists():
        return "none yet"
    from pipeline.orchestration.instance import describe_storage, open_instance

    with open_instance(home) as instance:
        partitions = len(instance.get_dynamic_partitions("documents"))
        return f"{partitions} partitions; runs and events: {describe_storage(instance)}"

"""Reads checks from folders: ``checks.yaml`` with an entry for each ``.sql`` file beside it."""

from __future__ import annotations

import os
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pipeline.checks.model import Check
from pipeline.yaml_files import YamlError, read_yaml

ENTRIES: Final = "checks.yaml"


class CheckError(ValueError):
    """A folder of checks that cannot be used; the message names the file, the entry and the field."""


def load_checks(own: Path | None = None) -> tuple[Check, ...]:
    """The bundled checks, then those of a home's own folder, each in the order of its ``checks.yaml``.

    A folder that does not exist has no checks. Raises CheckError where it is no folder, an entry is wrong or
    has no file, a file has no entry, or two checks have one name.
    """
    bundled = _load(resources.files("dbt_like_checks"))
    if own is None or not os.path.lexists(own):
        return bundled
    added = _load(own)
    taken = {check.name for check in bundled}
    for check in added:
        if check.name in taken:
            raise CheckError(f"{own / ENTRIES}: {check.name}: a bundled check has this name; choose another")
    return (*bundled, *added)


def _load(folder: Traversable) -> tuple[Check, ...]:
    file = folder.joinpath(ENTRIES)
    try:
        items = {item.name: item for item in folder.iterdir()}
    except OSError as error:
        raise CheckError(f"{folder}: must be a folder with {ENTRIES}: {error.strerror}") from error
    sql = {name.removesuffix(".sql"): _read(item) for name, item in items.items() if name.endswith(".sql")}
    entries = _entries(file) if sql or ENTRIES in items else []
    checks = [_check(file, number, entry, sql) for number, entry in enumerate(entries, start=1)]
    names = [check.name for check in checks]
    for name in names:
        if names.count(name) > 1:
            raise CheckError(f"{file}: {name}: there are two entries of this name")
    if without := sorted(sql.keys() - set(names)):
        raise CheckError(f"{file}: no entry for {', '.join(f'{name}.sql' for name in without)}")
    return tuple(checks)


def _entries(file: Traversable) -> list[object]:
    try:
        data = read_yaml(_read(file))
    except YamlError as error:
        raise CheckError(f"{file}: {error}") from error
    entries = data.get("checks") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise CheckError(f"{file}: expected 'checks:' with a list of entries")
    return entries


def _check(file: Traversable, number: int, entry: object, sql: dict[str, str]) -> Check:
    name = entry.get("name") if isinstance(entry, dict) else None
    where = f"{file}: {name if isinstance(name, str) else f'entry {number}'}"
    if not isinstance(entry, dict):
        raise CheckError(f"{where}: expected a mapping of fields, found {type(entry).__name__}")
    if "sql" in entry:
        raise CheckError(f"{where}: sql: the query belongs into the file {name}.sql")
    if isinstance(name, str) and name not in sql:
        raise CheckError(f"{where}: there is no file {name}.sql beside it")
    try:
        return Check.model_validate({**entry, "sql": sql.get(name, "") if isinstance(name, str) else ""})
    except ValidationError as error:
        raise CheckError("\n".join(f"{where}: {_fault(item)}" for item in error.errors())) from error


def _fault(item: ErrorDetails) -> str:
    field = ".".join(map(str, item["loc"]))
    message = item["msg"].removeprefix("Value error, ")
    if item["type"] == "extra_forbidden":
        message = "there is no such field"
    return f"{field}: {message}" if field else message


def _read(file: Traversable) -> str:
    if not file.is_file():  # a pipe would keep its reader waiting for ever
        raise CheckError(f"{file}: cannot be read: not a regular file")
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CheckError(f"{file}: cannot be read: {error}") from error

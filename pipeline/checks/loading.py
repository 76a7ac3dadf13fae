"""Reads checks from a folder: ``checks.yaml`` with an entry for each ``.sql`` file beside it."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

import yaml

from pipeline.checks.model import Check


class CheckError(ValueError):
    """A folder of checks that cannot be used; the message names the file, the entry and the field."""


def load_checks(folder: Traversable | None = None) -> tuple[Check, ...]:
    """The checks of a folder (default: the bundled ones), in the order of ``checks.yaml``.

    Raises CheckError where a file has no entry, or an entry no file.
    """
    folder = folder or resources.files("dbt_like_checks")
    entries = yaml.safe_load(folder.joinpath("checks.yaml").read_text(encoding="utf-8"))["checks"]
    files = {item.name.removesuffix(".sql") for item in folder.iterdir() if item.name.endswith(".sql")}
    names = [entry["name"] for entry in entries]
    if unmatched := files.symmetric_difference(names):
        raise CheckError(f"checks.yaml and the .sql files differ: {', '.join(sorted(unmatched))}")
    return tuple(
        Check(**entry, sql=folder.joinpath(f"{entry['name']}.sql").read_text(encoding="utf-8").strip())
        for entry in entries
    )

"""What to say of an error of files and databases, and what to do about it."""

from __future__ import annotations

import errno
import shutil
import sys
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from pipeline.checks import CheckError
from pipeline.config import ConfigError
from pipeline.home import HomeError
from pipeline.orchestration.settings import POSTGRES_VARIABLE
from pipeline.storage.faults import StoreUnusable
from pipeline.storage.store import StoreBusy, StoreOutdated

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Errors of the disk; all others of the operating system are about a path that cannot be used."""
FULL_BYTES: Final = 1 << 20
"""A disk with less room than this is full: SQLite tells it from other errors only now and then."""
UNUSABLE: Final = (HomeError, ConfigError, CheckError)
"""Errors whose message names the path of what cannot be used, and says why."""
MAKE_ROOM: Final = "Make room on the disk, and ingest again."


class Explanation(NamedTuple):
    """What is wrong, what to do about it (a sentence, or empty where the first says it), and the exit code:
    2 where a path is wrong, else 1."""

    problem: str
    remedy: str
    code: int

    def __str__(self) -> str:
        return f"{self.problem}. {self.remedy}" if self.remedy else self.problem


def known_errors() -> tuple[type[Exception], ...]:
    """The errors that ``explain`` knows, of the modules that were imported."""
    names = {"sqlalchemy.exc": "DBAPIError", "dagster_postgres.utils": "DagsterPostgresException"}
    dagsters = [getattr(sys.modules[module], name) for module, name in names.items() if module in sys.modules]
    return (OSError, *UNUSABLE, StoreBusy, StoreOutdated, StoreUnusable, duckdb.Error, *dagsters)


def explain(error: Exception) -> Explanation:
    """What to say of one of the known errors. No password is part of it."""
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        problem = what if error.filename is None else f"{error.filename}: {what}"
        if error.errno in NO_ROOM:
            return Explanation(problem, MAKE_ROOM if error.errno != errno.EIO else "", 1)
        return Explanation(problem, "", 2)
    if isinstance(error, UNUSABLE):
        return Explanation(str(error), "", 2)
    if isinstance(error, StoreOutdated):
        return Explanation(str(error), "", 1)
    if isinstance(error, StoreUnusable):
        return Explanation(error.problem, error.remedy, 1)
    if isinstance(error, StoreBusy | duckdb.Error):
        return Explanation(f"the database cannot be used: {error}", "", 1)
    cause = getattr(error, "orig", error)
    if "sqlite3" in type(cause).__module__:
        return _explain_records(str(cause), next(iter(getattr(error, "__notes__", ())), None))
    # What PostgreSQL says may quote the address, which holds a password.
    return Explanation(
        f"Dagster's database cannot be reached: see that its server runs, and that {POSTGRES_VARIABLE} "
        "holds its address",
        "",
        1,
    )


def _explain_records(what: str, file: str | None) -> Explanation:
    """Of an error of SQLite with Dagster's records; ``file`` is the one it came from, where that is known."""
    problem = f"Dagster's records in the home cannot be used: {f'{file}: ' if file else ''}{what}"
    if "full" in what or (file and shutil.disk_usage(_existing(Path(file))).free < FULL_BYTES):
        return Explanation(f"{problem} (no space left on the disk)", MAKE_ROOM, 1)
    if "locked" in what:
        return Explanation(problem, "Close the program that has it open, or wait for the run in progress.", 1)
    if "readonly" in what or "unable to open" in what:
        return Explanation(problem, "See that it is a file that you may read and write.", 1)
    folder = next((folder for folder in Path(file or "").parents if folder.name == "dagster"), None)
    return Explanation(
        problem,
        f"Delete {folder or 'the folder dagster in the home'} and ingest again: the history of the runs "
        "goes, the graph stays.",
        1,
    )


def _existing(path: Path) -> Path:
    return path if path.exists() else _existing(path.parent)

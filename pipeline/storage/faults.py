"""What is wrong with a database file that DuckDB cannot use, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import duckdb

NO_ROOM: Final = ("No space left on device", "Disk quota exceeded")
NO_ACCESS: Final = ("Permission denied", "Read-only file system", "Is a directory")
DAMAGED: Final = "Corrupt database file"
"""How DuckDB's message begins where a page is not what was written."""


class StoreUnusable(RuntimeError):
    """The database file is damaged, no database, cannot be opened, or has no room on its disk."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem, remedy)

    def __str__(self) -> str:
        return f"{self.problem}. {self.remedy}"

    @property
    def problem(self) -> str:
        """What is wrong, with the file's path."""
        return self.args[0]

    @property
    def remedy(self) -> str:
        """What to do about it: a sentence."""
        return self.args[1]


def fault_at_opening(path: Path, error: duckdb.Error) -> StoreUnusable:
    """What is wrong with the file ``path``, which DuckDB could not open."""
    text = _first_line(error)
    if any(sign in text for sign in NO_ROOM):
        return _full(path, text)
    if any(sign in text for sign in NO_ACCESS):
        return StoreUnusable(f"{path}: {text}", "See that it is a file that you may read and write.")
    return _damaged(path, text)


def fault_at_work(path: Path, error: duckdb.Error) -> StoreUnusable | None:
    """What is wrong with the open file ``path``; None where the error is about a statement or its rows."""
    text = _first_line(error)
    if any(sign in text for sign in NO_ROOM):
        return _full(path, text)
    if text.startswith(DAMAGED) or (isinstance(error, duckdb.IOException) and str(path) in text):
        return _damaged(path, text)
    return None


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0].rstrip("!.")


def _full(path: Path, text: str) -> StoreUnusable:
    return StoreUnusable(f"{path}: {text}", "Make room on the disk, and ingest again.")


def _damaged(path: Path, text: str) -> StoreUnusable:
    remedy = "Rename or delete it and ingest again: all of it is made anew from the documents."
    return StoreUnusable(f"{path}: {text}", remedy)

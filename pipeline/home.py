"""A home: the folder that holds everything Edgekeeper knows about some sources."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pipeline.config import Config, load_config, require_regular
from pipeline.documents.blobs import BlobFolder
from pipeline.storage.store import Store

HOME_VARIABLE: Final = "EDGEKEEPER_HOME"
DEFAULT_HOME: Final = ".edgekeeper"


class HomeError(ValueError):
    """A path that cannot be a home."""


@dataclass(frozen=True, slots=True)
class Home:
    """Paths inside a home folder."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "edgekeeper.duckdb"

    @property
    def config_file(self) -> Path:
        return self.folder / "config.yaml"

    @property
    def checks(self) -> Path:
        """The user's own checks, beside the bundled ones. The folder need not exist."""
        return self.folder / "checks"

    @property
    def dagster(self) -> Path:
        """Dagster's own instance folder."""
        return self.folder / "dagster"

    @property
    def lock_file(self) -> Path:
        """Held by an ingest from beginning to end, and by the sensor while it looks."""
        return self.folder / "ingest.lock"

    @property
    def reports(self) -> Path:
        """What was decided while nobody watched, as Markdown."""
        return self.folder / "reports"

    @property
    def run_locks(self) -> Path:
        """A lock file for each run, held by its process."""
        return self.folder / "runs"

    @property
    def blobs(self) -> BlobFolder:
        return BlobFolder(self.folder / "blobs")

    def store(self) -> Store:
        """The home's database."""
        return Store(self.database)

    def config(self) -> Config:
        """The configuration in force: the home's file, or the defaults. Raises ConfigError."""
        if not os.path.lexists(self.config_file):
            return Config()
        require_regular(self.config_file)
        return load_config(self.config_file)

    def write_report(self, name: str, text: str) -> None:
        """Keep a report for people to read; one of the same name is replaced."""
        self.reports.mkdir(parents=True, exist_ok=True)
        (self.reports / name).write_text(text, encoding="utf-8")

    def exists(self) -> bool:
        """Whether anything was ever ingested here."""
        return self.database.exists()


def find_home(given: Path | None = None) -> Home:
    """The home in use: the one given, else the environment's ``EDGEKEEPER_HOME``, else ``./.edgekeeper``.

    It need not exist. Raises HomeError where there can be no such folder.
    """
    chosen = given or Path(os.environ.get(HOME_VARIABLE) or DEFAULT_HOME)
    try:
        folder = chosen.expanduser().resolve()
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISDIR(folder.stat().st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "it is not a folder")
    except (OSError, RuntimeError) as error:  # a name too long, a link to itself, a user that does not exist
        reason = error.strerror if isinstance(error, OSError) else error
        raise HomeError(f"{chosen}: cannot be the home: {reason}") from error
    return Home(folder)


def is_default(home: Home) -> bool:
    """Whether this is the home in use where none is given."""
    try:
        return home == find_home()
    except HomeError:
        return False

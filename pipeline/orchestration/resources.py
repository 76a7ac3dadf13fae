"""What the assets need besides rows: the home, its database, the extractor."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import duckdb
from dagster_duckdb import DuckDBResource
from pydantic import PrivateAttr

from pipeline.checks import load_checks
from pipeline.config import Config
from pipeline.extractions.factory import build_extractor
from pipeline.extractions.model import Extractor
from pipeline.extractions.stage import CallCounts
from pipeline.home import Home
from pipeline.quarantine import Gate, gate_of
from pipeline.storage.store import Store
from pipeline.workers import Workers


class HomeDuckDB(DuckDBResource):
    """The home's DuckDB file. Unlike the base class, a connection is closed on errors as well, and waiting
    for another process has jitter and a deadline."""

    _is_current: bool = PrivateAttr(default=False)

    def store(self) -> Store:
        """The store over this file; its tables exist. Raises StoreOutdated."""
        store = Store(Path(self.database))
        if not self._is_current:
            store.create()
            self._is_current = True
        return store

    @contextlib.contextmanager
    def get_connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that is closed on leaving, whatever happens."""
        with self.store().connect() as connection:
            yield connection


class HomeResource(dg.ConfigurableResource[Home]):
    """The home folder. Its configuration and checks are read anew by every run."""

    folder: str

    def home(self) -> Home:
        """The home."""
        return Home(Path(self.folder))

    def config(self) -> Config:
        """The configuration in force."""
        return self.home().config()

    def gate(self) -> Gate:
        """The blocking checks in force."""
        return gate_of(load_checks(self.home().checks))


class Extractors:
    """Builds the extractor that the configuration names. Tests and embedders may hand in another."""

    def __init__(self, build: Callable[[Config], Extractor] | None = None) -> None:
        self.build = build or (lambda config: build_extractor(config.extraction))


def closed_afterwards(workers: Workers) -> dg.ResourceDefinition:
    """Workers whose processes end with the run, or with the step that has a process of its own: a process
    that Dagster started for a step waits for its children before it ends, and they for work."""

    def provide(_context: dg.InitResourceContext) -> Iterator[Workers]:
        try:
            yield workers
        finally:
            workers.close(wait=False)

    return dg.ResourceDefinition(contextlib.contextmanager(provide))


class CallLog:
    """Counts the extraction calls of this process."""

    def __init__(self) -> None:
        self.counts = CallCounts()

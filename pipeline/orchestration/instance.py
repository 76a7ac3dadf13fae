"""The Dagster instance inside a home: its folder, and its dagster.yaml as the home's settings want it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import dagster as dg
import sqlalchemy
import sqlalchemy.event
import yaml
from filelock import FileLock
from sqlalchemy.exc import SQLAlchemyError

from pipeline.config import ConfigError, require_regular
from pipeline.home import Home
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.settings import POSTGRES_VARIABLE, OrchestrationSettings, missing_storage

UNFINISHED: Final = "dagster-unfinished-"
SETTINGS_FILE: Final = "dagster.yaml"
MARKER: Final = "# Written by Edgekeeper from config.yaml; delete this line to keep your own edits.\n"
"""The first line of a dagster.yaml that follows the home's settings; a file without it is the user's."""


def prepare_instance(home: Home) -> None:
    """Make the instance's folder, whole or not at all, and bring its settings up to date.

    Dagster creates its databases table by table, and does not mend one that a kill left half made. So a new
    instance is made beside its place and moved there when it is complete. Raises ConfigError where the
    storage that the home's configuration names cannot be used.
    """
    settings = home.config().orchestration
    missing = missing_storage(settings)
    if missing is not None:
        raise ConfigError(f"{home.config_file}: {missing}")
    home.folder.mkdir(parents=True, exist_ok=True)
    with FileLock(home.folder / "dagster.lock"):
        if not home.dagster.exists():
            _make(home, settings)
        _keep_settings(home.dagster / SETTINGS_FILE, dagster_yaml(settings))


def open_instance(home: Home) -> dg.DagsterInstance:
    """The home's instance. A context manager: leaving it closes its connections.

    Raises ConfigError where the home's configuration, or the user's own dagster.yaml, cannot be used, and the
    errors of files and databases.
    """
    prepare_instance(home)
    try:
        return dg.DagsterInstance.from_config(str(home.dagster))
    except (OSError, SQLAlchemyError):
        raise
    except Exception as error:  # Dagster has many kinds for a file that it cannot use
        file = home.dagster / SETTINGS_FILE
        if _is_ours(file) or "dagster_postgres" in type(error).__module__:
            raise
        raise ConfigError(
            f"{file}: Dagster cannot use it: {_reason(error)}\nCorrect it, or delete it: then it is made anew"
        ) from error


def dagster_yaml(settings: OrchestrationSettings) -> str:
    """The instance's settings file, which names no path: a home may be moved and copied."""
    # No pool limits the steps: a killed run would keep its slot for ever, and the database's own lock
    # already orders the writers.
    content: dict[str, Any] = {
        "telemetry": {"enabled": False},
        "concurrency": {"runs": {"max_concurrent_runs": settings.max_concurrent_runs}},
        "retention": {"sensor": {"purge_after_days": {"skipped": 1, "success": 30, "failure": 30}}},
    }
    if settings.storage == "postgresql":
        content["storage"] = {"postgres": {"postgres_url": {"env": POSTGRES_VARIABLE}}}
    else:
        content["event_log_storage"] = {
            "module": "pipeline.orchestration.event_log",
            "class": "PooledSqliteEventLogStorage",
        }
    return MARKER + yaml.safe_dump(content, sort_keys=False)


def describe_storage(instance: dg.DagsterInstance) -> str:
    """Where the instance keeps runs and events, without any password."""
    from sqlalchemy.engine import make_url

    address = getattr(instance.event_log_storage, "postgres_url", None)
    if address is None:
        return "SQLite in the home"
    url = make_url(address)
    return f"PostgreSQL, database {url.database} on {url.host or 'the local socket'}"


def _make(home: Home, settings: OrchestrationSettings) -> None:
    for remnant in home.folder.glob(f"{UNFINISHED}*"):
        shutil.rmtree(remnant, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=home.folder) as folder:
        fresh = Path(folder) / "dagster"
        fresh.mkdir()
        (fresh / SETTINGS_FILE).write_text(dagster_yaml(settings), encoding="utf-8")
        with dg.DagsterInstance.from_config(str(fresh)) as instance:
            instance.get_dynamic_partitions(DOCUMENTS)  # opens the event log, which is made at first use
        fresh.rename(home.dagster)


@sqlalchemy.event.listens_for(sqlalchemy.Engine, "handle_error")
def _name_file(context: sqlalchemy.ExceptionContext) -> None:
    """SQLite's messages name no file; a note on the error does."""
    error, engine = context.sqlalchemy_exception, context.engine
    if error is not None and engine is not None and engine.dialect.name == "sqlite":
        error.add_note(str(engine.url.database))


def _reason(error: Exception) -> str:
    if isinstance(error, dg.DagsterInvalidConfigError) and error.errors:
        return "; ".join(fault.message for fault in error.errors)
    return str(error)


def _is_ours(file: Path) -> bool:
    """Whether a settings file follows the home's settings, or is missing."""
    require_regular(file)
    return not file.exists() or file.read_bytes().startswith(MARKER.encode())


def _keep_settings(file: Path, wanted: str) -> None:
    if _is_ours(file) and not (file.exists() and file.read_bytes() == wanted.encode()):
        fresh = file.with_suffix(".fresh")
        fresh.write_text(wanted, encoding="utf-8")
        fresh.replace(file)

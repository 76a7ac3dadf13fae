"""Dagster's records in PostgreSQL: one setting, one variable. Needs a server's programs on this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.home import Home
from pipeline.orchestration.settings import POSTGRES_VARIABLE
from tests.orchestration.conftest import Ingest

SECRET = "a-password-that-must-stay-in-the-environment"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def server_user() -> int | None:
    """The account for the server, which refuses to run as root; None where ours will do."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no account 'postgres'")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of its own."""
    programs = [shutil.which(name) for name in ("initdb", "pg_ctl")]
    if None in programs:
        pytest.skip("no PostgreSQL server is installed")
    initdb, pg_ctl = map(str, programs)
    user = server_user()
    folder = Path(os.environ.get("PGTEST_DIR", "/tmp")) / f"edgekeeper-pg-{os.getpid()}"
    folder.mkdir(mode=0o700)
    (folder / "password").write_text(SECRET)
    if user is not None:
        shutil.chown(folder, user)
        shutil.chown(folder / "password", user)
    port = free_port()
    data = str(folder / "data")

    def as_user(*command: str) -> None:
        subprocess.run(command, user=user, check=True, cwd=folder, stdout=subprocess.DEVNULL)

    as_user(initdb, "-D", data, "-U", "keeper", "-A", "scram-sha-256", "--pwfile", str(folder / "password"))
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off"
    as_user(pg_ctl, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql+psycopg2://keeper:{SECRET}@127.0.0.1:{port}/postgres"
    finally:
        as_user(pg_ctl, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture
def in_postgres(home: Home, server: str, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home that keeps Dagster's records in the server."""
    monkeypatch.setenv(POSTGRES_VARIABLE, server)
    home.folder.mkdir()
    home.config_file.write_text("orchestration: {storage: postgresql}\n")
    return home


def test_runs_and_events_are_in_postgresql(in_postgres: Home, run: Ingest, docs: Path, server: str) -> None:
    (docs / "a.md").write_text("# One\n\nVantor Rail owns Gate One.\n")
    first = run()
    assert first.succeeded and first.run_ids, first.errors
    assert run().run_ids == []

    import sqlalchemy

    with sqlalchemy.create_engine(server).connect() as connection:
        runs = connection.execute(sqlalchemy.text("select run_id, status from runs")).fetchall()
        events = connection.execute(
            sqlalchemy.text("select count(*) from event_logs where asset_key is not null")
        ).scalar_one()
    assert [tuple(row) for row in runs] == [(first.run_ids[0], "SUCCESS")]
    assert events >= 7

"""Steps at once, each in a process of its own, over one home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import yaml

from pipeline.discovery import discover
from pipeline.home import HOME_VARIABLE, Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.storage.tables import DOCUMENT_ASSETS, TABLES_OF
from pipeline.workers import Workers
from tests.orchestration.conftest import digest

ROOT = Path(__file__).resolve().parents[2]


def _known(home: Home, docs: Path) -> list[str]:
    """Make a home that knows the files of a folder and has made nothing of them yet."""
    home.store().create()
    keys = list(discover(home, [docs], home.config()).found)
    with open_instance(home) as instance:
        instance.add_dynamic_partitions(DOCUMENTS, keys)
    return keys


def test_steps_in_processes_of_their_own_make_the_same_rows(home: Home, docs: Path, tmp_path: Path) -> None:
    assets = DOCUMENT_ASSETS[:4]  # each step takes seconds to start
    tables = [table for asset in assets for table in TABLES_OF[asset]]
    home.folder.mkdir(parents=True)
    settings = {"executor": "multiprocess", "max_concurrent_steps": 2}
    home.config_file.write_text(yaml.safe_dump({"orchestration": settings}))
    for name in ("a", "b"):
        (docs / f"{name}.md").write_text(f"# {name}\n\nVantor Rail owns Mill {name.upper()}.\n")
    keys = _known(home, docs)
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DAGSTER_HOME": str(home.dagster),
        HOME_VARIABLE: str(home.folder),
    }
    command = [sys.executable, "-m", "dagster", "asset", "materialize"]
    command += ["-m", "pipeline.orchestration.definitions", "--select", ",".join(assets)]
    command += ["--partition-range", f"{keys[0]}...{keys[-1]}"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    clean = Home(tmp_path / "clean")
    assert ingest(clean, [docs], workers=Workers(0)).succeeded
    made, wanted = digest(home.store()), digest(clean.store())
    assert {table: made[table] for table in tables} == {table: wanted[table] for table in tables}
    with open_instance(home) as instance:
        [run] = instance.get_runs()
        started = instance.all_logs(run.run_id, of_type=dg.DagsterEventType.STEP_WORKER_STARTED)
    assert {*assets} <= {entry.step_key for entry in started}

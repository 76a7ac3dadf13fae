"""Runs and steps at once, each in a process of its own, over one home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import dagster as dg
import yaml

from pipeline.discovery import discover
from pipeline.home import HOME_VARIABLE, Home
from pipeline.orchestration.ingest import ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DOCUMENTS
from pipeline.orchestration.resources import Extractors
from pipeline.storage.tables import DOCUMENT_ASSETS, TABLES_OF
from pipeline.workers import Workers
from tests.orchestration.conftest import digest, query
from tests.orchestration.own_sentences import OwnSentences

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import sys
from pathlib import Path
from uuid import uuid4

from pipeline.home import Home
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import range_tags
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.run_locks import run_lock
from pipeline.orchestration.runs import INGEST_JOB
from pipeline.workers import Workers
from tests.orchestration.own_sentences import OwnSentences

home, run_id = Home(Path(sys.argv[1])), str(uuid4())
extractors = Extractors(lambda _config: OwnSentences())
with open_instance(home) as instance, run_lock(home, run_id):
    definitions = build_definitions(home, workers=Workers(0), extractors=extractors)
    definitions.resolve_job_def(INGEST_JOB).execute_in_process(
        instance=instance, run_id=run_id, tags=range_tags(*sys.argv[2:])
    )
"""


def _known(home: Home, docs: Path) -> list[str]:
    """Make a home that knows the files of a folder and has made nothing of them yet."""
    home.store().create()
    keys = list(discover(home, [docs], home.config()).found)
    with open_instance(home) as instance:
        instance.add_dynamic_partitions(DOCUMENTS, keys)
    return keys


def _clean_digest(folder: Path, docs: Path) -> dict[str, str]:
    clean = Home(folder / "clean")
    extractors = Extractors(lambda _config: OwnSentences())
    assert ingest(clean, [docs], extractors=extractors, workers=Workers(0)).succeeded
    return digest(clean.store())


def test_parallel_runs_and_a_reader(home: Home, docs: Path, tmp_path: Path, cases_dir: Path) -> None:
    plan = json.loads((cases_dir / "057-duckdb-parallel-writers" / "plan.json").read_text())
    processes, each, rows = (plan[name] for name in ("processes", "partitions_each", "rows_per_partition"))
    for number in range(processes * each):
        says = [f"Vantor Rail owns Mill {chr(65 + number % 26)}{place}." for place in range(rows)]
        (docs / f"{number:02}.md").write_text("\n\n".join(says) + "\n")
    keys = _known(home, docs)
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", RUN, str(home.folder), keys[first], keys[first + each - 1]],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=(tmp_path / f"{first}.log").open("wb"),
        )
        for first in range(0, len(keys), each)
    ]
    store = home.store()
    seen: set[int] = set()
    while any(run.poll() is None for run in runs):
        seen |= {count for (count,) in query(store, "select count(*) from blocks group by document_id")}
        time.sleep(0.05)  # as a person looks now and then
    logs = "\n".join(file.read_text()[-3000:] for file in tmp_path.glob("*.log"))
    assert [run.wait() for run in runs] == [0] * processes, logs
    assert seen <= {rows}, "half a partition was seen"
    assert query(store, "select count(*), count(distinct document_id) from blocks") == [
        (processes * each * rows, processes * each)
    ]
    with open_instance(home) as instance:
        assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.SUCCESS}
        for asset in DOCUMENT_ASSETS:
            found = instance.fetch_materializations(dg.AssetKey(asset), limit=1000).records
            assert Counter(record.partition_key for record in found) == Counter(keys)
    assert digest(store) == _clean_digest(tmp_path, docs)


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

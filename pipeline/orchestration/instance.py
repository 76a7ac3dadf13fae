"""The Dagster instance inside a home."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

import dagster as dg

from pipeline.home import Home
from pipeline.orchestration.partitions import DOCUMENTS

UNFINISHED: Final = "dagster-unfinished-"

DAGSTER_YAML: Final = """\
# Runs are queued one after the other. No pool limits the steps: a killed run would keep its slot for ever,
# and the database's own lock already orders the writers.
telemetry:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 1
retention:
  sensor:
    purge_after_days:
      skipped: 1
      success: 30
      failure: 30
"""


def prepare_instance(home: Home) -> None:
    """Make the instance's folder, whole or not at all; one that exists is left alone.

    Dagster creates its databases table by table, and does not mend one that a kill left half made. So a new
    instance is made beside its place and moved there when it is complete.
    """
    if home.dagster.exists():
        return
    home.folder.mkdir(parents=True, exist_ok=True)
    for remnant in home.folder.glob(f"{UNFINISHED}*"):
        shutil.rmtree(remnant, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=home.folder) as folder:
        fresh = Path(folder) / "dagster"
        fresh.mkdir()
        (fresh / "dagster.yaml").write_text(DAGSTER_YAML, encoding="utf-8")
        with dg.DagsterInstance.from_config(str(fresh)) as instance:
            instance.get_dynamic_partitions(DOCUMENTS)  # opens the event log, which is made at first use
        fresh.rename(home.dagster)


def open_instance(home: Home) -> dg.DagsterInstance:
    """The home's instance. A context manager: leaving it closes its connections."""
    prepare_instance(home)
    return dg.DagsterInstance.from_config(str(home.dagster))

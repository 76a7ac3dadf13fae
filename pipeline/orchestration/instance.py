"""The Dagster instance inside a home."""

from __future__ import annotations

from typing import Final

import dagster as dg

from pipeline.home import Home

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
    """Create the instance's folder and its ``dagster.yaml``; one that exists is left alone."""
    home.dagster.mkdir(parents=True, exist_ok=True)
    settings = home.dagster / "dagster.yaml"
    if not settings.exists():
        settings.write_text(DAGSTER_YAML, encoding="utf-8")


def open_instance(home: Home) -> dg.DagsterInstance:
    """The home's instance. A context manager: leaving it closes its connections."""
    prepare_instance(home)
    return dg.DagsterInstance.from_config(str(home.dagster))

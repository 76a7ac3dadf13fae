"""What a user may choose about how the assets are run. Knows no Dagster, so that any verb may read it."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

POSTGRES_VARIABLE: Final = "EDGEKEEPER_DAGSTER_POSTGRES_URL"
"""The environment variable with the address of Dagster's database. Never written to a file or a log."""


class OrchestrationSettings(BaseModel):
    """How runs are executed, and where Dagster keeps its own records of them.

    ``executor`` is for runs that Dagster launches: their steps one after the other in the run's process, or
    each in a process of its own, at most ``max_concurrent_steps`` at a time. An ingest from the command line
    runs in its own process in any case. ``max_concurrent_runs`` is how many leave the queue at a time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    executor: Literal["in_process", "multiprocess"] = "in_process"
    max_concurrent_steps: int = Field(default=2, ge=1)
    max_concurrent_runs: int = Field(default=1, ge=1)
    storage: Literal["sqlite", "postgresql"] = "sqlite"

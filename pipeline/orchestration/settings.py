"""What a user may choose about how the assets are run. Knows no Dagster, so that any verb may read it."""

from __future__ import annotations

import importlib.util
import os
import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool

from pipeline.backfill import Limits
from pipeline.setting_types import Number, Whole

POSTGRES_VARIABLE: Final = "EDGEKEEPER_DAGSTER_POSTGRES_URL"
"""The environment variable with the address of Dagster's database. Never written to a file or a log."""

POSTGRES_SCHEME: Final = "postgresql+psycopg2://"
"""How the address begins. Without the driver's name SQLAlchemy takes one that Dagster does not work with."""


def _cron(text: str) -> str:
    fields = text.split()
    if len(fields) != len(CRON_RANGES) or not all(
        _is_cron_field(field, *bounds) for field, bounds in zip(fields, CRON_RANGES, strict=True)
    ):
        raise ValueError(f"{text!r} is not a cron expression of five fields of numbers such as '0 2 * * *'")
    days, months = (_cron_values(fields[place], *CRON_RANGES[place]) for place in (2, 3))
    if min(days) > max(LONGEST[month - 1] for month in months):
        raise ValueError(f"{text!r} names a date that never comes: no such month has a day {min(days)}")
    return text


def _is_cron_field(field: str, low: int, high: int) -> bool:
    """Whether a field is a list of ``*``, numbers and ranges, each with an optional step."""
    parts = [_CRON_PART.fullmatch(part) for part in field.split(",")]
    return all(
        part is not None and all(low <= int(number) <= high for number in part.group(1, 2) if number)
        for part in parts
    )


def _cron_values(field: str, low: int, high: int) -> set[int]:
    """The numbers that a field stands for; a range that ends before it begins goes on at ``low``."""
    values: set[int] = set()
    for part in field.split(","):
        match = _CRON_PART.fullmatch(part)
        assert match is not None  # checked before
        step = int(match[3] or 1)
        first = int(match[1] or low)
        last = int(match[2] or (first if match[1] and not match[3] else high))
        numbers = (
            range(first, last + 1) if first <= last else (*range(first, high + 1), *range(low, last + 1))
        )
        values.update(numbers[::step])
    return values


CRON_RANGES: Final = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
"""Minute, hour, day of the month, month, day of the week."""
LONGEST: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month at most."""
_SERVER: Final = re.compile(r"(\[[^\]]*\]|[^:]*)(:\d+)?", re.ASCII)
"""A host, and a port or none."""
DAY: Final = 86_400
"""Seconds. Whoever looks less often than daily has no use for a sensor."""
_CRON_PART: Final = re.compile(r"(?:\*|(\d+)(?:-(\d+))?)(?:/([1-9]\d*))?", re.ASCII)


class NightlySettings(BaseModel):
    """When the nightly backfill ticks, and what one night may take (null: no limit).

    ``enabled`` has it on until somebody switches it off in Dagster. ``cron`` is in UTC. ``tokens`` are those
    of the texts, about; ``dollars`` is their price by ``extraction.dollars_per_million_tokens``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: StrictBool = False
    cron: Annotated[str, AfterValidator(_cron)] = "0 2 * * *"
    documents: Whole | None = Field(default=None, ge=1)
    tokens: Whole | None = Field(default=None, ge=1)
    dollars: Number | None = Field(default=None, ge=0.0, le=1e9)

    def limits(self) -> Limits:
        """The limits of one night."""
        return Limits(self.documents, self.tokens, self.dollars)


class SensorSettings(BaseModel):
    """How the folders are watched: how often, how long a file must have been left alone before it is taken,
    and how many documents one look hands to a run at most.

    ``enabled`` has the sensor on until somebody switches it off in Dagster.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: StrictBool = False
    interval_seconds: Whole = Field(default=30, ge=1, le=DAY)
    settle_seconds: Number = Field(default=5.0, ge=0, le=DAY)
    documents_per_tick: Whole = Field(default=500, ge=1)


class OrchestrationSettings(BaseModel):
    """How runs are executed, and where Dagster keeps its own records of them.

    ``executor`` is for runs that Dagster launches: their steps one after the other in the run's process, or
    each in a process of its own, at most ``max_concurrent_steps`` at a time. An ingest from the command line
    runs in its own process in any case. ``max_concurrent_runs`` is how many leave the queue at a time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    executor: Literal["in_process", "multiprocess"] = "in_process"
    max_concurrent_steps: Whole = Field(default=2, ge=1, le=1000)
    max_concurrent_runs: Whole = Field(default=1, ge=1, le=1000)
    storage: Literal["sqlite", "postgresql"] = "sqlite"
    nightly: NightlySettings = NightlySettings()
    sensor: SensorSettings = SensorSettings()


def missing_storage(settings: OrchestrationSettings) -> str | None:
    """What the chosen storage needs and this machine or environment lacks; None where nothing is missing.

    Looks without connecting. The address itself is never part of the answer: it holds a password.
    """
    if settings.storage == "sqlite":
        return None
    if importlib.util.find_spec("dagster_postgres") is None:
        return "orchestration.storage: postgresql needs the extra: pip install 'edgekeeper[postgres]'"
    address = os.environ.get(POSTGRES_VARIABLE)
    if not address:
        return (
            f"orchestration.storage: postgresql needs the environment variable {POSTGRES_VARIABLE}, "
            f"for example {POSTGRES_SCHEME}user:password@host:5432/database"
        )
    if not address.startswith(POSTGRES_SCHEME):
        return f"orchestration.storage: the address in {POSTGRES_VARIABLE} must begin with {POSTGRES_SCHEME}"
    server = re.split("[/?]", address.removeprefix(POSTGRES_SCHEME).rpartition("@")[2])[0]
    if not _SERVER.fullmatch(server):
        return f"orchestration.storage: the address in {POSTGRES_VARIABLE} has a port that is no number"
    return None

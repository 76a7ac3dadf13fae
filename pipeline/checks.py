"""Promises as SQL: a check is a query that returns the rows that break it, and how bad that is.

One ``.sql`` file and one entry in ``checks.yaml`` each. The severity follows dbt: with severity ``error``
the condition ``error_if`` is tested first, then ``warn_if``, each against the number of failing rows.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated, Final, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict

from pipeline.storage.store import Store

Outcome = Literal["pass", "warn", "error"]
SAMPLE_ROWS: Final = 20
_OPERATORS: Final[dict[str, Callable[[int, int], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
}
_CONDITION: Final = re.compile(r"(>=|<=|!=|>|<|=)\s*(\d+)")


def _condition(text: str) -> str:
    if not _CONDITION.fullmatch(text):
        raise ValueError(f"{text!r} is not a condition such as '> 0' or '!= 0'")
    return text


Condition = Annotated[str, AfterValidator(_condition)]


class Check(BaseModel):
    """One check as ``checks.yaml`` declares it; ``sql`` is the text of the file of the same name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    asset: str
    description: str
    severity: Literal["warn", "error"] = "error"
    warn_if: Condition = "!= 0"
    error_if: Condition = "!= 0"
    blocking: bool = False
    tags: tuple[str, ...] = ()
    sql: str

    def outcome(self, failing_rows: int) -> Outcome:
        """The verdict on a number of failing rows."""
        if self.severity == "error" and _holds(self.error_if, failing_rows):
            return "error"
        return "warn" if _holds(self.warn_if, failing_rows) else "pass"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check's verdict, with the first failing rows (``columns`` name their values)."""

    check: Check
    outcome: Outcome
    failing_rows: int
    columns: tuple[str, ...]
    sample: tuple[tuple[object, ...], ...]


def load_checks(folder: Traversable | None = None) -> tuple[Check, ...]:
    """The checks of a folder (default: the bundled ones), in the order of ``checks.yaml``.

    Raises ValueError where a file has no entry, or an entry no file.
    """
    folder = folder or resources.files("dbt_like_checks")
    entries = yaml.safe_load(folder.joinpath("checks.yaml").read_text(encoding="utf-8"))["checks"]
    files = {item.name.removesuffix(".sql") for item in folder.iterdir() if item.name.endswith(".sql")}
    names = [entry["name"] for entry in entries]
    if unmatched := files.symmetric_difference(names):
        raise ValueError(f"checks.yaml and the .sql files differ: {', '.join(sorted(unmatched))}")
    return tuple(
        Check(**entry, sql=folder.joinpath(f"{entry['name']}.sql").read_text(encoding="utf-8").strip())
        for entry in entries
    )


def run_checks(
    store: Store, checks: Sequence[Check], document_ids: Sequence[str] | None = None
) -> list[CheckResult]:
    """Evaluate checks over the whole home, or over some documents where the failing rows name one."""
    with store.connect(read_only=True) as connection:
        results = []
        for check in checks:
            relation = connection.sql(check.sql)
            columns = tuple(relation.columns)
            rows = relation.fetchall()
            if document_ids is not None and "document_id" in columns:
                place, wanted = columns.index("document_id"), set(document_ids)
                rows = [row for row in rows if row[place] in wanted]
            results.append(
                CheckResult(check, check.outcome(len(rows)), len(rows), columns, tuple(rows[:SAMPLE_ROWS]))
            )
        return results


def _holds(condition: str, failing_rows: int) -> bool:
    match = _CONDITION.fullmatch(condition)
    assert match is not None  # checked when the condition was read
    return _OPERATORS[match[1]](failing_rows, int(match[2]))

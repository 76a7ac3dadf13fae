"""What a check declares, and its verdict on what was found."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, model_validator

from pipeline.storage.tables import CORPUS_ASSETS, DOCUMENT_ASSETS

Outcome = Literal["pass", "warn", "error"]
Scope = Literal["documents", "home"]
Plain = str | int | float | bool | None

SHARE_NEEDS_DOCUMENTS: Final = 10
"""A condition on a share of the documents holds only where at least this many were looked at."""

_OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
}
_CONDITION: Final = re.compile(r"(>=|<=|!=|>|<|=)\s*(?:(\d{1,18})|(\d{1,18}(?:\.\d{1,18})?)\s*%)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check's query selected.

    ``documents`` counts the documents that have a failing row, None where the rows name no document;
    ``looked_at`` counts the documents that the query could have found something in.
    """

    rows: int
    documents: int | None
    looked_at: int


def _condition(text: str) -> str:
    if not _CONDITION.fullmatch(text.strip()):
        raise ValueError(f"{text!r} is not a condition such as '> 5' (rows) or '> 20%' (of the documents)")
    return text.strip()


Condition = Annotated[str, AfterValidator(_condition)]
"""A comparison with a number of failing rows (``> 5``) or with the share of the documents looked at that
have one (``> 20%``)."""


class Check(BaseModel):
    """One check as ``checks.yaml`` declares it; ``sql`` is the text of the file of the same name.

    With severity ``error`` the condition ``error_if`` is tested first, then ``warn_if``; with severity
    ``warn`` only ``warn_if``. A blocking check puts each document with a failing row into quarantine; by
    default it is an error only where more than half of the documents fail.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z0-9_]+$")
    asset: Literal[
        "documents",
        "normalized_text",
        "chunk_plans",
        "chunks",
        "extractions",
        "resolved_entities",
        "graph_edges",
    ]
    description: str
    severity: Literal["warn", "error"] = "error"
    warn_if: Condition = "!= 0"
    error_if: Condition = "!= 0"
    blocking: StrictBool = False
    tags: tuple[str, ...] = ()
    scope: Scope = "documents"
    sql: str

    @model_validator(mode="before")
    @classmethod
    def _derive_defaults(cls, data: dict[str, object]) -> dict[str, object]:
        defaults: dict[str, object] = {}
        if data.get("blocking") is True:
            defaults["error_if"] = "> 50%"
        if data.get("asset") in CORPUS_ASSETS:
            defaults["scope"] = "home"
        return {**defaults, **data}

    @model_validator(mode="after")
    def _fits_its_asset(self) -> Check:
        if self.asset in CORPUS_ASSETS and self.scope != "home":
            raise ValueError(f"scope: {self.asset} is over the whole corpus, so its checks are of scope home")
        if self.blocking and (self.asset not in DOCUMENT_ASSETS or self.scope != "documents"):
            raise ValueError("blocking: a check that quarantines documents must be of scope documents")
        return self

    @property
    def needs_documents(self) -> bool:
        """Whether the failing rows must name their documents."""
        conditions = (self.warn_if, self.error_if) if self.severity == "error" else (self.warn_if,)
        return self.blocking or any("%" in condition for condition in conditions)

    def outcome(self, findings: Findings) -> Outcome:
        """The verdict on what was found."""
        if self.severity == "error" and _holds(self.error_if, findings):
            return "error"
        return "warn" if _holds(self.warn_if, findings) else "pass"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check's verdict, with the first failing rows (``columns`` name their values).

    ``problem`` is why the check could not be evaluated, else None; its outcome is then ``error``.
    """

    check: Check
    outcome: Outcome
    findings: Findings
    columns: tuple[str, ...] = ()
    sample: tuple[tuple[Plain, ...], ...] = ()
    problem: str | None = None

    @property
    def failing_rows(self) -> int:
        """How many rows the query selected."""
        return self.findings.rows


def _holds(condition: str, findings: Findings) -> bool:
    match = _CONDITION.fullmatch(condition)
    assert match is not None  # checked when the condition was read
    compare, rows, share = _OPERATORS[match[1]], match[2], match[3]
    if rows is not None:
        return compare(findings.rows, int(rows))
    if findings.documents is None or findings.looked_at < SHARE_NEEDS_DOCUMENTS:
        return False
    return compare(100 * findings.documents / findings.looked_at, float(share))

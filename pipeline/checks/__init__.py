"""Promises as SQL: a check is a query that selects the rows that break it, and how bad that is.

``model.py``: what a check declares. ``loading.py``: checks from folders. ``running.py``: their evaluation.
"""

from pipeline.checks.loading import CheckError, load_checks
from pipeline.checks.model import Check, CheckResult, Findings, Outcome
from pipeline.checks.running import failing_documents, run_checks

__all__ = [
    "Check",
    "CheckError",
    "CheckResult",
    "Findings",
    "Outcome",
    "failing_documents",
    "load_checks",
    "run_checks",
]

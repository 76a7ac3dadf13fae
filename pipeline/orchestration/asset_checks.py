"""SQL checks as Dagster asset checks: one step for each asset, over the documents of the run."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import dagster as dg

from pipeline.checks import Check, CheckResult, run_checks
from pipeline.orchestration.resources import HomeDuckDB
from pipeline.quarantine import held_back
from pipeline.storage.store import Store


def build_asset_checks(checks: Sequence[Check]) -> list[dg.AssetChecksDefinition]:
    """One ``multi_asset_check`` for each asset that has checks."""
    ordered = sorted(checks, key=lambda check: check.asset)
    return [_checks_of(asset, list(members)) for asset, members in groupby(ordered, key=lambda c: c.asset)]


def _checks_of(asset: str, checks: Sequence[Check]) -> dg.AssetChecksDefinition:
    by_name = {check.name: check for check in checks}
    specs = [
        dg.AssetCheckSpec(
            check.name,
            asset=asset,
            # Dagster shows a check's description, but not the metadata of its definition.
            description=f"{check.description}\n\n```sql\n{check.sql.strip()}\n```",
            blocking=check.blocking,
            metadata={
                "warn_if": check.warn_if,
                "error_if": check.error_if if check.severity == "error" else "never",
                "scope": check.scope,
                "tags": ", ".join(check.tags),
            },
        )
        for check in checks
    ]

    def evaluate(context: dg.AssetCheckExecutionContext, duckdb: HomeDuckDB) -> Iterator[dg.AssetCheckResult]:
        selected = sorted(key.name for key in context.selected_asset_check_keys)
        run = context.op_execution_context
        scoped = run.has_partition_key or run.has_partition_key_range
        documents = list(run.partition_keys) if scoped else None
        store = duckdb.store()
        held, of_run = held_back(store, asset) if documents is not None else {}, set(documents or ())
        for result in run_checks(store, [by_name[name] for name in selected], documents):
            others = [key for key in held.get(result.check.name, []) if key not in of_run]
            yield to_check_result(_with_others(store, result, others), others)

    return dg.multi_asset_check(name=f"{asset}_checks", specs=specs, can_subset=True)(evaluate)


def _with_others(store: Store, result: CheckResult, others: Sequence[str]) -> CheckResult:
    """The verdict on the documents of the run; where they pass, but others are still in quarantine for this
    check, a warning with the rows of those. Dagster shows the latest verdict only; it must not be green."""
    if result.outcome != "pass" or not others:
        return result
    [held] = run_checks(store, [result.check], others)
    return held if held.outcome == "pass" or held.problem else replace(held, outcome="warn")


def to_check_result(result: CheckResult, others: Sequence[str] = ()) -> dg.AssetCheckResult:
    """A verdict with its failing rows as a table. Values of documents stay plain text in it,
    and so does DuckDB's message, which may quote them. ``others`` are documents that are in quarantine for
    this check since an earlier run.

    Severity ERROR of a blocking check stops the run. One that cannot run knows nothing against anybody, so
    it stops nothing.
    """
    check, findings = result.check, result.findings
    stops_nothing = result.problem is not None and check.blocking
    error = result.outcome == "error" and not stops_nothing
    records = [dg.TableRecord(dict(zip(result.columns, row, strict=True))) for row in result.sample]
    schema = dg.TableSchema([dg.TableColumn(name) for name in result.columns])
    metadata: dict[str, dg.MetadataValue | int] = {
        "failing_rows": findings.rows,
        "documents": findings.looked_at,
        "sample": dg.MetadataValue.table(records, schema),
    }
    if findings.documents is not None:
        metadata["failing_documents"] = findings.documents
    if others:
        metadata["in_quarantine_since_earlier_runs"] = len(others)
    if result.problem is not None:
        metadata["problem"] = dg.MetadataValue.text(result.problem)
    return dg.AssetCheckResult(
        asset_key=check.asset,
        check_name=check.name,
        passed=result.outcome == "pass",
        severity=dg.AssetCheckSeverity.ERROR if error else dg.AssetCheckSeverity.WARN,
        description=_cannot_run(check) if result.problem is not None else None,
        metadata=metadata,
    )


def _cannot_run(check: Check) -> str:
    holds = " It puts no document into quarantine." if check.blocking else ""
    return f"This check cannot run; see its problem.{holds}"

"""SQL checks as Dagster asset checks: one step for each asset, over the documents of the run."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import dagster as dg

from pipeline.checks import Check, CheckResult, run_checks
from pipeline.orchestration.resources import HomeDuckDB


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
            description=check.description,
            blocking=check.blocking,
            metadata={"sql": dg.MetadataValue.md(f"```sql\n{check.sql}\n```")},
        )
        for check in checks
    ]

    def evaluate(context: dg.AssetCheckExecutionContext, duckdb: HomeDuckDB) -> Iterator[dg.AssetCheckResult]:
        selected = sorted(key.name for key in context.selected_asset_check_keys)
        run = context.op_execution_context
        scoped = run.has_partition_key or run.has_partition_key_range
        documents = list(run.partition_keys) if scoped else None
        for result in run_checks(duckdb.store(), [by_name[name] for name in selected], documents):
            yield to_check_result(result)

    return dg.multi_asset_check(name=f"{asset}_checks", specs=specs, can_subset=True)(evaluate)


def to_check_result(result: CheckResult) -> dg.AssetCheckResult:
    """A verdict with its failing rows as a table. Values of documents stay plain text in it."""
    records = [
        dg.TableRecord({name: _plain(value) for name, value in zip(result.columns, row, strict=True)})
        for row in result.sample
    ]
    schema = dg.TableSchema([dg.TableColumn(name) for name in result.columns])
    return dg.AssetCheckResult(
        asset_key=result.check.asset,
        check_name=result.check.name,
        passed=result.outcome == "pass",
        severity=dg.AssetCheckSeverity.ERROR if result.outcome == "error" else dg.AssetCheckSeverity.WARN,
        description=result.problem,
        metadata={
            "failing_rows": result.failing_rows,
            "sample": dg.MetadataValue.table(records, schema),
        },
    )


def _plain(value: object) -> str | int | float | bool | None:
    return value if isinstance(value, str | int | float | bool | None) else str(value)

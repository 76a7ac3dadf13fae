"""The nightly backfill: what is due, in one run, within the limits, with a report."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest
import yaml
from pydantic import ValidationError

from pipeline.home import Home
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.runs import INGEST_JOB
from pipeline.orchestration.schedule import build_nightly_backfill, request_backfill
from pipeline.orchestration.settings import NightlySettings
from pipeline.workers import Workers
from tests.orchestration.conftest import Ingest

NIGHT = datetime(2026, 3, 1, 2, tzinfo=UTC)
RULE = {"name": "b", "match": {"uri": "*/b.md"}, "strategy": {"name": "chonkie_token"}}
NAMES = ("a", "b", "c", "d")


def _write(docs: Path, *names: str, mill: str = "Mill") -> None:
    for name in names:
        (docs / f"{name}.md").write_text(f"# {name}\n\nVantor Rail owns {mill} {name.upper()}.\n")


def _configure(home: Home, **groups: object) -> None:
    home.config_file.write_text(yaml.safe_dump(groups))


def _tick(home: Home) -> dg.RunRequest | dg.SkipReason:
    with open_instance(home) as instance:
        context = dg.build_schedule_context(instance=instance, scheduled_execution_time=NIGHT)
        return request_backfill(context, home, Extractors())


def _execute(home: Home, request: dg.RunRequest) -> set[str]:
    """Run what was requested; the documents of which anything was materialized."""
    with open_instance(home) as instance:
        job = build_definitions(home, workers=Workers(0)).resolve_job_def(INGEST_JOB)
        result = job.execute_in_process(instance=instance, tags=request.tags)
        assert result.success
        events = instance.all_logs(result.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
        found = [entry.asset_materialization for entry in events]
        return {str(event.partition) for event in found if event is not None and event.partition}


def _report(home: Home) -> str:
    [file] = home.reports.iterdir()
    assert file.name == "backfill-2026-03-01.md"
    return file.read_text()


def test_nights_take_what_is_due_within_their_limit_until_nothing_is(
    home: Home, docs: Path, run: Ingest
) -> None:
    assert "nothing was ever ingested" in str(_tick(home).skip_message)  # pyright: ignore
    _write(docs, *NAMES)
    run()
    assert isinstance(_tick(home), dg.SkipReason) and not home.reports.exists()
    _write(docs, "a", "c", "d", mill="Yard")
    _configure(home, orchestration={"nightly": {"documents": 2}})
    first = _tick(home)
    assert isinstance(first, dg.RunRequest)
    assert first.tags["edgekeeper/backfill_due"] == "3: 3 changed"
    assert first.tags["edgekeeper/backfill_put_off"] == "1: 1 by the limit of documents"
    assert "| taken | 2: 2 changed |" in _report(home)
    assert _execute(home, first) == {"docs/a.md", "docs/c.md"}
    second = _tick(home)
    assert isinstance(second, dg.RunRequest)
    assert _execute(home, second) == {"docs/d.md"}
    assert isinstance(_tick(home), dg.SkipReason)


def test_a_changed_setting_is_due_and_a_price_is_not(home: Home, docs: Path, run: Ingest) -> None:
    _write(docs, "a", "b")
    run()
    _configure(
        home,
        extraction={"dollars_per_million_tokens": 5.0},
        orchestration={"nightly": {"dollars": 0.0}},
    )
    assert isinstance(_tick(home), dg.SkipReason)
    _configure(
        home,
        chunking={
            "rules": [{"name": "b", "match": {"uri": "*/b.md"}, "strategy": {"name": "chonkie_token"}}]
        },
        extraction={"dollars_per_million_tokens": 5.0},
        orchestration={"nightly": {"dollars": 0.0}},
    )
    skipped = _tick(home)
    assert isinstance(skipped, dg.SkipReason)
    assert "put off 1: 1 by the limit of dollars" in str(skipped.skip_message)
    assert "`docs/b.md`" in _report(home)


def test_no_run_is_requested_while_another_is_in_flight(home: Home, docs: Path, run: Ingest) -> None:
    _write(docs, "a")
    run()
    _write(docs, "a", mill="Yard")
    with open_instance(home) as instance:
        job = build_definitions(home, workers=Workers(0)).resolve_job_def(INGEST_JOB)
        instance.create_run_for_job(job, status=dg.DagsterRunStatus.NOT_STARTED)
    assert "in flight" in str(_tick(home).skip_message)  # pyright: ignore


def test_a_file_that_is_gone_is_left_to_the_ingest(home: Home, docs: Path, run: Ingest) -> None:
    _write(docs, "a", "b")
    run()
    (docs / "a.md").unlink()
    assert isinstance(_tick(home), dg.SkipReason)


def test_checks_that_are_wrong_are_named(home: Home) -> None:
    home.store().create()
    home.checks.write_text("checks: []")
    skipped = _tick(home)
    assert isinstance(skipped, dg.SkipReason) and str(home.checks) in str(skipped.skip_message)


def test_the_schedule_is_off_and_ticks_by_the_configuration(home: Home) -> None:
    home.folder.mkdir()
    _configure(home, orchestration={"nightly": {"cron": "30 4 * * 1-5"}})
    schedule = build_nightly_backfill(home, home.config().orchestration.nightly, Extractors())
    assert schedule.cron_schedule == "30 4 * * 1-5"
    assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED
    _configure(home, orchestration={"nightly": {"enabled": True}})
    schedule = build_nightly_backfill(home, home.config().orchestration.nightly, Extractors())
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING


@pytest.mark.parametrize(
    "cron", ["0 2 * *", "nightly", "99 2 * * *", "0 2 * * mon", "0 2 * * * *", "*/0 * * * *"]
)
def test_a_cron_expression_that_is_none_is_refused(cron: str) -> None:
    with pytest.raises(ValidationError, match="not a cron expression"):
        NightlySettings(cron=cron)


@pytest.mark.parametrize("cron", ["0 0 31 2 *", "0 0 31 4,6 *", "0 0 30-31 2 1", "0 0 31 4-6/2 *"])
def test_a_date_that_never_comes_is_refused(cron: str) -> None:
    with pytest.raises(ValidationError, match="never comes"):
        NightlySettings(cron=cron)


@pytest.mark.parametrize(
    "cron", ["0 2 * * *", "*/15 1,3-5 1 */2 7", "0 0 29 2 *", "0 0 30 2,3 *", "0 0 31 11-1 *", "0 0 */40 2 *"]
)
def test_a_cron_expression_is_taken(cron: str) -> None:
    assert NightlySettings(cron=cron).cron == cron

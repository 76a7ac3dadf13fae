"""What the sensor requests, look by look, on real files, a real instance and real runs."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml
from filelock import FileLock

from pipeline.checks import load_checks
from pipeline.corpus import GRAPH_EDGES, RESOLVED_ENTITIES, rebuild
from pipeline.discovery import remember_source
from pipeline.documents.blobs import BlobFolder
from pipeline.documents.sources import Source
from pipeline.extractions.model import Extraction, ExtractionRequest, Extractor, ExtractorIdentity
from pipeline.home import Home
from pipeline.incremental import run_stage
from pipeline.orchestration.definitions import INGEST_JOB, build_definitions
from pipeline.orchestration.ingest import IngestError, ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import DOCUMENTS, RANGE_END, RANGE_START, REASON
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.run_locks import run_lock
from pipeline.orchestration.sensor import MOST_ATTEMPTS, REQUEST, SENSOR, Cursor, build_sensor
from pipeline.orchestration.settings import SensorSettings
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import gate_of
from pipeline.storage.tables import TABLES_OF
from pipeline.workers import Workers
from tests.orchestration.conftest import digest, query


class Nothing:
    """Reads nothing into any text; what is tested here is what is requested."""

    identity = ExtractorIdentity("nothing", "none", "1")

    def extract(self, request: ExtractionRequest) -> Extraction:
        return Extraction((), ())


class Watch:
    """A watched folder, its home and instance, and a sensor whose cursor is kept as the daemon keeps it."""

    def __init__(self, home: Home, docs: Path, instance: dg.DagsterInstance, extractor: Extractor) -> None:
        self.home, self.docs, self.instance = home, docs, instance
        self.extractors = Extractors(lambda _config: extractor)
        self.workers = Workers(0)
        self.cursor: str | None = None
        self.skipped: str | None = None

    def settings(
        self,
        *,
        settle_seconds: float = 0.0,
        documents_per_tick: int = 500,
        enabled: bool = False,
        **others: object,
    ) -> None:
        """Write the home's configuration. By default a file counts as left alone at once."""
        sensor = {
            "enabled": enabled,
            "settle_seconds": settle_seconds,
            "documents_per_tick": documents_per_tick,
        }
        self.home.config_file.write_text(yaml.safe_dump({"orchestration": {"sensor": sensor}, **others}))

    def definitions(self) -> dg.Definitions:
        return build_definitions(self.home, workers=self.workers, extractors=self.extractors)

    def look(self, *, keep_cursor: bool = True) -> list[dg.RunRequest]:
        """One evaluation; the requests are returned and not executed."""
        sensor = build_sensor(self.home, self.extractors, SensorSettings())
        context = dg.build_sensor_context(instance=self.instance, cursor=self.cursor)
        result = sensor.evaluate_tick(context)
        if keep_cursor:
            self.cursor = result.cursor
        self.skipped = result.skip_message
        return list(result.run_requests or [])

    def execute(self, request: dg.RunRequest) -> dg.ExecuteInProcessResult:
        """What the daemon and the launcher do with a request, in this process."""
        job = self.definitions().resolve_job_def(INGEST_JOB)
        return job.execute_in_process(
            instance=self.instance,
            tags=dict(request.tags),
            asset_selection=request.asset_selection,
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            raise_on_error=False,
        )

    def work_off(self, request: dg.RunRequest) -> None:
        """What the assets do in the run of a request, without Dagster's own work."""
        store, config = self.home.store(), self.home.config()
        stages = document_stages(store, self.home, config, self.workers, self.extractors.build(config))
        if RANGE_START in request.tags:
            order = list(self.instance.get_dynamic_partitions(DOCUMENTS))
            first, last = (order.index(request.tags[tag]) for tag in (RANGE_START, RANGE_END))
            gate = gate_of(load_checks(self.home.checks))
            for stage in stages:
                run_stage(store, stage, order[first : last + 1], "run", gate)
        rebuild(store, RESOLVED_ENTITIES, "run")
        rebuild(store, GRAPH_EDGES, "run")

    def tick(self) -> list[dg.RunRequest]:
        """One look, and the work that it requests."""
        requests = self.look()
        for request in requests:
            self.work_off(request)
        return requests

    def write(self, name: str, text: str) -> None:
        file = self.docs / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def partitions(self) -> set[str]:
        return set(self.instance.get_dynamic_partitions(DOCUMENTS))


@pytest.fixture
def watch(home: Home, docs: Path) -> Iterator[Watch]:
    """A home that watches an empty folder."""
    home.store().create()
    remember_source(home.store(), Source("docs", docs, watched=True))
    with dg.DagsterInstance.ephemeral() as instance:
        watch = Watch(home, docs, instance, Nothing())
        watch.settings()
        yield watch


def _rows(home: Home) -> set[str]:
    return {row[0] for row in query(home.store(), "select document_id from documents")}


# --- files come, change and go ---------------------------------------------------------------------


def test_the_sensor_is_off_until_it_is_turned_on(watch: Watch) -> None:
    sensor = watch.definitions().resolve_sensor_def(SENSOR)
    assert sensor.default_status is dg.DefaultSensorStatus.STOPPED
    assert sensor.minimum_interval_seconds == 30
    watch.settings(enabled=True)
    sensor = watch.definitions().resolve_sensor_def(SENSOR)
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING


def test_a_day_of_a_folder(watch: Watch) -> None:
    for name in ("a.md", "b.md", "c.md", "d.md"):
        watch.write(name, f"# {name}\n\nVantor Rail owns {name}.\n")
    [request] = watch.tick()
    assert request.tags[REASON] == "4 new"
    assert watch.partitions() == _rows(watch.home) == {f"docs/{n}.md" for n in "abcd"}
    assert watch.tick() == []

    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    (watch.docs / "b.md").rename(watch.docs / "renamed.md")
    (watch.docs / "d.md").unlink()
    [request] = watch.tick()
    assert request.tags[REASON] == "1 new, 1 changed, 2 gone"
    assert watch.partitions() == _rows(watch.home) == {"docs/a.md", "docs/c.md", "docs/renamed.md"}
    assert watch.tick() == []

    (watch.docs / "c.md").unlink()
    [request] = watch.tick()
    assert request.tags[REASON] == "1 gone" and RANGE_START not in request.tags
    assert watch.tick() == [] and watch.skipped is not None and "nothing is due" in watch.skipped
    clean = Home(watch.home.folder.with_name("clean"))
    assert ingest(clean, [watch.docs], extractors=watch.extractors, workers=watch.workers).succeeded
    tables = [name for names in TABLES_OF.values() for name in names] + ["ledger"]
    found, wanted = digest(watch.home.store()), digest(clean.store())
    assert {name: found[name] for name in tables} == {name: wanted[name] for name in tables}


def test_revert_touch_and_partial_writes(watch: Watch, cases_dir: Path) -> None:
    case = cases_dir / "055-revert-touch-partial"
    versions = {name: (case / f"{name}.md").read_text() for name in "AB"}
    requests = []
    for step in json.loads((case / "steps.json").read_text()):
        if step["tick"] in (1, 2, 3):
            watch.write("sheet.md", versions["ABA"[step["tick"] - 1]])
        elif step["tick"] == 4:
            os.utime(watch.docs / "sheet.md")
        elif step["tick"] == 5:
            watch.settings(settle_seconds=60)
            watch.write("big.md", versions["B"][: len(versions["B"]) // 2])
        elif step["tick"] == 6:
            watch.write("big.md", versions["B"])
            watch.settings()
        requests.append(len(watch.tick()))
    assert requests == json.loads((case / "case.json").read_text())["oracle"]["requests"]
    texts = dict(query(watch.home.store(), "select document_id, text from normalized_text"))
    assert texts == {"docs/sheet.md": versions["A"], "docs/big.md": versions["B"]}


def test_a_file_that_is_being_written_is_left_out_of_the_run_that_covers_it(watch: Watch) -> None:
    for name in "abc":
        watch.write(f"{name}.md", "Vantor Rail owns Gate One.\n")
    watch.tick()
    watch.write("a.md", "Vantor Rail owns Gate Two.\n")
    watch.write("c.md", "Vantor Rail owns Gate Three.\n")
    [request] = watch.look()
    assert (request.tags[RANGE_START], request.tags[RANGE_END]) == ("docs/a.md", "docs/c.md")
    watch.write("b.md", "Vantor Rail ow")
    tags = {**request.tags, "edgekeeper/settle_seconds": "60"}
    assert watch.execute(request._replace(tags=tags)).success
    half = "select text from normalized_text where document_id = 'docs/b.md'"
    assert query(watch.home.store(), half) == [("Vantor Rail owns Gate One.\n",)]
    assert len(watch.tick()) == 1
    texts = dict(
        query(watch.home.store(), "select path, text from documents join normalized_text using (document_id)")
    )
    assert texts == {file.name: file.read_text() for file in watch.docs.iterdir()}


def test_a_failing_document_is_requested_once(watch: Watch) -> None:
    class Refuses(Nothing):
        def extract(self, request: ExtractionRequest) -> Extraction:
            raise RuntimeError("no answer")

    watch.extractors = Extractors(lambda _config: Refuses())
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    assert len(watch.tick()) == 1
    assert watch.home.store().failures("extractions").keys() == {"docs/a.md"}
    assert watch.tick() == []
    watch.write("a.md", "Vantor Rail owns Gate Two.\n")
    assert len(watch.tick()) == 1


def test_a_setting_makes_its_documents_due(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    watch.write("b.txt", "Vantor Rail owns Gate Two.\n")
    watch.tick()
    rule = {"name": "t", "match": {"source_format": "text"}, "strategy": {"name": "tier", "whole_max": 9}}
    watch.settings(chunking={"rules": [rule]})
    [request] = watch.tick()
    assert request.tags[REASON] == "1 settings" and request.tags[RANGE_START] == "docs/b.txt"
    assert watch.tick() == []


def test_rows_of_a_file_of_records_come_and_go(watch: Watch) -> None:
    watch.settings(normalization={"records": {"key_column": "code"}})
    watch.write("p.csv", "code,name\nE-1,Brack Mill\nE-2,Gate One\n")
    assert [r.tags[REASON] for r in watch.tick()] == ["2 new"]
    watch.write("p.csv", "code,name\nE-2,Gate One\nE-3,Gate Two\n")
    assert [r.tags[REASON] for r in watch.tick()] == ["1 new, 1 gone"]
    assert watch.partitions() == _rows(watch.home) == {"docs/p.csv#E-2", "docs/p.csv#E-3"}


# --- many at once ----------------------------------------------------------------------------------


def test_more_documents_than_fit_a_run_are_spread_over_looks(watch: Watch) -> None:
    watch.settings(documents_per_tick=2)
    for number in range(5):
        watch.write(f"{number}.md", f"Vantor Rail owns Shed {number}.\n")
    cursors, sizes = set(), []
    for _ in range(4):
        sizes += [r.tags[REASON] for r in watch.tick()]
        cursors.add(watch.cursor)
    assert sizes == ["2 new", "2 new", "1 new"] and len(cursors) == 4
    for number in range(4):
        (watch.docs / f"{number}.md").unlink()
    while watch.tick():
        pass
    assert watch.partitions() == _rows(watch.home) == {"docs/4.md"}


# --- what is in the way ----------------------------------------------------------------------------


def test_a_folder_without_documents_asks_for_no_graph(watch: Watch) -> None:
    assert watch.tick() == []
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    assert [r.tags[REASON] for r in watch.tick()] == ["1 new"]


def test_an_empty_source_is_taken_for_a_missing_disk(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    watch.tick()
    (watch.docs / "a.md").unlink()
    assert watch.tick() == [] and _rows(watch.home) == {"docs/a.md"}
    assert watch.skipped is not None and f"edgekeeper ingest {watch.docs}" in watch.skipped
    shutil.rmtree(watch.docs)
    assert watch.tick() == [] and _rows(watch.home) == {"docs/a.md"}


def test_a_configuration_that_is_wrong_is_named(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    watch.home.config_file.write_text("chunking: {fallback: {name: tier, size: 3}}")
    assert watch.tick() == [] and watch.skipped is not None
    assert str(watch.home.config_file) in watch.skipped and "fallback.size" in watch.skipped
    watch.settings()
    assert len(watch.tick()) == 1


def test_checks_that_are_wrong_are_named_and_everything_loads(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    watch.home.checks.mkdir()
    entries = watch.home.checks / "checks.yaml"
    entries.write_text("checks:\n  - {name: own, asset: chunks, description: d, blocking: 1}\n")
    (watch.home.checks / "own.sql").write_text("select 1")
    assert watch.tick() == [] and watch.skipped is not None
    assert f"{entries}: own: blocking" in watch.skipped and "corrected" in watch.skipped
    assert watch.definitions().resolve_job_def(INGEST_JOB)
    entries.write_text("checks:\n  - {name: own, asset: chunks, description: d}\n")
    assert len(watch.tick()) == 1


def test_who_is_at_work_is_waited_for(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    with FileLock(watch.home.lock_file):
        assert watch.tick() == [] and watch.skipped is not None and "command line" in watch.skipped
    [request] = watch.look()
    run = _start_run(watch, request)
    with run_lock(watch.home, run.run_id):
        assert watch.tick() == [] and watch.skipped is not None and run.run_id in watch.skipped


def test_an_ingest_does_not_interfere_with_a_run(watch: Watch) -> None:
    with open_instance(watch.home) as watch.instance:
        run = _start_run(watch, dg.RunRequest())
        with run_lock(watch.home, run.run_id), pytest.raises(IngestError, match=run.run_id):
            ingest(watch.home, [watch.docs], workers=watch.workers)


def _start_run(watch: Watch, request: dg.RunRequest) -> dg.DagsterRun:
    """A run that has begun, as its process left it."""
    job = watch.definitions().resolve_job_def(INGEST_JOB)
    return watch.instance.create_run_for_job(job, tags=dict(request.tags))


# --- requests that came to nothing -----------------------------------------------------------------


def test_a_lost_cursor_gives_the_same_run_key(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    [first] = watch.look(keep_cursor=False)
    [second] = watch.look()
    assert first.run_key == second.run_key


def test_a_run_that_was_killed_is_requested_again_but_not_for_ever(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    keys = set()
    for _ in range(3):
        [request] = watch.look()
        keys.add(request.run_key)
        run = _start_run(watch, request)
        with run_lock(watch.home, run.run_id):
            assert watch.look() == []
        # The process is gone, and its lock file is still there.
    assert watch.look() == [] and watch.skipped is not None and "3 times" in watch.skipped
    assert len(keys) == 3
    statuses = {run.status for run in watch.instance.get_runs()}
    assert statuses == {dg.DagsterRunStatus.FAILURE}


def test_work_that_its_runs_leave_due_is_requested_again_after_a_pause(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(BlobFolder, "put", no_room)
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    job = watch.definitions().resolve_job_def(INGEST_JOB)
    requests = 0
    while requested := watch.tick():
        requests += 1
        run = watch.instance.create_run_for_job(job, tags=dict(requested[0].tags))
        done = dg.DagsterEvent(dg.DagsterEventType.RUN_SUCCESS.value, INGEST_JOB)
        watch.instance.report_dagster_event(done, run.run_id)
    assert requests <= 1 + MOST_ATTEMPTS and watch.skipped is not None
    assert "left it due" in watch.skipped and "cut off" not in watch.skipped
    monkeypatch.undo()
    monkeypatch.setattr("pipeline.orchestration.sensor.PAUSE_SECONDS", 0.0)
    assert len(watch.tick()) == 1 and _rows(watch.home) == {"docs/a.md"}


def test_a_run_that_failed_is_not_repeated_until_something_changes(watch: Watch) -> None:
    watch.write("a.md", "Vantor Rail owns Gate One.\n")
    [request] = watch.look()
    config = watch.home.config_file.read_text()
    watch.home.config_file.write_text("nonsense: 1")
    assert not watch.execute(request).success
    watch.home.config_file.write_text(config)
    assert watch.look() == [] and watch.skipped is not None and "failed" in watch.skipped
    watch.write("b.md", "Vantor Rail owns Gate Two.\n")
    assert [r.tags[REASON] for r in watch.tick()] == ["2 new"]


@pytest.mark.parametrize("text", [None, "", "nonsense", "[]", '{"chain": 3}'])
def test_a_cursor_that_cannot_be_read_is_an_empty_one(text: str | None) -> None:
    assert Cursor.read(text) == Cursor()


def test_a_cursor_is_small(watch: Watch) -> None:
    for number in range(50):
        watch.write(f"{number}.md", f"Vantor Rail owns Shed {number}.\n")
    [request] = watch.look()
    assert watch.cursor is not None and len(watch.cursor) < 300
    assert request.tags[REQUEST] == request.run_key

"""Dagster's instance in a home appears whole or not at all, and its settings follow the home's."""

from __future__ import annotations

import os
import shutil
import sys

import dagster as dg
import pytest
import yaml
from sqlalchemy.exc import DBAPIError

from pipeline.cli.doctor import describe_instance
from pipeline.cli.errors import explain
from pipeline.config import ConfigError
from pipeline.home import Home
from pipeline.orchestration import instance as instances
from pipeline.orchestration.event_log import PooledSqliteEventLogStorage
from pipeline.orchestration.instance import MARKER, UNFINISHED, open_instance, prepare_instance
from pipeline.orchestration.settings import POSTGRES_VARIABLE


def configure(home: Home, **orchestration: object) -> None:
    home.folder.mkdir(parents=True, exist_ok=True)
    home.config_file.write_text(yaml.safe_dump({"orchestration": orchestration}))


def concurrent_runs(instance: dg.DagsterInstance) -> int:
    queue = instance.get_concurrency_config().run_queue_config
    assert queue is not None
    return queue.max_concurrent_runs


def test_an_instance_that_was_cut_off_is_made_anew(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.folder / f"{UNFINISHED}abc" / "dagster").mkdir(parents=True)

    def killed(_path: str) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(instances.dg.DagsterInstance, "from_config", killed)
        with pytest.raises(KeyboardInterrupt):
            prepare_instance(home)
    assert not home.dagster.exists()
    with open_instance(home) as instance:
        assert instance.get_dynamic_partitions("documents") == []
    assert sorted(path.name for path in home.folder.iterdir()) == ["dagster", "dagster.lock"]


def test_the_settings_follow_the_configuration(home: Home) -> None:
    with open_instance(home) as instance:
        assert concurrent_runs(instance) == 1
        instance.add_dynamic_partitions("documents", ["a"])
    configure(home, max_concurrent_runs=3)
    with open_instance(home) as instance:
        assert concurrent_runs(instance) == 3
        assert instance.get_dynamic_partitions("documents") == ["a"]


def test_settings_without_the_marker_are_the_users(home: Home) -> None:
    prepare_instance(home)
    settings = home.dagster / "dagster.yaml"
    own = settings.read_text().removeprefix(MARKER) + "nux: {enabled: false}\n"
    settings.write_text(own)
    configure(home, max_concurrent_runs=3)
    prepare_instance(home)
    assert settings.read_text() == own


@pytest.mark.parametrize("kind", ["moved", "copied"])
def test_a_home_may_be_moved_and_copied(home: Home, kind: str) -> None:
    with open_instance(home) as instance:
        instance.add_dynamic_partitions("documents", ["a"])
        instance.report_runless_asset_event(dg.AssetObservation("first"))
    other = Home(home.folder.with_name("elsewhere"))
    if kind == "moved":
        home.folder.rename(other.folder)
    else:
        shutil.copytree(home.folder, other.folder)
    # As a daemon opens it, and what the daemon starts: no verb came before.
    with dg.DagsterInstance.from_config(str(other.dagster)) as instance:
        reference = instance.get_ref()
    with dg.DagsterInstance.from_ref(reference) as instance:
        assert isinstance(instance.event_log_storage, PooledSqliteEventLogStorage)
        assert instance.get_dynamic_partitions("documents") == ["a"]
        assert instance.get_latest_data_version_record(dg.AssetKey("first")) is not None
        instance.report_runless_asset_event(dg.AssetObservation("second"))
    if kind == "moved":
        assert not home.folder.exists()
        return
    with open_instance(home) as instance:
        assert instance.get_latest_data_version_record(dg.AssetKey("second")) is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "line 1"),
        ("a: !!int ''", "index out of range"),
        ("- a", "to parse to dictionary"),
        ("nonsense: 1", "unexpected config entry"),
        ("event_log_storage: {module: nowhere, class: X}", "import module nowhere"),
        ("event_log_storage: {module: os, class: path}", "must be a class"),
        ("\udcff", "unacceptable character|codec can't decode"),
    ],
)
def test_settings_of_the_user_that_dagster_cannot_use_are_named(home: Home, content: str, says: str) -> None:
    prepare_instance(home)
    file = home.dagster / "dagster.yaml"
    file.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(ConfigError, match=says) as refused:
        open_instance(home)
    assert str(refused.value).startswith(f"{file}: ") and "delete it" in str(refused.value)
    file.unlink()
    with open_instance(home) as instance:
        assert concurrent_runs(instance) == 1


@pytest.mark.parametrize("name", ["history/runs.db", "history/runs/index.db", "schedules/schedules.db"])
def test_records_that_are_damaged_are_named_with_a_remedy(home: Home, name: str) -> None:
    prepare_instance(home)
    (home.dagster / name).write_bytes(b"no database" * 1000)
    with pytest.raises(DBAPIError) as caught, open_instance(home) as instance:
        instance.get_dynamic_partitions("documents")
    explanation = explain(caught.value)
    assert f"{home.dagster / name}: file is not a database" in explanation.problem
    assert f"Delete {home.dagster} and ingest again" in explanation.remedy and explanation.code == 1
    shutil.rmtree(home.dagster)
    with open_instance(home) as instance:
        assert instance.get_dynamic_partitions("documents") == []


def test_an_event_log_without_a_byte_is_made_anew(home: Home) -> None:
    prepare_instance(home)
    (home.dagster / "history" / "runs" / "index.db").write_bytes(b"")
    with open_instance(home) as instance:
        assert instance.get_dynamic_partitions("documents") == []


def test_settings_that_are_no_file_are_named(home: Home) -> None:
    prepare_instance(home)
    file = home.dagster / "dagster.yaml"
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ConfigError, match=f"{file}: cannot be read: not a regular file"):
        open_instance(home)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (None, POSTGRES_VARIABLE),
        ("postgresql://user:secret@host/db", "must begin with postgresql\\+psycopg2://"),
        ("postgresql+psycopg2://user:secret@host:many/db", "a port that is no number"),
    ],
)
def test_postgresql_without_a_usable_address_is_refused(
    home: Home, monkeypatch: pytest.MonkeyPatch, address: str | None, says: str
) -> None:
    configure(home, storage="postgresql")
    monkeypatch.delenv(POSTGRES_VARIABLE, raising=False)
    if address is not None:
        monkeypatch.setenv(POSTGRES_VARIABLE, address)
    with pytest.raises(ConfigError, match=says) as refused:
        prepare_instance(home)
    assert str(home.config_file) in str(refused.value)
    assert "secret" not in str(refused.value)
    assert not home.dagster.exists()


def test_postgresql_without_the_extra_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(home, storage="postgresql")
    monkeypatch.setitem(sys.modules, "dagster_postgres", None)
    with pytest.raises(ConfigError, match="edgekeeper\\[postgres\\]"):
        prepare_instance(home)


def test_the_doctor_names_the_storage(home: Home) -> None:
    prepare_instance(home)
    assert describe_instance(home) == "0 partitions; runs and events: SQLite in the home"

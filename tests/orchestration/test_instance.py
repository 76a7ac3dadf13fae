"""Dagster's instance in a home appears whole or not at all."""

from __future__ import annotations

import pytest

from pipeline.home import Home
from pipeline.orchestration import instance as instances
from pipeline.orchestration.instance import UNFINISHED, open_instance, prepare_instance


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
    assert [path.name for path in home.folder.iterdir()] == ["dagster"]


def test_an_instance_that_exists_is_left_alone(home: Home) -> None:
    prepare_instance(home)
    settings = home.dagster / "dagster.yaml"
    settings.write_text("telemetry: {enabled: false}\n")
    prepare_instance(home)
    assert settings.read_text() == "telemetry: {enabled: false}\n"

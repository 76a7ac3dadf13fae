"""Worker processes: results in order, an exception is a value, a dead worker takes one item."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from pipeline.workers import Failed, Workers


def _work(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    if number == 99:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def _noted(folder: Path, number: int) -> int:
    (folder / str(os.getpid())).touch()
    return _work(number)


@pytest.fixture(params=[0, 2])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    workers = Workers(request.param)
    yield workers
    workers.close()


def test_results_come_in_the_order_of_the_items(workers: Workers) -> None:
    assert [done.result for done in workers.map(_work, range(10))] == [n * n for n in range(10)]
    assert list(workers.map(_work, [])) == []


def test_an_exception_fails_its_item_alone(workers: Workers) -> None:
    results = {done.item: done.result for done in workers.map(_work, [1, 13, 2])}
    assert results == {1: 1, 13: Failed("ValueError: unlucky"), 2: 4}


def test_a_worker_that_dies_fails_its_item_alone() -> None:
    workers = Workers(2)
    try:
        results = {done.item: done.result for done in workers.map(_work, [1, 99, 2, 3])}
        assert results[1] == 1 and results[2] == 4 and results[3] == 9
        dead = results[99]
        assert isinstance(dead, Failed) and "died" in dead.error
        assert [done.result for done in workers.map(_work, [5])] == [25]
    finally:
        workers.close()


@pytest.mark.parametrize("preparation", [os.getpid, os.abort, "no function at all"])
def test_what_processes_start_with_harms_nothing(preparation: Callable[[], object]) -> None:
    workers = Workers(2)
    try:
        workers.start(preparation, items=1)
        assert [done.result for done in workers.map(_work, [1, 2, 3])] == [1, 4, 9]
    finally:
        workers.close(wait=False)


@pytest.mark.parametrize("deaths", [[0], [0, 1, 2, 39]])
def test_a_death_starts_few_processes(tmp_path: Path, deaths: list[int]) -> None:
    items = [99 if number in deaths else 100 + number for number in range(40)]
    workers = Workers(2)
    try:
        done = list(workers.map(partial(_noted, tmp_path), items))
    finally:
        workers.close()
    assert [each.item for each in done] == items
    assert [n for n, each in enumerate(done) if isinstance(each.result, Failed)] == deaths
    assert [each.result for each in done if each.item != 99] == [n * n for n in items if n != 99]
    assert len(list(tmp_path.iterdir())) <= 2 + 4 * len(deaths)

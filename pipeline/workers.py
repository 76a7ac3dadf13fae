"""Run a pure function over many items in worker processes; a worker that dies takes one item, not the run."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Failed:
    """Why an item has no result. ``passing``: what stood in the way goes away, so that the same inputs
    are worth another try."""

    error: str
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Done(Generic[Item, Result]):
    """An item and its result, or why it has none."""

    item: Item
    result: Result | Failed


class Workers:
    """A pool of processes, started at the first use and reused until ``close``.

    ``count`` 0 runs everything in this process: for debugging and for work too small for a pool.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = (os.cpu_count() or 1) if count is None else count
        self._pool: ProcessPoolExecutor | None = None

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Done[Item, Result]]:
        """Each item with its result, in the order of the items.

        An exception becomes a ``Failed``. When a worker process dies, the items that were under way are
        tried again one by one, so that only the one that kills its process fails.
        """
        if self.count == 0 or len(items) == 0:
            for item in items:
                yield Done(item, _attempt(function, item))
            return
        futures = [self._submit(function, item) for item in items]
        for item, future in zip(items, futures, strict=True):
            yield Done(item, self._result(function, item, future))

    def start(self, prepare: Callable[[], object], items: int) -> None:
        """Start the processes that so many items will need, each with a call of ``prepare``, and do not wait:
        what they have to load is loaded while this process does what only it can. How a call ends is
        nobody's concern."""
        for _ in range(min(self.count, items)):
            self._submit(_call, prepare)

    def close(self, *, wait: bool = True) -> None:
        """End the processes. They need half a second for it, which ``wait`` says whether to wait for."""
        if self._pool is not None:
            self._pool.shutdown(wait=wait, cancel_futures=True)
            self._pool = None

    def _submit(self, function: Callable[[Item], Result], item: Item) -> Future[Result | Failed]:
        try:
            return self._running_pool().submit(_attempt, function, item)
        except BrokenProcessPool:
            self.close()
            return self._running_pool().submit(_attempt, function, item)

    def _running_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Forking a process that has threads (Dagster's do) can deadlock the child.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, mp_context=context, initializer=_die_with_parent)
        return self._pool

    def _result(
        self, function: Callable[[Item], Result], item: Item, future: Future[Result | Failed]
    ) -> Result | Failed:
        try:
            return future.result()
        except BrokenProcessPool:
            self.close()
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context, initializer=_die_with_parent) as alone:
            try:
                return alone.submit(_attempt, function, item).result()
            except BrokenProcessPool:
                return Failed("the worker process died (out of memory, or a crash in native code)")


def _call(function: Callable[[], object]) -> None:
    function()


def _attempt(function: Callable[[Item], Result], item: Item) -> Result | Failed:
    try:
        return function(item)
    except Exception as error:  # one bad item must not stop its neighbours
        return Failed(f"{type(error).__name__}: {error}")


def _die_with_parent() -> None:
    """Ask Linux to end this worker when its parent is killed, so that no orphan keeps computing."""
    import ctypes
    import signal

    libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None
    if libc is not None and hasattr(libc, "prctl"):
        libc.prctl(1, signal.SIGKILL)

"""Run a pure function over many items in worker processes; a worker that dies takes one item, not the run."""

from __future__ import annotations

import multiprocessing
import operator
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
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

        An exception becomes a ``Failed``. When a worker process dies, the items that may have been under way
        are tried again one by one, so that only one that kills its process fails; the others go on together.
        """
        if self.count == 0 or len(items) == 0:
            for item in items:
                yield Done(item, _attempt(function, item))
            return
        futures = [self._submit(function, item) for item in items]
        for number, item in enumerate(items):
            if _is_lost(futures[number]):
                lost = [later for later in range(number, len(items)) if _is_lost(futures[later])]
                again = self._again(function, [items[later] for later in lost])
                for later, future in zip(lost, again, strict=True):
                    futures[later] = future
            yield Done(item, futures[number].result())

    def start(self, prepare: Callable[[], object], items: int) -> None:
        """Start the processes that so many items will need, each with a call of ``prepare``, and do not wait:
        what they have to load is loaded while this process does what only it can. How a call ends is
        nobody's concern."""
        for _ in range(min(self.count, items)):
            self._submit(operator.call, prepare)

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
            self._pool = _new_pool(self.count)
        return self._pool

    def _again(
        self, function: Callable[[Item], Result], lost: Sequence[Item]
    ) -> Iterator[Future[Result | Failed]]:
        """Try items again whose pool is broken. They were begun in order, so the one that broke it is among
        the first; those end here for good, so that every break leaves fewer items."""
        self.close()
        yield from map(_done, _one_by_one(function, lost[: self.count]))
        yield from [self._submit(function, item) for item in lost[self.count :]]


def _new_pool(count: int) -> ProcessPoolExecutor:
    # Forking a process that has threads (Dagster's do) can deadlock the child.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count, mp_context=context, initializer=_die_with_parent)


def _one_by_one(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result | Failed]:
    """Each item in a process that has no other at the same time; the next one is new only after a death."""
    pool = _new_pool(1)
    try:
        for item in items:
            try:
                yield pool.submit(_attempt, function, item).result()
            except BrokenProcessPool:
                pool.shutdown()
                pool = _new_pool(1)
                yield Failed("the worker process died (out of memory, or a crash in native code)")
    finally:
        pool.shutdown()


def _is_lost(future: Future[Result | Failed]) -> bool:
    """Whether the pool ended before an item did. Waits for either."""
    try:
        return isinstance(future.exception(), BrokenProcessPool)
    except CancelledError:
        return True


def _done(result: Result | Failed) -> Future[Result | Failed]:
    future: Future[Result | Failed] = Future()
    future.set_result(result)
    return future


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

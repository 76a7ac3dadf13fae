"""Whose turn it is to open a database file: one process to write, or several to read.

DuckDB has a lock of its own, but to find it taken costs as much as opening the file, so that those who wait
take the time of the one who works. Asking for a turn costs microseconds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

POLL_SECONDS: Final = (0.002, 0.02)


_guard = threading.Lock()
_counts: dict[Path, int] = {}
"""How many connections of this process are open on each file. They share one turn."""
_files: dict[Path, int | None] = {}
"""The lock file of each turn that this process has."""


@contextlib.contextmanager
def turn(path: Path, deadline: float, *, shared: bool) -> Iterator[None]:
    """Hold a turn to open ``path``; nested ones share the outermost. Raises TimeoutError after ``deadline``
    (of the monotonic clock)."""
    with _guard:
        if path not in _counts:
            _files[path] = _take(path, deadline, shared=shared)
        _counts[path] = _counts.get(path, 0) + 1
    try:
        yield
    finally:
        with _guard:
            _counts[path] -= 1
            if not _counts[path]:
                del _counts[path]
                _release(_files.pop(path))


def _take(path: Path, deadline: float, *, shared: bool) -> int | None:
    """The locked file; None where there can be none. Raises TimeoutError."""
    # Whoever is next in line holds the queue while it waits. So neither one that has just finished nor
    # readers that come without end overtake it.
    queue = _open(path.with_name(f"{path.name}.queue"))
    file = _open(path.with_name(f"{path.name}.lock"))
    try:
        _lock(queue, fcntl.LOCK_EX, deadline)
        _lock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, deadline)
    except BaseException:
        _release(file)
        raise
    finally:
        _release(queue)
    return file


def _open(path: Path) -> int | None:
    """None in a folder where nothing can be written: there DuckDB's own lock has to do."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        return None


def _release(file: int | None) -> None:
    if file is not None:
        # Closing would not be enough: a forked process may have the file open too.
        fcntl.flock(file, fcntl.LOCK_UN)
        os.close(file)


def _forget() -> None:
    """A forked process has none of its parent's turns."""
    global _guard
    _guard = threading.Lock()
    for file in filter(None, _files.values()):
        os.close(file)
    _files.clear()
    _counts.clear()


os.register_at_fork(after_in_child=_forget)


def _lock(file: int | None, kind: int, deadline: float) -> None:
    while file is not None:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise TimeoutError from None
            time.sleep(random.uniform(*POLL_SECONDS))

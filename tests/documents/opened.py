"""Which files are opened, as the interpreter itself tells."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_listeners: list[tuple[str, list[str]]] = []
_hooked: list[bool] = []


@contextmanager
def opened_below(folder: Path) -> Iterator[list[str]]:
    """The names of the files below a folder that are opened inside the block, in order."""
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_listen)  # a hook stays for ever, so there is one
    listener = (f"{folder}/", list[str]())
    _listeners.append(listener)
    try:
        yield listener[1]
    finally:
        _listeners.remove(listener)


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        path = os.fspath(arguments[0])
        for prefix, names in _listeners:
            if isinstance(path, str) and path.startswith(prefix):
                names.append(path.removeprefix(prefix))

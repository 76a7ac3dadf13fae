"""The garbage collector, kept from walking again and again over objects that are all still needed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the cyclic collector, if it runs.

    A large text makes millions of small objects, none of them in a cycle and all of them kept until the
    end; the collector's passes over them took a fifth to a third of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

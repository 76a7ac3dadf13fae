"""Reading a file in a process of its own, with a time limit; the process is kept for the next file."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from typing import BinaryIO, cast

from pipeline.normalized_text.conversion_worker import (
    ANSWER,
    REQUEST,
    Request,
    read_message,
    write_message,
)
from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected

_SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
_START_SECONDS = 120.0
"""What a fresh worker may need on top of the file's own seconds, to import a converter on a busy machine."""


class ConversionWorker:
    """One reusable worker process, started when first needed and again after it died or was stopped.

    It is a plain subprocess, so it also works inside daemonic pool processes; after a fork the child
    process starts a worker of its own. Calls from several threads take turns.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    @property
    def process_id(self) -> int | None:
        """The id of the worker process, None where there is none."""
        return self._process.pid if self._process is not None else None

    def convert(self, loader: str, source: Source, settings: NormalizationSettings) -> Parsed:
        """What ``loader`` makes of ``source``.

        Raises:
            Rejected: the loader's own reason; ``timed_out`` after ``settings.limits.seconds_per_file``
                seconds; ``damaged`` when the process dies or the converter fails on the file.
        """
        header = REQUEST.dump_json(Request(loader, source.file_name, source.source_format, settings))
        with self._lock:
            fresh = self._ensure()
            seconds = settings.limits.seconds_per_file + (_START_SECONDS if fresh else 0.0)
            message = self._exchange(header + b"\n" + source.data, seconds)
        answer = ANSWER.validate_json(message)
        if answer.parsed is None:
            raise Rejected(answer.reason or "damaged", answer.detail)
        return answer.parsed

    def close(self) -> None:
        """Stop the process, if this one started it."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()

    def _ensure(self) -> bool:
        """Have a live worker of this process; True where it was started just now."""
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pipeline.normalized_text.conversion_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._owner = os.getpid()
        return True

    def _exchange(self, message: bytes, seconds: float) -> bytes:
        process = self._process
        assert process is not None
        received: list[bytes | None] = []
        exchange = threading.Thread(target=_exchange_into, args=(process, message, received), daemon=True)
        exchange.start()
        exchange.join(seconds)
        if received and received[0] is not None:
            return received[0]
        timed_out = exchange.is_alive()
        self.close()
        exchange.join()
        if timed_out:
            raise Rejected("timed_out", f"not read within {seconds:g} seconds")
        raise Rejected("damaged", f"the converter died with code {process.returncode}")


def _exchange_into(process: subprocess.Popen[bytes], message: bytes, received: list[bytes | None]) -> None:
    """Send and wait in a thread: a pipe that nobody reads blocks, and pipes have no time limit."""
    try:
        write_message(cast(BinaryIO, process.stdin), message)
        received.append(read_message(cast(BinaryIO, process.stdout)))
    except (OSError, ValueError):
        received.append(None)


def _environment() -> dict[str, str]:
    """This process's environment without secrets: a converter of untrusted files needs none of them."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not any(word in name.upper() for word in _SECRET_WORDS)
    }
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return environment


_WORKER = ConversionWorker()
atexit.register(_WORKER.close)


def convert_isolated(loader: str, source: Source, settings: NormalizationSettings) -> Parsed:
    """``ConversionWorker.convert`` on this process's one worker."""
    return _WORKER.convert(loader, source, settings)

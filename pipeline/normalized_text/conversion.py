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
            message = self._exchange(header + b"\n" + source.data, settings.limits.seconds_per_file)
        answer = ANSWER.validate_json(message)
        if answer.parsed is None:
            raise Rejected(answer.reason or "damaged", answer.detail)
        return answer.parsed

    def close(self) -> None:
        """Stop the worker process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def forget(self) -> None:
        """In a forked child: leave the parent's worker to the parent."""
        process, self._process = self._process, None
        self._lock = threading.Lock()
        for pipe in (process.stdin, process.stdout) if process is not None else ():
            if pipe is not None:
                pipe.close()

    def _ensure(self) -> bool:
        """Have a live worker; True where it was started just now."""
        if self._process is not None and self._process.poll() is None:
            return False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pipeline.normalized_text.conversion_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        return True

    def _exchange(self, message: bytes, seconds: float) -> bytes:
        """Send to a live worker and wait. One that served before and died is given a second chance afresh:
        it may have died of an earlier file, or of the machine's memory."""
        fresh = self._ensure()
        answer = self._wait_for_answer(message, seconds + (_START_SECONDS if fresh else 0.0))
        if answer is None and not fresh:
            self._ensure()
            answer = self._wait_for_answer(message, seconds + _START_SECONDS)
        if answer is None:
            raise Rejected("damaged", "the converter's process died of it")
        return answer

    def _wait_for_answer(self, message: bytes, seconds: float) -> bytes | None:
        """The answer, None where the process died; without either in time the process is stopped."""
        process = self._process
        assert process is not None
        received: list[bytes | None] = []
        exchange = threading.Thread(target=_exchange_into, args=(process, message, received), daemon=True)
        exchange.start()
        exchange.join(seconds)
        timed_out = exchange.is_alive()
        if not timed_out and received[0] is not None:
            return received[0]
        self.close()
        exchange.join()
        if timed_out:
            raise Rejected("timed_out", f"not read within {seconds:g} seconds")
        return None


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
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WORKER.forget)


def convert_isolated(loader: str, source: Source, settings: NormalizationSettings) -> Parsed:
    """``ConversionWorker.convert`` on this process's one worker."""
    return _WORKER.convert(loader, source, settings)

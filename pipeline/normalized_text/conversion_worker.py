"""The process in which files of converter formats are read: it may hang or die without taking others along.

Protocol on standard input and output: an 8-byte big-endian length and that many bytes. A request is a JSON
header line and the file's bytes; an answer is the JSON of ``Answer``. Nothing is unpickled on either side.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
from dataclasses import dataclass
from typing import BinaryIO

from pydantic import TypeAdapter

from pipeline.characters import one_line
from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.plain_strings import with_plain_strings
from pipeline.normalized_text.registry import LOADERS
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected, RejectionReason

LENGTH = struct.Struct(">Q")
_GRACE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Request:
    """Which loader reads which file; the bytes follow the header."""

    loader: str
    file_name: str
    source_format: str
    settings: NormalizationSettings


@dataclass(frozen=True, slots=True)
class Answer:
    """Either the parsed file, or why it was rejected."""

    parsed: Parsed | None = None
    reason: RejectionReason | None = None
    detail: str = ""


REQUEST: TypeAdapter[Request] = TypeAdapter(Request)
ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


def write_message(stream: BinaryIO, payload: bytes) -> None:
    """Send one message."""
    stream.write(LENGTH.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def read_message(stream: BinaryIO) -> bytes | None:
    """The next message, or None where the stream ends."""
    length = stream.read(LENGTH.size)
    if len(length) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(length)
    payload = stream.read(size)
    return payload if len(payload) == size else None


def answer(message: bytes) -> Answer:
    """Load one file.

    A converter may raise anything for a hostile or damaged file, so everything it raises means ``damaged``.
    """
    header, _, data = message.partition(b"\n")
    request = REQUEST.validate_json(header)
    _end_after(request.settings.limits.seconds_per_file + _GRACE_SECONDS)
    source = Source(data, "", request.file_name, request.source_format)
    try:
        parsed = LOADERS[request.loader].load(source, request.settings)
        return Answer(with_plain_strings(parsed))  # no lone surrogate can be sent
    except Rejected as rejection:
        return Answer(reason=rejection.reason, detail=rejection.detail)
    except Exception as error:
        return Answer(reason="damaged", detail=one_line(f"{type(error).__name__}: {error}"[:500]))


def _end_after(seconds: float) -> None:
    """Have the system end this process after ``seconds`` (0 = never): nobody may be left to stop it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Serve requests until standard input is closed. Whatever a converter prints goes nowhere."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    while (message := read_message(requests)) is not None:
        reply = ANSWER.dump_json(answer(message))
        _end_after(0.0)
        write_message(answers, reply)


if __name__ == "__main__":
    main()

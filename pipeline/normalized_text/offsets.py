"""UTF-8 byte offsets to code-point offsets, for a whole text at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def code_points_of(source: bytes, offsets: Sequence[int]) -> list[int]:
    """For each byte offset (at a character's start, or the end) the number of code points before it.

    One pass over ``source`` and one lookup an offset, whatever their order.
    """
    if source.isascii():
        return list(offsets)
    starts = (np.frombuffer(source, dtype=np.uint8) & 0xC0) != 0x80
    before = np.zeros(len(source) + 1, dtype=np.int32)
    np.cumsum(starts, out=before[1:])
    return before[np.asarray(offsets, dtype=np.int64)].tolist()

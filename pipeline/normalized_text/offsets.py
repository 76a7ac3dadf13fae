"""UTF-8 byte offsets to code-point offsets, for a whole text at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def code_points_of(source: bytes, offsets: Sequence[int]) -> list[int]:
    """For each byte offset (at a character's start, or the end) the number of code points before it.

    That is the offset less the continuation bytes before it, which are found in one pass over ``source``.
    """
    if not offsets or source.isascii():
        return list(offsets)
    # As signed bytes, 0x80 to 0xBF, which continue a character, are -128 to -65.
    continuing = np.flatnonzero(np.frombuffer(source, dtype=np.int8) < -64)
    wanted = np.asarray(offsets, dtype=np.int64)
    return (wanted - np.searchsorted(continuing, wanted)).tolist()

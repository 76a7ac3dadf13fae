"""Whatever the document: bodies tile, atomic blocks are whole, sections and parents hold, sizes are kept."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pipeline.chunk_plans.settings import ChonkieStrategy, ChunkingSettings, Size, TierStrategy
from pipeline.chunking import chunk_document
from pipeline.config import Config
from pipeline.rejections import Rejected
from tests.chunks.documents import check, documents

SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _chunked(text: str, config: Config | None = None):
    try:
        return chunk_document(text, document_id="d", config=config)
    except Rejected:
        return None


@SLOW
@given(documents())
@example("# Intake\n\n# Intake\n\n0 The yard lists " + ", ".join(["gate and crane"] * 96) + ".")
@example("# Intake\n\n# Intake\n\n# The yard lists " + ", ".join(["gate and crane"] * 96) + ".")
@example("# The yard lists " + ", ".join(["gate and crane"] * 300) + ".\n\nIt is a long list.")
@example("\n\n".join(f"# Gate {n}" for n in range(300)) + "\n\nThe list ends here.")
@example("The list starts here.\n\n" + "\n\n".join(f"# Gate {n}" for n in range(300)))
@example("Gate and " * 191 + "crane.\n\n# Intake")
@example("# Intake\n\n# " + "gate, " * 230 + "\n\n" + "The yard lists " + "gate, " * 150 + "and a crane.")
@example("No? " * 460)
@example("是。" * 600)
def test_every_generated_document_keeps_the_hard_constraints(text: str) -> None:
    chunked = _chunked(text)
    if chunked is not None:
        check(chunked)


@SLOW
@given(
    documents(), st.sampled_from(["sentence", "section", "hierarchical"]), st.integers(40, 120), st.booleans()
)
@example("Arden Bridge waits.\n\n# Intake\n\nIt waits.", "sentence", 40, True)
@example("# A\n\nOne is here. Two is here.\n\n# B\n\nThree.", "hierarchical", 40, True)
def test_they_hold_in_every_tier_and_at_small_sizes(text: str, tier: str, target: int, across: bool) -> None:
    size = Size(target=target, low=target // 2, high=int(1.25 * target))
    thresholds = {"sentence": (0, 10**9, 10**9), "section": (0, 0, 10**9), "hierarchical": (0, 0, 0)}[tier]
    strategy = TierStrategy(
        whole_max=thresholds[0],
        sentence_max=thresholds[1],
        section_max=thresholds[2],
        sentence=size,
        section=size,
        hierarchical=size,
        carry_across_sections=across,
    )
    chunked = _chunked(text, Config(chunking=ChunkingSettings(fallback=strategy)))
    if chunked is not None:
        assert chunked.plan.tier == tier
        check(chunked)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=400))
def test_any_characters_survive(text: str) -> None:
    chunked = _chunked(text)
    if chunked is not None:
        check(chunked)


@SLOW
@given(documents(12))
def test_the_same_input_gives_the_same_chunks(text: str) -> None:
    assert _chunked(text) == _chunked(text)


@pytest.mark.parametrize("name", ["chonkie_token", "chonkie_sentence", "chonkie_recursive"])
@pytest.mark.parametrize(
    "text",
    [
        "# Yard\n\n" + "Arden Bridge uses Relay Nine. It was built by Mira Holt. " * 60,
        "😀👩‍👩‍👧‍👦🇸🇪 ok " * 300,
        "工場は機械を使う。それは新しい。" * 80,
        "# A\n\n" + "One is here. " * 100 + "\n\n# B\n\n" + "Three is here. " * 100,
    ],
)
def test_chonkie_strategies_tile_exactly(name: str, text: str) -> None:
    strategy = ChonkieStrategy.model_validate({"name": name, "target": 80})
    chunked = _chunked(text, Config(chunking=ChunkingSettings(fallback=strategy)))
    assert chunked is not None
    children = list(chunked.chunks)
    assert (
        len(children) > 1 or name == "chonkie_sentence"
    )  # it sees one sentence where no blank follows a stop
    tops = [s.span.start for s in chunked.sections if s.parent_id == chunked.sections[0].section_id]
    bodies = [chunk.body.of(chunked.text) for chunk in children]
    blanks = [len(body) - len(body.lstrip()) for body in bodies]
    starts = {chunk.body.start + blank for chunk, blank in zip(children, blanks, strict=True)}
    assert set(tops) <= starts, "no body crosses a main section"
    assert children[0].body.start == 0
    assert children[-1].body.end == len(chunked.text)
    for before, after in pairwise(children):
        assert before.body.end == after.body.start
        assert after.body.length > 0
        if after.carried:
            assert after.carried.end == after.body.start
            assert after.carried.start > before.body.start

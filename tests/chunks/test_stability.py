"""Boundaries depend on their neighbourhood: an edit changes the chunks around it and no others."""

from __future__ import annotations

import random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.chunking import chunk_document
from pipeline.chunks import ChunkedDocument
from tests.chunks.documents import bodies, check

NAMES = (
    "Arden Bridge",
    "Relay Nine",
    "Mira Holt",
    "Quill Registry",
    "Orsan Depot",
    "Vantor Rail",
    "the north yard",
)
VERBS = ("supplies", "requires", "replaced", "inspects", "was built for", "depends on", "pays", "moved")
MORE = (
    "in the second year of the lease",
    "because the old gate failed",
    "with a load of 3.5 kN",
    "as the board asked",
    "",
)


def sentence(rng: random.Random) -> str:
    """A random statement."""
    subject = rng.choice((*NAMES, "It", "This", "They"))
    tail = " and ".join(rng.sample(MORE, rng.randint(1, 3)))
    return f"{subject} {rng.choice(VERBS)} {rng.choice(NAMES)} {tail}".strip() + "."


def manual(seed: int, sentences: int, per_section: int) -> list[list[list[str]]]:
    """Sections of paragraphs of sentences."""
    rng = random.Random(seed)
    sections: list[list[list[str]]] = []
    written = 0
    while written < sentences:
        section: list[list[str]] = []
        inside = 0
        while inside < per_section and written < sentences:
            paragraph = [sentence(rng) for _ in range(rng.randint(2, 7))]
            section.append(paragraph)
            inside += len(paragraph)
            written += len(paragraph)
        sections.append(section)
    return sections


def render(sections: list[list[list[str]]]) -> str:
    """Markdown with a heading for each section."""
    return "# Manual\n\n" + "\n\n".join(
        f"## Part {chr(65 + n % 26)}{n // 26}\n\n" + "\n\n".join(" ".join(paragraph) for paragraph in section)
        for n, section in enumerate(sections)
    )


def edited(sections: list[list[list[str]]], rng: random.Random, kind: str) -> list[list[list[str]]]:
    """One sentence inserted, deleted or changed somewhere."""
    copied = [[list(paragraph) for paragraph in section] for section in sections]
    paragraph = rng.choice(rng.choice(copied))
    place = rng.randrange(len(paragraph))
    if kind == "insert":
        paragraph.insert(place, sentence(rng))
    elif kind == "delete" and len(paragraph) > 1:
        del paragraph[place]
    else:
        paragraph[place] = sentence(rng)
    return copied


def kept(before: ChunkedDocument, after: ChunkedDocument) -> tuple[int, int]:
    """Chunks of ``before`` that are still there, and all of them."""
    old, new = bodies(before), {(chunk.chunk_id, chunk.content_key) for chunk in bodies(after)}
    return sum((chunk.chunk_id, chunk.content_key) in new for chunk in old), len(old)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["insert", "delete", "change"]),
    st.sampled_from([(20, 4), (60, 8), (1000, 16)]),
)
def test_an_edit_stays_local(seed: int, kind: str, sizes: tuple[int, int]) -> None:
    """Seams of a section move together until they meet the old ones again; a section's start is a wall."""
    per_section, most = sizes
    sections = manual(seed, 450, per_section)
    before = chunk_document(render(sections), document_id="d")
    after = chunk_document(render(edited(sections, random.Random(seed), kind)), document_id="d")
    check(after)
    same, total = kept(before, after)
    assert total >= 20
    assert total - same <= most, "an edit reaches only a few chunks"


@pytest.mark.parametrize("kind", ["insert", "delete", "change"])
def test_one_edit_in_each_of_many_documents(kind: str) -> None:
    lost = []
    for seed in range(12):
        sections = manual(seed, 500, 40)
        before = chunk_document(render(sections), document_id="d")
        same, total = kept(
            before, chunk_document(render(edited(sections, random.Random(seed), kind)), document_id="d")
        )
        lost.append(total - same)
    assert median(lost) <= 3

"""Generated documents with known structure, and the checks every chunked document must pass."""

from __future__ import annotations

from itertools import groupby, pairwise

from hypothesis import strategies as st

from pipeline.chunks import Chunk, ChunkedDocument
from pipeline.spans import Span

_SUBJECTS = ("Arden Bridge", "the pump", "It", "This valve", "Mira Holt", "The controller", "工場", "Они")
_PREDICATES = ("supplies", "requires", "was built by", "does not use", "replaced", "使う")
_OBJECTS = ("Relay Nine", "the north depot", "3.5 kN", "St. Olave's yard", "them", "😀 sensors", "機械")


def sentences() -> st.SearchStrategy[str]:
    """One sentence, sometimes very short, very long, or odd."""
    plain = st.builds(
        lambda subject, predicate, target, tail: f"{subject} {predicate} {target}{tail}",
        st.sampled_from(_SUBJECTS),
        st.sampled_from(_PREDICATES),
        st.sampled_from(_OBJECTS),
        st.sampled_from((".", "!", "?", " (see No. 4).", ", e.g. at 9 a.m. on Span A.", "。", "")),
    )
    long = st.builds(
        lambda times, joint: "The yard lists " + joint.join(["gate and crane"] * times) + ".",
        st.integers(20, 400),
        st.sampled_from((", ", " ", "; ")),
    )
    odd = st.one_of(
        st.integers(50, 3000).map(lambda size: "x9Q/" * size),
        st.just("<|endoftext|> is only text."),
        st.text(max_size=40).map(lambda text: " ".join(text.split())),
    )
    return st.one_of(plain, plain, plain, plain, plain, long, odd)


def paragraphs() -> st.SearchStrategy[str]:
    """A paragraph of some sentences."""
    return st.lists(sentences(), min_size=1, max_size=14).map(" ".join)


def blocks() -> st.SearchStrategy[str]:
    """Any block of Markdown."""
    table = st.integers(1, 40).map(
        lambda rows: (
            "| Part | Load |\n| --- | --- |\n" + "\n".join(f"| KT-{n} | {n} kN |" for n in range(rows))
        )
    )
    code = st.integers(1, 60).map(
        lambda lines: "```sh\n" + "\n".join(f"run --step {n}" for n in range(lines)) + "\n```"
    )
    items = st.lists(sentences(), min_size=1, max_size=10).map(
        lambda found: "\n".join(f"- {item}" for item in found)
    )
    return st.one_of(paragraphs(), paragraphs(), paragraphs(), items, table, code, st.just("Run this:"))


def headings() -> st.SearchStrategy[str]:
    """A heading of any level, often without text under it."""
    return st.builds(
        lambda level, title: "#" * level + " " + title,
        st.integers(1, 4),
        st.sampled_from(("Intake", "Setup", "Setup", "Loads", "A [b] | c", "非常口")),
    )


def documents(max_size: int = 40) -> st.SearchStrategy[str]:
    """A Markdown document of up to ``max_size`` blocks."""
    front = st.sampled_from(("", "", "---\ntitle: Yard\nowner: Mira\n---\n\n"))
    body = st.lists(st.one_of(headings(), blocks(), blocks(), blocks()), min_size=1, max_size=max_size)
    return st.builds(
        lambda start, found, end: start + "\n\n".join(found) + end,
        front,
        body,
        st.sampled_from(("", "\n", "\n\n  ")),
    )


def region(chunked: ChunkedDocument) -> Span:
    """What the bodies must tile, derived from the blocks alone."""
    start = 0
    for block in chunked.blocks:
        if block.kind != "front_matter":
            break
        start = block.span.end
    return Span(start, len(chunked.text))


def bodies(chunked: ChunkedDocument) -> list[Chunk]:
    """Level-0 chunks."""
    return [chunk for chunk in chunked.chunks if chunk.level == 0]


def check(chunked: ChunkedDocument) -> None:
    """Every hard constraint of a chunked document."""
    children = bodies(chunked)
    whole = region(chunked)
    text = chunked.text
    if not text[whole.start :].strip():
        assert not chunked.chunks
        return
    assert children[0].body.start == whole.start
    assert children[-1].body.end == whole.end
    for before, after in pairwise(children):
        assert before.body.end == after.body.start, "bodies tile"
        assert before.body.length > 0
        if after.carried:
            assert after.carried.end == after.body.start, "carried directly precedes the body"
            assert before.body.start < after.carried.start < before.body.end, "never a whole body, never none"
    assert [chunk.index for chunk in chunked.chunks] == list(range(len(chunked.chunks)))
    assert len({chunk.chunk_id for chunk in chunked.chunks}) == len(chunked.chunks)
    for block in (block for block in chunked.blocks if block.atomic):
        holders = [chunk for chunk in children if chunk.span.overlaps(block.span)]
        assert len(holders) == 1, "atomic blocks are whole in one chunk and never carried"
        assert holders[0].body.contains(block.span)
    _check_sections(chunked, children)
    _check_parents(chunked, children)
    _check_sizes(chunked, children)


def _check_sections(chunked: ChunkedDocument, children: list[Chunk]) -> None:
    sections = {section.section_id: section for section in chunked.sections}
    tops = [section for section in chunked.sections if section.parent_id == chunked.sections[0].section_id]
    content = [block for block in chunked.blocks if block.kind not in ("heading", "front_matter")]
    for chunk in children:
        inside = [block.span for block in content if block.span.overlaps(chunk.body)]
        if content:
            assert inside or _too_many_headings(chunked, chunk), "no chunk of only headings"
        if inside and chunked.plan.tier != "whole":
            start, end = max(inside[0].start, chunk.body.start), min(inside[-1].end, chunk.body.end)
            assert _holder(tops, start) == _holder(tops, end - 1), "no body across top-level sections"
        assert chunk.section_id in sections
        assert chunk.section_path == sections[chunk.section_id].path
        if chunk.seam.kind == "section" and not chunk.carried and not _carries_across_sections(chunked):
            assert chunk.seam.exemption == "section_start"


def _carries_across_sections(chunked: ChunkedDocument) -> bool:
    return bool(chunked.plan.settings.get("carry_across_sections"))


def _too_many_headings(chunked: ChunkedDocument, chunk: Chunk) -> bool:
    """Whether a chunk is in a row of headings that may fill half a chunk, so that they count as text, or ends
    the document with headings that may not fit the sentence before. In bytes, never fewer than tokens."""
    size = chunked.plan.settings[chunked.plan.tier]
    assert isinstance(size, dict)
    before = 0
    for is_heading, row in groupby(chunked.blocks, key=lambda block: block.kind == "heading"):
        spans = [block.span for block in row]
        whole = Span(spans[0].start, spans[-1].end)
        if is_heading and whole.overlaps(chunk.body):
            ends = not chunked.text[whole.end :].strip()
            return len(whole.of(chunked.text).encode()) + ends * before > size["target"] // 2
        before = len(spans[-1].of(chunked.text).encode())
    return False


def _holder(tops: list, place: int) -> int | None:
    return next((n for n, section in enumerate(tops) if section.span.start <= place < section.span.end), None)


def _check_parents(chunked: ChunkedDocument, children: list[Chunk]) -> None:
    parents = {chunk.chunk_id: chunk for chunk in chunked.chunks if chunk.level == 1}
    assert bool(parents) == (chunked.plan.tier == "hierarchical")
    for chunk in children:
        if chunk.parent_id is None:
            assert not parents
        else:
            assert parents[chunk.parent_id].body.contains(chunk.span), "a child never leaves its parent"
    for parent_id, parent in parents.items():
        own = [chunk.body for chunk in children if chunk.parent_id == parent_id]
        assert own, "a parent has children"
        assert (own[0].start, own[-1].end) == tuple(parent.body)


def _check_sizes(chunked: ChunkedDocument, children: list[Chunk]) -> None:
    settings = chunked.plan.settings
    if chunked.plan.tier == "whole" or chunked.plan.strategy != "tier":
        return
    size = settings[chunked.plan.tier]
    assert isinstance(size, dict)
    largest, target = int(1.3 * size["target"]), size["target"]
    for chunk in children:
        # Token counts of neighbouring pieces add up to within a token or two of the count of both.
        if chunk.tokens > largest + 3:
            assert chunk.oversize
            assert chunk.atomic or _one_word(chunk.body.of(chunked.text)), (
                "only atomic or unsplittable text is larger"
            )
        ratio = chunk.seam.ratio
        if chunk.seam.kind != "start" and not 0.15 <= ratio <= 0.20:
            assert chunk.seam.exemption is not None
        assert abs(ratio * target - chunk.seam.carried_tokens) < 1e-6


def _one_word(text: str) -> bool:
    return len(text.split()) <= 1

"""Kept failures of other chunkers, each with variants of its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.chunking import chunk_document
from pipeline.chunks import Chunk, ChunkedDocument
from pipeline.normalized_text import NormalizationSettings, normalize
from pipeline.spans import Span
from pipeline.tokens import token_counter
from tests.chunks.documents import bodies, check


class Case:
    """A folder with an input and its oracle."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.oracle = json.loads((folder / "case.json").read_text("utf-8")).get("oracle", {})

    def text(self, name: str = "input.md") -> str:
        """The input's characters."""
        return (self.folder / name).read_bytes().decode("utf-8")

    def chunked(self, name: str = "input.md") -> ChunkedDocument:
        """The input, cut with default settings; every hard constraint is checked on the way."""
        return cut(self.text(name))


def cut(text: str) -> ChunkedDocument:
    """A checked document."""
    chunked = chunk_document(text, document_id="case")
    check(chunked)
    return chunked


@pytest.fixture
def case(cases_dir: Path, request: pytest.FixtureRequest) -> Case:
    """The case a test names."""
    return Case(next(cases_dir.glob(f"{request.param}-*")))


def named(number: str) -> pytest.MarkDecorator:
    """Gives a test its case."""
    return pytest.mark.parametrize("case", [number], indirect=True)


def slices(chunked: ChunkedDocument) -> list[str]:
    """Bodies as text."""
    return [chunk.body.of(chunked.text) for chunk in bodies(chunked)]


def holders(chunked: ChunkedDocument, span: Sequence[int]) -> list[Chunk]:
    """Chunks that touch a span, carried text included."""
    return [chunk for chunk in bodies(chunked) if chunk.span.overlaps((span[0], span[1]))]


@named("001")
def test_multibyte_text_slices_back(case: Case) -> None:
    chunked = case.chunked()
    assert "\ufffd" not in "".join(slices(chunked))
    assert "".join(slices(chunked)) == chunked.text
    assert len(bodies(chunked)) > 1


@named("002")
def test_repeated_text_keeps_its_own_places(case: Case) -> None:
    chunked = case.chunked()
    starts = [chunk.body.start for chunk in bodies(chunked)]
    assert starts == sorted(set(starts))
    found = [match.start() for match in re.finditer("Orsan Depot uses Relay Nine.", chunked.text)]
    assert len(found) == 20
    for place in found:
        assert sum(chunk.body.start <= place < chunk.body.end for chunk in bodies(chunked)) == 1
    assert len({chunk.chunk_id for chunk in bodies(chunked)}) == len(bodies(chunked))


@named("003")
def test_line_ends_make_no_difference(case: Case) -> None:
    windows, unix = case.chunked("crlf.md"), case.chunked("lf.md")
    assert slices(windows) == slices(unix)
    assert [chunk.header for chunk in windows.chunks] == [chunk.header for chunk in unix.chunks]
    assert "\r" not in windows.text + "".join(chunk.header for chunk in windows.chunks)


@named("004")
def test_byte_order_mark_hides_no_heading(case: Case) -> None:
    chunked = case.chunked()
    assert "\ufeff" not in chunked.text + "".join(chunk.header for chunk in chunked.chunks)
    assert slices(chunked) == slices(cut(case.text().lstrip("\ufeff")))
    assert [section.path for section in chunked.sections if section.title == "Fees"] == [
        ("Harbour Rules", "Fees")
    ]


@named("005")
def test_compatibility_characters_stay_themselves(case: Case) -> None:
    joined = "".join(slices(case.chunked()))
    assert not any(forbidden in joined for forbidden in case.oracle["forbidden_substrings"])
    assert not any(block.atomic for block in case.chunked().blocks)


@named("008")
def test_unpunctuated_tail_is_kept_once(case: Case) -> None:
    chunked = case.chunked()
    _last_is_whole(chunked)
    assert sum(case.oracle["tail"] in body for body in slices(chunked)) == 1


@pytest.mark.parametrize("size", range(1, 60, 7))
def test_no_chunk_lies_inside_another(size: int) -> None:
    text = (
        "The pump feeds Relay Nine and the north depot of the yard. " * size
        + "The last line names Garrick Pumps"
    )
    _last_is_whole(cut(text))


def _last_is_whole(chunked: ChunkedDocument) -> None:
    spans = [chunk.span for chunk in bodies(chunked)]
    assert chunked.text[: spans[-1].end].rstrip() == chunked.text.rstrip()
    assert not any(a is not b and b.contains(a) for a in spans for b in spans)


@named("009")
def test_unbreakable_run_ends_and_is_covered(case: Case) -> None:
    chunked = case.chunked()
    start, end = case.oracle["blob"]
    assert len(bodies(chunked)) <= 40
    assert "".join(slices(chunked))[start:end] == case.text()[start:end]
    counter = token_counter()
    for chunk in bodies(chunked):
        assert chunk.oversize or counter.count(chunk.span.of(chunked.text)) <= 1.3 * 550 + 3
    inside = [chunk for chunk in bodies(chunked) if start < chunk.body.start < end]
    assert inside
    assert all(chunk.seam.kind == "oversize" for chunk in inside)


@pytest.mark.parametrize(
    "run", ["x9Q/" * 30_000, "é" * 100_000, "👩‍👩‍👧‍👦" * 8_000, "a\u0301\u0302" * 20_000, "-" * 200_000]
)
def test_runs_without_a_break_stay_linear(run: str) -> None:
    chunked = cut("A run follows.\n\n" + run + "\n\nThe end is here.")
    assert "".join(slices(chunked)) == chunked.text
    assert all(
        not chunk.body.of(chunked.text).startswith(("\u200d", "\u0301", "\u0302"))
        for chunk in bodies(chunked)
    )


@named("010")
def test_a_seam_outside_the_band_says_why(case: Case) -> None:
    chunked = case.chunked()
    counter = token_counter()
    children = bodies(chunked)
    assert len(children) > 1
    for chunk in children[1:]:
        shared = counter.count(chunk.carried.of(chunked.text)) / 300 if chunk.carried else 0.0
        assert 0.15 <= shared <= 0.20 or chunk.seam.exemption == "unsplittable_sentence"


@pytest.mark.parametrize("case", ["012", "014", "015"], indirect=True)
def test_tables_are_whole_in_one_chunk(case: Case) -> None:
    chunked = case.chunked()
    found = holders(chunked, case.oracle["table_span"])
    assert len(found) == 1
    assert found[0].body.contains(tuple(case.oracle["table_span"]))
    assert found[0].atomic
    for span in case.oracle.get("prose_spans", ()):
        assert not any(block.atomic and block.span.overlaps(span) for block in chunked.blocks)


@named("012")
def test_a_table_keeps_its_section_path(case: Case) -> None:
    found = holders(case.chunked(), case.oracle["table_span"])
    assert found[0].section_path == ("Part Ledger", "Loads")
    assert "path=Part Ledger > Loads" in found[0].header
    assert found[0].oversize


def test_a_table_keeps_its_caption_and_code_its_introduction() -> None:
    filler = "The yard holds many cranes of the old type. " * 30
    text = f"# Y\n\n{filler}\n\nTable 1: Loads of the yard.\n\n| a | b |\n| - | - |\n" + "| 1 | 2 |\n" * 20
    text += f"\n{filler}\n\nIt is known. Start the relay like this:\n\n```sh\nrelay up\n```\n\n{filler}"
    chunked = cut(text)
    for phrase, inside in (
        ("Table 1: Loads of the yard.", "| a | b |"),
        ("Start the relay like this:", "relay up"),
    ):
        start, end = text.index(phrase), text.index(inside) + len(inside)
        assert [chunk.body.contains((start, end)) for chunk in holders(chunked, (start, end))] == [True]


@pytest.mark.parametrize("case", ["017", "018", "019"], indirect=True)
def test_fences_are_whole_in_one_chunk(case: Case) -> None:
    chunked = case.chunked()
    spans = case.oracle.get("fence_spans") or [case.oracle["fence_span"]]
    for span in spans:
        found = holders(chunked, span)
        assert len(found) == 1
        assert found[0].body.contains(tuple(span))


@named("017")
def test_a_heading_after_a_fence_keeps_its_path(case: Case) -> None:
    assert ("Relay Guide", "Steps", "Check") in {section.path for section in case.chunked().sections}


@named("019")
def test_an_unclosed_fence_loses_nothing(case: Case) -> None:
    chunked = case.chunked()
    assert "Hythe Archive" in slices(chunked)[-1]
    assert slices(chunked)[-1].rstrip().endswith("last_key: Hythe Archive")


@named("022")
def test_equal_titles_have_their_own_parents(case: Case) -> None:
    chunked = case.chunked()
    assert chunked == case.chunked()
    sections = {section.section_id: section for section in chunked.sections}
    assert len(sections) == case.oracle["distinct_section_ids"] + 1  # and the root
    parents = {chunk.chunk_id: chunk for chunk in chunked.chunks if chunk.level == 1}
    for chunk in bodies(chunked):
        parent = parents[chunk.parent_id or ""]
        assert sections[parent.section_id].span.contains(chunk.span) or not chunk.carried
    cranes = []
    for number in range(1, 6):
        place = chunked.text.index(f"Crane {number}")
        holder = next(chunk for chunk in bodies(chunked) if chunk.body.start <= place < chunk.body.end)
        cranes.append(holder.parent_id)
    assert len(set(cranes)) == 5


@named("023")
def test_heading_tree(case: Case) -> None:
    chunked = case.chunked()
    assert {section.title for section in chunked.sections[1:]} == {
        title for _, title in case.oracle["headings"]
    }
    paths = {section.title: list(section.path) for section in chunked.sections}
    assert all(paths[title] == path for title, path in case.oracle["paths"].items())
    for body in slices(chunked):
        assert any(line.strip() and not line.startswith("#") for line in body.splitlines())


def test_headings_without_text_join_what_they_stand_by() -> None:
    chunked = cut(
        "# A\n\nOne fact is here.\n\n## Empty\n\n# B\n\n## Deep\n\nTwo facts are there.\n\n## Lonely\n"
    )
    assert "## Lonely" in slices(chunked)[-1]


@named("024")
def test_front_matter_is_no_text(case: Case) -> None:
    chunked = case.chunked()
    start, end = case.oracle["front_matter_span"]
    assert not any(chunk.span.overlaps((start, end)) for chunk in chunked.chunks)
    assert not any("title: Yard Charter" in chunk.header for chunk in chunked.chunks)


@named("026")
def test_text_without_spaces_ends_at_its_full_stops(case: Case) -> None:
    chunked = case.chunked()
    children = bodies(chunked)
    assert len(children) >= 2
    assert all(chunked.text[chunk.body.end - 1] in case.oracle["boundary_chars"] for chunk in children[:-1])
    assert all(chunk.tokens <= 1.5 * 300 for chunk in children)


@named("026")
def test_so_it_does_after_compatibility_normalization(case: Case) -> None:
    from pipeline.chunk_plans import ChunkingSettings, plan_document
    from pipeline.chunks import cut as cut_normalized

    settings = NormalizationSettings(unicode_form="nfkc")
    normalized = normalize(case.text().encode(), document_id="case", file_name="input.md", settings=settings)
    chunking = ChunkingSettings()
    chunked = cut_normalized(normalized, plan_document(normalized, chunking), chunking)
    check(chunked)
    assert len(bodies(chunked)) >= 2
    assert all(
        chunked.text[chunk.body.end - 1] in case.oracle["boundary_chars"] for chunk in bodies(chunked)[:-1]
    )


@named("028")
def test_abbreviations_end_no_chunk(case: Case) -> None:
    chunked = case.chunked()
    ends = set(case.oracle["sentence_ends"])
    for chunk in bodies(chunked)[:-1]:
        assert chunk.body.end in ends
    for chunk in bodies(chunked):
        if chunk.carried:
            assert chunk.carried.start in ends


@named("029")
def test_control_tokens_are_text(case: Case) -> None:
    chunked = case.chunked()
    encoding = token_counter().encoding
    assert chunked.token_count == len(encoding.encode(chunked.text, disallowed_special=()))
    joined = "".join(slices(chunked))
    assert all(joined.count(mark) == case.text().count(mark) for mark in case.oracle["marks"])
    for chunk in bodies(chunked):
        assert chunk.tokens == len(encoding.encode(chunk.span.of(chunked.text), disallowed_special=()))
        assert chunk.header_tokens == len(encoding.encode(chunk.header, disallowed_special=()))


def test_spans_are_plain_pairs() -> None:
    chunk = cut("One fact is here.").chunks[0]
    assert chunk.body == (0, 17)
    assert chunk.span == Span(0, 17)

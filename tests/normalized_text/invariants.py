"""What holds for every normalized text, and short views of one."""

from __future__ import annotations

from pipeline.normalized_text.model import NormalizedText


def assert_exact(document: NormalizedText) -> None:
    """Blocks are ordered, disjoint, not blank, cover all text that is not blank; sections enclose them."""
    position = 0
    sections = {section.section_id: section for section in document.sections}
    assert len(sections) == len(document.sections)
    for block in document.blocks:
        assert position <= block.span.start < block.span.end <= len(document.text)
        assert not document.text[position : block.span.start].strip()
        assert block.span.of(document.text).strip()
        assert block.span.of(document.text) == block.span.of(document.text).rstrip()
        assert sections[block.section_id].span.contains(block.span)
        position = block.span.end
    assert not document.text[position:].strip()
    root = document.sections[0]
    assert (root.level, root.title, root.parent_id, root.path) == (0, "", None, ())
    assert root.span == (0, len(document.text))
    for section in document.sections[1:]:
        parent = sections[section.parent_id or ""]
        assert parent.span.contains(section.span)
        assert parent.level < section.level
        assert section.path == (*parent.path, section.title)


def headings(document: NormalizedText) -> list[tuple[int, str | None]]:
    """(level, title) of the headings in order."""
    return [(block.level, block.title) for block in document.blocks if block.kind == "heading"]


def spans(document: NormalizedText, kind: str) -> list[tuple[int, int]]:
    """Spans of the blocks of one kind."""
    return [(block.span.start, block.span.end) for block in document.blocks if block.kind == kind]


def kinds(document: NormalizedText) -> list[str]:
    """Kinds of the blocks in order."""
    return [block.kind for block in document.blocks]


def sources(document: NormalizedText, kind: str) -> list[str]:
    """Texts of the blocks of one kind."""
    return [block.span.of(document.text) for block in document.blocks if block.kind == kind]

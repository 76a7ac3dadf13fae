"""Real failures of Markdown ingestion: each case states what the normalized text must be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.normalized_text import NormalizationSettings, normalize
from pipeline.normalized_text.model import NormalizedText
from pipeline.rejections import Rejected
from tests.normalized_text.invariants import assert_exact, headings, kinds, spans

SETTINGS = NormalizationSettings()


def folder_of(cases_dir: Path, number: str) -> Path:
    return next(cases_dir.glob(f"{number}-*"))


def oracle_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "case.json").read_text())["oracle"]


def read(path: Path, settings: NormalizationSettings = SETTINGS) -> NormalizedText:
    document = normalize(path.read_bytes(), document_id=path.name, file_name=path.name, settings=settings)
    assert_exact(document)
    return document


@pytest.mark.parametrize("number", ["001", "002", "008", "009", "026", "028"])
def test_prose_is_kept_whole(cases_dir: Path, number: str) -> None:
    path = folder_of(cases_dir, number) / "input.md"
    document = read(path)
    assert document.text == path.read_text("utf-8")
    assert "\ufffd" not in document.text
    assert set(kinds(document)) <= {"heading", "paragraph", "list_item"}


@pytest.mark.parametrize("number", ["003", "004", "005", "017", "018", "019", "021", "022", "023", "024"])
def test_headings_are_exactly_those_of_the_document(cases_dir: Path, number: str) -> None:
    folder = folder_of(cases_dir, number)
    expected = [tuple(heading) for heading in oracle_of(folder)["headings"]]
    for path in folder.glob("*.md"):
        assert headings(read(path)) == expected


@pytest.mark.parametrize("number", ["012", "013", "014", "015"])
def test_a_table_is_one_block(cases_dir: Path, number: str) -> None:
    folder = folder_of(cases_dir, number)
    oracle = oracle_of(folder)
    document = read(folder / "input.md")
    assert spans(document, "table") == [tuple(oracle["table_span"])]
    assert spans(document, "code") == []


@pytest.mark.parametrize("number", ["017", "018", "019"])
def test_a_fence_is_one_block(cases_dir: Path, number: str) -> None:
    folder = folder_of(cases_dir, number)
    oracle = oracle_of(folder)
    expected = oracle.get("fence_spans") or [oracle["fence_span"]]
    assert spans(read(folder / "input.md"), "code") == [tuple(span) for span in expected]


def test_windows_line_ends_leave_no_trace(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "003")
    windows, unix = read(folder / "crlf.md"), read(folder / "lf.md")
    assert windows.text == unix.text
    assert [block.span for block in windows.blocks] == [block.span for block in unix.blocks]
    assert [section.path for section in windows.sections] == [section.path for section in unix.sections]


def test_byte_order_mark_hides_no_heading(cases_dir: Path) -> None:
    document = read(folder_of(cases_dir, "004") / "input.md")
    assert "\ufeff" not in document.text
    fees = next(section for section in document.sections if section.title == "Fees")
    assert fees.path == ("Harbour Rules", "Fees")


@pytest.mark.parametrize("form", ["nfc", "nfkc", "none"])
def test_compatibility_characters_never_become_markup(cases_dir: Path, form: str) -> None:
    path = folder_of(cases_dir, "005") / "input.md"
    oracle = oracle_of(path.parent)
    document = read(path, NormalizationSettings(unicode_form=form))  # type: ignore[arg-type]
    assert headings(document) == [tuple(heading) for heading in oracle["headings"]]
    assert not {"table", "code"} & set(kinds(document))
    if form == "nfkc":
        assert len(document.text) == oracle["nfkc_len"]
    else:
        assert len(document.text) == oracle["raw_len"]
        assert not any(forbidden in document.text for forbidden in oracle["forbidden_substrings"])


def test_escaped_pipes_stay_inside_their_cell(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "013")
    document = read(folder / "input.md")
    table = next(block for block in document.blocks if block.kind == "table")
    body = [cell for cell in table.cells if not cell.is_header]
    rows = [[cell.text for cell in body if cell.row == row] for row in sorted({cell.row for cell in body})]
    assert rows == oracle_of(folder)["cells"]
    assert document.blocks[-1].kind == "paragraph"
    assert "|" in document.blocks[-1].span.of(document.text)


def test_prose_with_pipes_is_no_table(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "014")
    assert {tuple(span) for span in oracle_of(folder)["prose_spans"]} <= set(
        spans(read(folder / "input.md"), "paragraph")
    )


def test_merged_cells_of_a_raw_html_table_are_filled(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "015")
    table = next(block for block in read(folder / "input.md").blocks if block.kind == "table")
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    assert max(cell.row for cell in table.cells) + 1 == oracle_of(folder)["rows"]
    assert (cells[2, 1].text, cells[3, 1].text) == ("Vantor Rail", "Vantor Rail")
    assert cells[3, 2].text == "Brack Mill"
    assert cells[3, 2].column_headers == ("Lease", "User")
    assert cells[3, 2].row_headers == ("Berth 0b",)


def test_unclosed_fence_is_kept_and_reported(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "019")
    document = read(folder / "input.md")
    assert [warning.code for warning in document.warnings] == [oracle_of(folder)["warning"]]
    assert document.text.rstrip().endswith("last_key: Hythe Archive")


def test_equal_titles_have_sections_of_their_own(cases_dir: Path) -> None:
    path = folder_of(cases_dir, "022") / "input.md"
    first, second = read(path), read(path)
    identifiers = [section.section_id for section in first.sections]
    assert len(set(identifiers[1:])) == oracle_of(path.parent)["distinct_section_ids"]
    assert identifiers == [section.section_id for section in second.sections]
    owners = {
        block.section_id
        for number in range(1, 6)
        for block in first.blocks
        if f"Crane {number}" in block.span.of(first.text)
    }
    assert len(owners) == 5


def test_section_paths_follow_levels(cases_dir: Path) -> None:
    path = folder_of(cases_dir, "023") / "input.md"
    paths = {section.title: list(section.path) for section in read(path).sections}
    assert oracle_of(path.parent)["paths"].items() <= paths.items()


def test_front_matter_is_metadata(cases_dir: Path) -> None:
    path = folder_of(cases_dir, "024") / "input.md"
    document = read(path)
    assert spans(document, "front_matter") == [tuple(oracle_of(path.parent)["front_matter_span"])]
    assert document.title == document.metadata["title"] == "Yard Charter"
    assert document.metadata["tags"] == "yard, a: b"
    assert not any("Yard Charter" in section.title for section in document.sections)


def test_windows_code_page_is_read_letter_by_letter(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "031")
    document = read(folder / "input.md")
    assert document.text == (folder / "expected.txt").read_text("utf-8")
    assert document.metadata["encoding"] == "cp1252"
    assert [warning.code for warning in document.warnings] == ["guessed_encoding"]


def test_files_without_text_are_rejected_with_a_reason(cases_dir: Path) -> None:
    folder = folder_of(cases_dir, "033")
    for name, status in oracle_of(folder)["status"].items():
        if status == "ingested":
            read(folder / name)
            continue
        with pytest.raises(Rejected) as rejection:
            read(folder / name)
        assert rejection.value.reason == status.removeprefix("rejected:")


def test_control_characters_are_removed_before_offsets(cases_dir: Path) -> None:
    document = read(folder_of(cases_dir, "037") / "input.md")
    assert document.text.startswith("# Gate Log\n\nVantor Rail owns Brack Mill.")
    assert document.text.replace("\n", "").isprintable()
    assert [warning.code for warning in document.warnings] == ["control_characters"]

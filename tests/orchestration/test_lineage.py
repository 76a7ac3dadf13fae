"""Over a whole corpus: every edge traces to exact text, every promise holds, the views agree."""

from __future__ import annotations

import pytest

from pipeline.home import Home
from pipeline.lineage import find_edges, trace
from pipeline.orchestration.ingest import ingest
from pipeline.storage.rows import NormalizedTextRow
from pipeline.summary import summarize
from pipeline.workers import Workers
from tests.orchestration.conftest import query


def _texts(home: Home) -> dict[str, str]:
    ids = [row[0] for row in query(home.store(), "select document_id from documents")]
    return {
        key: rows[0].text or "" for key, rows in home.store().load(NormalizedTextRow, ids).items() if rows
    }


def test_every_document_of_the_example_is_ingested(handbook_home: Home) -> None:
    summary = summarize(handbook_home.store())
    assert set(summary.documents) == {"ingested"} and summary.documents["ingested"] >= 20
    tiers = {row[0] for row in query(handbook_home.store(), "select distinct tier from chunk_plans")}
    assert tiers == {"whole", "sentence", "section", "hierarchical"}
    assert summary.edges > 80


def test_every_edge_quotes_its_text(handbook_home: Home) -> None:
    """Spans are sliced here by Python, not by the database."""
    texts = _texts(handbook_home)
    edge_ids = [row[0] for row in query(handbook_home.store(), "select edge_id from edges order by 1")]
    assert edge_ids
    for edge_id in edge_ids:
        edge = trace(handbook_home.store(), edge_id)
        assert edge is not None and edge.evidence
        spans = {(item.document_id, item.evidence_start, item.evidence_end) for item in edge.evidence}
        assert edge.support == len(spans)
        for item in edge.evidence:
            text = texts[item.document_id]
            assert text[item.evidence_start : item.evidence_end] == item.evidence
            assert text[item.subject_start : item.subject_end] == item.subject_surface
            assert text[item.object_start : item.object_end] == item.object_surface
            assert item.evidence_start <= item.subject_start < item.subject_end <= item.evidence_end
            assert handbook_home.blobs.get(item.version)


def test_bodies_tile_every_text(handbook_home: Home) -> None:
    front = dict(
        query(handbook_home.store(), "select document_id, span_end from blocks where kind = 'front_matter'")
    )
    bodies: dict[str, list[tuple[int, int]]] = {}
    for key, start, end in query(
        handbook_home.store(),
        "select document_id, body_start, body_end from chunks where level = 0 order by document_id, ordinal",
    ):
        bodies.setdefault(key, []).append((start, end))
    for key, text in _texts(handbook_home).items():
        edges = [front.get(key, 0)] + [end for _, end in bodies[key]]
        assert [start for start, _ in bodies[key]] == edges[:-1]
        assert edges[-1] == len(text)


def test_nothing_denied_planned_or_hedged_is_an_edge(handbook_home: Home) -> None:
    stated = query(
        handbook_home.store(),
        "select distinct polarity, modality from edge_lineage",
    )
    assert stated == [("affirmed", "asserted")]
    found = find_edges(handbook_home.store(), subject="Atlas Router", relation="call", object_="Ledgerline")
    assert found == []
    replaced = find_edges(handbook_home.store(), subject="Gullwing", relation="replace")
    assert replaced == []


def test_an_edge_is_found_by_any_spelling_of_its_ends(handbook_home: Home) -> None:
    plain = find_edges(handbook_home.store(), subject="Atlas Router", object_="Kestrel Queue")
    assert "depend_on" in {edge.relation for edge in plain}
    assert find_edges(handbook_home.store(), subject="the ATLAS  router", object_="kestrel queue") == plain


def test_a_fact_that_several_documents_state_counts_each(handbook_home: Home) -> None:
    row = query(handbook_home.store(), "select max(documents), max(support) from edges")[0]
    assert row[0] >= 2 and row[1] >= 2


@pytest.mark.parametrize("count", [12])
def test_real_design_documents_keep_every_promise(
    count: int, shared_dir, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A sample of the real corpus, every fifth token size; the whole of it is in the benchmarks."""
    files = sorted((shared_dir / "corpora" / "kep").rglob("*.md"), key=lambda file: file.stat().st_size)
    home = Home(tmp_path_factory.mktemp("kep") / "home")
    chosen = files[:: len(files) // count][:count]
    report = ingest(home, chosen, workers=Workers(2))
    assert report.succeeded, report.errors
    assert summarize(home.store()).documents == {"ingested": len(chosen)}
    texts = _texts(home)
    for key, start, end, surface in query(
        home.store(), "select document_id, span_start, span_end, surface from mentions"
    ):
        assert texts[key][start:end] == surface

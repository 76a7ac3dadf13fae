"""Edges with their sentences, marked in the text around them, as one self-contained page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pipeline.characters import in_page
from pipeline.lineage import ChunkText, Evidence, TracedEdge
from pipeline.wording import count_of

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 Georgia, serif; margin: 2rem auto; max-width: 54rem; padding: 0 1rem; color: #1c1c1c; }
h1, h2, dl { font-family: system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; margin-bottom: .2rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .2rem; border-top: 1px solid #ddd; padding-top: 1rem; }
p.note { font: 13px/1.5 system-ui, sans-serif; color: #666; margin: 0 0 .5rem; }
dl { font-size: 13px; display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem;
  margin: .8rem 0 0; }
dt { color: #666; }
dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: .5rem 0 0; padding: .6rem .9rem; background: #f6f7f9; border-left: 4px solid #0072b2;
  white-space: pre-wrap; overflow-wrap: anywhere; color: #666; }
mark { background: #fff1c9; color: #1c1c1c; }
mark.subject { background: #bfe3f7; font-weight: bold; }
mark.object { background: #c9ecdf; font-weight: bold; }
"""


def render_trace(edges: Sequence[TracedEdge], chunks: Mapping[str, ChunkText]) -> str:
    """One HTML file: no script, no font, no link. ``chunks`` are the texts of the evidence, by chunk id."""
    sections = [
        part
        for edge in edges
        for part in (_head(edge), *(_evidence(item, chunks[item.chunk_id]) for item in edge.evidence))
    ]
    return "\n".join(
        (
            "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>",
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            f"<title>Evidence</title><style>{_STYLE}</style></head><body>",
            "<h1>Evidence</h1>",
            "<p class='note'>The whole chunk as it was read; the sentence is marked, in it "
            "<mark class='subject'>subject</mark> and <mark class='object'>object</mark>.</p>",
            *sections,
            "</body></html>\n",
        )
    )


def _head(edge: TracedEdge) -> str:
    return (
        f"<h2 id='{in_page(edge.edge_id)}'>{in_page(edge.subject)} — {in_page(edge.relation)} → "
        f"{in_page(edge.object)}</h2>"
        f"<p class='note'>{in_page(edge.edge_id)}, stated by {count_of(edge.support, 'sentence')}</p>"
    )


def _evidence(item: Evidence, chunk: ChunkText) -> str:
    rows = (
        ("document", item.document_id),
        ("file", item.path),
        ("version", item.version),
        ("chunk", item.chunk_id),
        ("header", item.header),
        ("claim", f"{item.claim_id}, by {item.pattern}"),
        ("span", f"{item.evidence_start}–{item.evidence_end}"),
    )
    listed = "".join(f"<dt>{name}</dt><dd>{in_page(value)}</dd>" for name, value in rows)
    return f"<dl>{listed}</dl><blockquote>{_marked(item, chunk)}</blockquote>"


def _marked(item: Evidence, chunk: ChunkText) -> str:
    """The chunk's text with the evidence marked, cut at every end of a mark so that marks never cross."""
    spans = (
        ("subject", item.subject_start, item.subject_end),
        ("object", item.object_start, item.object_end),
        ("evidence", item.evidence_start, item.evidence_end),
    )
    end = chunk.start + len(chunk.text)
    bounds = sorted({chunk.start, end, *(p for _, *ends in spans for p in ends if chunk.start < p < end)})
    pieces = []
    for left, right in pairwise(bounds):
        shown = in_page(chunk.text[left - chunk.start : right - chunk.start])
        mark = next((name for name, start, stop in spans if start <= left and right <= stop), None)
        pieces.append(f"<mark class='{mark}'>{shown}</mark>" if mark else shown)
    return "".join(pieces)

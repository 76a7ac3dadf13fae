"""What Dagster shows of the whole corpus: pictures, and the edges and orphans that matter most."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from typing import Final

import dagster as dg

from pipeline.corpus_profile.model import CorpusProfile
from pipeline.corpus_profile.numbers import key_numbers
from pipeline.corpus_profile.page import data_uri
from pipeline.corpus_profile.pictures import draw
from pipeline.graph_edges.highlights import Orphan, StrongEdge, orphans_of_run, strongest_edges
from pipeline.home import Home
from pipeline.lineage import TracedEdge, trace_all
from pipeline.markdown_text import plain_markdown
from pipeline.storage.store import Store

TABLE_ROWS: Final = 25
QUOTED_EDGES: Final = 10
QUOTES_OF_AN_EDGE: Final = 3
QUOTE_CHARACTERS: Final = 300
Metadata = Mapping[str, dg.MetadataValue | int | float | bool | str]


def profile_metadata(profile: CorpusProfile) -> Metadata:
    """The four pictures, and their numbers."""
    pictures = {
        picture.title: dg.MetadataValue.md(f"![{picture.description}]({data_uri(picture)})")
        for picture in draw(profile)
    }
    return {**pictures, **key_numbers(profile)}


def edges_metadata(store: Store, home: Home, run_id: str) -> Metadata:
    """The strongest edges with the command that traces each, what their documents say, and the orphans
    among what this run extracted."""
    strongest = strongest_edges(store, TABLE_ROWS)
    quoted = trace_all(store, [edge.edge_id for edge in strongest[:QUOTED_EDGES]])
    return {
        "strongest edges": _table(
            [*(name for name in _names(StrongEdge) if name != "edge_id"), "trace"],
            [_edge_record(edge, home) for edge in strongest],
        ),
        "what the documents say": dg.MetadataValue.md(quote_evidence(quoted)),
        "orphans of this run": _table(
            _names(Orphan),
            [dataclasses.asdict(orphan) for orphan in orphans_of_run(store, run_id, TABLE_ROWS)],
        ),
    }


def _edge_record(edge: StrongEdge, home: Home) -> dict[str, str | int]:
    record = dataclasses.asdict(edge)
    edge_id = record.pop("edge_id")  # it is in the command, and a row has little room in Dagster
    return {**record, "trace": f"edgekeeper trace {edge_id} --home {shlex.quote(str(home.folder))}"}


def _names(row: type[StrongEdge | Orphan]) -> list[str]:
    return [field.name for field in dataclasses.fields(row)]


def _table(names: Sequence[str], records: Sequence[dict[str, str | int]]) -> dg.TableMetadataValue:
    """Values stay plain text in a table."""
    schema = dg.TableSchema([dg.TableColumn(name) for name in names])
    return dg.MetadataValue.table([dg.TableRecord(record) for record in records], schema)


def quote_evidence(edges: Sequence[TracedEdge]) -> str:
    """Each edge with its first sentences and where they stand. Nothing of a document acts as markup."""
    lines = []
    for edge in edges:
        names = [plain_markdown(name) for name in (edge.subject, edge.relation, edge.object)]
        lines.append(f"- **{names[0]}** — {names[1]} → **{names[2]}**")
        lines += [
            f"  - “{plain_markdown(_shortened(item.evidence))}” ({plain_markdown(item.document_id)})"
            for item in edge.evidence[:QUOTES_OF_AN_EDGE]
        ]
    return "\n".join(lines) or "no edges yet"


def _shortened(quote: str) -> str:
    return quote if len(quote) <= QUOTE_CHARACTERS else quote[: QUOTE_CHARACTERS - 1] + "…"

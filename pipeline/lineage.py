"""The line from an edge back to its files: edge → claims → exact spans → chunk → document version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from pipeline.extractions.names import normalize_name
from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class Evidence:
    """One claim of an edge, with its quoted sentence and where that stands."""

    claim_id: str
    document_id: str
    version: str
    source: str
    path: str
    chunk_id: str
    header: str
    predicate: str
    pattern: str
    confidence: float
    evidence: str
    evidence_start: int
    evidence_end: int
    subject_surface: str
    subject_start: int
    subject_end: int
    object_surface: str
    object_start: int
    object_end: int


@dataclass(frozen=True, slots=True)
class TracedEdge:
    """An edge and all of its evidence, in the order of documents and text."""

    edge_id: str
    subject: str
    relation: str
    object: str
    support: int
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class ChunkText:
    """What was read of a chunk, carried text first; ``start`` is where it begins in the document's text."""

    start: int
    text: str


def chunk_texts(store: Store, chunk_ids: Sequence[str]) -> dict[str, ChunkText]:
    """The texts of chunks, by chunk id."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select chunk_id, first, substring(text, first + 1, body_end - first) from ("
            "    select c.chunk_id, coalesce(c.carried_start, c.body_start) as first, c.body_end, n.text "
            "    from published.chunks c join published.normalized_text n using (document_id) "
            "    where c.chunk_id in (select unnest(?)))",
            [list(chunk_ids)],
        ).fetchall()
    return {chunk_id: ChunkText(start, text) for chunk_id, start, text in rows}


def trace(store: Store, edge_id: str) -> TracedEdge | None:
    """An edge with its evidence, or None where there is no such edge."""
    traced = trace_all(store, [edge_id])
    return traced[0] if traced else None


def find_edges(
    store: Store, *, subject: str | None = None, relation: str | None = None, object_: str | None = None
) -> list[TracedEdge]:
    """Edges by the names of their ends (any spelling that resolves to them) and by relation, which may
    be the governed name (``depend_on``) or the words of a sentence (``depends on``)."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select e.edge_id from edges e "
            "join entities s on s.entity_id = e.subject_id join entities o on o.entity_id = e.object_id "
            "where ($subject is null or s.key = $subject) "
            "and ($relation is null or e.relation = replace($relation, ' ', '_') or exists ("
            "    select 1 from edge_claims ec join published.claims c using (claim_id) "
            "    where ec.edge_id = e.edge_id and lower(c.predicate) = $relation)) "
            "and ($object is null or o.key = $object) order by e.support desc, e.edge_id",
            {
                "subject": normalize_name(subject) if subject is not None else None,
                "relation": relation.strip().lower() if relation is not None else None,
                "object": normalize_name(object_) if object_ is not None else None,
            },
        ).fetchall()
    return trace_all(store, [row[0] for row in rows])


def is_known(store: Store, name: str) -> bool:
    """Whether some entity goes by a name, in any spelling that resolves to it."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute("select 1 from entities where key = ?", [normalize_name(name)]).fetchall()
    return bool(rows)


def trace_all(store: Store, edge_ids: Sequence[str]) -> list[TracedEdge]:
    """Edges with their evidence, in the order asked for; ids that no edge has are left out."""
    names = [field.name for field in fields(Evidence)]
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            f"select edge_id, subject, relation, object, support, {', '.join(names)} from edge_lineage "
            "where edge_id in (select unnest(?)) order by document_id, evidence_start, claim_id",
            [list(edge_ids)],
        ).fetchall()
    evidence: dict[str, list[Evidence]] = {}
    heads: dict[str, tuple[str, str, str, int]] = {}
    for edge_id, subject, relation, object_, support, *values in rows:
        heads[edge_id] = (subject, relation, object_, support)
        evidence.setdefault(edge_id, []).append(Evidence(*values))
    return [TracedEdge(key, *heads[key], tuple(evidence[key])) for key in edge_ids if key in heads]

"""The edges and orphans that people look at first."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class StrongEdge:
    """An edge in names; support counts distinct sentences, documents distinct documents."""

    edge_id: str
    subject: str
    relation: str
    object: str
    support: int
    documents: int


@dataclass(frozen=True, slots=True)
class Orphan:
    """An entity in no edge, and one of the documents that mention it."""

    name: str
    type: str
    mentions: int
    document_id: str


def strongest_edges(store: Store, count: int) -> list[StrongEdge]:
    """At most ``count`` edges, those stated by most sentences first."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select e.edge_id, s.name, e.relation, o.name, e.support, e.documents from edges e "
            "join entities s on s.entity_id = e.subject_id join entities o on o.entity_id = e.object_id "
            "qualify row_number() over (order by e.support desc, e.documents desc, e.edge_id) <= $count "
            "order by e.support desc, e.documents desc, e.edge_id",
            {"count": count},
        ).fetchall()
    return [StrongEdge(*row) for row in rows]


def orphans_of_run(store: Store, run_id: str, count: int) -> list[Orphan]:
    """At most ``count`` orphans that documents extracted by a run mention, most often mentioned first."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            "select any_value(o.name), any_value(o.type), any_value(o.mentions), min(m.document_id) "
            "from orphans o join mention_entities m using (entity_id) "
            "join ledger l on l.document_id = m.document_id and l.asset = 'extractions' and l.run_id = $run "
            "group by o.entity_id "
            "qualify row_number() over (order by any_value(o.mentions) desc, o.entity_id) <= $count "
            "order by any_value(o.mentions) desc, o.entity_id",
            {"run": run_id, "count": count},
        ).fetchall()
    return [Orphan(*row) for row in rows]

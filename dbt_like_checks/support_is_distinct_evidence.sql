select e.edge_id, e.support, count(distinct (c.document_id, c.evidence_start, c.evidence_end)) as evidence_spans
from edges e
join edge_claims ec using (edge_id)
join published.claims c using (claim_id)
group by e.edge_id, e.support
having e.support <> count(distinct (c.document_id, c.evidence_start, c.evidence_end))

select e.edge_id, e.subject_id, e.relation, e.object_id, l.claim_id
from edges e
left join edge_lineage l using (edge_id)
where l.claim_id is null or l.evidence is null or l.evidence = ''
   or l.polarity <> 'affirmed' or l.modality <> 'asserted'

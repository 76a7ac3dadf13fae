-- A claim that says the same of the same words as another one of its chunk.
select document_id, chunk_id, evidence_start, evidence_end, subject_id, relation, object_id, literal_start,
       count(*) as times
from claims
where outcome = 'accepted'
group by document_id, chunk_id, evidence_start, evidence_end, subject_id, relation, object_id, literal_start
having count(*) > 1

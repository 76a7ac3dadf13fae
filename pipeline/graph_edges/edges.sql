-- An edge is a (subject, relation, object) that some accepted, affirmed, asserted claim states, both ends
-- resolved to different entities. Support counts distinct evidence spans and documents, never chunks.

create or replace temp table stated as
select s.entity_id as subject_id, c.relation, o.entity_id as object_id,
       c.claim_id, c.document_id, c.evidence_start, c.evidence_end
from published.claims c
join mention_entities s on s.mention_id = c.subject_id
join mention_entities o on o.mention_id = c.object_id
where c.outcome = 'accepted' and c.polarity = 'affirmed' and c.modality = 'asserted'
  and s.entity_id <> o.entity_id;

insert into edges by name
select 'edg_' || substring(sha256(subject_id || '|' || relation || '|' || object_id), 1, 16) as edge_id,
       subject_id, relation, object_id,
       count(distinct (document_id, evidence_start, evidence_end)) as support,
       count(distinct document_id) as documents
from stated
group by subject_id, relation, object_id
order by edge_id;

insert into edge_claims by name
select e.edge_id, s.claim_id, s.document_id
from stated s
join edges e using (subject_id, relation, object_id)
order by e.edge_id, s.claim_id;

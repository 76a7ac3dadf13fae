select c.document_id, c.claim_id, c.chunk_id, c.subject_id, c.object_id, c.evidence_start, c.evidence_end
from claims c
left join chunks k on k.chunk_id = c.chunk_id and k.document_id = c.document_id
left join mentions s on s.mention_id = c.subject_id and s.document_id = c.document_id
left join mentions o on o.mention_id = c.object_id and o.document_id = c.document_id
where c.evidence_end <= c.evidence_start or k.chunk_id is null
   or c.evidence_start < coalesce(k.carried_start, k.body_start) or c.evidence_end > k.body_end
   or s.mention_id is null or s.span_start < c.evidence_start or s.span_end > c.evidence_end
   or (c.object_id is null) = (c.literal_start is null)
   or (c.object_id is not null
       and (o.mention_id is null or o.span_start < c.evidence_start or o.span_end > c.evidence_end))
   or c.literal_start < c.evidence_start or c.literal_end > c.evidence_end or c.literal_end <= c.literal_start
   or c.predicate_start < c.evidence_start or c.predicate_end > c.evidence_end

-- The same words with the same ends, accepted out of two chunks that overlap, would count twice.
select c.document_id, c.evidence_start, c.evidence_end, c.relation, list_sort(list(distinct c.chunk_id)) as chunk_ids
from claims c
join mentions s on s.mention_id = c.subject_id and s.document_id = c.document_id
left join mentions o on o.mention_id = c.object_id and o.document_id = c.document_id
where c.outcome = 'accepted'
group by c.document_id, c.evidence_start, c.evidence_end, c.relation, s.span_start, s.span_end,
         coalesce(o.span_start, c.literal_start), coalesce(o.span_end, c.literal_end)
having count(distinct c.chunk_id) > 1

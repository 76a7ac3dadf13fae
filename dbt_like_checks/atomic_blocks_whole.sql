select c.document_id, c.chunk_id, b.kind, b.span_start, b.span_end
from chunks c
join blocks b on b.document_id = c.document_id and b.kind in ('table', 'code')
where (c.body_start > b.span_start and c.body_start < b.span_end)
   or (c.body_end > b.span_start and c.body_end < b.span_end)
   or (c.carried_start > b.span_start and c.carried_start < b.span_end)

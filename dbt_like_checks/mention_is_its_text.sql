-- Read within its chunk, which is shorter than the text.
select m.document_id, m.mention_id, m.surface, m.span_start, m.span_end
from mentions m
left join chunks c on c.document_id = m.document_id and c.chunk_id = m.chunk_id
left join chunk_texts t on t.document_id = m.document_id and t.chunk_id = m.chunk_id
where t.chunk_id is null or m.span_end <= m.span_start or m.span_start < t.chunk_start or m.span_end > c.body_end
   or substring(t.text, m.span_start - t.chunk_start + 1, m.span_end - m.span_start) <> m.surface

-- Read within its chunk, which is shorter than the text.
select m.document_id, m.mention_id, m.surface, m.span_start, m.span_end
from mentions m
left join (
    select c.document_id, c.chunk_id, coalesce(c.carried_start, c.body_start) as chunk_start, c.body_end,
           substring(n.text, coalesce(c.carried_start, c.body_start) + 1,
                     c.body_end - coalesce(c.carried_start, c.body_start)) as chunk_text
    from chunks c join normalized_text n using (document_id)
) k on k.document_id = m.document_id and k.chunk_id = m.chunk_id
where k.chunk_id is null or m.span_end <= m.span_start or m.span_start < k.chunk_start or m.span_end > k.body_end
   or substring(k.chunk_text, m.span_start - k.chunk_start + 1, m.span_end - m.span_start) <> m.surface

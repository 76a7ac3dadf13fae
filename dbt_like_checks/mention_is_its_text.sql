select m.document_id, m.mention_id, m.surface, substring(n.text, m.span_start + 1, m.span_end - m.span_start) as text
from mentions m
join normalized_text n using (document_id)
where m.span_end <= m.span_start or substring(n.text, m.span_start + 1, m.span_end - m.span_start) <> m.surface
order by m.document_id, m.mention_id

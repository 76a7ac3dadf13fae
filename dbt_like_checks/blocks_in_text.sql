select b.document_id, b.ordinal, b.kind, b.span_start, b.span_end
from (select *, lag(span_end, 1, 0) over (partition by document_id order by ordinal) as previous_end from blocks) b
join normalized_text n using (document_id)
where b.span_start < b.previous_end or b.span_end <= b.span_start or b.span_end > length(n.text)
order by b.document_id, b.ordinal

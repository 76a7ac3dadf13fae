select b.document_id, b.ordinal, b.kind, b.span_start, b.span_end, b.section_id
from (select *, lag(span_end, 1, 0) over (partition by document_id order by ordinal) as previous_end from blocks) b
join (select document_id, length(text) as text_length from normalized_text) n using (document_id)
left join sections s on s.document_id = b.document_id and s.section_id = b.section_id
where b.span_start < b.previous_end or b.span_end <= b.span_start or b.span_end > n.text_length
   or s.section_id is null or b.span_start < s.span_start or b.span_end > s.span_end

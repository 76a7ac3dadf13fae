select s.document_id, s.section_id, s.parent_id, s.title, s.span_start, s.span_end
from sections s
join (select document_id, length(text) as text_length from normalized_text) n using (document_id)
left join sections p on p.document_id = s.document_id and p.section_id = s.parent_id
where s.span_start < 0 or s.span_end < s.span_start or s.span_end > n.text_length
   or (s.parent_id is not null
       and (p.section_id is null or s.span_start < p.span_start or s.span_end > p.span_end or s.level <= p.level))

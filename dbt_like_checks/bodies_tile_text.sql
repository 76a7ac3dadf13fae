-- What has to be tiled begins after a leading front matter, which is metadata and not text. A text that was
-- cut into nothing at all is a row too.
with begins as (
    select n.document_id, length(n.text) as text_end, coalesce(b.span_end, 0) as text_start,
           regexp_matches(substring(n.text, coalesce(b.span_end, 0) + 1), '\S') as has_text
    from normalized_text n
    join ledger l on l.document_id = n.document_id and l.asset = 'chunks'
    left join blocks b on b.document_id = n.document_id and b.ordinal = 0 and b.kind = 'front_matter'
    where n.rejection is null
),
bodies as (
    select document_id, ordinal, body_start, body_end,
           lag(body_end) over (partition by document_id order by ordinal) as previous_end,
           lead(ordinal) over (partition by document_id order by ordinal) as next_ordinal
    from chunks where level = 0
)
select t.document_id, b.ordinal, b.previous_end, b.body_start, b.body_end, t.text_start, t.text_end
from begins t
left join bodies b using (document_id)
where b.body_start <> coalesce(b.previous_end, t.text_start) or b.body_end <= b.body_start
   or (b.next_ordinal is null and b.body_end <> t.text_end)
   or (b.document_id is null and t.has_text)

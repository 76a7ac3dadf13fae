-- A reason is from the closed list, its seam lies outside the plan's band, and the chunks bear it out.
select c.document_id, c.chunk_id, c.seam_kind, c.overlap_ratio, c.exemption
from (select *, lag(atomic) over (partition by document_id, level order by ordinal) as after_atomic from chunks) c
join chunk_plans p using (document_id)
where c.exemption is not null
  and (c.exemption not in ('atomic_neighbour', 'section_start', 'unsplittable_sentence', 'short_previous')
       or c.overlap_ratio between (p.settings ->> '$.overlap.low')::double
                              and (p.settings ->> '$.overlap.high')::double
       or (c.exemption = 'section_start' and c.seam_kind <> 'section')
       or (c.exemption = 'atomic_neighbour' and not c.atomic and not coalesce(c.after_atomic, false)))

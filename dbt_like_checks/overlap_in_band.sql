-- The band is the one that the document's plan sets.
select c.document_id, c.chunk_id, c.seam_kind, c.overlap_ratio, p.tier
from chunks c
join chunk_plans p using (document_id)
where c.level = 0 and c.seam_kind <> 'start' and c.exemption is null and p.strategy = 'tier'
  and c.overlap_ratio not between (p.settings ->> '$.overlap.low')::double - 1e-9
                              and (p.settings ->> '$.overlap.high')::double + 1e-9

-- The hard maximum is the plan's target times its factor. A chunk over it holds an atomic block, or is marked as
-- oversize because its text cannot be split.
select c.document_id, c.chunk_id, c.tokens, p.tier,
       (p.settings ->> '$.largest')::double * (p.settings ->> ('$.' || p.tier || '.target'))::double as largest
from chunks c
join chunk_plans p using (document_id)
where c.level = 0 and p.strategy = 'tier' and not c.atomic
  and ((c.tokens > (p.settings ->> '$.largest')::double * (p.settings ->> ('$.' || p.tier || '.target'))::double
        and not c.oversize)
       or c.tokens <= 0)

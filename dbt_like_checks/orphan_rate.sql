select tier, orphans, entities, round(orphans / entities, 3) as rate
from (
    select p.tier, count(distinct m.entity_id) as entities,
           count(distinct m.entity_id) filter (o.entity_id is not null) as orphans
    from mention_entities m
    join chunk_plans p using (document_id)
    left join orphans o using (entity_id)
    group by p.tier
)
where orphans / entities > 0.9
order by tier

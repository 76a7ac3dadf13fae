-- By tier and by format of the documents that name the entities; a group of fewer than 20 entities says nothing.
with named as (
    select distinct m.entity_id, p.tier, d.source_format
    from mention_entities m
    join published.chunk_plans p using (document_id)
    join published.documents d using (document_id)
),
grouped as (
    select entity_id, 'tier' as by, tier as of from named
    union select entity_id, 'format', source_format from named
)
select g.by, g.of, count(o.entity_id) as orphans, count(*) as entities,
       round(count(o.entity_id) / count(*), 3) as rate
from grouped g
left join orphans o using (entity_id)
group by g.by, g.of
having count(*) >= 20 and count(o.entity_id) > 0.9 * count(*)

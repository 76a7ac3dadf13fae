-- One entity in more than a fifth of all edges, and in twenty times as many as the entity in the middle, is
-- more often a name that everything was merged into than a thing. Says nothing on fewer than fifty entities.
with degrees as (
    select entity_id, count(*) as degree
    from (select subject_id as entity_id from edges union all select object_id from edges)
    group by entity_id
),
usual as (select count(*) as entities, median(degree) as middle, (select count(*) from edges) as edges from degrees)
select d.entity_id, n.name, n.type, d.degree, u.middle, u.edges, round(d.degree / u.edges, 3) as share
from degrees d
join entities n using (entity_id)
cross join usual u
where u.entities >= 50 and d.degree > 0.2 * u.edges and d.degree > 20 * u.middle

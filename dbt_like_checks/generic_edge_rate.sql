-- Edges that say next to nothing: a relation that only says that there is one, or an end without two letters.
-- Shown by relation where together they are more than a fifth of at least twenty edges.
with judged as (
    select e.relation,
           e.relation in ('be', 'have', 'do', 'get', 'make', 'relate_to', 'associate_with', 'involve', 'concern')
           or not regexp_matches(s.name, '\p{L}.*\p{L}') or not regexp_matches(o.name, '\p{L}.*\p{L}') as generic
    from edges e
    join entities s on s.entity_id = e.subject_id
    join entities o on o.entity_id = e.object_id
),
total as (select count(*) as edges, count(*) filter (generic) as generic_edges from judged)
select j.relation, count(*) as generic, t.edges, round(t.generic_edges / t.edges, 3) as rate
from judged j, total t
where j.generic and t.edges >= 20 and t.generic_edges > 0.2 * t.edges
group by j.relation, t.edges, t.generic_edges

-- Named mentions become entities, corpus-wide, by their normalized name (case, width, spaces and leading
-- articles folded by the extractor). A mention that a chunk only carries is the same stretch of text as in
-- the chunk before it and counts once. Every mention keeps a row that says how it was resolved.

create or replace temp table named_spans as
select document_id, span_start, span_end, name,
       any_value(surface) as surface,
       arg_min(type, mention_id) as type
from published.mentions
where kind = 'named' and name <> ''
group by document_id, span_start, span_end, name;

create or replace temp table surfaces as
select name, surface, count(*) as uses,
       row_number() over (partition by name order by count(*) desc, surface) as place
from named_spans
group by name, surface;

create or replace temp table types as
select name, type,
       row_number() over (partition by name order by count(*) desc, type) as place
from named_spans
group by name, type;

insert into entities by name
select 'ent_' || substring(sha256(n.name), 1, 16) as entity_id,
       s.surface as name, n.name as key, t.type,
       count(*) as mentions, count(distinct n.document_id) as documents
from named_spans n
join surfaces s on s.name = n.name and s.place = 1
join types t on t.name = n.name and t.place = 1
group by n.name, s.surface, t.type
order by n.name;

insert into mention_entities by name
select m.mention_id, m.document_id, e.entity_id,
       case when m.surface = e.name then 'exact' else 'normalized' end as method,
       1.0 as score
from published.mentions m
join entities e on e.key = m.name
where m.kind = 'named'
order by m.mention_id;

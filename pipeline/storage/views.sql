-- The views that people and checks read.

create or replace view document_status as
select k.document_id, coalesce(d.source, split_part(k.document_id, '/', 1)) as source,
       coalesce(d.path, k.document_id) as path, d.version, d.source_format, d.loader, d.access_labels,
       n.title, n.token_count, p.rule, p.tier,
       case when f.error is not null then 'failed'
            when coalesce(d.rejection, n.rejection) = 'empty' then 'empty'
            when coalesce(d.rejection, n.rejection) is not null then 'rejected:' || coalesce(d.rejection, n.rejection)
            when q.reason is not null then 'quarantined'
            when w.document_id is not null then 'ingested'
            else 'pending' end as status,
       coalesce(f.error, case when coalesce(d.rejection, n.rejection) is null then q.reason end, d.detail, n.detail)
           || case when (f.error is not null or q.reason is not null) and h.document_id is not null
                   then '; its edges in the graph stay' else '' end as detail
from (select document_id from documents union select document_id from failures) k
left join documents d using (document_id)
left join normalized_text n using (document_id)
left join chunk_plans p using (document_id)
left join (select document_id, min(asset || ': ' || error) as error from failures group by 1) f using (document_id)
left join (
    select document_id,
           string_agg(asset || ': ' || check_name || ' (' || failing_rows
                      || case failing_rows when 1 then ' row)' else ' rows)' end, '; ' order by asset, check_name)
               as reason
    from quarantine group by document_id
) q using (document_id)
left join (select distinct document_id from held.ledger) h using (document_id)
left join whole_documents w using (document_id);

-- The line edge → claim → exact span → chunk → document version, one row for each claim of an edge.
-- The texts come last: joined earlier, each claim would carry a copy of its whole document through every join.
create or replace view edge_lineage as
with stated as materialized (
    select e.edge_id, s.name as subject, e.relation, o.name as object, e.support,
           c.claim_id, c.chunk_id, c.document_id, d.source, d.path, k.section_path, k.header,
           c.predicate, c.polarity, c.modality, c.pattern, c.confidence, c.evidence_start, c.evidence_end,
           ms.surface as subject_surface, ms.span_start as subject_start, ms.span_end as subject_end,
           mo.surface as object_surface, mo.span_start as object_start, mo.span_end as object_end
    from edges e
    join edge_claims ec using (edge_id)
    join published.claims c using (claim_id)
    join published.mentions ms on ms.mention_id = c.subject_id
    join published.mentions mo on mo.mention_id = c.object_id
    join published.chunks k on k.chunk_id = c.chunk_id
    join published.documents d on d.document_id = c.document_id
    join entities s on s.entity_id = e.subject_id
    join entities o on o.entity_id = e.object_id
)
select s.edge_id, s.subject, s.relation, s.object, s.support,
       s.claim_id, s.chunk_id, s.document_id, n.version, s.source, s.path, s.section_path, s.header,
       s.predicate, s.polarity, s.modality, s.pattern, s.confidence, s.evidence_start, s.evidence_end,
       substring(n.text, s.evidence_start + 1, s.evidence_end - s.evidence_start) as evidence,
       s.subject_surface, s.subject_start, s.subject_end, s.object_surface, s.object_start, s.object_end
from stated s
join published.normalized_text n on n.document_id = s.document_id;

create or replace view orphans as
select n.entity_id, n.name, n.type, n.mentions, n.documents
from entities n
where not exists (select 1 from edges e where n.entity_id in (e.subject_id, e.object_id));

-- Texts in pages of 2,048 code points, for substring() walks from the start of its string: without pages, reading
-- all chunks of a long text would cost the square of its length. Made by halving, which reads each text log times.
create or replace view text_pages as
with recursive pieces as (
    select document_id, 0::bigint as page, text, length(text) as size
    from normalized_text where text is not null
    union all
    select document_id,
           page + side * half as page,
           case side when 0 then substring(text, 1, half * 2048) else substring(text, half * 2048 + 1) end as text,
           case side when 0 then half * 2048 else size - half * 2048 end as size
    from (select *, (size + 2047) // 2048 // 2 as half from pieces where size > 2048)
    cross join (values (0), (1)) sides(side)
)
select document_id, page, text from pieces where size <= 2048;

-- What each chunk says: carried text and body, without the header.
create or replace view chunk_texts as
select document_id, chunk_id, chunk_start,
       string_agg(
           substring(t.text,
                     greatest(chunk_start - page * 2048, 0) + 1,
                     least(body_end - page * 2048, 2048) - greatest(chunk_start - page * 2048, 0)),
           '' order by page) as text
from (
    select *, unnest(range(chunk_start // 2048, (body_end - 1) // 2048 + 1)) as page
    from (select *, coalesce(carried_start, body_start) as chunk_start from chunks)
) c
join text_pages t using (document_id, page)
group by document_id, chunk_id, chunk_start;

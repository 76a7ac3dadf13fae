-- Rows that nobody accounts for would stay for ever: no run looks at them again.
with held as (
    select 'documents' as asset, document_id from documents
    union all select 'normalized_text', document_id from normalized_text
    union all select 'normalized_text', document_id from sections
    union all select 'normalized_text', document_id from blocks
    union all select 'chunk_plans', document_id from chunk_plans
    union all select 'chunks', document_id from chunks
    union all select 'chunks', document_id from chunk_quality
    union all select 'extractions', document_id from chunk_extractions
    union all select 'extractions', document_id from mentions
    union all select 'extractions', document_id from claims
)
select h.document_id, h.asset, count(*) as rows
from held h
left join ledger l on l.asset = h.asset and l.document_id = h.document_id
left join (select distinct document_id from documents) d on d.document_id = h.document_id
where l.document_id is null or d.document_id is null
group by h.document_id, h.asset

-- What a chunk said when it was cut (header and text, as one digest) against what its spans say in the text
-- that is there; and chunks, texts and plans of which the ledger knows nothing, or of another version.
select c.document_id, c.chunk_id, c.ordinal,
       case when l.document_id is null then 'no ledger entry'
            when p.document_id is null then 'no plan'
            when n.version <> d.version then 'text of another version'
            else 'text differs' end as reason
from chunks c
left join ledger l on l.document_id = c.document_id and l.asset = 'chunks'
left join chunk_plans p on p.document_id = c.document_id
left join normalized_text n on n.document_id = c.document_id
left join chunk_texts t on t.document_id = c.document_id and t.chunk_id = c.chunk_id
left join documents d on d.document_id = c.document_id
where l.document_id is null or p.document_id is null or n.version is distinct from d.version
   or c.content_key is distinct from sha256(encode(c.header) || '\x00'::blob || encode(t.text))

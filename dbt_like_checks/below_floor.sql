-- A document of one chunk has no neighbour to merge with.
select c.document_id, c.chunk_id, c.ordinal, c.floor_entities, c.floor_predicates, c.atomic
from (select *, count(*) over (partition by document_id) as chunks_of_document from chunks where level = 0) c
where not c.floor_passed and c.chunks_of_document > 1

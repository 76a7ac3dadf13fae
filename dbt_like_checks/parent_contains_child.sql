select c.document_id, c.chunk_id, c.parent_id, c.body_start, c.body_end
from chunks c
join chunk_plans p using (document_id)
left join chunks parent on parent.document_id = c.document_id and parent.chunk_id = c.parent_id and parent.level = 1
where c.level = 0 and p.tier = 'hierarchical' and p.strategy = 'tier'
  and (parent.chunk_id is null or c.body_start < parent.body_start or c.body_end > parent.body_end)

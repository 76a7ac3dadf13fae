select document_id, chunk_id, carried_start, carried_end, body_start, previous_start
from (select *, lag(body_start) over (partition by document_id, level order by ordinal) as previous_start from chunks)
where carried_start is not null
  and (carried_end <> body_start or carried_start >= carried_end or previous_start is null or carried_start < previous_start)

select document_id, chunk_id, ordinal, seam_kind, carried_tokens
from chunks
where level = 0 and dangling

select document_id, chunk_id, seam_kind, overlap_ratio, exemption
from chunks
where exemption is not null
  and (exemption not in ('atomic_neighbour', 'section_start', 'unsplittable_sentence', 'short_previous')
       or overlap_ratio between 0.15 and 0.20)
order by document_id, ordinal

-- An extractor that says the same thing of the same words again and again: more than a fifth of the claims of a
-- document that has at least twenty.
with stated as (
    select document_id, count(*) as times
    from claims
    where outcome = 'accepted'
    group by document_id, chunk_id, evidence_start, evidence_end, subject_id, relation, object_id, literal_start
)
select document_id, sum(times) as claims, sum(times - 1) as repeated, round(sum(times - 1) / sum(times), 3) as share
from stated
group by document_id
having sum(times) >= 20 and sum(times - 1) > 0.2 * sum(times)

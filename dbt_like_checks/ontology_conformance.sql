-- Closed sets for what a mention is and how a claim is meant; a relation is words of lower case joined by _.
select document_id, mention_id as id, 'mention' as what, type || ' ' || kind as found
from mentions
where type not in ('person', 'organization', 'place', 'system', 'document', 'event', 'code', 'group', 'thing')
   or kind not in ('named', 'nominal', 'pronominal')
union all
select document_id, claim_id, 'claim', relation || ' ' || polarity || ' ' || modality || ' ' || outcome
from claims
where relation <> lower(relation) or length(relation) > 100
   or not regexp_full_match(relation, '[\p{L}\p{M}\p{N}]+(_[\p{L}\p{M}\p{N}]+)*')
   or polarity not in ('affirmed', 'negated', 'unknown')
   or modality not in ('asserted', 'possible', 'planned', 'conditional', 'required', 'attributed', 'unknown')
   or outcome not in ('accepted', 'carried')

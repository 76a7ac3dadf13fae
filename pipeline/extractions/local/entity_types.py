"""What kind of thing a name names: its last word tells more surely than the small model's label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pipeline.extractions.local import lexicon

PERSON = "person"
ORGANIZATION = "organization"
PLACE = "place"
SYSTEM = "system"
DOCUMENT = "document"
EVENT = "event"
CODE = "code"
GROUP = "group"
THING = "thing"

_BY_LABEL = {
    "PERSON": PERSON,
    "ORG": ORGANIZATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "PRODUCT": SYSTEM,
    "EVENT": EVENT,
    "WORK_OF_ART": DOCUMENT,
    "LAW": DOCUMENT,
    "NORP": GROUP,
    "LANGUAGE": THING,
}
_BY_HEAD = (
    (lexicon.ORGANIZATION_HEADS, ORGANIZATION),
    (lexicon.DOCUMENT_HEADS, DOCUMENT),
    (lexicon.EVENT_HEADS, EVENT),
    (lexicon.SYSTEM_HEADS, SYSTEM),
    (lexicon.PLACE_HEADS, PLACE),
)
_CODED = re.compile(r".*\d.*")


def entity_type(words: Sequence[str], label: str, code: bool, honored: bool) -> str:
    """The type of a name. ``label`` is the model's ("" for none), ``code`` says it was inline code,
    ``honored`` that a title such as "Dr." stood before it."""
    if code:
        return CODE
    if honored:
        return PERSON
    head = words[-1].lower()
    for heads, kind in _BY_HEAD:
        if head in heads:
            return kind
    if label == "PERSON" and len(words) == 1:
        return THING  # the small model takes most invented single names for people
    if any(_CODED.fullmatch(word) for word in words) and label not in ("EVENT", "LAW"):
        return SYSTEM
    return _BY_LABEL.get(label, THING)


def agreed_types(types: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One type for each name from all its ``(name, type)`` mentions: the most frequent, ``thing`` last,
    ties by name of the type; a surname is a person. The small model gives the same name another label in
    another sentence."""
    counts: dict[str, Counter[str]] = {}
    for name, kind in types:
        counts.setdefault(name, Counter())[kind] += 1
    agreed = {
        name: min(counter, key=lambda kind: (kind == THING, -counter[kind], kind))
        for name, counter in counts.items()
    }
    surnames = {name.rsplit(" ", 1)[1] for name, kind in agreed.items() if kind == PERSON and " " in name}
    return {name: PERSON if name in surnames and kind == THING else kind for name, kind in agreed.items()}

"""Pronouns and descriptions taken back to a name, only where hardly anything else could be meant.

Within a sentence: the subject of the clause around, if it is the one name that fits. Across sentences: the
subject of the sentence right before, if no other name there competes, or a name that ends with the very
word of the description ("the router" after "Atlas Router"). Everything else stays unresolved: a wrong name
is worse than none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.arguments import Argument, Phrases
from pipeline.extractions.local.entity_types import ORGANIZATION, PERSON
from pipeline.spans import Span

if TYPE_CHECKING:
    from spacy.tokens import Token

_MEMORY = 3
"""Sentences a description may reach back; longer evidence would no longer be a passage one reads at a
glance."""

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_ASIDE = frozenset({"poss", "compound", "appos", "attr", "nmod"})


@dataclass(frozen=True, slots=True)
class Referent:
    """A named mention (its index), its name and type, how it stood in its sentence, and that sentence."""

    mention: int
    name: str
    type: str
    role: str
    evidence: Span


@dataclass(slots=True)
class Discourse:
    """What the last sentences of one passage were about."""

    topic: Referent | None = None
    recent: list[list[Referent]] = field(default_factory=list)

    def advance(self, topic: Referent | None, referents: list[Referent]) -> None:
        """The next sentence has been read."""
        self.topic = topic
        self.recent = [*self.recent[1 - _MEMORY :], referents]


def resolve(
    argument: Argument, phrases: Phrases, here: list[Referent], discourse: Discourse
) -> Referent | None:
    """The referent that a pronominal or definite nominal argument takes up, or None.

    ``here`` are the named mentions of the sentence itself that stand before the argument.
    """
    head = phrases.reading.doc[argument.head]
    if argument.kind == "pronominal":
        return _pronoun(head, here, discourse)
    if argument.kind == "nominal" and argument.definite and argument.first == argument.last:
        return _description(head, here, discourse)
    return None


def _pronoun(head: Token, here: list[Referent], discourse: Discourse) -> Referent | None:
    if head.dep_ not in _SUBJECTS or head.lower_ not in ("it", "he", "she"):
        return None
    fitting = {referent.name: referent for referent in here if _fits(head, referent)}
    if len(fitting) == 1:
        only = next(iter(fitting.values()))
        return only if only.role in _SUBJECTS and not _noun_between(head) else None
    if fitting or _earlier_subject(head):
        return None
    return _previous_topic(discourse, lambda referent: _fits(head, referent))


def _description(head: Token, here: list[Referent], discourse: Discourse) -> Referent | None:
    word = head.lemma_.lower()
    ending = {
        referent.name: referent
        for referents in (*discourse.recent, here)
        for referent in referents
        if referent.name.endswith(" " + word)
    }
    if len(ending) == 1:
        return next(iter(ending.values()))
    if ending or word not in lexicon.GENERIC_HEADS or head.dep_ not in _SUBJECTS:
        return None
    if here or _earlier_subject(head):
        return None
    return _previous_topic(discourse, lambda referent: _is_one(word, referent))


def _previous_topic(discourse: Discourse, fits: object) -> Referent | None:
    topic = discourse.topic
    if topic is None or not fits(topic):  # type: ignore[operator]
        return None
    rivals = [
        referent
        for referent in (discourse.recent[-1] if discourse.recent else [])
        if referent.name != topic.name and fits(referent) and referent.role not in _ASIDE  # type: ignore[operator]
    ]
    return None if rivals else topic


def _fits(pronoun: Token, referent: Referent) -> bool:
    return (pronoun.lower_ != "it") == (referent.type == PERSON)


def _is_one(word: str, referent: Referent) -> bool:
    """Whether "the company", "the team", "the service" can be this referent."""
    collective = word in ("company", "team")
    return referent.type != PERSON and (referent.type == ORGANIZATION) == collective


def _earlier_subject(head: Token) -> bool:
    """Whether another subject stands before in the sentence: then the sentence has its own topic."""
    return any(token.dep_ in _SUBJECTS and token.i < head.i for token in head.doc)


def _noun_between(head: Token) -> bool:
    """Whether a common-noun subject stands before the pronoun and competes."""
    return any(token.dep_ in _SUBJECTS and token.tag_ in ("NN",) and token.i < head.i for token in head.doc)

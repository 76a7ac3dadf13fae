"""What the clause above does to a clause: "denied that", "plans to", "without", "is unlikely to", "because".

An embedding that is not known to keep a fact a fact makes the modality ``unknown``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.cues import SUBJECTS, Stance, condition_of, own_cues, weak_cues

if TYPE_CHECKING:
    from spacy.tokens import Token

_FACTUAL_MARKS = frozenset(
    {
        "because",
        "since",
        "although",
        "though",
        "as",
        "while",
        "so",
        "that",
        "whereas",
        "after",
        "before",
        "when",
    }
)


def embedded(node: Token, head: Token, stance: Stance, presupposed: bool) -> bool:
    """What the clause above does to the clause at ``node``; True where that clause only presupposes it."""
    if node.dep_ == "pcomp" or head.pos_ in ("ADP", "SCONJ"):
        _prepositional(head, stance)
        return False
    if node.dep_ == "advcl":
        return _adverbial(node, head, stance, presupposed)
    if head.pos_ not in ("VERB", "AUX"):
        if head.pos_ == "ADJ":
            _adjective(head, stance)
        else:
            stance.add("unknown")
        return False
    if node.dep_ == "parataxis" and head.lemma_ not in lexicon.SAYING:
        weak_cues(head, stance)
        return False
    if is_loose(node):
        weak_cues(head, stance)
        return False
    _governed(node, head, stance)
    return False


def is_loose(clause: Token) -> bool:
    """Whether two main clauses stand side by side, joined by a comma, semicolon or colon, though the parser
    hangs the first on the second. Before a verb of saying with its speaker the first is a quotation
    instead."""
    head = clause.head
    if clause.dep_ != "ccomp" or clause.i > head.i or any(child.dep_ == "mark" for child in clause.children):
        return False
    if head.lemma_ not in lexicon.SAYING | lexicon.DENYING | lexicon.GUESSING | {"ask"}:
        return True
    own_matter = any(child.dep_ == "dobj" for child in head.children) and not any(
        child.dep_ in SUBJECTS for child in head.children
    )
    return own_matter or any(token.text in (";", ":", "—", "–") for token in head.doc[clause.i : head.i])


def _governed(node: Token, verb: Token, stance: Stance) -> None:
    """A complement clause: the governing verb decides."""
    lemma, passive = verb.lemma_, any(child.dep_ == "auxpass" for child in verb.children)
    negated = Stance()
    own_cues(verb, negated)
    to_clause = node.dep_ == "xcomp"
    if lemma in lexicon.DENYING:
        stance.negations += 1 + negated.negations
        stance.add("attributed")
        stance.source = stance.source or _speaker(verb)
    elif lemma in lexicon.FAILING:
        stance.negations += 1 + negated.negations
    elif lemma in ("be", "become"):
        _predicated(verb, stance)
        stance.negations += negated.negations
    elif to_clause and verb.lower_ == "used" and not passive:
        stance.add("unknown")  # "used to supply": over, or habit
    elif to_clause and lemma == "have":
        late = any(child.lower_ == "yet" for child in verb.children)
        stance.negations += late + negated.negations
        stance.add(None if late else "required")
    elif lemma in lexicon.SAYING and not (to_clause and lemma in ("find", "show") and not passive):
        stance.add("attributed")
        stance.source = stance.source or _speaker(verb)
        if negated.negations:
            stance.add("unknown")
    elif lemma in lexicon.PLANNING:
        stance.add("possible" if lemma == "expect" and passive else "planned")
        stance.negations += negated.negations
    elif lemma in lexicon.REQUIRING:
        stance.add("required")
        stance.negations += negated.negations
    elif lemma in lexicon.SEEMING:
        stance.add("possible")
        stance.negations += negated.negations
    elif to_clause and lemma in lexicon.FACTUAL:
        stance.negations += negated.negations
        stance.modalities |= negated.modalities
    else:
        stance.add("unknown")
        stance.negations += negated.negations
    stance.modalities |= negated.modalities


def _predicated(verb: Token, stance: Stance) -> None:
    """ "It is unlikely that …", "X is due to …", "the plan is to …"."""
    predicate = next((child for child in verb.children if child.dep_ in ("acomp", "attr", "oprd")), None)
    word = predicate.lower_ if predicate is not None else ""
    if word in lexicon.FALSE_ADJECTIVES:
        stance.negations += 1
    elif word in lexicon.TRUTH_ADJECTIVES:
        stance.add(lexicon.TRUTH_ADJECTIVES[word])  # type: ignore[arg-type]
    else:
        stance.add("unknown")


def _adjective(adjective: Token, stance: Stance) -> None:
    """An infinitive on an adjective: "unable to", "scheduled to", "likely to"."""
    word = adjective.lower_
    if word in lexicon.UNABLE_ADJECTIVES:
        stance.negations += 1
    elif word in lexicon.PLANNED_ADJECTIVES:
        stance.add("planned")
    elif word in lexicon.ABLE_ADJECTIVES or word in lexicon.TRUTH_ADJECTIVES:
        stance.add("possible")
    else:
        stance.add("unknown")
    verb = adjective.head
    if verb.pos_ in ("VERB", "AUX"):
        above = Stance()
        own_cues(verb, above)
        stance.negations += above.negations
        stance.modalities |= above.modalities


def _prepositional(preposition: Token, stance: Stance) -> None:
    """A gerund after a preposition: "without using", "instead of using", "from calling", "by using"."""
    word, before = preposition.lower_, preposition.doc[preposition.i - 1].lower_ if preposition.i else ""
    verb = preposition.head
    prevented = word == "from" and verb.lemma_ in lexicon.FAILING
    if word in ("without", "than") or before in ("instead", "rather") or prevented:
        stance.negations += 1
    elif word not in ("by", "after", "while", "when", "since"):
        stance.add("unknown")
    if verb.pos_ in ("VERB", "AUX"):
        above = Stance()
        own_cues(verb, above)
        if word == "by":
            stance.negations += above.negations
        stance.modalities |= above.modalities


def _adverbial(node: Token, main: Token, stance: Stance, presupposed: bool) -> bool:
    """A clause that is itself a condition, a purpose, a reason or a companion of the main clause."""
    marks = [child.lower_ for child in node.children if child.dep_ in ("mark", "advmod", "prep")]
    condition = condition_of(node, main)
    if condition is not None:
        stance.add(condition)
    if any(child.dep_ == "aux" and child.tag_ == "TO" for child in node.children):
        stance.add("unknown")  # a purpose is not a fact
    elif (
        node.tag_ in ("VBG", "VBN")
        and not any(child.dep_ in SUBJECTS for child in node.children)
        and not presupposed
    ):
        above = Stance()
        own_cues(main, above)
        stance.negations += above.negations
        stance.modalities |= above.modalities
        return False
    elif marks and not any(mark in _FACTUAL_MARKS for mark in marks) and condition is None:
        stance.modalities |= {"unknown"} if any(mark in ("as", "than", "like") for mark in marks) else set()
    if main.pos_ in ("VERB", "AUX"):
        weak_cues(main, stance)
    return True


def _speaker(verb: Token) -> Token | None:
    """Who says so: the subject, or the agent of a passive."""
    for child in verb.children:
        if child.dep_ == "nsubj" and child.lower_ not in ("it", "there") and child.tag_ not in ("WDT", "WP"):
            return child
        if child.dep_ == "agent":
            return next((inner for inner in child.children if inner.dep_ == "pobj"), None)
    if verb.dep_ == "conj" and verb.head.pos_ == "VERB":
        return _speaker(verb.head)
    return None

"""Whether a text asserts a clause, denies it, hedges it or merely reports it.

The stance of a predicate is collected on the way from its token to the root of the parse: cues in its own
clause first (auxiliaries, negation, adverbs, an if-clause), then what each embedding does to it ("denied that",
"plans to", "without", "evidence that"). An embedding that is not known to keep a fact a fact makes the modality
``unknown``: it is better to lose an edge than to assert what the text does not. The idea of reading factuality
off the embedding verbs follows Saurí and Pustejovsky, FactBank (2009) and de Marneffe et al. (2012).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.model import Modality, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Token

_CONDITION = re.compile(
    r"\b(?:unless|lest|(?:as|so) long as|provided that|providing that|in case|in the event|on condition|"
    r"subject to|pending|contingent on|assuming that|only if|even if|as if|as though)\b"
)
_STRENGTH: tuple[Modality, ...] = (
    "unknown",
    "conditional",
    "attributed",
    "possible",
    "planned",
    "required",
    "asserted",
)
_PRESUPPOSED_KEEP = frozenset({"unknown", "conditional", "attributed"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_CLAUSAL = frozenset({"ccomp", "xcomp", "csubj", "csubjpass", "parataxis", "pcomp", "advcl", "acl", "relcl"})
_FACTUAL_MARKS = frozenset(
    {"because", "since", "although", "though", "as", "while", "so", "that", "whereas", "after", "before", "when"}
)


@dataclass(slots=True)
class Stance:
    """Cues collected so far. ``source`` is the token that names who says so."""

    negations: int = 0
    modalities: set[Modality] = field(default_factory=set)
    source: Token | None = None

    @property
    def polarity(self) -> Polarity:
        """One negation negates; two may or may not cancel."""
        return "affirmed" if self.negations == 0 else "negated" if self.negations == 1 else "unknown"

    @property
    def modality(self) -> Modality:
        """The cue that weakens the claim most."""
        return next((modality for modality in _STRENGTH if modality in self.modalities), "asserted")

    def add(self, modality: Modality | None) -> None:
        """Record a modality cue."""
        if modality is not None:
            self.modalities.add(modality)


def stance_of(anchor: Token) -> Stance:
    """The stance of the predicate at ``anchor``: a verb, or a noun for an apposition."""
    stance = Stance()
    presupposed = False
    if anchor.pos_ in ("VERB", "AUX"):
        _own_cues(anchor, stance)
    else:
        presupposed = True
    node = anchor
    for _ in range(len(anchor.doc)):
        head = node.head
        if head.i == node.i:
            break
        if node.dep_ == "conj":
            _conjoined(node, head, stance, presupposed)
        elif node.dep_ in ("relcl", "acl"):
            presupposed = _noun_attached(node, head, stance, presupposed) or presupposed
        elif node.dep_ in _CLAUSAL:
            presupposed = _embedded(node, head, stance, presupposed) or presupposed
        elif presupposed and head.pos_ in ("VERB", "AUX"):
            _weak_cues(head, stance)
        node = head
    _sentence_cues(anchor, stance)
    return stance


def _own_cues(verb: Token, stance: Stance) -> None:
    """What the verb's own clause says: auxiliaries, negation, adverbs, time, conditions."""
    for child in verb.children:
        word = child.lower_
        if child.dep_ == "neg" or (word in lexicon.NEGATORS and child.dep_ in ("advmod", "cc", "preconj", "det")):
            stance.negations += not _only_follows(child)
        elif child.dep_ in ("aux", "auxpass") and word in lexicon.MODALS:
            stance.add("conditional" if word == "'d" and verb.tag_ == "VBN" else lexicon.MODALS[word])  # type: ignore[arg-type]
        elif child.dep_ in ("advmod", "npadvmod", "acomp", "oprd", "amod"):
            _adverb(child, stance)
        elif child.dep_ == "advcl":
            stance.add(_condition(child, verb))
        elif child.dep_ in ("prep", "mark") and word in lexicon.CONDITIONAL_PREPOSITIONS:
            stance.add("conditional" if word != "without" or child.i < verb.i else None)
        elif child.dep_ == "prep" and word == "in" and any(c.lower_ in ("case", "event") for c in child.children):
            stance.add("conditional")
    if verb.lower_ in ("used",) and any(child.dep_ == "xcomp" for child in verb.children):
        stance.add(None)
    if verb.tag_ in ("VBD", "VBN") and verb.lemma_ in lexicon.STATES_THAT_END and _is_past(verb):
        stance.add("unknown")


def _only_follows(negator: Token) -> bool:
    """ "Not only", "not just": no denial."""
    following = negator.doc[negator.i + 1].lower_ if negator.i + 1 < len(negator.doc) else ""
    return negator.lower_ == "not" and following in ("only", "just", "merely", "solely", "simply")


def _adverb(adverb: Token, stance: Stance) -> None:
    word = adverb.lower_
    if word in lexicon.DOUBTFUL_ADVERBS:
        stance.add("unknown")
    elif word in lexicon.POSSIBLE_ADVERBS:
        stance.add("possible")
    elif word in lexicon.REPORTED_ADVERBS:
        stance.add("attributed")
    elif word in lexicon.PLANNED_ADVERBS or (
        word in lexicon.FUTURE_NOUNS and any(child.lower_ == "next" for child in adverb.children)
    ):
        stance.add("planned")
    for child in adverb.children:  # "no longer", "not yet"
        if child.lower_ in ("no", "not", "never") and child.dep_ in ("neg", "advmod", "det"):
            stance.negations += 1


def _condition(clause: Token, main: Token) -> Modality | None:
    """What an adverbial clause does to the clause it hangs on."""
    for child in clause.children:
        word = child.lower_
        if child.dep_ not in ("mark", "advmod", "prep", "aux"):
            continue
        if word in lexicon.CONDITIONAL_MARKS:
            return "conditional"
        if word in lexicon.TEMPORAL_MARKS and not (_is_past(main) and _is_past(clause)):
            return "conditional" if word in ("when", "whenever", "once") else None
        if word in ("as", "long", "soon") and any(
            other.lower_ in ("long", "soon") for other in (*child.children, *clause.children)
        ):
            return "conditional"
    if clause.lower_ in ("provided", "assuming", "supposing", "given") and clause.i < main.i:
        return "conditional"
    inverted = clause.i > 0 and any(
        child.dep_ == "aux" and child.lower_ in ("should", "had", "were") and child.i == clause.left_edge.i
        for child in clause.children
    )
    return "conditional" if inverted else None


def _is_past(verb: Token) -> bool:
    auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if auxiliaries:
        return auxiliaries[0].tag_ == "VBD"
    return verb.tag_ in ("VBD", "VBN")


def _conjoined(node: Token, head: Token, stance: Stance, presupposed: bool) -> None:
    """A coordinated verb shares the clause around it, and auxiliaries and negation where it has none."""
    if head.pos_ not in ("VERB", "AUX"):
        return
    if presupposed:
        _weak_cues(head, stance)
        return
    own = any(child.dep_ in ("aux", "auxpass") or child.dep_ in _SUBJECTS for child in node.children)
    shared = not own and (node.tag_ == head.tag_ or node.tag_ in ("VB", "VBN", "VBG"))
    link = next((child.lower_ for child in head.children if child.dep_ == "cc"), "")
    if shared:
        borrowed = Stance()
        _own_cues(head, borrowed)
        if not any(child.dep_ == "neg" for child in node.children):
            stance.negations += borrowed.negations if link != "but" else 0
        stance.modalities |= borrowed.modalities
    else:
        _weak_cues(head, stance)
    if link == "or" and not stance.negations:
        stance.add("possible")


def _weak_cues(verb: Token, stance: Stance) -> None:
    """Only what reaches into presupposed and side clauses: conditions, reports, doubts."""
    borrowed = Stance()
    _own_cues(verb, borrowed)
    stance.modalities |= borrowed.modalities & _PRESUPPOSED_KEEP


def _noun_attached(node: Token, noun: Token, stance: Stance, presupposed: bool) -> bool:
    """A clause on a noun: a relative clause presupposes its content, a complement ("evidence that") does not."""
    if any(child.lower_ in lexicon.NEGATORS and child.dep_ in ("det", "neg") for child in noun.children):
        stance.negations += 1
    if any(child.lower_ in lexicon.OPEN_DETERMINERS and child.dep_ == "det" for child in noun.children):
        stance.add("unknown")
    complement = any(child.dep_ == "mark" for child in node.children) or noun.lemma_ in lexicon.COMPLEMENT_NOUNS
    infinitive = any(child.dep_ == "aux" and child.tag_ == "TO" for child in node.children)
    if infinitive:
        stance.add("planned" if noun.lemma_ in ("plan", "proposal", "intention", "decision", "goal") else "unknown")
    elif complement:
        governor = noun.head
        negated = noun.lemma_ in ("lack", "absence") or (
            noun.dep_ in ("dobj", "attr", "pobj", "nsubj", "nsubjpass")
            and (governor.lower_ == "without" or any(child.dep_ == "neg" for child in governor.children))
        )
        existing = any(child.lower_ in lexicon.NEGATORS and child.dep_ in ("det", "neg") for child in noun.children)
        stance.negations += negated and not existing
        if not negated and not existing:
            stance.add("attributed" if noun.lemma_ in lexicon.REPORT_NOUNS else "unknown")
        elif noun.lemma_ not in ("evidence", "proof", "sign", "indication", "trace", "record", "fact"):
            stance.add("unknown")
    return True


def _embedded(node: Token, head: Token, stance: Stance, presupposed: bool) -> bool:
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
        _weak_cues(head, stance)
        return False
    quoted = node.dep_ == "ccomp" and node.i < head.i and not any(c.dep_ == "mark" for c in node.children)
    if quoted and head.lemma_ not in lexicon.SAYING | lexicon.DENYING:
        _weak_cues(head, stance)  # two main clauses joined by a comma or semicolon
        return False
    _governed(node, head, stance)
    return False


def _governed(node: Token, verb: Token, stance: Stance) -> None:
    """A complement clause: the governing verb decides."""
    lemma, passive = verb.lemma_, any(child.dep_ == "auxpass" for child in verb.children)
    negated = Stance()
    _own_cues(verb, negated)
    to_clause = node.dep_ == "xcomp"
    if lemma in lexicon.DENYING:
        stance.negations += 1 + negated.negations
        stance.add("attributed")
        stance.source = stance.source or _speaker(verb)
    elif lemma in lexicon.FAILING:
        stance.negations += 1 + negated.negations
    elif lemma in ("be", "become"):
        _predicated(node, verb, stance)
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


def _predicated(node: Token, verb: Token, stance: Stance) -> None:
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
        _own_cues(verb, above)
        stance.negations += above.negations
        stance.modalities |= above.modalities


def _prepositional(preposition: Token, stance: Stance) -> None:
    """A gerund after a preposition: "without using", "instead of using", "from calling", "by using"."""
    word, before = preposition.lower_, preposition.doc[preposition.i - 1].lower_ if preposition.i else ""
    verb = preposition.head
    if word == "without" or before in ("instead", "rather") or word == "than":
        stance.negations += 1
    elif word == "from" and verb.lemma_ in lexicon.FAILING:
        stance.negations += 1
    elif word not in ("by", "after", "while", "when", "since"):
        stance.add("unknown")
    if verb.pos_ in ("VERB", "AUX"):
        above = Stance()
        _own_cues(verb, above)
        if word == "by":
            stance.negations += above.negations
        stance.modalities |= above.modalities


def _adverbial(node: Token, main: Token, stance: Stance, presupposed: bool) -> bool:
    """A clause that is itself a condition, a purpose, a reason or a companion of the main clause."""
    marks = [child.lower_ for child in node.children if child.dep_ in ("mark", "advmod", "prep")]
    condition = _condition(node, main)
    if condition is not None:
        stance.add(condition)
    if any(child.dep_ == "aux" and child.tag_ == "TO" for child in node.children):
        stance.add("unknown")  # a purpose is not a fact
    elif node.tag_ in ("VBG", "VBN") and not any(child.dep_ in _SUBJECTS for child in node.children) and not presupposed:
        above = Stance()
        _own_cues(main, above)
        stance.negations += above.negations
        stance.modalities |= above.modalities
        return False
    elif marks and not any(mark in _FACTUAL_MARKS for mark in marks) and condition is None:
        stance.modalities |= {"unknown"} if any(mark in ("as", "than", "like") for mark in marks) else set()
    if main.pos_ in ("VERB", "AUX"):
        _weak_cues(main, stance)
    return True


def _speaker(verb: Token) -> Token | None:
    """Who says so: the subject, or the agent of a passive."""
    for child in verb.children:
        if child.dep_ == "nsubj" and child.lower_ not in ("it", "there"):
            return child
        if child.dep_ == "agent":
            return next((inner for inner in child.children if inner.dep_ == "pobj"), None)
    if verb.dep_ == "conj" and verb.head.pos_ == "VERB":
        return _speaker(verb.head)
    return None


def _sentence_cues(anchor: Token, stance: Stance) -> None:
    """Cues whose scope is the sentence: a question, an opening condition, "according to", "allegedly"."""
    doc = anchor.doc
    words = [token.lower_ for token in doc]
    if "?" in words[-3:]:
        stance.add("unknown")
    first = next((word for word in words if word[0].isalnum()), "")
    if first in ("if", "unless", "should", "suppose", "assuming", "had", "were", "whether", "imagine"):
        stance.add("conditional")
    if _CONDITION.search(" ".join(words)):
        stance.add("conditional")
    for index, word in enumerate(words):
        if word in lexicon.REPORTED_ADVERBS:
            stance.add("attributed")
        elif word == "according" and words[index + 1 : index + 2] == ["to"]:
            stance.add("attributed")
            to = doc[index + 1]
            source = next((child for child in to.children if child.dep_ == "pobj"), None)
            stance.source = stance.source or source

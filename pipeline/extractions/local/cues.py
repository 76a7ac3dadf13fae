"""Cues of polarity and modality in a clause of its own: auxiliaries, negation, adverbs, conditions, time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.model import Modality, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Token

_STRENGTH: tuple[Modality, ...] = (
    "unknown",
    "conditional",
    "attributed",
    "possible",
    "planned",
    "required",
    "asserted",
)
_PRESUPPOSED_KEEP: frozenset[Modality] = frozenset({"unknown", "conditional", "attributed"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})


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
        for modality in _STRENGTH:
            if modality in self.modalities:
                return modality
        return "asserted"

    def add(self, modality: Modality | None) -> None:
        """Record a modality cue."""
        if modality is not None:
            self.modalities.add(modality)


def own_cues(verb: Token, stance: Stance) -> None:
    """What the verb's own clause says: auxiliaries, negation, adverbs, time, conditions."""
    for child in verb.children:
        word = child.lower_
        if child.dep_ == "neg" or (
            word in lexicon.NEGATORS and child.dep_ in ("advmod", "cc", "preconj", "det")
        ):
            stance.negations += not _only_follows(child)
        elif child.dep_ in ("aux", "auxpass") and word in lexicon.MODALS:
            stance.add("conditional" if word == "'d" and verb.tag_ == "VBN" else lexicon.MODALS[word])  # type: ignore[arg-type]
        elif child.dep_ in ("advmod", "npadvmod", "acomp", "oprd", "amod"):
            _adverb(child, stance)
        elif child.dep_ in ("ccomp", "parataxis") and child.i < verb.i and child.lemma_ in lexicon.SAYING:
            if (
                any(inner.dep_ in SUBJECTS for inner in child.children)
                and child.left_edge.i > verb.left_edge.i
            ):
                stance.add("attributed")  # ", it is said,"
        elif child.dep_ == "advcl":
            stance.add(condition_of(child, verb))
        elif child.dep_ in ("prep", "mark") and word in lexicon.CONDITIONAL_PREPOSITIONS:
            stance.add("conditional" if word != "without" or child.i < verb.i else None)
        elif (
            child.dep_ == "prep"
            and word == "in"
            and any(c.lower_ in ("case", "event") for c in child.children)
        ):
            stance.add("conditional")
    if verb.lower_ in ("used",) and any(child.dep_ == "xcomp" for child in verb.children):
        stance.add(None)
    if verb.tag_ in ("VBD", "VBN") and verb.lemma_ in lexicon.STATES_THAT_END and is_past(verb):
        stance.add("unknown")


def _only_follows(negator: Token) -> bool:
    """ "Not only", "not just": no denial."""
    following = negator.doc[negator.i + 1].lower_ if negator.i + 1 < len(negator.doc) else ""
    return negator.lower_ == "not" and following in ("only", "just", "merely", "solely", "simply")


def _adverb(adverb: Token, stance: Stance) -> None:
    word = adverb.lower_
    if word == "once":
        following = adverb.doc[adverb.i + 1].lower_ if adverb.i + 1 < len(adverb.doc) else ""
        counting = following in ("a", "an", "per", "every", "each", "in", "more", "again", "on")
        stance.add(None if counting or not is_past(adverb.head) else "unknown")
    elif word in lexicon.DOUBTFUL_ADVERBS:
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


def condition_of(clause: Token, main: Token) -> Modality | None:
    """What an adverbial clause does to the clause it hangs on."""
    for child in clause.children:
        word = child.lower_
        if child.dep_ not in ("mark", "advmod", "prep", "aux"):
            continue
        if word in lexicon.CONDITIONAL_MARKS:
            return "conditional"
        if word in lexicon.TEMPORAL_MARKS and not (is_past(main) and is_past(clause)):
            return "conditional"
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


def is_past(verb: Token) -> bool:
    auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if auxiliaries:
        return auxiliaries[0].tag_ == "VBD"
    return verb.tag_ in ("VBD", "VBN")


def weak_cues(verb: Token, stance: Stance) -> None:
    """Only what reaches into presupposed and side clauses: conditions, reports, doubts."""
    borrowed = Stance()
    own_cues(verb, borrowed)
    stance.modalities |= borrowed.modalities & _PRESUPPOSED_KEEP

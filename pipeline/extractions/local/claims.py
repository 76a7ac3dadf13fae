"""Claims of one sentence: frames whose ends are found, with their stance and their evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.arguments import Argument, Phrases, modifier_stance
from pipeline.extractions.local.cues import Stance
from pipeline.extractions.local.embedding import is_loose
from pipeline.extractions.local.frames import Frame, find_frames
from pipeline.extractions.local.naming import IS_A
from pipeline.extractions.local.stance import stance_of
from pipeline.extractions.model import Modality, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Token

CONFIDENCE = {
    "active": 0.9,
    "passive": 0.9,
    "copular": 0.85,
    "copular_role": 0.85,
    "adjectival": 0.85,
    "prepositional": 0.85,
    "passive_prepositional": 0.8,
    "copular_prepositional": 0.75,
    "appositive": 0.8,
    "appositive_role": 0.8,
    "light_verb": 0.75,
    "adjunct": 0.65,
}
"""How sure a pattern is. These are ranks set by reading its output, not calibrated probabilities; they are
multiplied by 0.9 for each end that is no name, by 0.8 where a reference was resolved, and by 0.8 where the
parser split the sentence or the words had to be read with a stand-in."""

_TIMES = frozenset({"DATE", "TIME"})
_SIDE = frozenset({"relcl", "acl", "appos"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim before its ends become mentions."""

    subject: Argument
    object: Argument
    relation: str
    words: tuple[int, ...]
    polarity: Polarity
    modality: Modality
    source: Argument | None
    pattern: str
    valid_time: tuple[int, int] | None
    confidence: float


def find_candidates(phrases: Phrases) -> Iterator[Candidate]:
    """The claims of a sentence, without repeats of the same two ends and relation."""
    seen: set[tuple[int, int, int, int, str]] = set()
    irregular = sum(token.head.i == token.i for token in phrases.reading.doc) > 1
    for frame in find_frames(phrases.reading.doc):
        stance = None
        for subject in phrases.arguments(frame.subject, frame.anchor):
            for target in phrases.arguments(frame.object, frame.anchor, frame.relation == IS_A):
                # By extent: two heads may stand for one name, such as each half of "Haldane & Moss".
                key = (subject.first, subject.last, target.first, target.last, frame.relation)
                if key in seen or not _worthwhile(subject, target, frame, phrases):
                    continue
                seen.add(key)
                stance = stance or stance_of(frame.anchor)
                yield _candidate(frame, subject, target, stance, phrases, irregular)


def _candidate(
    frame: Frame, subject: Argument, target: Argument, stance: Stance, phrases: Phrases, irregular: bool
) -> Candidate:
    negations = stance.negations + subject.negated + target.negated + _denied_role(frame)
    polarity: Polarity = "affirmed" if negations == 0 else "negated" if negations == 1 else "unknown"
    role = modifier_stance(frame.role) if frame.role is not None else None
    hedges = Stance(0, {*stance.modalities, *(m for m in (subject.modality, target.modality, role) if m)})
    modality = hedges.modality
    if (
        polarity == "affirmed"
        and modality == "asserted"
        and _unaccounted_cue(frame, subject, target, irregular)
    ):
        modality = "unknown"
    source = phrases.argument(stance.source) if stance.source is not None else None
    confidence = CONFIDENCE[frame.pattern]
    confidence *= 0.9 ** sum(end.kind in ("nominal", "pronominal") for end in (subject, target))
    confidence *= 0.8 if irregular else 1.0
    return Candidate(
        subject,
        target,
        _relation(frame, target, phrases),
        frame.words,
        polarity,
        modality,
        source,
        frame.pattern,
        _valid_time(frame.anchor, phrases),
        round(confidence, 3),
    )


def _denied_role(frame: Frame) -> bool:
    """ "No connection to", "not an owner of"."""
    return frame.role is not None and any(
        child.lower_ in lexicon.NEGATORS and child.dep_ in ("det", "neg") for child in frame.role.children
    )


def _worthwhile(subject: Argument, target: Argument, frame: Frame, phrases: Phrases) -> bool:
    """Whether the two ends are distinct and at least one of them is known well enough to say something"
    " about."""
    if subject.kind == "literal" or (subject.first <= target.last and target.first <= subject.last):
        return False
    if not frame.relation or any(_covers(end, index) for end in (subject, target) for index in frame.words):
        return False
    if "preposition" in frame.pattern or frame.pattern == "adjunct":
        head = phrases.reading.doc[target.head]
        if target.kind == "nominal" and head.lemma_.lower() in lexicon.VACUOUS_OBJECTS:
            return False
    if target.kind == "literal":
        timed = (literal := phrases.literals.get(target.last)) is not None and literal.label in _TIMES
        if timed and (subject.kind != "named" or frame.pattern in ("adjunct", "active", "passive")):
            return False
        if frame.relation == IS_A and phrases.reading.doc[target.head].tag_ == "NNS" and not timed:
            return False
        return subject.kind == "named" or subject.definite
    if frame.pattern == "appositive" and subject.kind == target.kind == "named":
        low, high = sorted((subject.last, target.last))
        if "(" not in phrases.reading.words[low:high]:
            return False  # a list as likely as another name
    kinds = {subject.kind, target.kind}
    if "named" in kinds:
        return True
    both_known = kinds == {"nominal"} and subject.definite and target.definite
    return both_known or "pronominal" in kinds


def _covers(argument: Argument, index: int) -> bool:
    return argument.first <= index <= argument.last


def _relation(frame: Frame, target: Argument, phrases: Phrases) -> str:
    """A name after "is" is another name for the same thing, unless an article makes it a class; an amount is
    a value."""
    if frame.relation == IS_A and target.kind == "literal":
        return "be"
    if frame.relation != IS_A or target.kind != "named":
        return frame.relation
    head = phrases.reading.doc[target.head]
    indefinite = any(child.dep_ == "det" and child.lower_ in ("a", "an") for child in head.children)
    return IS_A if indefinite else "same_as"


def _unaccounted_cue(frame: Frame, subject: Argument, target: Argument, irregular: bool) -> bool:
    """The safety net: whether a hard cue word governs the claim in a way the stance did not read.

    A cue counts if its clause is the claim's own or one around it, or if it stands between the two ends in no
    side clause of theirs. Where the parser broke the sentence, any cue counts.
    """
    doc = frame.anchor.doc
    low, high = sorted((subject.head, target.head))
    around = {frame.anchor.i, *(ancestor.i for ancestor in _governors(frame.anchor))}
    for token in doc:
        if token.lower_ not in lexicon.HARD_CUES or _harmless(token):
            continue
        governor = _clause(token)
        if irregular or governor.i in around:
            return True
        if low < token.i < high and not _in_side_clause(token, frame):
            return True
    return False


def _harmless(token: Token) -> bool:
    """ "Not only", "no" as an abbreviation, a determiner whose noun is no end of this claim is judged"
    " there."""
    following = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    return (token.lower_ == "not" and following in ("only", "just", "merely", "solely", "simply")) or (
        token.lower_ in ("no", "not", "without", "nor", "neither")
        and token.head.pos_ not in ("VERB", "AUX")
        and token.dep_ != "cc"
        and token.lower_ != "without"
        and token.head.dep_ in ("conj", "appos")
    )


def _clause(token: Token) -> Token:
    node = token
    while node.head.i != node.i:
        if node.i != token.i and node.pos_ in ("VERB", "AUX") and node.dep_ not in ("aux", "auxpass"):
            return node
        node = node.head
    return node


def _governors(anchor: Token) -> Iterator[Token]:
    """The clauses around the anchor, up to where a side clause only presupposes its content."""
    node = anchor
    while node.head.i != node.i:
        if node.dep_ in _SIDE or (
            node.dep_ == "conj" and any(c.dep_ in ("nsubj", "nsubjpass", "aux") for c in node.children)
        ):
            return
        if (node.dep_ == "conj" and node.tag_ in ("VBZ", "VBP", "VBD")) or is_loose(node):
            return
        node = node.head
        if node.pos_ in ("VERB", "AUX"):
            yield node


def _in_side_clause(token: Token, frame: Frame) -> bool:
    """Whether a clause or apposition that is not the claim's own holds the token."""
    own = {frame.anchor.i} if frame.role is None else {frame.anchor.i, frame.role.i}
    node = token
    while node.head.i != node.i and node.i not in own:
        if node.dep_ in _SIDE or node.dep_ == "conj":
            return token.lower_ not in ("if", "unless")  # "X, if approved, replaces Y"
        node = node.head
    return False


def _valid_time(anchor: Token, phrases: Phrases) -> tuple[int, int] | None:
    """The first date or time that modifies the predicate, with its preposition: "since 2016"."""
    for child in anchor.children:
        literal = phrases.literals.get(child.i)
        if literal is not None and literal.label in _TIMES and child.dep_ in ("npadvmod", "advmod"):
            return literal.first, literal.last
        if child.dep_ == "prep":
            for inner in child.children:
                literal = phrases.literals.get(inner.i)
                if literal is not None and literal.label in _TIMES and inner.dep_ == "pobj":
                    return child.i, max(literal.last, child.i)
    return None

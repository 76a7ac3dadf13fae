"""Whether a text asserts a clause, denies it, hedges it or merely reports it.

The stance of a predicate is collected on the way from its token to the root of the parse: cues in its own
clause first (auxiliaries, negation, adverbs, an if-clause), then what each embedding does to it ("denied
that", "plans to", "without", "evidence that"). An embedding that is not known to keep a fact a fact makes
the modality ``unknown``: it is better to lose an edge than to assert what the text does not. The idea of
reading factuality off the embedding verbs follows Saurí and Pustejovsky, FactBank (2009) and de Marneffe et
al. (2012).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.cues import SUBJECTS, Stance, is_past, own_cues, weak_cues
from pipeline.extractions.local.embedding import embedded
from pipeline.extractions.model import Modality

if TYPE_CHECKING:
    from spacy.tokens import Token

_CONDITION = re.compile(
    r"\b(?:unless|lest|(?:as|so) long as|provided that|providing that|in case|in the event|on condition|"
    r"subject to|contingent on|assuming that|only if|even if|as if|as though|"
    r"pending (?:the |an? |its |their )?(?:approval|review|confirmation|decision|agreement))\b"
)
_PHRASES: tuple[tuple[re.Pattern[str], Modality], ...] = (
    (_CONDITION, "conditional"),
    (re.compile(r"\b(?:in (?:the )?absence of|depending on|in the case of)\b"), "conditional"),
    (re.compile(r"\b(?:in theory|in principle|on paper|in an ideal world)\b"), "unknown"),
    (re.compile(r"\b(?:in (?:the )?(?:near |distant )?future|going forward|in the long run)\b"), "planned"),
    (re.compile(r"\bhad better\b|\b'd better\b|\bwould rather\b"), "required"),
    (re.compile(r"^by (?:the end of )?20\d\d\b"), "planned"),
    (re.compile(r"\bin the (?:words|view|opinion|eyes) of\b|\b's (?:words|view|opinion)\b"), "attributed"),
    (re.compile(r"^as \S+(?: \S+){0,5} (?:put|puts|said|says|noted|notes|claimed|claims) "), "attributed"),
)
"""Set phrases whose scope is the sentence, in small letters."""

_OPENERS = frozenset(
    {
        "if",
        "unless",
        "should",
        "suppose",
        "assuming",
        "assume",
        "had",
        "were",
        "whether",
        "imagine",
        "say",
        "let",
    }
)
"""Words that make a whole sentence a supposition when they open it."""

_OPAQUE = lexicon.DENYING | frozenset(
    {
        "propose",
        "plan",
        "consider",
        "suggest",
        "want",
        "seek",
        "need",
        "lack",
        "imagine",
        "request",
        "envision",
    }
)
"""Verbs whose object need not exist: "proposed a separate cluster, KQ-4"."""

_DEEPEST = 40
"""Levels of embedding that are followed; what lies deeper is no sentence a person wrote."""

_CLAUSAL = frozenset({"ccomp", "xcomp", "csubj", "csubjpass", "parataxis", "pcomp", "advcl", "acl", "relcl"})


def stance_of(anchor: Token) -> Stance:
    """The stance of the predicate at ``anchor``: a verb, or a noun for an apposition."""
    stance = Stance()
    presupposed = False
    if anchor.pos_ in ("VERB", "AUX"):
        own_cues(anchor, stance)
    else:
        presupposed = True
    node = anchor
    for _ in range(_DEEPEST):
        head = node.head
        if head.i == node.i:
            break
        if node.dep_ == "conj":
            _conjoined(node, head, stance, presupposed)
        elif node.dep_ in ("relcl", "acl"):
            presupposed = _noun_attached(node, head, stance) or presupposed
        elif node.dep_ in _CLAUSAL:
            presupposed = embedded(node, head, stance, presupposed) or presupposed
        elif presupposed and head.pos_ in ("VERB", "AUX"):
            weak_cues(head, stance)
            if node.dep_ in ("dobj", "attr") and head.lemma_ in _OPAQUE:
                stance.add("unknown")
        node = head
    else:
        stance.add("unknown")
    _sentence_cues(anchor, stance)
    return stance


def _conjoined(node: Token, head: Token, stance: Stance, presupposed: bool) -> None:
    """A coordinated verb shares the clause around it, and auxiliaries and negation where it has none."""
    if head.pos_ not in ("VERB", "AUX"):
        return
    if presupposed:
        weak_cues(head, stance)
        return
    own = any(child.dep_ in ("aux", "auxpass") or child.dep_ in SUBJECTS for child in node.children)
    shared = not own and (node.tag_ == head.tag_ or node.tag_ in ("VB", "VBN", "VBG"))
    link = next((child.lower_ for child in head.children if child.dep_ == "cc"), "")
    if shared:
        borrowed = Stance()
        own_cues(head, borrowed)
        if not any(child.dep_ == "neg" for child in node.children):
            stance.negations += borrowed.negations if link != "but" else 0
        stance.modalities |= borrowed.modalities
    else:
        weak_cues(head, stance)
    if link == "or" and not stance.negations:
        stance.add("possible")


def _noun_attached(node: Token, noun: Token, stance: Stance) -> bool:
    """A clause on a noun: a relative clause presupposes its content, a complement ("evidence that") does"
    " not."""
    if noun.dep_ == "attr" and any(child.lower_ == "it" for child in noun.head.children):
        cleft = Stance()  # "it isn't X that owns Y"
        own_cues(noun.head, cleft)
        stance.negations += cleft.negations
        stance.modalities |= cleft.modalities
    if any(child.lower_ in lexicon.NEGATORS and child.dep_ in ("det", "neg") for child in noun.children):
        stance.negations += 1
    if any(child.lower_ in lexicon.OPEN_DETERMINERS and child.dep_ == "det" for child in noun.children):
        stance.add("unknown")
    complement = (
        any(child.dep_ == "mark" for child in node.children) or noun.lemma_ in lexicon.COMPLEMENT_NOUNS
    )
    infinitive = any(child.dep_ == "aux" and child.tag_ == "TO" for child in node.children)
    if any(child.lower_ in ("when", "whenever") for child in node.children) and not is_past(node):
        stance.add("conditional")
    if infinitive:
        stance.add(
            "planned" if noun.lemma_ in ("plan", "proposal", "intention", "decision", "goal") else "unknown"
        )
    elif complement:
        governor = noun.head
        negated = noun.lemma_ in ("lack", "absence") or (
            noun.dep_ in ("dobj", "attr", "pobj", "nsubj", "nsubjpass")
            and (governor.lower_ == "without" or any(child.dep_ == "neg" for child in governor.children))
        )
        existing = any(
            child.lower_ in lexicon.NEGATORS and child.dep_ in ("det", "neg") for child in noun.children
        )
        stance.negations += negated and not existing
        if not negated and not existing:
            stance.add("attributed" if noun.lemma_ in lexicon.REPORT_NOUNS else "unknown")
        elif noun.lemma_ not in ("evidence", "proof", "sign", "indication", "trace", "record", "fact"):
            stance.add("unknown")
    return True


def _sentence_cues(anchor: Token, stance: Stance) -> None:
    """Cues whose scope is the sentence: a question, an opening condition, "according to", "allegedly"."""
    doc = anchor.doc
    words = [token.lower_ for token in doc]
    if "?" in words:
        stance.add("unknown")
    first = next((word for word in words if word[0].isalnum()), "")
    if first in _OPENERS:
        stance.add("conditional")
    if first in ("once", "when", "whenever", "until") and not is_past(anchor):
        stance.add("conditional")
    flat = " ".join(words)
    for phrase, modality in _PHRASES:
        if phrase.search(flat):
            stance.add(modality)
    for index, word in enumerate(words):
        if word in lexicon.REPORTED_ADVERBS:
            stance.add("attributed")
        elif word == "according" and words[index + 1 : index + 2] == ["to"]:
            stance.add("attributed")
            to = doc[index + 1]
            source = next((child for child in to.children if child.dep_ == "pobj"), None)
            stance.source = stance.source or source

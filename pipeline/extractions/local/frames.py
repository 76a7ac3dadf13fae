"""Claim patterns over a dependency parse: who does what to whom, before anyone asks whether it is true.

Each pattern yields frames: the head tokens of the two ends, the relation and its words, and the anchor at
which the stance is read. The patterns follow open information extraction over clauses (ClausIE, Del Corro and
Gemulla 2013; ReVerb's light verbs, Fader et al. 2011); departures: a passive is turned to agent and patient,
and an adjunct makes a claim only with a preposition that names a relation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.embedding import is_loose
from pipeline.extractions.local.naming import IS_A, relation_name, role_name

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_PLACES = frozenset({"in", "on", "at", "from", "under", "behind", "inside", "of", "near"})
_PROPER = frozenset({"NNP", "NNPS"})
_WH = frozenset({"WDT", "WP", "WP$"})


@dataclass(frozen=True, slots=True)
class Frame:
    """A candidate claim. ``words`` are the tokens of the relation language, ``anchor`` carries its stance;
    ``role`` is the noun of a role, whose modifiers weigh too ("the former head of")."""

    subject: Token
    object: Token
    relation: str
    words: tuple[int, ...]
    anchor: Token
    pattern: str
    role: Token | None = None


def find_frames(doc: Doc) -> Iterator[Frame]:
    """All candidate claims of a parsed sentence, in token order of their anchors."""
    for token in doc:
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass"):
            yield from _verbal(token)
        elif token.dep_ == "appos":
            yield from _appositive(token)


def _verbal(verb: Token) -> Iterator[Frame]:
    subjects, passive = _subjects(verb)
    if verb.lemma_ in lexicon.COPULAS and not passive:
        for subject in subjects:
            yield from _copular(verb, subject)
        if verb.lemma_ == "be" or _child(verb, "attr") is not None:
            return
    particle = _child(verb, "prt")
    stem = (verb, particle) if particle is not None else (verb,)
    if passive:
        yield from _passive(verb, subjects, stem)
    else:
        for subject in subjects:
            yield from _active(verb, subject, stem)


def _active(verb: Token, subject: Token, stem: tuple[Token, ...]) -> Iterator[Frame]:
    objects = [child for child in verb.children if child.dep_ == "dobj" or _misplaced(child, subject)]
    objects = [_antecedent(token, verb) or token for token in objects] or _gap(verb)
    objects = [token for token in objects if token.tag_ not in _WH]
    if (
        not objects
        and verb.tag_ in ("VBD", "VBN")
        and verb.lemma_ in lexicon.TRANSITIVE
        and not _perfect(verb)
    ):
        yield from _passive(verb, [subject], stem)
        return
    controlled = any(child.dep_ in ("ccomp", "xcomp") and child.i > verb.i for child in verb.children)
    name = relation_name(*(_lemma(token) for token in stem))
    for target in objects:
        if target.i != subject.i:
            yield Frame(subject, target, name, _indexes(stem), verb, "active")
            yield from _light(verb, subject, target)
    pattern = "adjunct" if objects or controlled else "prepositional"
    carried = (
        objects[0]
        if verb.lemma_ in lexicon.EMPTY_VERBS and objects and objects[0].tag_ in ("NN", "NNS")
        else None
    )
    for preposition, target in _prepositions(verb, bool(objects) or controlled):
        words = stem if carried is None else (*stem, carried)
        relation = relation_name(
            name, *([_lemma(carried)] if carried is not None else []), preposition.lower_
        )
        yield Frame(subject, target, relation, _indexes((*words, preposition)), verb, pattern, carried)


def _perfect(verb: Token) -> bool:
    return any(child.dep_ == "aux" for child in verb.children)


def _passive(verb: Token, patients: list[Token], stem: tuple[Token, ...]) -> Iterator[Frame]:
    """With an agent the agent comes first. Without one, a preposition still relates the patient to"
    " something."""
    agents = [
        target
        for child in verb.children
        if child.dep_ in ("agent", "prep") and child.lower_ == "by"
        for target in child.children
        if target.dep_ == "pobj" and not _is_means(target)
    ]
    name = relation_name(*(_lemma(token) for token in stem))
    participle = relation_name(verb.lower_, *(token.lower_ for token in stem[1:]))
    for patient in patients:
        for agent in agents:
            by = next(
                child for child in verb.children if child.lower_ == "by" and child.dep_ in ("agent", "prep")
            )
            yield Frame(agent, patient, name, _indexes((*stem, by)), verb, "passive")
        for preposition, target in _prepositions(verb, False):
            if preposition.lower_ == "by":
                continue
            relation = relation_name(participle, preposition.lower_)
            yield Frame(
                patient, target, relation, _indexes((*stem, preposition)), verb, "passive_prepositional"
            )


def _is_means(noun: Token) -> bool:
    """A bare noun after "by" is how, not who: "by telephone", "by hand"."""
    return noun.tag_ in ("NN", "VBG") and noun.text.islower() and not any(noun.children)


def _copular(verb: Token, subject: Token) -> Iterator[Frame]:
    attribute = _child(verb, "attr")
    if attribute is not None and attribute.tag_ not in _WH:
        for token in _with_conjuncts(attribute):
            yield from _described(subject, token, verb, verb, "copular")
    adjective = _child(verb, "acomp")
    if adjective is not None:
        for preposition, target in _prepositions(adjective, False):
            relation = relation_name(adjective.lower_, preposition.lower_)
            yield Frame(subject, target, relation, (verb.i, adjective.i, preposition.i), verb, "adjectival")
    if attribute is None and adjective is None:
        for preposition, target in _prepositions(verb, False):
            if preposition.lower_ in _PLACES:
                relation = relation_name(verb.lemma_, preposition.lower_)
                yield Frame(subject, target, relation, (verb.i, preposition.i), verb, "copular_prepositional")


def _described(
    subject: Token, noun: Token, verb: Token | None, anchor: Token, pattern: str
) -> Iterator[Frame]:
    """A subject and the noun phrase that says what it is, either way round."""
    link = () if verb is None else (verb.i,)
    marks = link or (min(subject.i, noun.i) + 1,)  # the comma is all that says it
    role = _role(noun)
    if role is not None:
        relation, words, target = role
        yield Frame(subject, target, relation, (*link, *words), anchor, f"{pattern}_role", noun)
        return
    turned = _role(subject) if noun.tag_ in ("NNP", "NNPS") else None
    if turned is not None:
        relation, words, target = turned
        yield Frame(noun, target, relation, (*words, *link), anchor, f"{pattern}_role", subject)
        return
    if noun.tag_ in ("NNP", "NNPS") and subject.tag_ in ("NN", "NNS"):
        subject, noun = noun, subject
    yield Frame(subject, noun, IS_A, marks, anchor, pattern)


def _role(noun: Token) -> tuple[str, tuple[int, ...], Token] | None:
    """ "head of Security", "Corvane's owner": the relation, its words and the other end."""
    if noun.tag_ not in ("NN", "NNS") and not noun.text.isupper():
        return None
    if noun.tag_ == "NNS" or noun.lemma_ in lexicon.PARTITIVES - {"part", "instance", "copy"}:
        return None
    inner = [child for child in noun.children if child.dep_ in ("compound", "amod") and child.text.islower()]
    inner = [child for child in inner if child.tag_ == "NN" or child.lower_ in lexicon.ROLE_ADJECTIVES]
    words = [*(child.lower_ for child in inner), noun.lemma_.lower()]
    for preposition, target in _prepositions(noun, False):
        if preposition.lower_ in ("of", "for", "to", "between"):
            indexes = (*(child.i for child in inner), noun.i, preposition.i)
            return role_name(words, preposition.lower_), indexes, target
    owner = _child(noun, "poss")
    if owner is not None and owner.tag_ != "PRP$":
        return role_name(words, "of"), (*(child.i for child in inner), noun.i), owner
    return None


def _appositive(noun: Token) -> Iterator[Frame]:
    """ "Ledgerline, the billing service,": the noun beside a name says what it is."""
    named = noun.head
    if named.pos_ not in ("NOUN", "PROPN") or not _set_off(named, noun):
        return
    if noun.tag_ in ("NNP", "NNPS") and named.tag_ in ("NNP", "NNPS") and _role(noun) is None:
        return
    if noun.tag_ in ("NNP", "NNPS") and named.tag_ in ("NN", "NNS"):
        named, noun = noun, named
        if noun.tag_ == "NNS":
            return
    if noun.tag_ not in ("NN",) and not noun.text.isupper():
        return
    yield from _described(named, noun, None, named, "appositive")


def _set_off(named: Token, noun: Token) -> bool:
    """Whether a comma or parenthesis opens the apposition, and no coordination runs through it."""
    between = [token.text for token in named.doc[named.i + 1 : noun.i]]
    if not between or between[0] not in (",", "(", "-", "–", "—"):
        return noun.tag_ in ("NNP", "NNPS")
    listed = sum(child.dep_ == "appos" for child in named.children) > 1
    return not listed and not any(child.dep_ in ("conj", "cc") for child in (*named.children, *noun.children))


def _light(verb: Token, subject: Token, target: Token) -> Iterator[Frame]:
    """ "provides access to Y": verb, noun and preposition together are the relation."""
    if verb.lemma_ not in lexicon.LIGHT_VERBS or target.tag_ not in ("NN", "NNS"):
        return
    for preposition, end in _prepositions(target, False):
        if preposition.lower_ in ("to", "with", "for", "of", "over", "from", "in"):
            relation = relation_name(verb.lemma_, target.lemma_, preposition.lower_)
            yield Frame(subject, end, relation, (verb.i, target.i, preposition.i), verb, "light_verb", target)


def _prepositions(head: Token, has_object: bool) -> Iterator[tuple[Token, Token]]:
    """Prepositions of ``head`` that name a relation, each with its object, conjoined ones included."""
    for child in head.children:
        if child.dep_ not in ("prep", "dative") or child.pos_ not in ("ADP", "SCONJ", "PART"):
            continue
        for preposition in _with_conjuncts(child):
            word = preposition.lower_
            if word in lexicon.ADJUNCT_PREPOSITIONS or (
                has_object and word not in lexicon.OBJECT_PREPOSITIONS
            ):
                continue
            if _replaced(preposition):
                continue
            for target in preposition.children:
                if target.dep_ == "pobj":
                    antecedent = _antecedent(target, head)
                    yield preposition, antecedent if antecedent is not None else target


def _replaced(preposition: Token) -> bool:
    """ "instead of", "because of", "outside of": the words before change what the preposition says."""
    before = preposition.doc[preposition.i - 1].lower_ if preposition.i else ""
    return before in (
        "instead",
        "because",
        "ahead",
        "regardless",
        "outside",
        "not",
        "rather",
        "out",
        "short",
        "but",
    ) or any(child.dep_ == "neg" for child in preposition.children)


def _subjects(verb: Token) -> tuple[list[Token], bool]:
    """The verb's subjects, its own or those it shares, and whether they undergo it."""
    passive = any(child.dep_ in ("auxpass", "nsubjpass") for child in verb.children)
    own = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
    if own:
        before = [token for token in own if token.i < verb.i]
        meant = [_antecedent(token, verb) or token for token in before or own if not _dummy(token)]
        return [token for token in meant if token.tag_ not in _WH], passive
    head = verb.head
    hidden = [child for child in verb.children if child.dep_ == "compound" and child.text[:1].isupper()]
    if hidden and verb.tag_ in ("VBZ", "VBD") and hidden[-1].i == verb.i - 1:
        return [hidden[-1]], False  # a name the parser took for a modifier of the verb
    if verb.dep_ == "conj" and head.pos_ in ("VERB", "AUX"):
        shared, above = _subjects(head)
        auxiliaries = any(child.dep_ in ("aux", "auxpass") for child in verb.children)
        return shared, passive or (above and not auxiliaries and _shares_passive(verb, head))
    first = next((child for child in verb.children if is_loose(child)), None)
    if first is not None:
        return _subjects(first)[0], passive
    if verb.dep_ == "xcomp" and head.pos_ in ("VERB", "AUX"):
        raised = [child for child in head.children if child.dep_ == "dobj"]
        if raised and head.lemma_ in lexicon.OBJECT_CONTROL:
            return raised, passive
        return ([], False) if raised else (_subjects(head)[0], passive)
    if verb.dep_ == "acl" and verb.tag_ in ("VBG", "VBN"):
        return [head], verb.tag_ == "VBN"
    if verb.dep_ == "advcl" and any(child.lower_ == "as" for child in verb.children):
        return [], False  # "as described in": the sentence, not its subject, is described
    if verb.dep_ == "advcl" and verb.tag_ in ("VBG", "VBN") and head.pos_ in ("VERB", "AUX"):
        return _subjects(head)[0], verb.tag_ == "VBN"
    if verb.dep_ == "pcomp" and head.head.pos_ in ("VERB", "AUX"):
        if head.lower_ == "from":
            blocked = [child for child in head.head.children if child.dep_ == "dobj"]
            if blocked:
                return blocked, passive
        return _subjects(head.head)[0], passive
    return [], False


def _shares_passive(verb: Token, head: Token) -> bool:
    """Whether a coordinated verb continues a passive: "are sent and paid", but not "was founded and"
    " moved"."""
    if verb.tag_ == "VBN":
        return True
    present = any(child.dep_ == "auxpass" and child.tag_ in ("VBZ", "VBP") for child in head.children)
    return verb.tag_ == "VBD" and present and _child(verb, "dobj") is None


def _misplaced(child: Token, subject: Token) -> bool:
    """A name right after the verb is its object, though the parser took it for something else."""
    verb = child.head
    if not subject.i < verb.i < child.i or subject.head.i != verb.i or child.tag_ not in _PROPER:
        return False
    adjacent = child.left_edge.i == verb.i + 1 and _child(verb, "dobj") is None
    return child.dep_ == "nsubj" or (child.dep_ in ("appos", "npadvmod", "dep", "nmod") and adjacent)


def _dummy(token: Token) -> bool:
    """ "There is", and "it" before a that-clause."""
    if token.lower_ == "there":
        return True
    return (
        token.lower_ == "it"
        and token.head.lemma_ == "be"
        and any(child.dep_ in ("ccomp", "csubj") for child in token.head.children)
    )


def _antecedent(token: Token, verb: Token) -> Token | None:
    """The noun a relative pronoun stands for."""
    if token.tag_ not in _WH and not (
        token.lower_ == "that" and token.dep_ in ("nsubj", "nsubjpass", "dobj")
    ):
        return None
    node = verb
    while node.dep_ == "conj" and node.head.pos_ in ("VERB", "AUX"):
        node = node.head
    if node.dep_ != "relcl" or _loosely_attached(node.head):
        return None
    return node.head if node.head.pos_ in ("NOUN", "PROPN", "NUM") else None


def _loosely_attached(noun: Token) -> bool:
    """In "the export of Ledgerline, which …" nobody can tell what "which" takes up."""
    return noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.tag_ in ("NN", "NNS")


def _gap(verb: Token) -> list[Token]:
    """The noun a relative clause without its own object is about: "the database that Ledgerline uses"."""
    if verb.dep_ != "relcl" or verb.head.pos_ not in ("NOUN", "PROPN"):
        return []
    subjects = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
    if not subjects or any(child.tag_ in _WH or child.lower_ == "that" for child in subjects):
        return []
    blocked = any(
        child.dep_ in ("prep", "ccomp", "xcomp", "acomp", "attr", "advmod") or child.dep_ == "nsubjpass"
        for child in verb.children
        if child.i > verb.i or child.tag_ == "WRB"
    )
    return [] if blocked else [verb.head]


def _with_conjuncts(token: Token) -> list[Token]:
    found = [token]
    for child in token.children:
        if child.dep_ == "conj" and child.pos_ == token.pos_:
            found += _with_conjuncts(child)
    return found


def _child(token: Token, dependency: str) -> Token | None:
    return next((child for child in token.children if child.dep_ == dependency), None)


def _lemma(token: Token) -> str:
    return token.lemma_.lower() or token.lower_


def _indexes(tokens: tuple[Token, ...]) -> tuple[int, ...]:
    return tuple(sorted(token.i for token in tokens))

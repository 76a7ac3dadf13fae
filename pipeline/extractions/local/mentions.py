"""Names and literals of one sentence.

The name finder of the small model misses invented names and code, and takes verbs for names. So names are
runs of tokens that any of three witnesses vouches for (the model's entities, its proper-noun tags, the
writing itself: code, capitals, digits), trimmed by what cannot belong to a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.entity_types import entity_type
from pipeline.extractions.local.language import Vocabulary
from pipeline.extractions.local.readings import Reading, is_identifier
from pipeline.extractions.names import normalize_name

if TYPE_CHECKING:
    from spacy.tokens import Token

NAME_LABELS = frozenset(
    {"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "NORP", "LANGUAGE"}
)
LITERAL_LABELS = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"})

_ACRONYM = re.compile(r"[A-Z][A-Z0-9&]+")
_QUARTER = re.compile(r"[QH][1-4]|[A-Z]?\d+(?:[A-Za-z]{1,4})?")
_VERSION = re.compile(r"v?\d+(?:\.[\dx]+)+[\w.-]*|v\d\w*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBER = re.compile(r"\d[\d,.]*%?")
_GENERIC = lexicon.ROLE_NOUNS | lexicon.SYSTEM_HEADS | lexicon.TYPE_HEADS | lexicon.ORGANIZATION_HEADS
_PROPER = frozenset({"NNP", "NNPS"})
_NOUNISH = frozenset({"NNP", "NNPS", "NN", "NNS", "JJ", "CD", "FW", "ADD", "VBG", "VBN", "LS", "XX"})
_INITIAL_DEPS = frozenset({"nsubj", "nsubjpass", "poss", "pobj", "dobj", "attr", "conj", "appos"})


@dataclass(frozen=True, slots=True)
class Name:
    """A named mention: tokens ``first`` to ``last`` (both included) and its entity type."""

    first: int
    last: int
    type: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, date, amount or version: tokens ``first`` to ``last``; ``label`` is the model's."""

    first: int
    last: int
    label: str


def find_names(reading: Reading, known: Collection[str], vocabulary: Vocabulary) -> list[Name]:
    """The names of a sentence, left to right, never overlapping.

    ``known`` are normalized names seen elsewhere in the request: they vouch for a capitalized first word,
    which alone says nothing. ``vocabulary`` knows ordinary words: "Restart Kestrel" opens with an order,
    while "Corvane", which is none, opens with a name.
    """
    labels = _entity_labels(reading)
    flags = [_is_namey(reading, token, labels, known, vocabulary) for token in reading.doc]
    names = []
    for first, last in _runs(reading, flags, vocabulary):
        trimmed = _trim(reading, first, last, known, vocabulary)
        if trimmed is not None:
            names.append(_named(reading, *trimmed, labels))
    return names


def find_literals(reading: Reading, names: Collection[Name]) -> list[Literal]:
    """Dates, amounts, numbers and versions that are no part of a name, left to right."""
    taken = {index for name in names for index in range(name.first, name.last + 1)}
    found = [
        Literal(entity.start, entity.end - 1, entity.label_)
        for entity in reading.doc.ents
        if entity.label_ in LITERAL_LABELS and not taken.intersection(range(entity.start, entity.end))
    ]
    taken |= {index for literal in found for index in range(literal.first, literal.last + 1)}
    found += [
        Literal(index, index, "VERSION" if _VERSION.fullmatch(word) else "CARDINAL")
        for index, word in enumerate(reading.words)
        if index not in taken and (_VERSION.fullmatch(word) or _NUMBER.fullmatch(word))
    ]
    return sorted(found, key=lambda literal: literal.first)


def _entity_labels(reading: Reading) -> dict[int, str]:
    return {
        token.i: entity.label_
        for entity in reading.doc.ents
        if entity.label_ in NAME_LABELS
        for token in entity
    }


def _is_namey(
    reading: Reading, token: Token, labels: dict[int, str], known: Collection[str], vocabulary: Vocabulary
) -> bool:
    word = reading.words[token.i]
    if token.i in reading.code:
        return _code_names(word)
    if (
        not word[0].isalnum()
        or "(" in word
        or not _capitalized_parts(word)
        or word.lower() in lexicon.NOT_NAMES
        or _looks_like_url(word)
    ):
        return False
    if _QUARTER.fullmatch(word) or _NUMBER.fullmatch(word) or _VERSION.fullmatch(word):
        return False
    if is_identifier(word):
        return True
    if not word[0].isupper():  # written as code elsewhere in the request, and no ordinary word
        return len(word) > 3 and word in known and token.tag_ in _NOUNISH and not vocabulary.has(word)
    if _ACRONYM.fullmatch(word) and len(word) > 1:
        return word not in lexicon.COMMON_ACRONYMS or _touches_name(reading, token)
    if token.tag_ in _PROPER or (token.i in labels and token.tag_ in _NOUNISH):
        return True
    if token.i in labels and not token.is_stop and not vocabulary.has(word):
        return True
    if token.i == _first_word(reading):
        return _known_opening(reading, token.i, known) or (
            token.tag_ in _NOUNISH
            and (not vocabulary.has(word) or _is_numbered(reading, token.i, vocabulary))
        )
    return token.tag_ in _NOUNISH and token.tag_ != "CD"


def _capitalized_parts(word: str) -> bool:
    """Whether what a slash joins are names, as in "TCP/IP" but not in "Gbit/s"."""
    return "/" not in word or all(part[:1].isupper() or part[:1].isdigit() for part in word.split("/"))


def _code_names(word: str) -> bool:
    """Whether inline code can be a name: one word with a letter, no call, option, path glob or assignment."""
    return (
        len(word) <= 80
        and not any(character.isspace() or character in "=<>{}()$\"'|;" for character in word)
        and sum(character.isalpha() for character in word) > 1
        and not word.startswith("-")
        and word.lower() not in ("true", "false", "null", "none", "nil", "yes", "no")
    )


def _looks_like_url(word: str) -> bool:
    return "://" in word or word.startswith("www.") or "@" in word


def _touches_name(reading: Reading, token: Token) -> bool:
    """Whether a common abbreviation stands right after a proper word, as in "Kubernetes API"."""
    before = token.i - 1
    return before >= 0 and before not in reading.code and reading.doc[before].tag_ in _PROPER


def _known_opening(reading: Reading, first: int, known: Collection[str]) -> bool:
    """Whether the sentence opens with a name seen elsewhere, of up to four words."""
    last = first
    while last < min(first + 4, len(reading.words)) and reading.words[last][:1].isupper():
        if normalize_name(reading.text(first, last)) in known:
            return True
        last += 1
    return False


def _first_word(reading: Reading) -> int:
    return next((index for index, word in enumerate(reading.words) if word[0].isalnum()), 0)


def _runs(reading: Reading, flags: list[bool], vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Maximal runs of name tokens; small words inside an entity ("Bank of England") and whole numbers right
    after a name ("Gate 1") join."""
    doc, runs = reading.doc, []
    index = 0
    while index < len(doc):
        if not flags[index]:
            index += 1
            continue
        last = index
        code = index in reading.code
        while not code and last + 1 < len(doc):
            step = _joins(reading, flags, last, vocabulary)
            if not step:
                break
            last += step
        runs.append((index, last))
        index = last + 1
    return runs


def _joins(reading: Reading, flags: list[bool], last: int, vocabulary: Vocabulary) -> int:
    """How many tokens after ``last`` the run takes in: 0 where it ends."""
    doc = reading.doc
    follower = last + 1
    if follower in reading.code or reading.broken(last):
        return 0
    word = reading.words[follower]
    if flags[follower] or (doc[follower].tag_ == "CD" and word.istitle() and word.isalpha()):
        return 1
    if word.isdecimal():
        return int(_numbers_a_name(reading, last, vocabulary))
    inside = (
        doc[last].ent_iob_ != "O" and doc[follower].ent_iob_ == "I" and doc[follower].ent_type_ in NAME_LABELS
    )
    if word in ("of", "the", "for", "&", "-") and inside:
        ahead = follower + 1
        while ahead < len(doc) and reading.words[ahead] in ("of", "the", "-"):
            ahead += 1
        if ahead < len(doc) and flags[ahead]:
            return ahead - last
    return 0


def _is_numbered(reading: Reading, index: int, vocabulary: Vocabulary) -> bool:
    """Whether a whole number follows that makes a name of an ordinary word: "Gate 12 is shut"."""
    after = index + 1
    return (
        after < len(reading.words)
        and reading.words[after].isdecimal()
        and not reading.broken(index)
        and _numbers_a_name(reading, index, vocabulary)
    )


def _numbers_a_name(reading: Reading, last: int, vocabulary: Vocabulary) -> bool:
    """Whether the whole number after ``last`` belongs to the name: "Shed 35" and "Shed 36" are not one.

    The model takes most numbers that it has not seen for dates, and gives them any head. Not part of a name
    is what counts the plural after it ("in Riverton 35 people"), the number of a calendar's word ("Spring
    2024"), and a year after a person or organization ("Orsan 2019").
    """
    doc, words, follower = reading.doc, reading.words, last + 1
    counted = doc[follower].head
    if counted.i > follower and counted.tag_ == "NNS":
        after = counted.i + 1
        is_verb = counted.i == follower + 1 and vocabulary.verb_lemma(words[counted.i]) is not None
        return is_verb and after < len(doc) and doc[after].tag_ in ("IN", "TO", "DT")
    if words[last].lower() in lexicon.FUTURE_NOUNS:
        return False
    year = doc[follower].ent_type_ == "DATE" and _YEAR.fullmatch(words[follower])
    return not (year and doc[last].ent_type_ in ("PERSON", "ORG"))


def _trim(
    reading: Reading,
    first: int,
    last: int,
    known: Collection[str],
    vocabulary: Vocabulary,
) -> tuple[int, int] | None:
    """The run without honorifics, a title before a person, and an opening imperative; None if nothing is"
    " left."""
    words = reading.words
    while first < last and words[first].lower().rstrip(".") in lexicon.HONORIFICS:
        first += 1
    person = next(
        (
            entity
            for entity in reading.doc.ents
            if entity.label_ == "PERSON"
            and first < entity.start
            and entity.end - 1 == last
            and len(entity) > 1
        ),
        None,
    )
    if person is not None and words[first].isupper():
        first = person.start
    whole = normalize_name(reading.text(first, last))
    if first == _first_word(reading) and whole not in known and _is_order(reading, first, last, vocabulary):
        first += 1
    if first > last or (first == last and words[first].lower() in lexicon.NOT_NAMES):
        return None
    if first == last and (len(words[first]) < 2 or _generic(reading, first, known, vocabulary)):
        return None
    last = _with_head(reading, last)
    return first, last


def _generic(reading: Reading, index: int, known: Collection[str], vocabulary: Vocabulary) -> bool:
    """Whether a single capitalized word is no name: a role, a plural that opens the sentence, "this API"."""
    word, token = reading.words[index], reading.doc[index]
    if index in reading.code or is_identifier(word):
        return False
    lower = word.lower()
    if lower in _GENERIC or lower.removesuffix("s") in _GENERIC:
        return True
    if any(child.dep_ == "det" and child.lower_ not in ("the", "no") for child in token.children):
        return True
    if any(child.dep_ == "compound" and child.text.islower() for child in token.children):
        return True
    plural = token.tag_ in ("NNS", "NNPS") and vocabulary.has(word)
    return plural and index == _first_word(reading) and normalize_name(word) not in known


def _is_order(reading: Reading, first: int, last: int, vocabulary: Vocabulary) -> bool:
    """Whether a sentence's first run opens with an imperative: a verb's base form, no subject of anything."""
    word = reading.words[first]
    if first in reading.code or word.isupper() or not vocabulary.is_verb(word):
        return False
    head = reading.doc[last]
    while head.head.i in range(first, last + 1) and head.head.i != head.i:
        head = head.head
    if first == last:
        return head.dep_ not in _INITIAL_DEPS
    return head.dep_ not in ("nsubj", "nsubjpass", "poss", "pobj") and head.i not in (
        token.head.i for token in reading.doc[last + 1 :] if token.dep_ in ("appos", "poss")
    )


def _with_head(reading: Reading, last: int) -> int:
    """Take in a lower-case head that belongs to the name, such as "team" or "data centre"."""
    doc, words = reading.doc, reading.words
    if last in reading.code:
        return last
    at = last + 1
    if at + 1 < len(words) and words[at] == "data" and words[at + 1] in lexicon.NAMED_HEADS:
        return at + 1
    if at < len(words) and words[at] in lexicon.NAMED_HEADS and doc[at].tag_ in ("NN", "NNP"):
        return at
    return last


def _named(reading: Reading, first: int, last: int, labels: dict[int, str]) -> Name:
    counts = [labels[index] for index in range(first, last + 1) if index in labels]
    label = max(set(counts), key=lambda item: (counts.count(item), item)) if counts else ""
    words = [reading.words[index] for index in range(first, last + 1)]
    honored = first > 0 and reading.words[first - 1].lower().rstrip(".") in lexicon.HONORIFICS
    return Name(first, last, entity_type(words, label, first in reading.code, honored))

"""A second reading for sentences whose verb the model took for a noun.

"Halden Foundry certifies Tresk Valve" comes out as one long noun phrase. Where a sentence has no verb and one
word after a capitalized one can be a verb in the present, the sentence is parsed again with a verb that the
model surely knows in its place; words, lemma and spans stay the original's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.language import Vocabulary
from pipeline.extractions.local.readings import Reading

if TYPE_CHECKING:
    from spacy.language import Language

_SINGULAR, _PLURAL = "operates", "operate"
_INTRANSITIVE_SINGULAR, _INTRANSITIVE_PLURAL = "depends", "depend"
_PREPOSITIONS = frozenset({"on", "in", "to", "from", "with", "at", "into", "through", "via", "for", "by"})
_LONGEST = 60


def reread(language: Language, vocabulary: Vocabulary, reading: Reading) -> Reading:
    """The reading itself, or a better one: same words and spans, another parse."""
    place = _hidden_verb(vocabulary, reading)
    if place is None:
        return reading
    from spacy.tokens import Doc

    index, lemma, form = place
    words = [form if token.i == index else token.text for token in reading.doc]
    spaces = [bool(token.whitespace_) for token in reading.doc]
    doc = language(Doc(language.vocab, words=words, spaces=spaces))
    token = doc[index]
    if token.pos_ != "VERB":
        return reading
    token.lemma_ = lemma
    return replace(reading, doc=doc)


def _hidden_verb(vocabulary: Vocabulary, reading: Reading) -> tuple[int, str, str] | None:
    """The one word that must be the verb, with its lemma and the stand-in for it."""
    doc, words = reading.doc, reading.words
    if len(words) > _LONGEST or len(words) < 3:
        return None
    found = []
    for index in range(1, len(words) - 1):
        word = words[index]
        if not (word.islower() and word.isalpha()) or doc[index].pos_ not in ("NOUN", "PROPN", "ADJ"):
            continue
        singular = word.endswith("s")
        before = words[index - 1]
        named = before[:1].isupper() or index - 1 in reading.code or before in lexicon.NAMED_HEADS
        if not named or not (singular or any(other in ("and", "or", "nor") for other in words[:index])):
            continue
        preposition = words[index + 1] in _PREPOSITIONS
        if not _opens_name(reading, index + 1 + preposition) or _governed(reading, index):
            continue
        lemma = vocabulary.verb_lemma(word)
        if lemma is not None:
            forms = (_INTRANSITIVE_SINGULAR, _INTRANSITIVE_PLURAL) if preposition else (_SINGULAR, _PLURAL)
            found.append((index, lemma, forms[0] if singular else forms[1]))
    return found[0] if len(found) == 1 else None


def _opens_name(reading: Reading, index: int) -> bool:
    words = reading.words
    if index < len(words) and words[index] in ("the", "a", "an", "its", "their"):
        index += 1
        return index < len(words)
    return index < len(words) and (words[index][:1].isupper() or index in reading.code)


def _governed(reading: Reading, index: int) -> bool:
    """Whether a finite verb already holds the noun phrase the word was put into."""
    node = reading.doc[index]
    while node.head.i != node.i and node.dep_ in ("compound", "nmod", "amod", "dep"):
        node = node.head
    verb = node if node.dep_ == "ROOT" else node.head
    return verb.pos_ in ("VERB", "AUX") and (verb.i > index or node.dep_ not in ("nsubj", "dep"))

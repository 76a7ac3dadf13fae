"""Sentences as the parser reads them, every token tied to its place in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.language import Vocabulary
from pipeline.extractions.local.passages import Passage
from pipeline.sentences import sentence_spans
from pipeline.spans import Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_LABEL = re.compile(r"([A-Z][\w&/'-]*(?: [\w&/'-]+){0,4}): (?=[A-Z`])")
IDENTIFIER = re.compile(r"(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z][\w./+-]*[\w+]")
CAMEL = re.compile(r"[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*")
_STAND_IN = "Kestrel"
_HYPHENATED = re.compile(r"\w+(?:[-/.]\w+)+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage. ``evidence`` is its range in the source; ``follows`` says that it directly
    continues the sentence before it in the same passage."""

    passage: Passage
    evidence: Span
    follows: bool


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens ready to parse. The words of ``doc`` may be stand-ins for code and identifiers, which the model
    takes for anything but names; ``bounds`` are the tokens' ranges in the passage's own text."""

    doc: Doc
    bounds: tuple[tuple[int, int], ...]
    code: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed sentence. ``words`` hold each token's readable text, ``spans`` its source range, ``bounds``
    its range in the passage's text, ``code`` the indexes of tokens that were inline code."""

    sentence: Sentence
    doc: Doc
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    bounds: tuple[tuple[int, int], ...]
    code: frozenset[int]

    def span(self, first: int, last: int) -> Span:
        """The source range from token ``first`` to token ``last``, both included."""
        return Span(self.spans[first].start, self.spans[last].end)

    def broken(self, index: int) -> bool:
        """Whether markup stands between the token and the next."""
        passage = self.sentence.passage
        return bool(passage.origin[self.spans[index].end : self.spans[index + 1].start].strip())

    def text(self, first: int, last: int) -> str:
        """The readable text from token ``first`` to token ``last``, both included."""
        return self.sentence.passage.text[self.bounds[first][0] : self.bounds[last][1]]


def is_identifier(word: str) -> bool:
    """Whether a word is written as no ordinary word is: "PX-11", "KQ2", "EndpointSlice"."""
    return (IDENTIFIER.fullmatch(word) or CAMEL.fullmatch(word)) is not None


def split_sentences(passage: Passage, given: Sequence[Span] = ()) -> Iterator[Sentence]:
    """The sentences of a passage: at the ``given`` source spans if there are any, else
    where sentences end."""
    bounds = _given_bounds(passage, given) if given else _found_bounds(passage)
    follows = False
    for start, end in bounds:
        part = _without_label(passage.slice(start, end))
        if any(character.isalnum() for character in part.text):
            yield Sentence(part, part.source(0, len(part.text)), follows)
            follows = True


def _without_label(part: Passage) -> Passage:
    """A sentence without the label it opens with ("Risks: …"), which the parser would read as its subject."""
    match = _LABEL.match(part.text)
    if match is None or any(span.start < match.end() <= span.end for span in part.code):
        return part
    return replace(part.slice(match.end(), len(part.text)), label=f"{part.label} {match.group(1)}".strip())


def is_english(text: str) -> bool:
    """Whether an English model may read ``text``: Latin script, and not more foreign function words than
    English ones. Short fragments without any function word pass."""
    letters = [character for character in text if character.isalpha()]
    if sum(character > "\u024f" for character in letters) * 3 > len(letters):
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())
    foreign = sum(word in lexicon.FOREIGN_WORDS for word in words)
    return foreign < 2 or sum(word in lexicon.ENGLISH_WORDS for word in words) >= foreign


def tokenize(language: Language, sentence: Sentence) -> Tokens:
    """The tokens of a sentence: inline code, identifiers and hyphenated names are one token each."""
    from spacy.tokens import Doc

    text = sentence.passage.text
    doc = language.make_doc(text)
    bounds = [(token.idx, token.idx + len(token)) for token in doc]
    wholes = _disjoint([*sentence.passage.code, *_joined_names(text)])
    bounds = _merged(bounds, wholes) if wholes else bounds
    code = frozenset(_inside(bounds, sentence.passage.code)) if sentence.passage.code else frozenset[int]()
    words = [text[start:end] for start, end in bounds]
    forms = [_STAND_IN if index in code or is_identifier(word) else word for index, word in enumerate(words)]
    if forms == words and not wholes:
        return Tokens(doc, tuple(bounds), code)
    spaces = [text[end : end + 1] == " " for _, end in bounds]
    return Tokens(Doc(language.vocab, words=forms, spaces=spaces), tuple(bounds), code)


def read(sentence: Sentence, tokens: Tokens, doc: Doc, vocabulary: Vocabulary) -> Reading:
    """Tie the parsed tokens to the source, with the verbs' lemmas put right."""
    passage = sentence.passage
    for token in doc:
        if token.tag_ in ("VBZ", "VBD", "VBN"):
            token.lemma_ = vocabulary.lemma(token.text, token.tag_, token.lemma_)
    words = tuple(passage.text[start:end] for start, end in tokens.bounds)
    spans = tuple(passage.source(start, end) for start, end in tokens.bounds)
    return Reading(sentence, doc, words, spans, tokens.bounds, tokens.code)


def _disjoint(spans: list[Span]) -> list[Span]:
    """The spans in order, without those that overlap an earlier one."""
    kept: list[Span] = []
    for span in sorted(spans):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _merged(bounds: list[tuple[int, int]], wholes: Sequence[Span]) -> list[tuple[int, int]]:
    """The bounds with each of the sorted, disjoint ``wholes`` as one token; tokens that stick out are cut."""
    merged: list[tuple[int, int]] = []
    at = 0
    joined = -1
    for start, end in bounds:
        while at < len(wholes) and wholes[at].end <= start:
            at += 1
        if at == len(wholes) or wholes[at].start >= end:
            merged.append((start, end))
            continue
        whole = wholes[at]
        if joined != at:
            if start < whole.start:
                merged.append((start, whole.start))
            merged.append((whole.start, whole.end))
            joined = at
        if end > whole.end:
            merged.append((whole.end, end))
    return merged


def _inside(bounds: Sequence[tuple[int, int]], ranges: Sequence[Span]) -> Iterator[int]:
    at = 0
    for index, (start, end) in enumerate(bounds):
        while at < len(ranges) and ranges[at].end <= start:
            at += 1
        if at < len(ranges) and ranges[at].start <= start < ranges[at].end and end > start:
            yield index


def _joined_names(text: str) -> list[Span]:
    """Words joined by hyphens, dots or slashes that the tokenizer would take apart though they are one:
    with a capital or digit (``Rao-Lundgren``) or with two hyphens (``store-and-forward``)."""
    if "-" not in text and "." not in text and "/" not in text:
        return []
    found = (Span(*match.span()) for match in _HYPHENATED.finditer(text))
    return [
        span
        for span in found
        if (word := text[span.start : span.end]) != word.lower()
        or any(c.isdigit() for c in word)
        or word.count("-") > 1
    ]


def _given_bounds(passage: Passage, given: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """The stretches of the passage that start in the same one of the sorted source spans."""
    ordered = sorted(given)
    start, at = 0, 0
    for index, place in enumerate(passage.starts):
        moved = at
        while moved < len(ordered) and ordered[moved][1] <= place:
            moved += 1
        if moved != at and index > start:
            yield start, index
            start = index
        at = moved
    yield start, len(passage.text)


def _found_bounds(passage: Passage) -> Iterator[tuple[int, int]]:
    """Boundaries of the project's sentence splitter, without those inside code or before a small letter."""
    text = passage.text
    inside = {index for span in passage.code for index in range(span.start + 1, span.end)}
    start = 0
    for span in sentence_spans(text, Span(0, len(text))):
        following = text[span.end : span.end + 2].strip()[:1]
        if span.end in inside or following.islower():
            continue
        yield start, span.end
        start = span.end
    if start < len(text):
        yield start, len(text)

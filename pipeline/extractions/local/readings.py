"""Sentences as the parser reads them, every token tied to its place in the source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sentencex

from pipeline.extractions.local.passages import Passage
from pipeline.spans import Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_ABBREVIATED = re.compile(r"(?:\b(?:approx|ca|no|nos|fig|eq|vol|sec|ch|pp?|e\.g|i\.e|cf|resp|incl|est|max|min)\.)\s*$", re.I)
IDENTIFIER = re.compile(r"(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z][\w./+-]*[\w+]")
_STAND_IN = "Kestrel"
_HYPHENATED = re.compile(r"\w+(?:[-/.]\w+)+")
_FOREIGN = frozenset(
    "der die das und ist nicht ein eine den dem des von mit auf für le les des est une dans pour et un du au que"
    " el los las es una por con para del il che di non sono een het van niet voor op och det som är på att não"
    " uma são dos der zum zur auch wird".split()
)
_ENGLISH = frozenset(
    "the a an of to in and is are was were be been it its this that these those for on with as by at from or not"
    " has have had will can may must should if which who when than then their there they we you he she but".split()
)


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
    """A parsed sentence. ``words`` hold each token's readable text, ``spans`` its source range, ``bounds`` its
    range in the passage's text, ``code`` the indexes of tokens that were inline code."""

    sentence: Sentence
    doc: Doc
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    bounds: tuple[tuple[int, int], ...]
    code: frozenset[int]

    def span(self, first: int, last: int) -> Span:
        """The source range from token ``first`` to token ``last``, both included."""
        return Span(self.spans[first].start, self.spans[last].end)

    def text(self, first: int, last: int) -> str:
        """The readable text from token ``first`` to token ``last``, both included."""
        return self.sentence.passage.text[self.bounds[first][0] : self.bounds[last][1]]


def split_sentences(passage: Passage, given: Sequence[Span] = ()) -> Iterator[Sentence]:
    """The sentences of a passage: at the ``given`` source spans if there are any, else by sentencex."""
    bounds = _given_bounds(passage, given) if given else _found_bounds(passage.text)
    follows = False
    for start, end in bounds:
        part = passage.slice(start, end)
        if any(character.isalnum() for character in part.text):
            yield Sentence(part, part.source(0, len(part.text)), follows)
            follows = True


def is_english(text: str) -> bool:
    """Whether an English model may read ``text``: Latin script, and not more foreign function words than
    English ones. Short fragments without any function word pass."""
    letters = [character for character in text if character.isalpha()]
    if sum(character > "\u024f" for character in letters) * 3 > len(letters):
        return False
    words = re.findall(r"[^\W\d_]+", text.lower())
    foreign = sum(word in _FOREIGN for word in words)
    return foreign == 0 or sum(word in _ENGLISH for word in words) >= foreign


def tokenize(language: Language, sentence: Sentence) -> Tokens:
    """The tokens of a sentence: inline code, identifiers and hyphenated names are one token each."""
    from spacy.tokens import Doc

    text = sentence.passage.text
    doc = language.make_doc(text)
    bounds = [(token.idx, token.idx + len(token)) for token in doc]
    wholes = sorted([*sentence.passage.code, *_joined_names(text)])
    bounds = _merged(bounds, wholes) if wholes else bounds
    code = frozenset(_inside(bounds, sentence.passage.code)) if sentence.passage.code else frozenset[int]()
    words = [text[start:end] for start, end in bounds]
    forms = [_STAND_IN if index in code or IDENTIFIER.fullmatch(word) else word for index, word in enumerate(words)]
    if forms == words and not wholes:
        return Tokens(doc, tuple(bounds), code)
    spaces = [text[end : end + 1] == " " for _, end in bounds]
    return Tokens(Doc(language.vocab, words=forms, spaces=spaces), tuple(bounds), code)


def read(sentence: Sentence, tokens: Tokens, doc: Doc) -> Reading:
    """Tie the parsed tokens to the source."""
    passage = sentence.passage
    words = tuple(passage.text[start:end] for start, end in tokens.bounds)
    spans = tuple(passage.source(start, end) for start, end in tokens.bounds)
    return Reading(sentence, doc, words, spans, tokens.bounds, tokens.code)


def _merged(bounds: list[tuple[int, int]], wholes: Sequence[Span]) -> list[tuple[int, int]]:
    """The bounds with every run of tokens that touches one of the sorted ``wholes`` made one."""
    merged: list[tuple[int, int]] = []
    at = 0
    joined = -1
    for start, end in bounds:
        while at < len(wholes) and wholes[at].end <= start:
            at += 1
        if at < len(wholes) and wholes[at].start < end:
            if joined == at:
                merged[-1] = (merged[-1][0], end)
                continue
            joined = at
        merged.append((start, end))
    return merged


def _inside(bounds: Sequence[tuple[int, int]], ranges: Sequence[Span]) -> Iterator[int]:
    at = 0
    for index, (start, end) in enumerate(bounds):
        while at < len(ranges) and ranges[at].end <= start:
            at += 1
        if at < len(ranges) and ranges[at].start <= start < ranges[at].end and end > start:
            yield index


def _joined_names(text: str) -> list[Span]:
    """Words joined by hyphens, dots or slashes that hold a capital or a digit, such as ``Rao-Lundgren``."""
    if "-" not in text and "." not in text and "/" not in text:
        return []
    found = (Span(*match.span()) for match in _HYPHENATED.finditer(text))
    return [
        span
        for span in found
        if (word := text[span.start : span.end]) != word.lower() or any(c.isdigit() for c in word)
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


def _found_bounds(text: str) -> Iterator[tuple[int, int]]:
    """Boundaries of sentencex, without those after an abbreviation it does not know."""
    start = end = 0
    for piece in _pieces(text):
        opening = piece.lstrip()[:1]
        if end > start and not (opening.islower() or (_ABBREVIATED.search(text, start, end))):
            yield start, end
            start = end
        end += len(piece)
    if end > start:
        yield start, end


def _pieces(text: str) -> Iterable[str]:
    return [bound["text"] for bound in sentencex.get_sentence_boundaries("en", text)]

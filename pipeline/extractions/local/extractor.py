"""The local extractor: one parse of each sentence, names, claims and their stance. No key, no network."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.assembly import assemble
from pipeline.extractions.local.language import load_language, load_vocabulary
from pipeline.extractions.local.passages import Passage, read_passages
from pipeline.extractions.local.readings import Reading, Sentence, is_english, read, split_sentences, tokenize
from pipeline.extractions.local.stand_ins import reread
from pipeline.extractions.model import (
    Extraction,
    ExtractionRequest,
    ExtractorIdentity,
    Modality,
    Rejection,
)
from pipeline.extractions.settings import ExtractionSettings
from pipeline.extractions.validation import validate

if TYPE_CHECKING:
    from spacy.language import Language

_BATCH = 64
_PATH = re.compile(r"\bpath=([^|\]]*)")


@dataclass(frozen=True, slots=True)
class LocalExtractor:
    """Reads chunks with a small spaCy model and dependency patterns.

    Holds nothing but its settings, so it can be pickled to workers; the model is loaded once in each process.
    English only: sentences in other languages are rejected with the reason ``language_unsupported``.
    """

    settings: ExtractionSettings = field(default_factory=ExtractionSettings)

    @property
    def identity(self) -> ExtractorIdentity:
        """Name, model and settings, and a code version that is a hash of this stage's own source."""
        return ExtractorIdentity(
            name=self.settings.extractor,
            model=self.settings.model,
            code_version=code_version(),
            parameters=self.settings.model_dump_json(include={"max_sentence_characters"}),
        )

    def extract(self, request: ExtractionRequest) -> Extraction:
        """Mentions and claims of one request; spans are code points of ``request.text``."""
        return self.extract_many([request])[0]

    def extract_many(self, requests: Sequence[ExtractionRequest]) -> list[Extraction]:
        """The same for many requests with one pass of the model; each answer depends on its request alone."""
        language = load_language(self.settings.model)
        with language.memory_zone():  # else the model keeps every word it has ever seen
            return self._read_all(language, requests)

    def _read_all(self, language: Language, requests: Sequence[ExtractionRequest]) -> list[Extraction]:
        plans = [_plan(request, self.settings.max_sentence_characters) for request in requests]
        sentences = [sentence for plan in plans for sentence in plan.sentences]
        vocabulary = load_vocabulary(self.settings.model)
        tokens = [tokenize(language, sentence) for sentence in sentences]
        parsed = language.pipe((unit.doc for unit in tokens), batch_size=_BATCH)
        readings = (
            reread(language, vocabulary, read(sentence, unit, doc, vocabulary))
            for sentence, unit, doc in zip(sentences, tokens, parsed, strict=True)
        )
        answers = []
        for request, plan in zip(requests, plans, strict=True):
            own: list[Reading] = [next(readings) for _ in plan.sentences]
            answer = assemble(own, plan.titles, request, vocabulary)
            answer = Extraction(answer.mentions, answer.claims, (*answer.rejections, *plan.rejections))
            answers.append(validate(answer, request))
        return answers


@cache
def code_version() -> str:
    """The first 16 hex digits of the SHA-256 of the sources that decide an answer, so that a memo never
    outlives the code that made it."""
    folder = Path(__file__).parent
    sources = [*sorted(folder.glob("*.py")), folder.parent / "names.py", folder.parent / "validation.py"]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The sentences to read of one request, and for each the modality its section's titles impose."""

    sentences: list[Sentence]
    titles: list[Modality | None]
    rejections: list[Rejection]


def _plan(request: ExtractionRequest, limit: int) -> _Plan:
    plan = _Plan([], [], [])
    path = _PATH.search(request.header)
    outline = list(enumerate(path.group(1).split(">"), 1)) if path else []
    for passage in read_passages(request.text, request.atomic):
        if passage.kind == "heading":
            outline = [(level, title) for level, title in outline if level < passage.level]
            outline.append((passage.level, passage.text))
            continue
        stance = _section_stance(passage, [title for _, title in outline])
        for sentence in split_sentences(passage, request.sentences):
            fault = _unreadable(sentence, limit)
            if fault:
                plan.rejections.append(Rejection(fault, sentence.passage.text[:200]))
                continue
            plan.sentences.append(sentence)
            plan.titles.append(stance or _label_stance(sentence.passage.label))
    return plan


def _unreadable(sentence: Sentence, limit: int) -> str | None:
    text = sentence.passage.text
    if len(text) > limit:
        return "sentence_too_long"
    return None if is_english(text) else "language_unsupported"


def _section_stance(passage: Passage, titles: Sequence[str]) -> Modality | None:
    """What the titles above, an open task or a list's lead-in make of every claim: None leaves them alone."""
    if passage.unchecked:
        return "planned"
    lead = set(_words(passage.lead_in.text)) if passage.lead_in else set()
    if lead & (lexicon.HARD_CUES | lexicon.LEAD_IN_CUES):
        return "unknown"
    for title in titles:
        words = set(_words(title))
        for modality, cue in lexicon.TITLE_STANCES:
            if cue <= words:
                return modality  # type: ignore[return-value]
    return None


def _label_stance(label: str) -> Modality | None:
    """What "Goal:" or "Not supported:" makes of the sentence behind it."""
    words = set(_words(label))
    return "unknown" if words & (lexicon.HARD_CUES | lexicon.LEAD_IN_CUES | lexicon.LABEL_CUES) else None


def _words(text: str) -> Iterator[str]:
    return iter(re.findall(r"[\w'-]+", text.lower()))

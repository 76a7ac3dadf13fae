"""From readings to one answer: mentions with agreed types, references, claims with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.extractions.local.arguments import Argument, Phrases
from pipeline.extractions.local.claims import Candidate, find_candidates
from pipeline.extractions.local.entity_types import THING, agreed_types
from pipeline.extractions.local.language import Vocabulary
from pipeline.extractions.local.mentions import Name, find_literals, find_names
from pipeline.extractions.local.readings import Reading
from pipeline.extractions.local.references import Discourse, Referent, resolve
from pipeline.extractions.model import Claim, Extraction, ExtractionRequest, Mention, Modality
from pipeline.extractions.names import normalize_name
from pipeline.spans import Span

if TYPE_CHECKING:
    from spacy.tokens import Token

_RESOLVED = 0.8


def assemble(
    readings: Sequence[Reading],
    titles: Sequence[Modality | None],
    request: ExtractionRequest,
    vocabulary: Vocabulary,
) -> Extraction:
    """The mentions and claims of a request, in text order.

    ``titles`` say for each reading which modality its section imposes. Every name becomes a mention;
    descriptions and pronouns only where a claim stands on them.
    """
    names = _find_all_names(readings, request, vocabulary)
    types = agreed_types(
        (normalize_name(reading.text(name.first, name.last)), name.type)
        for reading, found in zip(readings, names, strict=True)
        for name in found
    )
    builder = _Builder(request.text, types)
    for reading, found, title in zip(readings, names, titles, strict=True):
        builder.add(reading, found, title)
    return builder.extraction()


def _find_all_names(
    readings: Sequence[Reading], request: ExtractionRequest, vocabulary: Vocabulary
) -> list[list[Name]]:
    """Names of all sentences; a word seen as a name anywhere in the request is one where it opens a"
    " sentence."""
    known = {normalize_name(name) for name in request.antecedents}
    for reading in readings:
        for name in find_names(reading, known, vocabulary):
            if name.first > 0:
                known.add(normalize_name(reading.text(name.first, name.last)))
    return [find_names(reading, known, vocabulary) for reading in readings]


class _Builder:
    """Collects mentions once each and claims that point at them."""

    def __init__(self, text: str, types: dict[str, str]) -> None:
        self.text = text
        self.types = types
        self.mentions: list[Mention] = []
        self.claims: list[Claim] = []
        self.places: dict[Span, int] = {}
        self.discourse = Discourse()

    def add(self, reading: Reading, names: Sequence[Name], title: Modality | None) -> None:
        """Read one sentence."""
        if not reading.sentence.follows:
            self.discourse = Discourse()
        phrases = Phrases.of(reading, names, find_literals(reading, names))
        referents = [self._referent(reading, name) for name in names]
        topic = self._topic(phrases, names, referents)
        for candidate in find_candidates(phrases):
            self._claim(candidate, phrases, names, referents, title)
        self.discourse.advance(topic, referents)

    def extraction(self) -> Extraction:
        """Everything read so far, mentions in text order."""
        order = sorted(range(len(self.mentions)), key=lambda index: self.mentions[index].span)
        moved = {old: new for new, old in enumerate(order)}
        claims = [_moved(claim, moved) for claim in self.claims]
        claims.sort(
            key=lambda claim: (claim.evidence, claim.predicate_span, claim.subject, claim.object or 0)
        )
        return Extraction(tuple(self.mentions[index] for index in order), tuple(claims))

    def _referent(self, reading: Reading, name: Name) -> Referent:
        mention = self._mention(reading, name.first, name.last, "named", name.type)
        head = reading.doc[name.last]
        while name.first <= head.head.i <= name.last and head.head.i != head.i:
            head = head.head
        written = self.mentions[mention]
        return Referent(mention, written.name, written.type, head.dep_, reading.sentence.evidence)

    def _mention(self, reading: Reading, first: int, last: int, kind: str, type_: str) -> int:
        span = reading.span(first, last)
        if span not in self.places:
            name = normalize_name(reading.text(first, last))
            agreed = self.types.get(name, type_) if kind == "named" else type_
            self.places[span] = len(self.mentions)
            self.mentions.append(Mention(span, span.of(self.text), agreed, name, kind))  # type: ignore[arg-type]
        return self.places[span]

    def _resolved(
        self, argument: Argument, phrases: Phrases, names: Sequence[Name], referents: Sequence[Referent]
    ) -> Referent | None:
        here = [
            referent for name, referent in zip(names, referents, strict=True) if name.last < argument.first
        ]
        return resolve(argument, phrases, here, self.discourse)

    def _topic(
        self, phrases: Phrases, names: Sequence[Name], referents: Sequence[Referent]
    ) -> Referent | None:
        """The name the sentence's main clause is about, directly or by reference."""
        root = next((token for token in phrases.reading.doc if token.head.i == token.i), None)
        if (
            names
            and root is not None
            and root.pos_ not in ("VERB", "AUX")
            and names[0].first == _opening(phrases)
        ):
            return referents[0]  # "Beacon — the identity provider."
        subject = _main_subject(root) if root is not None else None
        argument = phrases.argument(subject) if subject is not None else None
        if argument is None or any(child.dep_ == "conj" for child in subject.children):  # type: ignore[union-attr]
            return None
        if argument.kind == "named":
            return next(r for n, r in zip(names, referents, strict=True) if n.first == argument.first)
        return self._resolved(argument, phrases, names, referents)

    def _claim(
        self,
        candidate: Candidate,
        phrases: Phrases,
        names: Sequence[Name],
        referents: Sequence[Referent],
        title: Modality | None,
    ) -> None:
        reading = phrases.reading
        evidence, confidence = reading.sentence.evidence, candidate.confidence
        ends: list[int] = []
        literal: Span | None = None
        for argument in (candidate.subject, candidate.object):
            if argument.kind == "literal":
                literal = reading.span(argument.first, argument.last)
                continue
            referent = self._resolved(argument, phrases, names, referents)
            if referent is not None:
                ends.append(referent.mention)
                evidence = Span(min(evidence.start, referent.evidence.start), evidence.end)
                confidence *= _RESOLVED
            else:
                ends.append(self._mention(reading, argument.first, argument.last, argument.kind, THING))
        if len(ends) == 2 and ends[0] == ends[1]:
            return
        kinds = {self.mentions[end].kind for end in ends}
        if "pronominal" in kinds and "named" not in kinds:
            return
        modality = candidate.modality
        if title is not None and modality in ("asserted", "planned", "required", "possible"):
            modality = title
        words = candidate.words
        source, time = candidate.source, candidate.valid_time
        self.claims.append(
            Claim(
                subject=ends[0],
                object=ends[1] if len(ends) == 2 else None,
                literal=literal,
                predicate=" ".join(reading.words[index] for index in words),
                relation=candidate.relation,
                predicate_span=reading.span(min(words), max(words)),
                evidence=_with_marks(evidence, self.text),
                polarity=candidate.polarity,
                modality=modality,
                pattern=candidate.pattern,
                attribution=reading.text(source.first, source.last) if source else None,
                valid_time=reading.text(*time) if time else None,
                confidence=round(confidence, 3),
            )
        )


def _main_subject(root: Token) -> Token | None:
    """The subject of the main verb, or of the auxiliary the parser took the main verb for."""
    verbs = [root, *(child for child in root.children if child.dep_ in ("aux", "auxpass"))]
    subjects = (child for verb in verbs for child in verb.children if child.dep_ in ("nsubj", "nsubjpass"))
    return next(subjects, None)


def _opening(phrases: Phrases) -> int:
    return next((i for i, word in enumerate(phrases.reading.words) if word[0].isalnum()), 0)


def _with_marks(evidence: Span, text: str) -> Span:
    """The evidence with the half of a pair of marks that the sentence's first or last word left outside."""
    start, end = evidence
    for mark in ("`", "**", "*", "_"):
        if text.count(mark, start, end) % 2:
            if text.startswith(mark, start - len(mark)) and start >= len(mark):
                start -= len(mark)
            elif text.startswith(mark, end):
                end += len(mark)
    if start and text[start - 1] == "[" and "](" in text[start:end]:
        start -= 1
    return Span(start, end)


def _moved(claim: Claim, moved: dict[int, int]) -> Claim:
    target = None if claim.object is None else moved[claim.object]
    return replace(claim, subject=moved[claim.subject], object=target)

"""Short forms in which the tests of extraction state what they expect."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.extractions.local import LocalExtractor
from pipeline.extractions.model import Claim, Extraction, ExtractionRequest

EXTRACTOR = LocalExtractor()


class Fact(NamedTuple):
    """A claim by its surfaces."""

    subject: str
    relation: str
    object: str
    polarity: str = "affirmed"
    modality: str = "asserted"


def read(text: str, header: str = "") -> Extraction:
    """The local extractor's answer to a text."""
    return EXTRACTOR.extract(ExtractionRequest(header, text))


def fact(claim: Claim, extraction: Extraction, text: str) -> Fact:
    """A claim as its surfaces."""
    subject = extraction.mentions[claim.subject].surface
    if claim.object is not None:
        target = extraction.mentions[claim.object].surface
    else:
        assert claim.literal is not None
        target = claim.literal.of(text)
    return Fact(subject, claim.relation, target, claim.polarity, claim.modality)


def facts(text: str, header: str = "") -> list[Fact]:
    """All claims of a text by their surfaces."""
    extraction = read(text, header)
    return [fact(claim, extraction, text) for claim in extraction.claims]


def asserted(text: str, header: str = "") -> set[tuple[str, str, str]]:
    """The claims a graph would take as edges: asserted and affirmed."""
    return {f[:3] for f in facts(text, header) if f.polarity == "affirmed" and f.modality == "asserted"}

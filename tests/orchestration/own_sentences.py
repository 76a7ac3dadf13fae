"""An extractor that costs next to nothing, to test and measure what happens around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.extractions.model import Claim, Extraction, ExtractionRequest, ExtractorIdentity, Mention
from pipeline.extractions.names import normalize_name
from pipeline.spans import Span

OWNS = re.compile(r"([A-Z]\w+ \w+) (owns) ([A-Z]\w+ \w+)\.")


@dataclass(frozen=True)
class OwnSentences:
    """Reads 'A owns B.' and raises where it reads 'unreadable'."""

    @property
    def identity(self) -> ExtractorIdentity:
        return ExtractorIdentity("own sentences", "pattern", "1")

    def extract(self, request: ExtractionRequest) -> Extraction:
        if "unreadable" in request.text:
            raise ValueError("cannot read this")
        mentions: list[Mention] = []
        claims: list[Claim] = []
        for match in OWNS.finditer(request.text):
            for group in (1, 3):
                name = normalize_name(match[group])
                mentions.append(Mention(Span(*match.span(group)), match[group], "ORG", name, "named"))
            claims.append(
                Claim(
                    subject=len(mentions) - 2,
                    object=len(mentions) - 1,
                    literal=None,
                    predicate="owns",
                    relation="own",
                    predicate_span=Span(*match.span(2)),
                    evidence=Span(*match.span()),
                    polarity="affirmed",
                    modality="asserted",
                    pattern="own",
                )
            )
        return Extraction(tuple(mentions), tuple(claims))

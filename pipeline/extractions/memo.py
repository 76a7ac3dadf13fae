"""The memo: what an extractor once said about a text is never asked again."""

from __future__ import annotations

import dataclasses
from typing import Final

from pydantic import TypeAdapter

from pipeline.extractions.model import Extraction, ExtractionRequest, ExtractorIdentity
from pipeline.identifiers import fingerprint

EXTRACTION: Final = TypeAdapter(Extraction)


def memo_key(request: ExtractionRequest, identity: ExtractorIdentity) -> str:
    """SHA-256 over everything that decides the answer: the request and the extractor's identity."""
    return fingerprint(dataclasses.astuple(request), dataclasses.astuple(identity))


def to_json(extraction: Extraction) -> str:
    """An extraction as stored JSON; spans stay relative to the request's text."""
    return EXTRACTION.dump_json(extraction).decode()


def from_json(data: str) -> Extraction:
    """The extraction that ``to_json`` stored."""
    return EXTRACTION.validate_json(data)

"""The gate every extractor's answer passes: spans are checked, never trusted.

A model may quote, but only code locates. What does not hold against the request's own text is moved to the
rejections with a stable reason and its raw form; nothing is repaired by guessing, nothing vanishes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import get_args

from pipeline.extractions.model import (
    Claim,
    Extraction,
    ExtractionRequest,
    Mention,
    MentionKind,
    Modality,
    Polarity,
    Rejection,
)
from pipeline.extractions.names import normalize_name
from pipeline.spans import Span

RAW_LIMIT = 2000
"""Code points of a rejected item that are kept; hostile output must not fill the store."""

RELATION_LIMIT = 100
"""Longest relation name accepted, code points."""


def validate(extraction: Extraction, request: ExtractionRequest) -> Extraction:
    """The extraction without what the request's text does not bear out.

    Mentions keep their order; claims are re-indexed onto the mentions that stay. Each item removed becomes
    a ``Rejection`` after those already there. Reasons: see ``mention_fault`` and ``claim_fault``.
    """
    kept: list[Mention] = []
    moved: dict[int, int] = {}
    rejections = list(extraction.rejections)
    for index, mention in enumerate(extraction.mentions):
        fault = mention_fault(mention, request.text)
        if fault is None:
            moved[index] = len(kept)
            kept.append(mention)
        else:
            rejections.append(Rejection(fault, _raw(mention)))
    claims: list[Claim] = []
    for claim in extraction.claims:
        fault = claim_fault(claim, extraction.mentions, moved, request.text)
        if fault is None:
            target = None if claim.object is None else moved[claim.object]
            claims.append(replace(claim, subject=moved[claim.subject], object=target))
        else:
            rejections.append(Rejection(fault, _raw(claim)))
    return Extraction(tuple(kept), tuple(claims), tuple(rejections))


def span_fault(span: Span, text: str) -> str | None:
    """``span_out_of_range``, ``span_reversed``, ``span_empty`` (nothing but blanks) or None."""
    start, end = span
    if start < 0 or end < 0 or start > len(text) or end > len(text):
        return "span_out_of_range"
    if end < start:
        return "span_reversed"
    return None if text[start:end].strip() else "span_empty"


def mention_fault(mention: Mention, text: str) -> str | None:
    """Why a mention cannot stand, or None: a span's fault, ``surface_differs``, ``name_empty``,
    ``kind_unknown``, ``unsafe_text`` (NUL or a lone surrogate in surface, name or type)."""
    fault = span_fault(mention.span, text)
    if fault:
        return fault
    if _unsafe(mention.surface) or _unsafe(mention.name) or _unsafe(mention.type):
        return "unsafe_text"
    if text[mention.span[0] : mention.span[1]] != mention.surface:
        return "surface_differs"
    if not mention.name.strip() or not normalize_name(mention.surface):
        return "name_empty"
    return None if mention.kind in get_args(MentionKind) else "kind_unknown"


def claim_fault(claim: Claim, mentions: Sequence[Mention], kept: Mapping[int, int], text: str) -> str | None:
    """Why a claim cannot stand, or None.

    ``mention_missing`` (an index dangles or its mention was rejected), ``object_ambiguous`` (object and
    literal, or neither), ``evidence_…``, ``predicate_…`` and ``literal_…`` (a span's fault),
    ``predicate_empty``, ``relation_malformed``, ``subject_outside_evidence``, ``object_outside_evidence``,
    ``predicate_outside_evidence``, ``self_reference`` (both ends on one mention), ``polarity_unknown``,
    ``modality_unknown``, ``confidence_invalid``, ``unsafe_text``.
    """
    if claim.subject not in kept or (claim.object is not None and claim.object not in kept):
        return "mention_missing"
    if (claim.object is None) == (claim.literal is None):
        return "object_ambiguous"
    return (
        _words_fault(claim)
        or _prefixed("evidence", span_fault(claim.evidence, text))
        or _prefixed("predicate", span_fault(claim.predicate_span, text))
        or _prefixed("literal", span_fault(claim.literal, text) if claim.literal else None)
        or _containment_fault(claim, mentions)
    )


def _words_fault(claim: Claim) -> str | None:
    texts = (claim.predicate, claim.relation, claim.pattern, claim.attribution, claim.valid_time)
    if any(_unsafe(text) for text in texts if text):
        return "unsafe_text"
    if not claim.predicate.strip():
        return "predicate_empty"
    if not _well_formed(claim.relation):
        return "relation_malformed"
    if claim.polarity not in get_args(Polarity):
        return "polarity_unknown"
    if claim.modality not in get_args(Modality):
        return "modality_unknown"
    if not (math.isfinite(claim.confidence) and 0.0 <= claim.confidence <= 1.0):
        return "confidence_invalid"
    return None


def _containment_fault(claim: Claim, mentions: Sequence[Mention]) -> str | None:
    evidence = Span(*claim.evidence)
    if not evidence.contains(mentions[claim.subject].span):
        return "subject_outside_evidence"
    end = claim.literal if claim.object is None else mentions[claim.object].span
    if end is not None and not evidence.contains(end):
        return "object_outside_evidence"
    if not evidence.contains(claim.predicate_span):
        return "predicate_outside_evidence"
    return "self_reference" if claim.subject == claim.object else None


def _well_formed(relation: str) -> bool:
    """Lower snake case: words of letters and digits (of any script without case) joined by ``_``."""
    if not relation or len(relation) > RELATION_LIMIT or relation != relation.lower():
        return False
    return all(part.isalnum() for part in relation.split("_"))


def _prefixed(what: str, fault: str | None) -> str | None:
    return fault and f"{what}_{fault}"


def _unsafe(text: str) -> bool:
    return "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text)


def _raw(item: Mention | Claim) -> str:
    """JSON in ASCII, so that NUL and lone surrogates are escaped and any store can hold it."""
    return json.dumps(asdict(item), ensure_ascii=True, default=str).replace("\\u0000", "\\\\u0000")[
        :RAW_LIMIT
    ]

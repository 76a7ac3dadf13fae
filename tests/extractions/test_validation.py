"""The gate: what the text does not bear out is rejected with a reason, the rest is kept as it is."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from pipeline.extractions.model import Claim, Extraction, ExtractionRequest, Mention, Rejection
from pipeline.extractions.validation import validate
from pipeline.spans import Span

TEXT = "Emoji 🚢🚢 Vantor Rail owns Gate One. Then it rained."
REQUEST = ExtractionRequest("", TEXT)


def mention(surface: str, start: int | None = None) -> Mention:
    at = TEXT.index(surface) if start is None else start
    return Mention(Span(at, at + len(surface)), surface, "thing", surface.lower(), "named")


VANTOR, GATE = mention("Vantor Rail"), mention("Gate One")
EVIDENCE = Span(TEXT.index("Vantor"), TEXT.index(".") + 1)
OWNS = Span(TEXT.index("owns"), TEXT.index("owns") + 4)
CLAIM = Claim(0, 1, None, "owns", "own", OWNS, EVIDENCE, "affirmed", "asserted", "active", confidence=0.9)
GOOD = Extraction((VANTOR, GATE), (CLAIM,))


def test_a_sound_extraction_passes_unchanged() -> None:
    assert validate(GOOD, REQUEST) == GOOD
    assert validate(validate(GOOD, REQUEST), REQUEST) == GOOD


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (replace(GATE, span=Span(5000, 5008)), "span_out_of_range"),
        (replace(GATE, span=Span(-3, 5)), "span_out_of_range"),
        (replace(GATE, span=Span(30, 12)), "span_reversed"),
        (replace(GATE, span=Span(12, 12)), "span_empty"),
        (replace(GATE, span=GATE.span.shift(2)), "surface_differs"),
        (replace(GATE, surface="Gate\x00One"), "unsafe_text"),
        (replace(GATE, name="gate \ud800"), "unsafe_text"),
        (replace(GATE, name=" "), "name_empty"),
        (replace(GATE, kind="imagined"), "kind_unknown"),
    ],
)
def test_mentions_that_cannot_stand(fault: Mention, reason: str) -> None:
    answer = validate(Extraction((fault, VANTOR, GATE), (replace(CLAIM, subject=1, object=2),)), REQUEST)
    assert answer.mentions == (VANTOR, GATE)
    assert answer.claims == (CLAIM,)
    assert [rejection.reason for rejection in answer.rejections] == [reason]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"subject": 7}, "mention_missing"),
        ({"object": -1}, "mention_missing"),
        ({"object": None}, "object_ambiguous"),
        ({"literal": OWNS}, "object_ambiguous"),
        ({"evidence": Span(0, 5000)}, "evidence_span_out_of_range"),
        ({"evidence": Span(38, 12)}, "evidence_span_reversed"),
        ({"evidence": Span(12, 12)}, "evidence_span_empty"),
        ({"evidence": Span(OWNS.start, EVIDENCE.end)}, "subject_outside_evidence"),
        ({"evidence": Span(EVIDENCE.start, OWNS.end)}, "object_outside_evidence"),
        ({"predicate_span": Span(EVIDENCE.end, EVIDENCE.end + 5)}, "predicate_outside_evidence"),
        ({"predicate_span": Span(3, 3)}, "predicate_span_empty"),
        ({"predicate": ""}, "predicate_empty"),
        ({"relation": ""}, "relation_malformed"),
        ({"relation": "OWNS`]->(x) DETACH DELETE x //"}, "relation_malformed"),
        ({"relation": "works at / uses"}, "relation_malformed"),
        ({"relation": "o" * 101}, "relation_malformed"),
        ({"object": 0}, "self_reference"),
        ({"polarity": "maybe"}, "polarity_unknown"),
        ({"modality": "certain"}, "modality_unknown"),
        ({"confidence": math.nan}, "confidence_invalid"),
        ({"confidence": 1.5}, "confidence_invalid"),
        ({"attribution": "Ister \ud800"}, "unsafe_text"),
        ({"object": None, "literal": Span(0, 900)}, "literal_span_out_of_range"),
    ],
)
def test_claims_that_cannot_stand(fault: dict[str, object], reason: str) -> None:
    bad = replace(CLAIM, **fault)  # type: ignore[arg-type]
    answer = validate(Extraction((VANTOR, GATE), (bad, CLAIM)), REQUEST)
    assert answer.claims == (CLAIM,)
    assert [rejection.reason for rejection in answer.rejections] == [reason]


def test_a_claim_falls_with_its_mention() -> None:
    answer = validate(Extraction((VANTOR, replace(GATE, surface="Gate Two")), (CLAIM,)), REQUEST)
    assert answer.claims == ()
    assert [rejection.reason for rejection in answer.rejections] == ["surface_differs", "mention_missing"]


def test_earlier_rejections_stay_and_raw_forms_are_safe_to_store() -> None:
    earlier = Rejection("language_unsupported", "…")
    bad = replace(GATE, surface="Gate\x00\ud800One")
    answer = validate(Extraction((bad,), (), (earlier,)), REQUEST)
    assert answer.rejections[0] == earlier
    raw = answer.rejections[1].raw
    assert raw.isascii() and "\x00" not in raw and "Gate" in json.loads(raw)["surface"]


def test_hostile_lengths_do_not_fill_the_store() -> None:
    bad = replace(GATE, surface="x" * 100_000)
    assert len(validate(Extraction((bad,)), REQUEST).rejections[0].raw) <= 2000

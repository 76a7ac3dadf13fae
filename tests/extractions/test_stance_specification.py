"""Cue by cue: a sentence that denies, hedges, plans or reports never asserts.

Every row is also read with two other pairs of names and inside a longer paragraph, so that it stands for
its kind.
"""

from __future__ import annotations

import pytest

from tests.extractions.reading import asserted, facts, read

NEGATED = [
    "{a} does not own {b}.",
    "{a} doesn't own {b}.",
    "{a} never owned {b}.",
    "{a} no longer owns {b}.",
    "{a} is not the owner of {b}.",
    "{b} is not owned by {a}.",
    "{b} is no longer owned by {a}.",
    "{a} has never owned {b}.",
    "{a} has not yet acquired {b}.",
    "{a} has yet to acquire {b}.",
    "{a} failed to acquire {b}.",
    "{a} stopped supplying {b}.",
    "{a} ceased to supply {b}.",
    "{a} refuses to supply {b}.",
    "{a} declined to supply {b}.",
    "{a} is unable to supply {b}.",
    "Neither {a} nor Gate One owns {b}.",
    "Gate One owns neither {a} nor {b}.",
    "No evidence shows that {a} owns {b}.",
    "The audit found no evidence that {a} owns {b}.",
    "There is no evidence that {a} owns {b}.",
    "{a} denied that it owns {b}.",
    "{a} denies owning {b}.",
    "It is not true that {a} owns {b}.",
    "It is false that {a} owns {b}.",
    "{a} grew without acquiring {b}.",
    "Nothing prevents {a} from supplying {b}.",
    "The law prohibits {a} from supplying {b}.",
    "Gate One feeds {a} but not {b}.",
    "Gate One, not {a}, owns {b}.",
    "None of them said that {a} owns {b}.",
    "{a} does not own or lease {b}.",
    "Contrary to rumours, {a} does not depend on {b}.",
    "{a} hardly uses {b}.",
    "{a} cannot access {b}.",
    "{a} isn't part of {b}.",
    "{a} owns no part of {b}.",
    "Nor does {a} own {b}.",
    "At no time did {a} own {b}.",
    "{a} avoids using {b}.",
    "{a} owns Gate One instead of {b}.",
    "{a} uses Gate One rather than {b}.",
    "{a} rejected the claim that it owns {b}.",
    "{a} lacks evidence that Gate One owns {b}.",
]

HEDGED = [
    "{a} may acquire {b}.",
    "{a} might own {b}.",
    "{a} could replace {b}.",
    "{a} can access {b}.",
    "{a} possibly owns {b}.",
    "Perhaps {a} owns {b}.",
    "Maybe {a} owns {b}.",
    "{a} probably owns {b}.",
    "It is possible that {a} owns {b}.",
    "It is unlikely that {a} owns {b}.",
    "{a} is likely to acquire {b}.",
    "{a} is expected to acquire {b}.",
    "{a} seems to own {b}.",
    "{a} appears to own {b}.",
    "{a} or Gate One owns {b}.",
    "{b} may be owned by {a}.",
    "{a} is a potential owner of {b}.",
    "{a} is allowed to use {b}.",
]

PLANNED = [
    "{a} will acquire {b}.",
    "{a} plans to acquire {b}.",
    "{a} is planning to acquire {b}.",
    "{a} is going to acquire {b}.",
    "{a} intends to acquire {b}.",
    "{a} is scheduled to acquire {b}.",
    "{a} is due to acquire {b}.",
    "{a} wants to acquire {b}.",
    "{a} proposes to acquire {b}.",
    "{a} acquires {b} next quarter.",
    "{a} agreed to acquire {b}.",
    "{a} hopes to acquire {b}.",
    "{a} decided to acquire {b}.",
    "{b} will be acquired by {a}.",
    "{b} will be moved to {a}.",
    "{a} is the proposed owner of {b}.",
    "{a} is set to acquire {b}.",
    "{a} will sell Gate One and acquire {b}.",
    "{a} will soon use {b}.",
    "{a} is considering acquiring {b}.",
]

CONDITIONAL = [
    "If Gate One closes, {a} acquires {b}.",
    "If Gate One closes, {a} will acquire {b}.",
    "{a} acquires {b} if Gate One closes.",
    "If {a} owns {b}, Gate One closes.",
    "Unless Gate One closes, {a} owns {b}.",
    "{a} would acquire {b}.",
    "When Gate One fails, {a} calls {b}.",
    "Should Gate One close, {a} acquires {b}.",
    "Had Gate One closed, {a} would own {b}.",
    "{a} acquires {b} provided that Gate One closes.",
    "As long as Gate One is open, {a} uses {b}.",
    "In case of failure, {a} replaces {b}.",
    "Once Gate One closes, {a} acquires {b}.",
    "{a} owns {b} unless Gate One objects.",
    "{a} uses {b} pending approval.",
    "Whenever Gate One is down, {a} uses {b}.",
    "If it is not the case that {a} owns {b}, Gate One closes.",
]

REQUIRED = [
    "{a} must use {b}.",
    "{a} should use {b}.",
    "{a} shall use {b}.",
    "{a} needs to use {b}.",
    "{a} has to use {b}.",
    "{a} is required to use {b}.",
    "{a} ought to use {b}.",
    "{b} must be approved by {a}.",
    "Gate One requires {a} to use {b}.",
]

ATTRIBUTED = [
    ("According to Ister Council, {a} owns {b}.", "Ister Council"),
    ("Ister Council says that {a} owns {b}.", "Ister Council"),
    ("Ister Council claims {a} owns {b}.", "Ister Council"),
    ("Ister Council reported that {a} owns {b}.", "Ister Council"),
    ("{a} owns {b}, according to Ister Council.", "Ister Council"),
    ("{a} owns {b}, Ister Council said.", "Ister Council"),
    ('"{a} owns {b}," said Ister Council.', "Ister Council"),
    ("Ister Council believes that {a} owns {b}.", "Ister Council"),
    ("It was reported by Ister Council that {a} owns {b}.", "Ister Council"),
    ("{a} allegedly owns {b}.", None),
    ("{a} reportedly owns {b}.", None),
    ("{a} is said to own {b}.", None),
    ("{a} is believed to own {b}.", None),
]

UNKNOWN = [
    "Does {a} own {b}?",
    "{a} owns {b}?",
    "{a} used to own {b}.",
    "{a} formerly owned {b}.",
    "{a} previously supplied {b}.",
    "{a} was once the owner of {b}.",
    "{a} is the former owner of {b}.",
    "{b} was formerly owned by {a}.",
    "{a} almost acquired {b}.",
    "We wonder whether {a} owns {b}.",
    "It is unclear whether {a} owns {b}.",
    "{a} supplied {b} until 2019.",
    "{a} tried to acquire {b}.",
    "The rumour that {a} owns {b} spread.",
    "Imagine that {a} owns {b}.",
    "Suppose {a} owns {b}.",
    "Any team that owns {b} reports to {a}.",
    "To replace {b}, {a} hired Ann Lee.",
]

NAMES = [("Brack Mill", "Orsan Depot"), ("Kestrel", "Atlas Router"), ("Ann Lee", "KQ-2")]
FRAMES = ["{}", "Gate Two opened in 2019. {} Lumen Ferry uses Quill Registry."]


def variants(template: str) -> list[tuple[str, str, str]]:
    """The template with every pair of names, alone and in a paragraph."""
    return [(frame.format(template.format(a=a, b=b)), a, b) for a, b in NAMES for frame in FRAMES]


def links(text: str, a: str, b: str) -> set[tuple[str, str, str]]:
    """The asserted claims between the two names."""
    return {claim for claim in asserted(text) if {claim[0], claim[2]} == {a, b}}


EVERY = [*NEGATED, *HEDGED, *PLANNED, *CONDITIONAL, *REQUIRED, *(row[0] for row in ATTRIBUTED), *UNKNOWN]


@pytest.mark.parametrize("template", EVERY)
def test_never_asserts(template: str) -> None:
    for text, a, b in variants(template):
        assert not links(text, a, b), text


@pytest.mark.parametrize(
    ("rows", "polarity", "modality"),
    [
        (NEGATED[:12], "negated", None),
        (HEDGED[:8], "affirmed", "possible"),
        (PLANNED[:6], "affirmed", "planned"),
        (CONDITIONAL[:6], "affirmed", "conditional"),
        (REQUIRED[:6], "affirmed", "required"),
        (UNKNOWN[:6], None, "unknown"),
    ],
)
def test_plain_cues_keep_the_claim(rows: list[str], polarity: str | None, modality: str | None) -> None:
    for template in rows:
        text = template.format(a="Brack Mill", b="Orsan Depot")
        found = [f for f in facts(text) if {f.subject, f.object} == {"Brack Mill", "Orsan Depot"}]
        assert found, text
        for claim in found:
            assert polarity in (None, claim.polarity), text
            assert modality in (None, claim.modality), text


@pytest.mark.parametrize(("template", "source"), ATTRIBUTED)
def test_attribution_names_who_says_so(template: str, source: str | None) -> None:
    text = template.format(a="Brack Mill", b="Orsan Depot")
    extraction = read(text)
    ends = {"Brack Mill", "Orsan Depot"}
    found = [
        claim
        for claim in extraction.claims
        if claim.object is not None
        and {extraction.mentions[claim.subject].surface, extraction.mentions[claim.object].surface} == ends
    ]
    assert found
    assert {(claim.modality, claim.attribution) for claim in found} == {("attributed", source)}


@pytest.mark.parametrize(
    "text",
    [
        "## Non-Goals\n\nKestrel replaces Atlas Router.",
        "## Alternatives\n\nKestrel replaces Atlas Router.",
        "# Plan\n\n## Future work\n\n- Kestrel replaces Atlas Router.",
        "The following is not supported:\n\n- Kestrel replaces Atlas Router.",
        "We plan these steps:\n\n- Kestrel replaces Atlas Router.",
        "- [ ] Kestrel replaces Atlas Router.",
    ],
)
def test_sections_and_lead_ins_reach_their_items(text: str) -> None:
    assert asserted(text) == set()
    assert facts(text)


def test_the_header_path_counts_as_sections() -> None:
    assert (
        asserted("Kestrel replaces Atlas Router.", "[doc=a.md | path=KEP > Non-Goals | section=s]") == set()
    )
    assert asserted("Kestrel replaces Atlas Router.", "[doc=a.md | path=KEP > Goals | section=s]")


def test_the_next_section_is_free_again() -> None:
    text = "## Non-Goals\n\nKestrel feeds Mercury.\n\n## Design\n\nKestrel replaces Atlas Router."
    assert asserted(text) == {("Kestrel", "replace", "Atlas Router")}

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
    "Once {a} calls {b} ([PR](http://x.example/1) is merged), remove Gate One.",
    "When {a} calls {b}, restart Gate One.",
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

EMBEDDED = [
    "{a} is no longer the owner of {b}.",
    "{a} has ceased supplying {b} since March.",
    "{a} will no longer use {b}.",
    "Nobody believes that {a} owns {b}.",
    "It is doubtful that {a} owns {b}.",
    "There is no proof that {a} acquired {b}.",
    "{a} owns Gate One, but it does not own {b}.",
    "{a} never acquired {b}, contrary to what was reported.",
    "The board rejected a proposal for {a} to acquire {b}.",
    "Plans for {a} to acquire {b} were dropped.",
    "{a} hopes that Gate One will acquire {b}.",
    "We recommend that {a} use {b}.",
    "We suggest {a} replace {b}.",
    "It has been suggested that {a} replaced {b}.",
    "Analysts expect {a} to acquire {b}.",
    "{a} is thought to control {b}.",
    "{a} is rumoured to own {b}.",
    "{a} was supposed to replace {b}.",
    "{a} was to have replaced {b}.",
    "{a} is to replace {b} in 2027.",
    "{a} would have acquired {b} if Gate One had closed.",
    "Were {a} to acquire {b}, Gate One would close.",
    "If so, {a} owns {b}.",
    "In that case {a} would use {b}.",
    "Ideally, {a} uses {b}.",
    "In theory, {a} owns {b}.",
    "In the future, {a} uses {b}.",
    "Eventually {a} replaces {b}.",
    "Next year {a} replaces {b}.",
    "{a} has the option to acquire {b}.",
    "{a} has agreed in principle to supply {b}.",
    "{a} offered to supply {b}.",
    "{a} threatened to sue {b}.",
    "{a} asked Gate One to supply {b}.",
    "Gate One wants {a} to supply {b}.",
    "Gate One forced {a} to leave {b}.",
    "A court barred {a} from using {b}.",
    "The contract forbids {a} to use {b}.",
    "{a} is not allowed to use {b}.",
    "{a} need not use {b}.",
    "{a} does not have to use {b}.",
    "{a} doesn't need {b}.",
    "{a} has no stake in {b}.",
    "{a} has no access to {b}.",
    "{a} has nothing to do with {b}.",
    "{a} is neither owned nor controlled by {b}.",
    "{a} is owned by Gate One, not by {b}.",
    "{a} is not, and never was, part of {b}.",
    "Not {a} but Gate One owns {b}.",
    "Only if Gate One agrees does {a} supply {b}.",
    "{a} supplies {b} only if Gate One agrees.",
    "Whether or not {a} owns {b} is unclear.",
    "The question is whether {a} owns {b}.",
    "Ister Council has accused {a} of bribing {b}.",
    "Ister Council alleges {a} bribed {b}.",
    "{a} insists it supplies {b}.",
    "In the words of Ister Council, {a} owns {b}.",
    "Sources say {a} owns {b}.",
    "As Ister Council put it, {a} owns {b}.",
    "{a} supposedly owns {b}.",
    "{a} apparently owns {b}.",
    "{a} seemingly depends on {b}.",
    "{a} is about to replace {b}.",
    "{a} is on the verge of acquiring {b}.",
    "{a} is considering a bid for {b}.",
    "{a} is trying to acquire {b}.",
    "{a} aims to replace {b}.",
    "{a} dreams of owning {b}.",
    "{a} pretends to own {b}.",
    "{a} did not deny that it owns {b}.",
    "{a} forgot to notify {b}.",
    "{a} rarely calls {b}.",
    "{a} can no longer access {b}.",
    "{a} could not reach {b}.",
    "{a} refused to serve {b}.",
    "Let {a} call {b}.",
    "Suppose that {a} calls {b}.",
    "Assume {a} owns {b}.",
    "Say {a} owns {b}.",
    "For example, if {a} owns {b}, Gate One closes.",
    "{a} nearly lost {b}.",
    "{a} was the owner of {b} until 2019.",
    "{a} owned {b} from 2010 to 2015.",
    "Before 2019, {a} owned {b}.",
    "{b}, formerly owned by {a}, closed.",
    "{b}, which {a} once owned, closed.",
    "{b}, which is not owned by {a}, closed.",
    "{b}, which may be owned by {a}, closed.",
    "{b}, reportedly owned by {a}, closed.",
    "{a}'s planned takeover of {b} failed.",
    "{a}, the would-be owner of {b}, left.",
    "{a}, not the owner of {b}, left.",
    "{a}, former head of {b}, left.",
    "{a}, once head of {b}, left.",
    "The former head of {b} is {a}.",
    "It isn't {a} that owns {b}.",
    "TODO: {a} calls {b}?",
    "Why does {a} call {b}?",
    "{a} calls {b}, doesn't it?",
    "Unlike Gate One, {a} does not call {b}.",
    "{a} can't call {b}.",
    "{a} won't call {b}.",
    "{a} shouldn't call {b}.",
    "{a} wouldn't call {b}.",
    "{a} mightn't call {b}.",
    "{a} hasn't called {b}.",
    "{a} isn't calling {b}.",
    "{a} ain't calling {b}.",
    "{a} did n't call {b}.",
    "{a} cannot and will not call {b}.",
    "{a} supplies every port except {b}.",
    "{a} supplies all ports other than {b}.",
    "{a} supplies Gate One rather than {b}.",
    "{a} supplies anyone but {b}.",
    "In the absence of Gate One, {a} calls {b}.",
    "Without Gate One, {a} calls {b}.",
    "Depending on the weather, {a} calls {b}.",
    "Until Gate One opens, {a} calls {b}.",
    "After Gate One closes, {a} calls {b}.",
    "By 2030, {a} replaces {b}.",
    "Subject to approval, {a} replaces {b}.",
    "The proposal is that {a} replaces {b}.",
    "Our goal is for {a} to replace {b}.",
    "The idea that {a} replaces {b} was rejected.",
    "The fact that {a} does not own {b} matters.",
    "He doubts {a} owns {b}.",
    "She hopes {a} owns {b}.",
    "I think {a} owns {b}.",
    "It looks like {a} owns {b}.",
    "It seems that {a} owns {b}.",
    "Rumour has it that {a} owns {b}.",
    "{a} lost control of {b}.",
    "{a} is said to no longer own {b}.",
    "{a} is not known to own {b}.",
    "{a} is not believed to own {b}.",
    "{a} has stopped and will not resume supplying {b}.",
    "{a} hardly ever calls {b}.",
    "{a} by no means owns {b}.",
    "Under no circumstances does {a} call {b}.",
    "On no account may {a} call {b}.",
    "Few believe {a} owns {b}.",
    "{a} owns little of {b}.",
    "The migration guide notes that {a} has not been certified to run on {b}.",
    "Although {a} once supplied {b}, the contract was not renewed.",
    "As of this release, {a} does not depend on {b}, nor does it call Gate One.",
    "The committee voted against letting {a} acquire {b}.",
    "It would be a mistake for {a} to rely on {b}.",
    "There are no plans for {a} to replace {b}.",
    "Work is under way to move {a} to {b}.",
    "{a} is being considered as a replacement for {b}.",
    "One option is that {a} calls {b} directly.",
    "An alternative would be to have {a} call {b}.",
    "Had the vote passed, {a} would now own {b}.",
    "Critics argue {a} controls {b}, which the company disputes.",
    "The lawsuit alleges that {a} copied {b}.",
    "A spokesman for Ister Council said {a} had acquired {b}.",
    "{a} had hoped to acquire {b} but was outbid.",
    "{a} lost its bid to acquire {b}.",
    "{a} abandoned plans to acquire {b}.",
    "{a} has been prevented from acquiring {b}.",
    "The merger of {a} with {b} was called off.",
    "{a} ended its partnership with {b}.",
    "{a} and {b} are not related.",
    "If {a} cannot reach {b}, it retries.",
    "When {a} is down, {b} takes over from {a}.",
    "Assuming {a} is healthy, it calls {b}.",
    "Ensure that {a} calls {b}.",
    "Make sure {a} uses {b}.",
    "Check whether {a} uses {b}.",
    "Verify that {a} depends on {b}.",
    "We would like {a} to use {b}.",
    "We want {a} to call {b}.",
    "{a} should be owned by {b}.",
    "{a} will be maintained by {b} from January.",
    "{a} is going to be replaced by {b}.",
    "{a} was going to be replaced by {b}.",
    "{a} was nearly acquired by {b}.",
    "{a} might one day be owned by {b}.",
    "{a} is not yet integrated with {b}.",
    "{a} is no longer based in {b}.",
    "{a} is not based in {b}.",
    "{a} may be based in {b}.",
    "{a} is expected to be hosted in {b}.",
    "{a} is planned to be hosted in {b}.",
    "{a} is rumoured to be based in {b}.",
    "{a}, which will use {b}, is new.",
    "{a}, which might replace {b}, is new.",
    "{a}, planned as the successor of {b}, is new.",
    "{a}, if approved, replaces {b}.",
    "{a}, according to Ister Council, replaces {b}.",
    "{a}, says Ister Council, replaces {b}.",
    "{a}, it is said, replaces {b}.",
    "{a}, we think, replaces {b}.",
    "{a}, allegedly, replaces {b}.",
    "{a} does, in some versions, not call {b}.",
    "{a} calls neither Gate One nor {b}.",
    "{a} calls Gate One, but never {b}.",
    "{a} calls Gate One, never {b}.",
    "{a} calls Gate One and, if needed, {b}.",
    "{a} calls Gate One (but not {b}).",
    "{a} calls Gate One, not {b}.",
    "{a} calls Gate One, unlike {b}.",
    "{a} (not {b}) calls Gate One.",
    "It was never proven that {a} bribed {b}.",
    "It has not been shown that {a} bribed {b}.",
    "Ister Council could not confirm that {a} owns {b}.",
    "Ister Council found that {a} does not own {b}.",
    "Ister Council refused to say whether {a} owns {b}.",
    "Ister Council asked if {a} owns {b}.",
    '"Does {a} own {b}?" asked Ister Council.',
    "{a} was asked to leave {b}.",
    "{a} was told to supply {b}.",
    "{a} was invited to join {b}.",
    "{a} is free to join {b}.",
    "{a} is eligible to join {b}.",
    "{a} is ready to join {b}.",
    "{a} is unlikely to join {b}.",
    "{a} is too small to join {b}.",
    "{a} is not big enough to join {b}.",
    "{a} was the last to leave {b}.",
    "The purpose of {a} is to replace {b}.",
    "{a} was designed to replace {b}.",
    "{a} was meant to replace {b}.",
    "{a} was built to replace {b}.",
    "{a} exists to serve {b}.",
    "{a} promises to replace {b}.",
    "{a} claims to own {b}.",
    "{a} denies that it has ever owned {b}.",
    "{a} admits that it does not own {b}.",
    "No {a} server calls {b}.",
    "No one at {a} owns {b}.",
    "None of {a} belongs to {b}.",
    "Hardly any of {a} belongs to {b}.",
    "At present {a} does not call {b}; it calls Gate One.",
    "{a} calls {b} in none of the cases.",
    "{a} calls {b} under no circumstances.",
    "{a} calls {b} at no time.",
    "Contrary to the claim that {a} owns {b}, Gate One does.",
    "Despite reports that {a} owns {b}, Gate One does.",
    "Amid rumours that {a} will buy {b}, shares fell.",
    "The report that {a} bought {b} is false.",
    "Talks between {a} and {b} about a merger failed.",
    "{a} would rather call Gate One than call {b}.",
    "{a} had better call {b}.",
    "{a} used to be part of {b}.",
    "{a} has not been part of {b} since 2019.",
    "{a} was part of {b} until 2019.",
    "Until 2019 {a} was part of {b}.",
    "{a} is on track to replace {b}.",
    "{a} is slated to replace {b}.",
    "{a} is poised to replace {b}.",
    "{a} is up for sale, and {b} may buy it.",
]
"""Rarer words and deeper embeddings, written after the rules were."""

NAMES = [("Brack Mill", "Orsan Depot"), ("Kestrel", "Atlas Router"), ("Ann Lee", "KQ-2")]
FRAMES = ["{}", "Gate Two opened in 2019. {} Lumen Ferry uses Quill Registry."]


def variants(template: str) -> list[tuple[str, str, str]]:
    """The template with every pair of names, alone and in a paragraph."""
    return [(frame.format(template.format(a=a, b=b)), a, b) for a, b in NAMES for frame in FRAMES]


def links(text: str, a: str, b: str) -> set[tuple[str, str, str]]:
    """The asserted claims between the two names."""
    return {claim for claim in asserted(text) if {claim[0], claim[2]} == {a, b}}


EVERY = [
    *NEGATED,
    *HEDGED,
    *PLANNED,
    *CONDITIONAL,
    *REQUIRED,
    *(row[0] for row in ATTRIBUTED),
    *UNKNOWN,
    *EMBEDDED,
]


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
        "**Non-goal:** Kestrel replaces Atlas Router.",
        "**Rejected**: Kestrel replaces Atlas Router.",
        "Proposal: Kestrel replaces Atlas Router.",
        "- Not supported: Kestrel replaces Atlas Router.",
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


def test_a_heading_ends_the_section_the_header_names() -> None:
    header = "[doc=a.md | path=KEP > Non-Goals | section=s]"
    text = "Kestrel feeds Mercury.\n\n## Design\n\nKestrel replaces Atlas Router."
    assert asserted(text, header) == {("Kestrel", "replace", "Atlas Router")}


def test_the_next_section_is_free_again() -> None:
    text = "## Non-Goals\n\nKestrel feeds Mercury.\n\n## Design\n\nKestrel replaces Atlas Router."
    assert asserted(text) == {("Kestrel", "replace", "Atlas Router")}

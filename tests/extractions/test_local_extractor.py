"""The local extractor as a whole: spans, determinism, identity, cases."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.extractions.local import LocalExtractor, code_version
from pipeline.extractions.local.passages import read_passages
from pipeline.extractions.model import Extraction, ExtractionRequest
from pipeline.extractions.names import normalize_name
from pipeline.extractions.settings import ExtractionSettings
from pipeline.extractions.validation import validate
from pipeline.spans import Span
from tests.extractions.reading import EXTRACTOR, asserted, facts, read

PIECES = st.sampled_from(
    [
        "Vantor Rail owns Orsan Depot. ",
        "**Atlas Router** calls `kube-apiserver`. ",
        "Ledgerline, the billing service, uses [Tally DB](http://x.example/a_b). ",
        "It is *not* maintained by Team “Basalt”. ",
        "# Heading\n\n",
        "- item one\n",
        "- [ ] Kestrel replaces Mercury\n",
        "1. Welcome\n",
        "> quoted\n",
        "\n\n",
        "\r\n",
        "   ",
        "\t",
        "```\ncode owns code\n```\n",
        "| a | b |\n|---|---|\n| c | d |\n\n",
        "<!-- comment -->",
        "<b>bold</b> ",
        "&amp; ",
        "~~gone~~ ",
        "🚢👩‍🔬 ",
        "日本語のテキスト。",
        "Ｔｒｅｓｋ Valve ",
        "é\u0301 ",
        "\u200b\u00a0",
        "\x00",
        "\ud800",
        "http://a.example/b?c=d ",
        "`",
        "**",
        "_",
        "[",
        "](",
        "![alt](u) ",
        "---\n",
        "a, a and a or a ",
        "If 5 % of X-1 fails, ",
    ]
)
MARKDOWN = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=14).map("".join)


def sound(extraction: Extraction, text: str) -> None:
    """Every span slices its own surface and every claim's parts lie in its evidence."""
    for mention in extraction.mentions:
        assert mention.span.of(text) == mention.surface
        assert mention.surface == mention.surface.strip() != ""
        assert mention.name == normalize_name(mention.name)
    for claim in extraction.claims:
        assert claim.evidence.of(text).strip()
        end = claim.literal if claim.object is None else extraction.mentions[claim.object].span
        assert end is not None
        for span in (extraction.mentions[claim.subject].span, end, claim.predicate_span):
            assert claim.evidence.contains(span)
    assert [mention.span for mention in extraction.mentions] == sorted(m.span for m in extraction.mentions)
    assert validate(extraction, ExtractionRequest("", text)) == extraction


@settings(max_examples=150, deadline=None)
@given(MARKDOWN)
def test_spans_hold_on_any_markdown(text: str) -> None:
    extraction = read(text)
    sound(extraction, text)
    assert not [
        r for r in extraction.rejections if r.reason not in ("language_unsupported", "sentence_too_long")
    ]


@settings(max_examples=200, deadline=None)
@given(MARKDOWN)
def test_passages_stand_for_their_source(text: str) -> None:
    end = 0
    for passage in read_passages(text):
        assert len(passage.text) == len(passage.starts) == len(passage.ends)
        assert passage.starts == sorted(passage.starts)
        assert passage.starts[0] >= end
        end = passage.ends[-1]
        for character, start, stop in zip(passage.text, passage.starts, passage.ends, strict=True):
            assert 0 <= start < stop <= len(text)
            if character.isalnum() and stop - start == 1:
                assert text[start] == character or text[start] == "\ud800"


@settings(max_examples=60, deadline=None)
@given(MARKDOWN, st.data())
def test_nothing_is_read_from_atomic_spans(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    atomic = Span(start, data.draw(st.integers(min(start + 1, len(text)), len(text))))
    assume(atomic.length)
    extraction = EXTRACTOR.extract(ExtractionRequest("", text, atomic=(atomic,)))
    assert not [mention for mention in extraction.mentions if mention.span.overlaps(atomic)]


def test_windows_line_ends_and_emoji_keep_offsets() -> None:
    text = "# Emoji 🚢🚢\r\n\r\nVantor Rail owns\r\nGate One. 🚢 Lumen Ferry uses Gate One.\r\n"
    sound(read(text), text)
    assert asserted(text) == {("Vantor Rail", "own", "Gate One"), ("Lumen Ferry", "use", "Gate One")}


def test_repeated_sentences_keep_their_own_evidence() -> None:
    text = "Vantor Rail owns Relay Nine. Orsan Depot uses Relay Nine. " * 5
    extraction = read(text)
    assert len({claim.evidence for claim in extraction.claims}) == len(extraction.claims) == 10


def test_given_sentences_are_the_evidence() -> None:
    text = "Vantor Rail owns Orsan Depot; Lumen Ferry uses Gate One."
    cut = text.index(";") + 1
    request = ExtractionRequest("", text, sentences=(Span(0, cut), Span(cut, len(text))))
    evidence = {claim.evidence.of(text) for claim in EXTRACTOR.extract(request).claims}
    assert evidence == {"Vantor Rail owns Orsan Depot;", "Lumen Ferry uses Gate One."}


def test_many_requests_answer_like_each_alone(handbook_dir: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(handbook_dir.rglob("*.md"))[:6]]
    requests = [ExtractionRequest("", text) for text in texts]
    together = EXTRACTOR.extract_many(requests)
    assert together == [EXTRACTOR.extract(request) for request in requests]
    assert together == list(reversed(EXTRACTOR.extract_many(requests[::-1])))


def test_the_extractor_travels_to_workers() -> None:
    copy = pickle.loads(pickle.dumps(LocalExtractor(ExtractionSettings())))
    assert copy == EXTRACTOR
    assert copy.identity == EXTRACTOR.identity


def test_the_identity_tells_settings_and_code_apart() -> None:
    other = LocalExtractor(ExtractionSettings(max_sentence_characters=500))
    assert other.identity != EXTRACTOR.identity
    assert re.fullmatch(r"[0-9a-f]{16}", code_version())
    assert EXTRACTOR.identity.code_version == code_version()


def test_a_sentence_too_long_to_parse_is_rejected_alone() -> None:
    text = "Vantor Rail owns Orsan Depot.\n\n" + "and Gate One " * 2000 + "\n\nLumen Ferry uses Gate One."
    extraction = read(text)
    assert [rejection.reason for rejection in extraction.rejections] == ["sentence_too_long"]
    assert len(asserted(text)) == 2


def test_deep_coordination_neither_fails_nor_takes_for_ever() -> None:
    text = "Vantor Rail owns A" + ", and owns B" * 200 + "."
    sound(read(text), text)


def test_a_colon_in_code_is_no_label() -> None:
    text = "For `dnsPolicy: Default`, `CoreDNS` reads `resolv.conf`."
    assert ("CoreDNS", "read", "resolv.conf") in asserted(text)
    assert all(claim.evidence.of(text) == text for claim in read(text).claims)


def test_antecedents_vouch_for_names() -> None:
    request = ExtractionRequest("", "Beacon Operations runs Gate One.", antecedents=("Beacon Operations",))
    extraction = EXTRACTOR.extract(request)
    assert ("Beacon Operations", "named") in {(m.surface, m.kind) for m in extraction.mentions}


def test_a_claim_across_two_sentences_rests_on_both() -> None:
    text = "Mercury is the notification service. It uses Outbox DB."
    extraction = read(text)
    claim = next(claim for claim in extraction.claims if claim.relation == "use")
    assert claim.evidence.of(text) == text
    assert claim.confidence < 0.9


def test_case_047_negated_and_hedged(cases_dir: Path) -> None:
    text = (cases_dir / "047-negated-and-hedged" / "input.md").read_text(encoding="utf-8")
    assert asserted(text) == {
        ("Vantor Rail", "own", "Orsan Depot"),
        ("Halden Foundry", "certify", "Tresk Valve"),
    }
    assert {
        ("Lumen Ferry", "access", "Quill Registry", "negated", "asserted"),
        ("Brack Mill", "acquire", "Orsan Depot", "affirmed", "possible"),
        ("Ister Council", "fund", "Tresk Valve", "affirmed", "conditional"),
        ("Marrow Bay Port", "lease", "Berth Nine", "negated", "attributed"),
        ("Halden Foundry", "supply", "Brack Mill", "negated", "asserted"),
        ("Pell Laboratory", "supply", "Quill Registry", "affirmed", "attributed"),
    } <= set(facts(text))
    attributions = {c.attribution for c in read(text).claims if c.modality == "attributed"}
    assert "Ister Council" in attributions


def test_case_049_each_sentence_has_its_edge(cases_dir: Path) -> None:
    text = (cases_dir / "049-overlap-counted-twice" / "input.md").read_text(encoding="utf-8")
    name = r"[A-Z]\w+(?: [A-Z]\w+)+"
    verbs = {"has leased": "lease", "depends on": "depend_on", "owns": "own", "uses": "use"}
    verbs |= {"requires": "require", "replaces": "replace", "supersedes": "supersede"}
    pattern = re.compile(rf"({name}) ({'|'.join(verbs)}) ({name}) under permit")
    expected = [(s, verbs[v], o) for s, v, o in pattern.findall(text)]
    assert len(expected) == 34
    assert not set(expected) - asserted(text)


def test_case_046_direction(cases_dir: Path) -> None:
    text = (cases_dir / "046-direction-and-self-loops" / "input.md").read_text(encoding="utf-8")
    assert {
        ("Zorin Pumps", "supply", "Abel Works"),
        ("Zorin Pumps", "own", "Abel Works"),
        ("Abel Works", "audit", "Zorin Pumps"),
    } <= asserted(text)
    assert ("Abel Works", "own", "Zorin Pumps") not in asserted(text)


def test_case_052_orders_in_the_text_are_text(cases_dir: Path) -> None:
    text = (cases_dir / "052-ungrounded-and-injected" / "input.md").read_text(encoding="utf-8")
    found = asserted(text)
    assert {("Vantor Rail", "own", "Orsan Depot"), ("Lumen Ferry", "use", "Quill Registry")} <= found
    assert not [claim for claim in found if "Ister Council" in claim]


def test_every_case_text_is_read_soundly(cases_dir: Path) -> None:
    for path in sorted(cases_dir.glob("*/input.md")):
        text = path.read_bytes().decode("utf-8", "replace")[:20_000]
        sound(read(text), text)


def test_things_told_apart_by_a_number_are_apart() -> None:
    for number in [*range(1, 3000, 53), 12345]:
        thing = f"Shed {number}"
        assert asserted(f"Vantor Rail owns {thing}.") == {("Vantor Rail", "own", thing)}
        assert ("Gate" + thing[4:], "belong_to", "Vantor Rail") in asserted(
            f"Gate {number} belongs to Vantor Rail."
        )


def test_numbers_that_are_no_part_of_a_name() -> None:
    texts = {
        "In Riverton 35 people work for Orsan Depot.": {"Riverton", "Orsan Depot"},
        "Orsan Depot bought Vantor Rail 2019.": {"Orsan Depot", "Vantor Rail"},
        "Orsan Depot opened Gate 3 in Spring 2024.": {"Orsan Depot", "Gate 3", "Spring"},
    }
    for text, names in texts.items():
        assert {m.surface for m in read(text).mentions if m.kind == "named"} == names

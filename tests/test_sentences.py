"""Sentence spans tile a stretch and end where sentences end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sentences import sentence_spans
from pipeline.spans import Span


def split(text: str, language: str = "en") -> list[str]:
    """Sentences without the blanks before them."""
    return [span.of(text).strip() for span in sentence_spans(text, Span(0, len(text)), language)]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Dr. J. R. Lund met Ms. Adey at 9:30 a.m. Monday.", "They agreed."]),
        (
            "en",
            ["See Fig. 4 and pp. 12-14, which rule No. 7 needs.", "It costs 3.5 USD, e.g. at St. Olave's."],
        ),
        ("en", ["He et al. [3] did this.", "Then v1.2.3 came."]),
        ("en", ["1. Welcome to the yard.", "It is old."]),
        ("en", ["(b) The pump is new.", "It runs."]),
        ("en", ['"Is it so?" he said.', "She left."]),
        ("en", ["We compared (1) the pump against (2) the crane.", "Both ran."]),
        ("en", ["He left.", "kubectl runs it."]),
        ("zh", ["你好。", "这是测试！", "对吗？"]),
        ("ja", ["工場は機械を使う。", "それは新しい。"]),
        ("hi", ["यह एक परीक्षण है।", "दूसरा वाक्य यहाँ है।"]),
        ("ar", ["هذا اختبار.", "هل هذا صحيح؟", "نعم."]),
        ("th", ["สวัสดีครับ นี่คือการทดสอบ ประโยคที่สอง"]),
    ],
)
def test_sentences_of_many_kinds(language: str, sentences: list[str]) -> None:
    joint = "" if language in ("zh", "ja") else " "
    assert split(joint.join(sentences), language) == sentences


def test_code_between_fences_is_part_of_one_sentence() -> None:
    text = "It runs. This does it:\n ```go\n a.B() // Then. More.\n\n C. D\n ```\nThen it ends. Done."
    assert split(text) == [
        "It runs.",
        "This does it:\n ```go\n a.B() // Then. More.\n\n C. D\n ```\nThen it ends.",
        "Done.",
    ]
    assert split("One ``` fence alone. It ends nothing. Done.")[-2:] == ["It ends nothing.", "Done."]


@pytest.mark.parametrize("blank", "\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u3000")
def test_a_wide_blank_before_a_full_stop_is_one_like_others(blank: str) -> None:
    assert split(f"Plan A{blank}. Then it goes. On it went.")[-1] == "On it went."


def test_what_cannot_be_read_is_one_sentence() -> None:
    assert split("a \ud800. B. C") == ["a \ud800. B. C"]


@pytest.mark.parametrize("stray", ["(", '"', "[", "“"])
def test_a_bracket_that_never_closes_swallows_nothing(stray: str) -> None:
    tail = ["The pump feeds the north depot of the yard." for _ in range(40)]
    found = split(f"It is best {stray}so they say to begin here. " + " ".join(tail))
    assert found[-30:] == tail[-30:]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300), st.integers(0, 20), st.sampled_from(["en", "de", "zh", "xx"]))
def test_spans_tile(text: str, start: int, language: str) -> None:
    span = Span(min(start, len(text)), len(text))
    found = sentence_spans(text, span, language)
    if not span.length:
        assert found == ()
        return
    assert (found[0].start, found[-1].end) == tuple(span)
    for before, after in pairwise(found):
        assert before.end == after.start
        assert not text[before.end - 1].isspace(), "blank text belongs to the later sentence"
        assert after.of(text).strip()


SENTENCES = {
    "en": [
        "The pump feeds the north depot.",
        "Dr. Lund met Ms. Adey at 9:30 a.m. Monday.",
        "Is it (so) old?",
    ],
    "zh": ["东京站。", "你好！", "这是很长的一句测试吗？"],
    "hi": ["यह एक परीक्षण है।", "दूसरा वाक्य यहाँ है।"],
}


@settings(max_examples=30, deadline=None)
@given(st.data(), st.sampled_from(sorted(SENTENCES)), st.integers(1, 40))
def test_sentences_of_a_long_paragraph_are_those_of_its_parts(
    data: st.DataObject, language: str, words: int
) -> None:
    some = data.draw(st.lists(st.sampled_from(SENTENCES[language]), min_size=1, max_size=12))
    some.append("Long " + "word after word " * (words * 10) + "ends." if language == "en" else some[0])
    sentences = some * (20_000 // sum(map(len, some)) + 1)
    assert split(("" if language == "zh" else " ").join(sentences), language) == sentences


@pytest.mark.parametrize("unit", ["東京駅。", "Yes! ", "है। "])
def test_a_paragraph_of_any_length_is_split_to_its_end(unit: str) -> None:
    count = 400_000 // len(unit)
    assert split(unit * count) == [unit.strip()] * count


@pytest.mark.parametrize("text", ["word " * 50_000, "x" * 200_000, "東京" * 100_000, "(a " * 50_000])
def test_a_long_text_without_any_end_is_one_sentence(text: str) -> None:
    assert sentence_spans(text, Span(0, len(text))) == (Span(0, len(text)),)


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet=" .!?。`\"'()“”«»\n1aA", min_size=1, max_size=40), st.sampled_from(["en", "zh"]))
def test_spans_tile_long_texts(unit: str, language: str) -> None:
    text = unit * (10_000 // len(unit))
    found = sentence_spans(text, Span(0, len(text)), language)
    assert (found[0].start, found[-1].end) == (0, len(text))
    assert all(before.end == after.start for before, after in pairwise(found))

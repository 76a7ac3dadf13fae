"""Byte offsets to code points."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.normalized_text.offsets import code_points_of


@given(st.text(), st.data())
def test_offsets_are_those_of_python(text: str, data: st.DataObject) -> None:
    source = text.encode("utf-8")
    points = data.draw(st.lists(st.integers(0, len(text)), max_size=30))
    assert code_points_of(source, [len(text[:point].encode("utf-8")) for point in points]) == points

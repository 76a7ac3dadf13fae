"""The normalized form of a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.extractions.names import normalize_name


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("Systems Thinking", "systems thinking"),
        ("systems\u00a0thinking ", "systems thinking"),
        ("SYSTEMS  THINKING", "systems thinking"),
        ("“Systems Thinking”", "systems thinking"),
        ("the Atlas Router", "atlas router"),
        ("**Atlas** Router", "atlas router"),
        ("`kube-apiserver`", "kube-apiserver"),
        ("Ｔｒｅｓｋ Valve", "tresk valve"),
        ("Straße", "strasse"),
        ("Corvane's", "corvane"),
        ("A", "a"),
        ("The", "the"),
        ("PX-11", "px-11"),
        ("snake_case_name", "snake_case_name"),
    ],
)
def test_variants_of_a_name(surface: str, name: str) -> None:
    assert normalize_name(surface) == name


def test_near_codes_stay_apart() -> None:
    assert len({normalize_name(code) for code in ("PX-11", "PX-12", "PX-1", "KQ-2", "KQ-20")}) == 5


@given(st.text(max_size=40))
def test_normalizing_is_idempotent_and_never_empties(surface: str) -> None:
    name = normalize_name(surface)
    assert normalize_name(name) == name
    assert name or not "".join(surface.split())

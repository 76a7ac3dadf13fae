"""Kinds of values that several settings share."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field

MOST: Final = 10**12
"""No whole number of any setting is larger; it fits the columns of every database."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*", re.ASCII)


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"expected a number, found {str(value).lower()}")
    return value


def _language(code: str) -> str:
    if not _LANGUAGE.fullmatch(code):
        raise ValueError(f"{code!r} is not the code of a language such as en or pt-BR")
    return code


Whole = Annotated[int, BeforeValidator(_no_boolean), Field(le=MOST)]
"""A whole number; YAML's ``true`` is not 1."""
Number = Annotated[float, BeforeValidator(_no_boolean)]
"""A number; YAML's ``true`` is not 1."""
Language = Annotated[str, AfterValidator(_language)]
"""The code of a language, perhaps with a region or a script."""

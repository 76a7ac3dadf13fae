"""Content-derived identifiers: the same inputs give the same id on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Final

_CANONICAL: Final = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=str)


def fingerprint(*parts: object) -> str:
    """SHA-256 hex digest of JSON-serializable parts; the boundaries between parts count."""
    return hashlib.sha256(_CANONICAL.encode(parts).encode("ascii")).hexdigest()


def short_id(prefix: str, *parts: object) -> str:
    """A readable id such as ``chk_3f2a…``: the prefix and 16 hex digits (64 bits) of the fingerprint."""
    return f"{prefix}_{fingerprint(*parts)[:16]}"


def number_repeats(keys: Iterable[str]) -> list[int]:
    """For each key, how many equal keys came before it: ``a b a`` gives ``0 0 1``."""
    seen: dict[str, int] = {}
    ordinals = []
    for key in keys:
        ordinals.append(seen.get(key, 0))
        seen[key] = ordinals[-1] + 1
    return ordinals


def tell_apart(names: Iterable[str], form: str) -> list[str]:
    """Distinct names: one that came before is written in ``form`` with the next number that makes it new.

    ``form`` takes the name and a number from 2 on, as ``"{} ({})"``. What comes later changes no name.
    """
    told: dict[str, None] = {}
    numbers: dict[str, int] = {}
    for name in names:
        new = name
        while new in told:
            numbers[name] = numbers.get(name, 1) + 1
            new = form.format(name, numbers[name])
        told[new] = None
    return list(told)

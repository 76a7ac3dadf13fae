"""The metadata block at the very start of a Markdown file (YAML between ``---``, TOML between ``+++``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

_YAML_BLOCK = re.compile(r"---[ \t]*\r?\n(?:(.*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?=\r?\n|\Z)", re.DOTALL)
_TOML_BLOCK = re.compile(r"\+\+\+[ \t]*\r?\n(?:(.*?)\r?\n)??\+\+\+[ \t]*(?=\r?\n|\Z)", re.DOTALL)
_LINE = re.compile(r"([A-Za-z][\w .-]{0,60}?)\s*:(?:\s+(.*))?\s*$")
_MAX_LENGTH = 64 * 1024
_MAX_NATIVE_LENGTH = 4 * 1024


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Where the block ends (code points) and its values as text; ``parsed`` is False for broken syntax."""

    end: int
    metadata: Mapping[str, str]
    parsed: bool = True


def find_front_matter(text: str) -> FrontMatter | None:
    """The front matter at the start of ``text``, or None: two rules around prose are not front matter."""
    head = text[:_MAX_LENGTH]
    for pattern, read in ((_YAML_BLOCK, _read_yaml), (_TOML_BLOCK, tomllib.loads)):
        found = pattern.match(head)
        if found is None:
            continue
        source, end = found[1] or "", found.end()
        try:
            values = read(source)
        except (yaml.YAMLError, tomllib.TOMLDecodeError, RecursionError):
            lines = _read_lines(source)
            return FrontMatter(end, lines, parsed=False) if lines else None
        return FrontMatter(end, _flatten(values)) if values and isinstance(values, dict) else None
    return None


def _read_yaml(source: str) -> object:
    # The native loader recurses on the C stack, so it reads only what cannot be nested too deeply;
    # the pure loader raises RecursionError instead of crashing. Values stay text: no date is coerced.
    loader = yaml.CBaseLoader if len(source) <= _MAX_NATIVE_LENGTH else yaml.BaseLoader
    return yaml.load(source, Loader=loader)


def _read_lines(source: str) -> Mapping[str, str]:
    """The ``key: value`` lines of a block whose syntax is broken, if its first line is one."""
    lines = [line for line in source.splitlines() if line.strip() and not line.startswith("#")]
    if not lines or _LINE.match(lines[0]) is None:
        return {}
    pairs = (_LINE.match(line) for line in lines)
    return {pair[1]: (pair[2] or "").strip() for pair in pairs if pair}


def _flatten(values: Mapping[Any, object]) -> Mapping[str, str]:
    """Scalars and lists of scalars as text; deeper values are left to the block's own text."""
    flat: dict[str, str] = {}
    for key, value in values.items():
        items = value if isinstance(value, list) else [value]
        if items and not any(isinstance(item, dict | list) for item in items):
            flat[str(key)] = ", ".join(str(item) for item in items)
    return flat

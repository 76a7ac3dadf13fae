"""The metadata block at the very start of a Markdown file (YAML between ``---``, TOML between ``+++``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import yaml

_YAML_BLOCK = re.compile(r"---[ \t]*\r?\n(?:(.*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?=\r?\n|\Z)", re.DOTALL)
_TOML_BLOCK = re.compile(r"\+\+\+[ \t]*\r?\n(?:(.*?)\r?\n)??\+\+\+[ \t]*(?=\r?\n|\Z)", re.DOTALL)
_LINE = re.compile(r"([A-Za-z][\w .-]{0,60}?)\s*:(?:\s+(.*))?\s*$")
_TOML_LINE = re.compile(r"\s*(?:\[|[^\s=][^=]*=)")
_MAX_LENGTH = 64 * 1024
_MAX_YAML_LENGTH = 16 * 1024
_MAX_TOML_LENGTH = 8 * 1024
"""Code points of a block that a parser may see: both parsers take more than linear time for hostile ones."""
_MAX_NATIVE_LENGTH = 4 * 1024


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Where the block ends (code points) and its values as text; ``parsed`` is False for broken syntax."""

    end: int
    metadata: Mapping[str, str]
    parsed: bool = True


def find_front_matter(text: str) -> FrontMatter | None:
    """The front matter at the start of ``text``, or None: two rules around prose are not front matter.

    A block that is too long for a parser or has broken syntax gives the values of its lines if it is YAML
    and none if it is TOML.
    """
    head = text[:_MAX_LENGTH]
    if found := _YAML_BLOCK.match(head):
        return _front_matter(found, _read_yaml, _read_lines, _LINE)
    if found := _TOML_BLOCK.match(head):
        return _front_matter(found, _read_toml, lambda _: {}, _TOML_LINE)
    return None


def _front_matter(
    block: re.Match[str],
    read: Callable[[str], Mapping[str, str] | None],
    read_lines: Callable[[Sequence[str]], Mapping[str, str]],
    first_line: re.Pattern[str],
) -> FrontMatter | None:
    source = block[1] or ""
    try:
        values = read(source)
    except Exception:  # the parsers raise many kinds for hostile input; none may cost the document
        lines = [line for line in source.splitlines() if line.strip() and not line.startswith("#")]
        if not lines or first_line.match(lines[0]) is None:
            return None
        return FrontMatter(block.end(), read_lines(lines), parsed=False)
    return FrontMatter(block.end(), values) if values is not None else None


def _read_yaml(source: str) -> Mapping[str, str] | None:
    if len(source) > _MAX_YAML_LENGTH:
        raise ValueError("too long")
    # The native loader recurses on the C stack, so it reads only what cannot be nested too deeply;
    # the pure loader raises RecursionError instead of crashing. Values stay text: no date is coerced.
    loader = yaml.CBaseLoader if len(source) <= _MAX_NATIVE_LENGTH else yaml.BaseLoader
    return _flatten(yaml.load(source, Loader=loader))


def _read_toml(source: str) -> Mapping[str, str] | None:
    if len(source) > _MAX_TOML_LENGTH:
        raise ValueError("too long")
    return _flatten(tomllib.loads(source))


def _read_lines(lines: Sequence[str]) -> Mapping[str, str]:
    """The values of the lines ``key: value``."""
    pairs = (_LINE.match(line) for line in lines)
    return {pair[1]: (pair[2] or "").strip() for pair in pairs if pair}


def _flatten(values: object) -> Mapping[str, str] | None:
    """Scalars and lists of scalars as text, None where there is no mapping.

    Deeper values are left to the block's own text, as are those that aliases make longer than any block.
    """
    if not isinstance(values, dict) or not values:
        return None
    flat: dict[str, str] = {}
    room = _MAX_LENGTH
    for key, value in values.items():
        items = value if isinstance(value, list) else [value]
        if not items or any(isinstance(item, dict | list) for item in items):
            continue
        texts = [str(item) for item in items]
        length = sum(map(len, texts))
        if length <= room:
            flat[str(key)] = ", ".join(texts)
            room -= length
    return flat

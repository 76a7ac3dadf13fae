"""Reads YAML that people write: whatever is wrong with it is one kind of error, with its line."""

from __future__ import annotations

from typing import Any, Final

import yaml

_BASE: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The checks are loaded for every asset of a run; without libyaml that takes a tenth of a second each."""
_MERGE: Final = "tag:yaml.org,2002:merge"
_NUMBERS: Final = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class YamlError(ValueError):
    """A text that is not valid YAML, or says one thing twice; the message has the line."""


def read_yaml(text: str) -> object:
    """What the one document of a YAML text holds, None where it is empty. Raises YamlError."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _require_plain(node)
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        # The parser lets numbers that Python cannot hold, and endless nesting, escape as these.
        raise YamlError(f"not valid YAML: {error}") from error
    finally:
        loader.dispose()


class _Loader(_BASE):  # pyright: ignore[reportGeneralTypeIssues]  # one of two classes
    """Values whose text does not fit their tag (``!!int ""``) are errors of YAML, with their line."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        except (yaml.YAMLError, RecursionError):
            raise
        except Exception as error:  # IndexError, KeyError, AttributeError …: the constructors check nothing
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(
                None, None, f"the value cannot be read as {kind}", node.start_mark
            ) from error


def _require_plain(root: yaml.Node) -> None:
    """Raise a YAMLError where a key stands twice in a mapping, of which YAML would take the last, or where a
    number has colons, which YAML would read as one of base 60 (``1:30`` as 90)."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias, perhaps to what it is in
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            _require_distinct(node)
            waiting.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif node.tag in _NUMBERS and ":" in node.value:
            raise yaml.constructor.ConstructorError(
                None, None, f"{node.value} would be read in base 60; write a plain number", node.start_mark
            )


def _require_distinct(mapping: yaml.MappingNode) -> None:
    keys: set[tuple[str, str]] = set()
    for key, _ in mapping.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
            continue
        if (key.tag, key.value) in keys:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key.value!r} stands twice", key.start_mark
            )
        keys.add((key.tag, key.value))

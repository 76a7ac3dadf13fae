"""The columns of each table as ``schema.sql`` declares them; a comment behind a column describes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pipeline.storage.schema import schema

_TABLE: Final = re.compile(r"^create table (\w+) \(\n(.*?)^\);", re.MULTILINE | re.DOTALL)
_COLUMN: Final = re.compile(
    r"^ {4}(?P<name>\w+) +(?P<type>[\w\[\]]+)(?P<required> not null| primary key)?"
    r"[^,\n-]*,?(?: *-- (?P<note>.*))?$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table; ``description`` is empty where its name says enough."""

    name: str
    type: str
    required: bool
    description: str


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table in order. Raises KeyError where there is no such table."""
    bodies = dict(_TABLE.findall(schema()))
    return tuple(
        Column(match["name"], match["type"], bool(match["required"]), match["note"] or "")
        for match in _COLUMN.finditer(bodies[table])
        if match["name"] != "primary"
    )

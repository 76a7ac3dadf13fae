"""The statements that make a home's database, and the mark by which it is known again.

``main`` holds each document's latest attempt, ``held`` the version that the graph was made from while that
differs, and ``published`` is what readers of the graph see: the held version, else the latest if it is whole.
"""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Final

from pipeline.identifiers import fingerprint
from pipeline.storage.tables import HELD_TABLES

_MADE_BY: Final = "create table made_by (schema_mark varchar not null);"

_WHOLE: Final = """
create schema held;
create schema published;

-- Documents whose latest version went through every asset and every blocking check.
create view whole_documents as
select document_id from main.ledger
where asset = 'extractions' and checked is not null
  and document_id not in (select document_id from main.quarantine);
"""

_HELD: Final = "create table held.{table} as from main.{table} with no data;"

_PUBLISHED: Final = """
create view published.{table} as
select * from main.{table}
where document_id in (select document_id from main.whole_documents)
  and document_id not in (select document_id from held.ledger)
union all
select * from held.{table};
"""


@functools.cache
def schema() -> str:
    """The statements that create every table and view."""
    parts = (
        _file("schema.sql"),
        _MADE_BY,
        _WHOLE,
        *(_HELD.format(table=table) for table in HELD_TABLES),
        *(_PUBLISHED.format(table=table) for table in HELD_TABLES),
        _file("views.sql"),
    )
    return "\n".join(parts)


@functools.cache
def schema_mark() -> str:
    """The fingerprint of the statements, whatever their comments and layout."""
    return fingerprint(" ".join(re.sub(r"--.*", "", schema()).split()))


def _file(name: str) -> str:
    return resources.files("pipeline.storage").joinpath(name).read_text(encoding="utf-8")

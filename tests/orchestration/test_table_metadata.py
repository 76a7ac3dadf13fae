"""The columns that Dagster shows are those of the tables, and lineage names columns that exist."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from pipeline.home import Home
from pipeline.orchestration.definitions import build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.table_metadata import SOURCES_OF
from pipeline.storage.columns import columns_of
from pipeline.storage.store import Store
from pipeline.storage.tables import TABLES_OF
from tests.orchestration.conftest import query


def test_columns_are_those_of_the_database(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.duckdb")
    store.create()
    for table in [table for tables in TABLES_OF.values() for table in tables]:
        found = query(
            store,
            "select column_name, lower(data_type), is_nullable = 'NO' from information_schema.columns "
            "where table_schema = 'main' and table_name = ? order by ordinal_position",
            [table],
        )
        assert [(c.name, c.type, c.required) for c in columns_of(table)] == found
    described = {column.name: column.description for column in columns_of("edges")}
    assert described["support"] == "distinct evidence spans"


def test_every_asset_with_tables_shows_its_columns(home: Home) -> None:
    with open_instance(home):  # Dagster resolves definitions with the instance that was opened last
        specs = {s.key.to_user_string(): s for s in build_definitions(home).resolve_all_asset_specs()}
    columns = {}
    for asset in TABLES_OF:
        schema = specs[asset].metadata["dagster/column_schema"]
        assert isinstance(schema, dg.TableSchema)
        columns[asset] = {column.name for column in schema.columns}
        assert specs[asset].metadata["dagster/uri"] == home.database.as_uri()
    for asset, sources in SOURCES_OF.items():
        assert sources.keys() <= columns[asset]
        assert all(name in columns[source] for deps in sources.values() for source, name in deps)

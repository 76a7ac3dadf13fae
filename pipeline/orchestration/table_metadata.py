"""What Dagster knows of the tables behind each asset before anything was materialized."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import dagster as dg

from pipeline.home import Home
from pipeline.storage.columns import columns_of
from pipeline.storage.tables import TABLES_OF

SOURCES_OF: Final[Mapping[str, Mapping[str, Sequence[tuple[str, str]]]]] = {
    "extractions": {
        "mentions.surface": [("normalized_text", "normalized_text.text"), ("chunks", "chunks.body_start")],
        "claims.evidence_start": [("chunks", "chunks.body_start"), ("chunks", "chunks.carried_start")],
        "claims.evidence_end": [("chunks", "chunks.body_end")],
    },
    "resolved_entities": {
        "entities.key": [("extractions", "mentions.name")],
        "entities.name": [("extractions", "mentions.surface")],
        "entities.type": [("extractions", "mentions.type")],
    },
    "graph_edges": {
        "edges.subject_id": [("resolved_entities", "mention_entities.entity_id")],
        "edges.relation": [("extractions", "claims.relation")],
        "edges.object_id": [("resolved_entities", "mention_entities.entity_id")],
        "edges.support": [("extractions", "claims.evidence_start"), ("extractions", "claims.evidence_end")],
        "edges.documents": [("extractions", "claims.document_id")],
        "edge_claims.claim_id": [("extractions", "claims.claim_id")],
    },
}
"""By asset and column: the columns it is made from. What is carried over as it is, is left out."""


def with_table_metadata(assets: Sequence[dg.AssetsDefinition], home: Home) -> list[dg.AssetsDefinition]:
    """The assets with the columns of their tables, where these come from, and the file they are in."""
    return [
        asset.map_asset_specs(
            lambda spec: spec.merge_attributes(metadata=table_metadata(spec.key.to_user_string(), home))
        )
        for asset in assets
    ]


def table_metadata(asset: str, home: Home) -> dict[str, object]:
    """Columns are named ``table.column``, because most assets write several tables. Empty without tables."""
    tables = TABLES_OF.get(asset, ())
    if not tables:
        return {}
    metadata: dict[str, object] = {
        "dagster/column_schema": dg.TableSchema(
            [
                dg.TableColumn(
                    f"{table}.{column.name}",
                    column.type,
                    column.description or None,
                    dg.TableColumnConstraints(nullable=not column.required),
                )
                for table in tables
                for column in columns_of(table)
            ]
        ),
        "dagster/table_name": f"{home.database.stem}.main.{tables[0]}",
        "dagster/uri": home.database.as_uri(),
    }
    if asset in SOURCES_OF:
        metadata["dagster/column_lineage"] = dg.TableColumnLineage(
            {
                column: [dg.TableColumnDep(asset_key=source, column_name=name) for source, name in sources]
                for column, sources in SOURCES_OF[asset].items()
            }
        )
    return metadata

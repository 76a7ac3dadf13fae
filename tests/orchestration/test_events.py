"""What Dagster is told: exactly the documents that were processed, with the data version of their rows."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from pipeline.home import Home
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import covering_range
from tests.orchestration.conftest import Ingest

ASSETS = ("documents", "normalized_text", "chunk_plans", "chunks", "extractions")


def _materialized(home: Home, run_id: str) -> dict[str, dict[str, dg.AssetMaterialization]]:
    """The materializations of a run: asset, then document."""
    found: dict[str, dict[str, dg.AssetMaterialization]] = {asset: {} for asset in ASSETS}
    with open_instance(home) as instance:
        for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION):
            event = entry.asset_materialization
            if event is not None and event.partition is not None:
                found[event.asset_key.to_user_string()][event.partition] = event
    return found


def test_only_what_was_processed_is_reported(home: Home, docs: Path, run: Ingest) -> None:
    for name in ("a", "b", "c"):
        (docs / f"{name}.md").write_text(f"# {name}\n\nVantor Rail owns Mill {name.upper()}.\n")
    [first] = run().run_ids
    keys = {"docs/a.md", "docs/b.md", "docs/c.md"}
    assert {asset: set(events) for asset, events in _materialized(home, first).items()} == dict.fromkeys(
        ASSETS, keys
    )
    (docs / "a.md").write_text("# a\n\nVantor Rail owns Mill Z.\n")
    (docs / "c.md").write_text("# c\n\nVantor Rail owns Mill C.\n   \n")
    [second] = run().run_ids
    reported = {asset: set(events) for asset, events in _materialized(home, second).items()}
    assert reported["documents"] == {"docs/a.md", "docs/c.md"}
    assert "docs/b.md" not in set().union(*reported.values())  # between the two in the range, and fresh
    assert reported["extractions"] >= {"docs/a.md"}


def test_the_data_version_is_that_of_the_rows(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "a.md").write_text("Vantor Rail owns Brack Mill.\n")
    [run_id] = run().run_ids
    for asset, events in _materialized(home, run_id).items():
        tags = events["docs/a.md"].tags or {}
        assert tags["dagster/data_version"] == home.store().ledger(asset)["docs/a.md"].output


def test_how_well_a_document_was_cut_is_shown_with_it(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "a.md").write_text("Vantor Rail owns Brack Mill.\n")
    [run_id] = run().run_ids
    metadata = _materialized(home, run_id)["chunks"]["docs/a.md"].metadata
    assert metadata["chunks"].value == 1 and metadata["atomic_splits"].value == 0


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [((), None), (("b",), ("b", "b")), (("d", "b"), ("b", "d")), (("x",), None)],
)
def test_a_range_covers_what_is_wanted(wanted: tuple[str, ...], expected: tuple[str, str] | None) -> None:
    assert covering_range(["a", "b", "c", "d"], wanted) == expected

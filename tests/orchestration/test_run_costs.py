"""What each run did and cost is kept, a row for each asset."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from pipeline.home import Home
from pipeline.orchestration.definitions import INGEST_JOB, build_definitions
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.partitions import REASON
from pipeline.storage.tables import CORPUS_ASSETS, DOCUMENT_ASSETS
from pipeline.workers import Workers
from tests.orchestration.conftest import Ingest, query

FACTS = "Vantor Rail owns Brack Mill. Orsan Depot uses Gate One.\n"
COLUMNS = "asset, reason, processed, fresh, failed, calls_made, calls_reused"


def test_every_asset_of_a_run_has_one_row(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "a.md").write_text(FACTS)
    (docs / "b.md").write_text("Gullwing replaced Merlin.\n")
    [first] = run().run_ids
    (docs / "b.md").write_text("Gullwing replaced Merlin in May.\n")
    [second] = run().run_ids
    rows = {
        run_id: query(
            home.store(), f"select {COLUMNS} from run_costs where run_id = ? order by asset", [run_id]
        )
        for run_id in (first, second)
    }
    assert [row[0] for row in rows[first]] == sorted([*DOCUMENT_ASSETS, *CORPUS_ASSETS])
    assert ("extractions", "ingest", 2, 0, 0, 2, 0) in rows[first]
    assert ("chunks", "ingest", 1, 0, 0, 0, 0) in rows[second]
    assert ("extractions", "ingest", 1, 0, 0, 1, 0) in rows[second]
    assert ("graph_edges", "ingest", 1, 0, 0, 0, 0) in rows[second]


def test_tokens_are_those_of_the_chunks_that_were_read(home: Home, docs: Path, run: Ingest) -> None:
    (docs / "a.md").write_text(FACTS)
    run()
    (docs / "copy").mkdir()
    (docs / "copy" / "b.md").write_text(FACTS + "\nGullwing replaced Merlin.\n")
    run()
    read = query(
        home.store(), "select tokens_read from run_costs where asset = 'extractions' order by ended_at"
    )
    sizes = query(
        home.store(),
        "select sum(tokens + header_tokens) from chunks group by document_id order by document_id",
    )
    assert read == sizes and all(tokens > 0 for (tokens,) in read)
    assert query(home.store(), "select sum(tokens_read) from run_costs where asset <> 'extractions'") == [
        (0,)
    ]


@pytest.mark.parametrize(("tags", "reason"), [({}, "manual"), ({REASON: "nightly"}, "nightly")])
def test_a_run_says_why_it_was_started(
    home: Home, docs: Path, run: Ingest, tags: dict[str, str], reason: str
) -> None:
    (docs / "a.md").write_text(FACTS)
    run()
    with open_instance(home) as instance:
        job = build_definitions(home, workers=Workers(0)).resolve_job_def(INGEST_JOB)
        result: dg.ExecuteInProcessResult = job.execute_in_process(
            instance=instance, partition_key="docs/a.md", tags=tags
        )
    found = query(
        home.store(), "select distinct reason, processed from run_costs where run_id = ?", [result.run_id]
    )
    assert found == [(reason, 0)]

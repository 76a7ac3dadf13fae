"""The corpus in numbers, from the rows of a home."""

from __future__ import annotations

from typing import Any, Final

import duckdb

from pipeline.corpus_profile.model import (
    CorpusProfile,
    OrphanProfile,
    RunTotals,
    SeamProfile,
    Share,
    TokenProfile,
)
from pipeline.storage.store import Store
from pipeline.storage.tables import DOCUMENT_ASSETS

TIERS: Final = ("whole", "sentence", "section", "hierarchical")
"""In the order of size."""
LATEST_RUNS: Final = 12


def read_profile(store: Store) -> CorpusProfile:
    """Sizes, seams, orphans and runs of a home. An empty home has an empty profile."""
    with store.connect(read_only=True) as connection:
        return CorpusProfile(_tokens(connection), _seams(connection), _orphans(connection), _runs(connection))


def _tokens(connection: duckdb.DuckDBPyConnection) -> TokenProfile:
    by_tier: dict[str, list[int]] = {}
    for tier, tokens in _rows(
        connection, "select tier, token_count from chunk_plans order by token_count, document_id"
    ):
        by_tier.setdefault(tier, []).append(tokens)
    borders = _rows(
        connection,
        "select cast(settings ->> '$.whole_max' as bigint), cast(settings ->> '$.sentence_max' as bigint), "
        "cast(settings ->> '$.section_max' as bigint), count(*) from chunk_plans where strategy = 'tier' "
        "group by all order by all desc",
    )
    common = max(borders, key=lambda row: row[3], default=None)
    return TokenProfile(
        by_tier={tier: tuple(by_tier[tier]) for tier in TIERS if tier in by_tier},
        borders=(common[0], common[1], common[2]) if common else None,
        bordered=common[3] if common else 0,
    )


def _seams(connection: duckdb.DuckDBPyConnection) -> SeamProfile:
    seams = _rows(
        connection,
        "select overlap_ratio, exemption, cast(p.settings ->> '$.overlap.low' as double), "
        "cast(p.settings ->> '$.overlap.high' as double) "
        "from chunks c join chunk_plans p using (document_id) "
        "where c.level = 0 and c.seam_kind <> 'start' and p.strategy = 'tier' order by all",
    )
    bands: dict[tuple[float, float], int] = {}
    reasons: dict[str, int] = {}
    for _, exemption, low, high in seams:
        bands[low, high] = bands.get((low, high), 0) + 1
        reasons[exemption or ""] = reasons.get(exemption or "", 0) + 1
    return SeamProfile(
        in_band=tuple(row[0] for row in seams if row[1] is None),
        exempt=tuple(row[0] for row in seams if row[1] is not None and row[0] > 0),
        band=max(bands, key=lambda band: bands[band], default=None),
        reasons=dict(sorted(reasons.items())),
        dangling=_by_tier(
            connection,
            "select p.tier, count(*) filter (c.dangling), count(*) "
            "from chunks c join chunk_plans p using (document_id) where c.level = 0 group by p.tier",
        ),
    )


def _orphans(connection: duckdb.DuckDBPyConnection) -> OrphanProfile:
    [(orphans, entities)] = _rows(
        connection, "select (select count(*) from orphans), (select count(*) from entities)"
    )
    counted = (
        "count(distinct m.entity_id) filter (o.entity_id is not null), count(distinct m.entity_id) "
        "from mention_entities m left join orphans o using (entity_id)"
    )
    formats = _rows(
        connection,
        f"select n.source_format, {counted} join normalized_text n on n.document_id = m.document_id "
        "where n.source_format is not null group by 1 order by 3 desc, 1",
    )
    return OrphanProfile(
        overall=Share("all", orphans, entities),
        by_tier=_by_tier(
            connection,
            f"select p.tier, {counted} join chunk_plans p on p.document_id = m.document_id group by p.tier",
        ),
        by_format=tuple(Share(*row) for row in formats),
    )


def _runs(connection: duckdb.DuckDBPyConnection) -> tuple[RunTotals, ...]:
    """A document counts once in a run: what the asset with most documents processed."""
    runs = _rows(
        connection,
        "select run_id, strftime(max(ended_at), '%d %b\n%H:%M'), min(reason), "
        "coalesce(max(processed) filter (asset in (select unnest($assets))), 0), max(failed), "
        "sum(calls_made), sum(calls_reused), sum(tokens_read) "
        "from run_costs group by run_id having sum(processed) + sum(failed) > 0 "
        "order by max(ended_at), run_id",
        {"assets": list(DOCUMENT_ASSETS)},
    )[-LATEST_RUNS:]
    seconds: dict[str, dict[str, float]] = {row[0]: {} for row in runs}
    for run_id, asset, spent in _rows(
        connection,
        "select run_id, asset, sum(seconds) from run_costs where run_id in (select unnest($runs)) "
        "group by all order by all",
        {"runs": list(seconds)},
    ):
        seconds[run_id][asset] = spent
    return tuple(RunTotals(*row, seconds=seconds[row[0]]) for row in runs)


def _by_tier(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[Share, ...]:
    found = {row[0]: Share(*row) for row in _rows(connection, sql)}
    return tuple(found[tier] for tier in TIERS if tier in found)


def _rows(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: dict[str, Any] | None = None
) -> list[tuple[Any, ...]]:
    return connection.execute(sql, parameters).fetchall()

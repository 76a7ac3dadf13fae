"""What runs did and cost: one row for each run and asset."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pipeline.storage.store import Store


@dataclass(frozen=True, slots=True)
class RunCost:
    """What one run did for one asset. Counts are of documents, calls of chunks; ``seconds`` are wall time.

    ``tokens_read`` counts headers and texts of the calls that were made.
    """

    run_id: str
    asset: str
    reason: str
    seconds: float
    processed: int
    fresh: int
    failed: int = 0
    quarantined: int = 0
    calls_made: int = 0
    calls_reused: int = 0
    tokens_read: int = 0


def record_cost(store: Store, cost: RunCost) -> None:
    """Keep what a run cost, as of now."""
    values = asdict(cost)
    with store.transaction() as connection:
        connection.execute(
            f"insert into run_costs ({', '.join(values)}, ended_at) "
            f"values ({', '.join('?' * len(values))}, current_localtimestamp())",
            list(values.values()),
        )

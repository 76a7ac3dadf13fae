"""An automation condition that is true where the ledger says that a document is due: an alternative to the
sensor and the schedule for those who run everything by Dagster's declarative automation."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import dagster as dg

from pipeline.checks import CheckError
from pipeline.config import ConfigError
from pipeline.corpus import GRAPH, is_stale
from pipeline.home import Home
from pipeline.orchestration.partitions import DEFER_EVENTS, REASON
from pipeline.orchestration.resources import Extractors
from pipeline.orchestration.run_locks import runs_in_flight
from pipeline.orchestration.runs import due_partitions
from pipeline.storage.tables import CORPUS_ASSETS, DOCUMENT_ASSETS

SECONDS_BETWEEN_TICKS: Final = 30


def build_automation(home: Home, extractors: Extractors) -> dg.AutomationConditionSensorDefinition:
    """The sensor ``automation``, off until it is switched on.

    A document is requested once when it becomes due, and again only if it was materialized since and is
    still due: a run that fails is not repeated at every tick. Nothing is requested while a run is in flight.
    """
    due = LedgerDue(home, extractors)
    was_handled: dg.AutomationCondition[Any] = dg.AutomationCondition.newly_requested()
    became_due = due.newly_true() | dg.AutomationCondition.newly_updated()
    return dg.AutomationConditionSensorDefinition(
        "automation",
        target=dg.AssetSelection.assets(*DOCUMENT_ASSETS, *CORPUS_ASSETS).without_checks(),
        default_condition=due & became_due.since(was_handled) & ~RunInFlight(home),
        use_user_code_server=True,
        minimum_interval_seconds=SECONDS_BETWEEN_TICKS,
        run_tags={DEFER_EVENTS: "true", REASON: "automation"},
        description="Requests what is due as Dagster backfills. An alternative to the other sensor.",
    )


class LedgerDue(dg.AutomationCondition[dg.AssetKey]):
    """True for the documents that are due in the asset or an earlier one: one tick requests all layers.

    For an asset over the whole corpus: true where its inputs changed and no document is due any more. What
    failed is left to the nightly backfill, and what is quarantined is not due.
    """

    def __init__(self, home: Home, extractors: Extractors) -> None:
        self.home = home
        self.extractors = extractors
        self._tick: datetime | None = None
        self._due: dict[str, str] = {}

    @property
    def name(self) -> str:
        """What Dagster calls it."""
        return "ledger_due"

    @property
    def requires_cursor(self) -> bool:
        """Whether it remembers anything between ticks."""
        return False

    def evaluate(self, context: dg.AutomationContext[dg.AssetKey]) -> dg.AutomationResult[dg.AssetKey]:
        """The partitions of an asset that are due, among those asked for."""
        asset = context.key.to_user_string()
        due = self._due_assets(context)
        if asset in DOCUMENT_ASSETS:
            reached = DOCUMENT_ASSETS[: DOCUMENT_ASSETS.index(asset) + 1]
            keys = {key for key, first in due.items() if first in reached}
            subset = context.candidate_subset.compute_intersection_with_partition_keys(keys)
        elif not due and self.home.exists() and self._is_graph_stale(asset):
            subset = context.candidate_subset
        else:
            subset = context.get_empty_subset()
        return dg.AutomationResult(context, true_subset=subset)

    def _is_graph_stale(self, asset: str) -> bool:
        """Whether an asset over the whole corpus, or one that it is made from, is stale."""
        reached = CORPUS_ASSETS[: CORPUS_ASSETS.index(asset) + 1]
        return any(is_stale(self.home.store(), each) for each in GRAPH if each.asset in reached)

    def _due_assets(self, context: dg.AutomationContext[dg.AssetKey]) -> dict[str, str]:
        """Each due document and the first asset it is due in, asked once for all assets of a tick."""
        if context.evaluation_time != self._tick:
            self._tick, self._due = context.evaluation_time, {}
            if self.home.exists():
                instance = context.asset_graph_view.instance
                try:
                    due = due_partitions(self.home, instance, self.extractors, retry=False)
                except (ConfigError, CheckError) as error:
                    context.log.warning(str(error))
                else:
                    self._due = {item.document_id: item.asset for item in due}
        return self._due


class RunInFlight(dg.AutomationCondition[dg.AssetKey]):
    """True for everything while any run is waiting or at work."""

    def __init__(self, home: Home) -> None:
        self.home = home

    @property
    def name(self) -> str:
        """What Dagster calls it."""
        return "run_in_flight"

    @property
    def requires_cursor(self) -> bool:
        """Whether it remembers anything between ticks."""
        return False

    def evaluate(self, context: dg.AutomationContext[dg.AssetKey]) -> dg.AutomationResult[dg.AssetKey]:
        """All of what is asked for, or nothing."""
        busy = runs_in_flight(self.home, context.asset_graph_view.instance)
        return dg.AutomationResult(context, context.candidate_subset if busy else context.get_empty_subset())

"""What the next ingest of a home's sources would do. Processes nothing, and knows no Dagster."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.config import Config
from pipeline.extractions.factory import build_extractor
from pipeline.home import Home
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import Gate
from pipeline.staleness import Due, due_documents
from pipeline.watching import survey
from pipeline.workers import Workers


@dataclass(frozen=True, slots=True)
class Pending:
    """Documents to process, those whose files are gone, and what could not be looked at."""

    due: tuple[Due, ...]
    gone: tuple[str, ...]
    warnings: tuple[str, ...]


def look_ahead(home: Home, config: Config, gate: Gate) -> Pending:
    """Look at all files of the sources and at the settings. Files whose size or times changed are opened.

    Raises StoreBusy where another process holds the database.
    """
    store = home.store()
    seen = survey(store, home.folder, config, settle_seconds=0.0)
    stages = document_stages(store, home, config, Workers(0), build_extractor(config.extraction))
    due = due_documents(store, stages, list(seen.documents), gate, retry=True)
    unread = tuple(f"{key}: not looked at, there was no time left" for key in seen.postponed)
    return Pending(due, seen.gone, (*seen.warnings, *unread))

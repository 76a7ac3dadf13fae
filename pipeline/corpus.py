"""Assets over the whole corpus: rebuilt by DuckDB from SQL when any document's extraction changed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import Final

from pipeline.identifiers import fingerprint
from pipeline.quarantine import awaits_publication, publish
from pipeline.storage.store import LedgerEntry, Store
from pipeline.storage.tables import CORPUS, DOCUMENT_ASSETS


@dataclass(frozen=True, slots=True)
class CorpusAsset:
    """An asset over the whole corpus: the statements that build it, and the asset they read."""

    asset: str
    upstream: str
    package: str
    file: str

    def statements(self) -> str:
        """The SQL that fills the asset's emptied tables."""
        return resources.files(self.package).joinpath(self.file).read_text(encoding="utf-8")


RESOLVED_ENTITIES: Final = CorpusAsset(
    "resolved_entities", "extractions", "pipeline.resolved_entities", "resolve.sql"
)
GRAPH_EDGES: Final = CorpusAsset("graph_edges", "resolved_entities", "pipeline.graph_edges", "edges.sql")
GRAPH: Final = (RESOLVED_ENTITIES, GRAPH_EDGES)
"""What makes the graph, in the order of the flow."""


def wanted_corpus_inputs(store: Store, asset: CorpusAsset) -> str:
    """The fingerprint of what the asset should be made from: its SQL and the published upstream outputs."""
    ledger = store.ledger(asset.upstream, published=_reads_documents(asset))
    upstream = sorted((key, entry.output) for key, entry in ledger.items())
    return fingerprint(asset.asset, asset.statements(), upstream)


def is_stale(store: Store, asset: CorpusAsset) -> bool:
    """Whether the asset was made from something else, or is missing and could be made."""
    if _reads_documents(asset) and awaits_publication(store):
        return True
    entry = store.ledger(asset.asset).get(CORPUS)
    if entry is None:
        return bool(store.ledger(asset.upstream, published=_reads_documents(asset)))
    return entry.inputs != wanted_corpus_inputs(store, asset)


def is_graph_stale(store: Store) -> bool:
    """Whether any part of the graph is."""
    return any(is_stale(store, asset) for asset in GRAPH)


def rebuild(store: Store, asset: CorpusAsset, run_id: str) -> bool:
    """Bring the asset up to date. Returns whether there was anything to do.

    The rows are replaced in one transaction. The first asset over the corpus publishes the documents'
    latest versions, so that until then the graph stands on what it was made from.
    """
    if _reads_documents(asset):
        publish(store)
    inputs = wanted_corpus_inputs(store, asset)
    entry = store.ledger(asset.asset).get(CORPUS)
    if entry is not None and entry.inputs == inputs:
        return False
    # The rows follow from the inputs alone, so the inputs' fingerprint is a data version too.
    store.replace_corpus(asset.asset, asset.statements(), LedgerEntry(inputs, inputs), run_id)
    return True


def _reads_documents(asset: CorpusAsset) -> bool:
    return asset.upstream in DOCUMENT_ASSETS

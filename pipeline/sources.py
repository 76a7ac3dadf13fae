"""The sources that a home knows, kept in its database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.documents.sources import Source
from pipeline.storage.store import Store


def known_sources(store: Store) -> tuple[Source, ...]:
    """All sources, by name."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute("select source, path, watched from sources order by source").fetchall()
    return tuple(Source(name, Path(path), watched) for name, path, watched in rows)


def source_folders(store: Store) -> dict[str, Path]:
    """Each source's folder by its name."""
    return {source.name: source.path for source in known_sources(store)}


def remember_sources(store: Store, sources: Sequence[Source]) -> None:
    """Keep sources. One that was watched stays so."""
    with store.transaction() as connection:
        for source in sources:
            connection.execute(
                "insert into sources values (?, ?, ?) "
                "on conflict do update set watched = watched or excluded.watched",
                [source.name, str(source.path), source.watched],
            )

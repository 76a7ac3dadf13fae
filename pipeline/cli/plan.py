"""``edgekeeper plan``: how one file would be cut, without touching anything."""

from __future__ import annotations

import dataclasses
import errno
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from pipeline.cli.output import ConfigOption, HomeOption, JsonOption, console, fail, print_json, shown
from pipeline.config import Config, ConfigError, load_config
from pipeline.discovery import id_of_file, known_sources
from pipeline.documents.records import may_hold_records
from pipeline.home import find_home
from pipeline.rejections import Rejected
from pipeline.wording import count_of

if TYPE_CHECKING:
    from pipeline.chunks.model import Chunk, ChunkedDocument


def plan(
    file: Annotated[Path, typer.Argument(help="A document.", show_default=False)],
    home: HomeOption = None,
    config: ConfigOption = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", help="Write the document with its chunks in colour to this file.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the tier, the plan and every chunk with its seam, as an ingest into the home would make them.

    The home need not exist; its configuration is used where --config names no other. Calls no model, and
    writes nothing but the file of --html.
    """
    place = find_home(home)
    try:
        settings = load_config(config) if config else place.config()
    except ConfigError as error:
        fail(str(error), as_json=as_json, code=2)
    sources = known_sources(place.store()) if place.exists() else ()
    try:
        chunked = chunk_file(file, settings, id_of_file(file, sources))
    except OSError as error:
        fail(f"{file}: cannot be read: {error.strerror}", as_json=as_json, code=2)
    except Rejected as rejected:
        fail(f"{file}: rejected ({rejected.reason}): {rejected.detail}", as_json=as_json)
    if html is not None:
        from pipeline.chunks.html_view import render_html

        try:
            html.write_text(render_html(chunked), encoding="utf-8")
        except OSError as error:
            fail(f"{html}: cannot be written: {error.strerror}", as_json=as_json, code=2)
        if not as_json:
            console().print(f"wrote {shown(str(html))}", soft_wrap=True)
    if as_json:
        print_json(to_json(chunked))
    else:
        _print(chunked)
        if may_hold_records(file.name, settings.normalization):
            console().print(
                "This is the file as one document. An ingest makes a document of each of its records, "
                "unless normalization.records.split is false."
            )


def chunk_file(file: Path, config: Config, document_id: str) -> ChunkedDocument:
    """Normalize, plan and cut one file. Raises Rejected, OSError."""
    from pipeline.chunk_plans import plan_document
    from pipeline.chunks import cut
    from pipeline.normalized_text import normalize

    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "not a regular file")
    text = normalize(
        file.read_bytes(), document_id=document_id, file_name=file.name, settings=config.normalization
    )
    return cut(text, plan_document(text, config.chunking, uri=document_id), config.chunking)


def to_json(chunked: ChunkedDocument) -> dict[str, Any]:
    """The documented shape; every span is ``[start, end)`` in code points of ``text``."""
    return {
        "text": chunked.text,
        "token_count": chunked.token_count,
        "plan": dataclasses.asdict(chunked.plan),
        "sections": [dataclasses.asdict(section) for section in chunked.sections],
        "blocks": [
            {
                "kind": block.kind,
                "span": block.span,
                "section_id": block.section_id,
                "level": block.level,
                "title": block.title,
            }
            for block in chunked.blocks
        ],
        "chunks": [_chunk_json(chunk) for chunk in chunked.chunks],
    }


def _chunk_json(chunk: Chunk) -> dict[str, Any]:
    return {
        "chunk_id": chunk.chunk_id,
        "level": chunk.level,
        "parent_id": chunk.parent_id,
        "section_id": chunk.section_id,
        "section_path": chunk.section_path,
        "body": chunk.body,
        "carried": chunk.carried,
        "header": chunk.header,
        "tokens": chunk.tokens,
        "overlap_ratio": chunk.overlap_ratio,
        "seam": {"kind": chunk.seam.kind, "exemption": chunk.seam.exemption},
        "atomic": chunk.atomic,
        "floor": dataclasses.asdict(chunk.floor),
    }


def _print(chunked: ChunkedDocument) -> None:
    out = console()
    settings = ", ".join(f"{key} {value}" for key, value in chunked.plan.settings.items())
    out.print(
        f"[bold]{shown(chunked.document_id)}[/]: {chunked.token_count} tokens, "
        f"tier [bold]{chunked.plan.tier}[/], "
        f"rule {shown(chunked.plan.rule)}, strategy {chunked.plan.strategy}"
    )
    out.print(f"[dim]{shown(settings)}[/]")
    table = Table()
    for name in ("", "section", "body", "tokens", "overlap", "seam", "floor"):
        table.add_column(name, overflow="fold")
    table.add_column("text", overflow="fold", ratio=1)
    for chunk in chunked.chunks:
        table.add_row(*_row(chunk, chunked.text))
    out.print(table)


def _row(chunk: Chunk, text: str) -> tuple[str, ...]:
    kind = "parent" if chunk.level else str(chunk.index)
    floor = f"{count_of(chunk.floor.entities, 'entity')}, {count_of(chunk.floor.predicates, 'predicate')}"
    opening = " ".join(chunk.body.of(text).split())
    return (
        kind,
        shown(chunk.section_path[-1] if chunk.section_path else ""),
        f"{chunk.body.start}–{chunk.body.end}",
        str(chunk.tokens),
        f"{chunk.overlap_ratio:.1%}" if chunk.carried else "",
        chunk.seam.kind + (f" ({chunk.seam.exemption})" if chunk.seam.exemption else ""),
        floor if chunk.floor.passed else f"[yellow]below: {floor}[/]",
        shown(opening[:60] + ("…" if len(opening) > 60 else "")),
    )

"""``edgekeeper trace``: from an edge back to its sentences."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from rich.tree import Tree

from pipeline.cli.output import HomeOption, JsonOption, console, existing_home, fail, print_json, shown
from pipeline.lineage import Evidence, TracedEdge, chunk_texts, find_edges, is_known
from pipeline.lineage import trace as trace_edge
from pipeline.storage.store import Store

SHOWN_EDGES = 20
"""Edges printed for people; programs get all."""


def trace(
    edge: Annotated[str | None, typer.Argument(help="An edge id.", show_default=False)] = None,
    subject: Annotated[str | None, typer.Option(help="Name of the subject.", show_default=False)] = None,
    relation: Annotated[str | None, typer.Option(help="Relation, e.g. own.", show_default=False)] = None,
    object_: Annotated[
        str | None, typer.Option("--object", help="Name of the object.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", help="Write the sentences, marked in their chunks, to this file.", show_default=False
        ),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the chain edge → claims → quoted evidence with spans → chunk → document version → file."""
    if edge is None and subject is None and relation is None and object_ is None:
        fail("name an edge id, or any of --subject, --relation, --object", as_json=as_json, code=2)
    store = existing_home(home, as_json=as_json).store()
    if edge is not None:
        found = trace_edge(store, edge)
        edges = [found] if found else []
    else:
        edges = find_edges(store, subject=subject, relation=relation, object_=object_)
    if not edges:
        fail(_explain_nothing(store, edge, subject, relation, object_), as_json=as_json)
    if html is not None:
        _write_page(store, edges, html, as_json=as_json)
    if as_json:
        print_json({"edges": [dataclasses.asdict(item) for item in edges]})
        return
    out = console()
    for item in edges[:SHOWN_EDGES]:
        out.print(to_tree(item))
    if len(edges) > SHOWN_EDGES:
        out.print(f"… and {len(edges) - SHOWN_EDGES} more; --json prints all")


def _write_page(store: Store, edges: list[TracedEdge], file: Path, *, as_json: bool) -> None:
    from pipeline.trace_page import render_trace

    chunks = chunk_texts(store, [item.chunk_id for edge in edges for item in edge.evidence])
    try:
        file.write_text(render_trace(edges, chunks), encoding="utf-8")
    except OSError as error:
        fail(f"{file}: cannot be written: {error.strerror}", as_json=as_json, code=2)
    if not as_json:
        console().print(f"wrote {shown(str(file))}", soft_wrap=True)


def _explain_nothing(
    store: Store, edge: str | None, subject: str | None, relation: str | None, object_: str | None
) -> str:
    if edge is not None:
        return f"there is no edge {edge!r}; find one by name: edgekeeper trace --subject NAME"
    for name in (subject, object_):
        if name is not None and not is_known(store, name):
            return f"no entity is called {name!r}; what is named only in tables or code makes none"
    others = find_edges(store, subject=subject, object_=object_)
    if relation is not None and others:
        known = ", ".join(sorted({item.relation for item in others}))
        return f"no edge has the relation {relation!r} there; these do: {known}"
    return "no edge joins what was asked for; what is denied, planned or hedged is a claim, but no edge"


def to_tree(edge: TracedEdge) -> Tree:
    """An edge with its evidence, for a terminal."""
    tree = Tree(
        f"[bold]{shown(edge.subject)}[/] —{shown(edge.relation)}→ [bold]{shown(edge.object)}[/]  "
        f"[dim]{edge.edge_id}, support {edge.support}[/]"
    )
    for item in edge.evidence:
        tree.add(_claim_tree(item))
    return tree


def _claim_tree(item: Evidence) -> Tree:
    tree = Tree(f"[dim]claim[/] {item.claim_id}  [dim]{shown(item.pattern)}[/]")
    tree.add(f"“{shown(item.evidence)}”  [dim]{item.evidence_start}–{item.evidence_end}[/]")
    tree.add(
        f"[dim]subject[/] {shown(item.subject_surface)} [dim]{item.subject_start}–{item.subject_end}[/]  "
        f"[dim]object[/] {shown(item.object_surface)} [dim]{item.object_start}–{item.object_end}[/]"
    )
    tree.add(f"[dim]chunk[/] {item.chunk_id}  {shown(item.header)}")
    tree.add(f"[dim]document[/] {shown(item.document_id)}  [dim]version[/] {item.version[:12]}")
    tree.add(f"[dim]file[/] {shown(item.path)}")
    return tree

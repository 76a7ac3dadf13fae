"""One self-contained page that shows how a document was cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pipeline.characters import in_page
from pipeline.chunks.model import Chunk, ChunkedDocument, Seam
from pipeline.chunks.quality import ChunkQuality, measure
from pipeline.spans import Span

_HUES = (210, 145, 35, 280, 5, 180)
"""Colours of neighbouring chunks."""

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 Georgia, serif; margin: 2rem auto; max-width: 56rem; padding: 0 1rem; color: #1c1c1c; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; font: 13px/1.4 system-ui, sans-serif; margin: .5rem 0 1rem; }
td, th { border: 1px solid #d5d5d5; padding: .2rem .5rem; text-align: left; font-weight: normal; }
th { color: #555; }
.legend, .head, .seam, .parent { font: 13px/1.5 system-ui, sans-serif; }
.chunk { background: hsl(var(--hue) 70% 96%); border-left: 5px solid hsl(var(--hue) 55% 50%);
  padding: .5rem .9rem; }
.head { color: #444; margin-bottom: .4rem; overflow-wrap: anywhere; }
.head b { color: hsl(var(--hue) 55% 32%); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.carried { background: repeating-linear-gradient(45deg, transparent 0 5px, hsl(var(--hue) 60% 78%) 5px 7px); }
.atomic { outline: 2px solid #b06500; outline-offset: 1px; font-family: ui-monospace, monospace;
  font-size: 13px; }
.seam { display: flex; gap: .8rem; flex-wrap: wrap; align-items: center; padding: .25rem .4rem;
  margin: .15rem 0; color: #333; border-top: 1px dashed #888; }
.seam.warn { border-top: 2px solid #c62828; }
.tag { border-radius: 3px; padding: 0 .35rem; background: #eee; }
.tag.warn { background: #fbe0e0; color: #8a1010; }
.parent { margin: 1.2rem 0 .3rem; padding: .3rem .6rem; background: #eceff1; border-left: 5px solid #546e7a; }
.swatch { display: inline-block; width: 2.6em; height: 1em; vertical-align: -.15em; --hue: 210; }
"""


def render_html(chunked: ChunkedDocument) -> str:
    """The document with bodies coloured, carried text hatched, seams labelled and atomic blocks framed.

    Everything is escaped and in one file: no script, no font, no link.
    """
    quality = measure(chunked)
    parts = [
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>Plan of {in_page(chunked.document_id)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>Plan of {in_page(chunked.document_id)}</h1>",
        _summary(chunked, quality),
        _LEGEND,
        *_chunks(chunked),
        "</body></html>\n",
    ]
    return "\n".join(parts)


_LEGEND = (
    "<p class='legend'><span class='swatch chunk'></span> body of one chunk &emsp;"
    "<span class='swatch carried'></span> also carried into the next chunk &emsp;"
    "<span class='swatch atomic'></span> atomic block, never split</p>"
)


def _summary(chunked: ChunkedDocument, quality: ChunkQuality) -> str:
    plan = chunked.plan
    exemptions = ", ".join(f"{reason} {count}" for reason, count in quality.exemptions.items()) or "none"
    rows = (
        ("tier", f"{plan.tier}, {chunked.token_count:,} tokens"),
        ("rule, strategy", f"{plan.rule}, {plan.strategy}"),
        ("chunks", f"{quality.chunks:,} and {quality.parents:,} parents"),
        ("tokens of a chunk", " / ".join(map(str, quality.size_quantiles)) + " (0, 25, 50, 75, 95, 100 %)"),
        ("seams in the band", f"{quality.band_compliance:.1%}; exempt: {exemptions}"),
        ("severed links", f"{quality.severed:.1f}"),
        ("dangling openings", str(quality.dangling)),
        ("atomic blocks split", str(quality.atomic_splits)),
        ("below the floor", str(quality.below_floor)),
        ("duplication", f"{quality.duplication:.2f}, with headers {quality.duplication_with_headers:.2f}"),
    )
    return (
        "<table>"
        + "".join(f"<tr><th>{in_page(name)}</th><td>{in_page(value)}</td></tr>" for name, value in rows)
        + "</table>"
    )


def _chunks(chunked: ChunkedDocument) -> Iterator[str]:
    children = [chunk for chunk in chunked.chunks if chunk.level == 0]
    following = {chunk.chunk_id: after.carried for chunk, after in pairwise(children)}
    atomic = [block.span for block in chunked.blocks if block.atomic]
    first = 0
    number = 0
    for chunk in chunked.chunks:
        if chunk.level:
            path = in_page(" › ".join(chunk.section_path) or "document")
            yield f"<div class='parent'>{path}: {chunk.tokens:,} tokens</div>"
            continue
        while first < len(atomic) and atomic[first].end <= chunk.body.start:
            first += 1
        inside: list[Span] = []
        for span in atomic[first:]:
            if span.start >= chunk.body.end:
                break
            inside.append(span)
        yield _seam(chunk.seam)
        yield _chunk(chunked.text, chunk, number, inside, following.get(chunk.chunk_id))
        number += 1


def _chunk(text: str, chunk: Chunk, number: int, atomic: Sequence[Span], carried: Span | None) -> str:
    body = chunk.body
    places = {body.start, body.end}
    for span in (*atomic, *((carried,) if carried else ())):
        places |= {min(max(place, body.start), body.end) for place in span}
    bounds = sorted(places)
    pieces = []
    for start, end in pairwise(bounds):
        classes = [
            name
            for name, spans in (("atomic", atomic), ("carried", (carried,) if carried else ()))
            if any(span.contains((start, end)) for span in spans)
        ]
        shown = in_page(text[start:end])
        pieces.append(f"<span class='{' '.join(classes)}'>{shown}</span>" if classes else shown)
    flags = "".join(
        f" <span class='tag warn'>{flag}</span>"
        for flag, raised in (("below floor", not chunk.floor.passed), ("oversize", chunk.oversize))
        if raised
    )
    return (
        f"<div class='chunk' id='{in_page(chunk.chunk_id)}' style='--hue:{_HUES[number % len(_HUES)]}'>"
        f"<div class='head'><b>{chunk.index}</b> {chunk.tokens:,} tokens{flags}<br>"
        f"{in_page(chunk.header)}</div>"
        f"<div class='text'>{''.join(pieces)}</div></div>"
    )


def _seam(seam: Seam) -> str:
    if seam.kind == "start":
        return ""
    tags = [f"<span class='tag'>{seam.kind}</span>", f"carried {seam.carried_tokens} ({seam.ratio:.0%})"]
    if seam.exemption:
        tags.append(f"<span class='tag'>{seam.exemption}</span>")
    if seam.dangling:
        tags.append("<span class='tag warn'>dangling</span>")
    tags.append(f"severed {seam.severed:.1f}")
    warn = " warn" if seam.dangling or seam.kind == "oversize" else ""
    return f"<div class='seam{warn}'>{' '.join(tags)}</div>"

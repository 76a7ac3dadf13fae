"""Cuts a normalized text by its plan."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from pipeline.chunk_plans.model import ChunkPlan
from pipeline.chunk_plans.planning import plan_fingerprint
from pipeline.chunk_plans.settings import ChonkieStrategy, ChunkingSettings, TierStrategy
from pipeline.chunks.antecedents import NameFinder
from pipeline.chunks.drafting import Ground, draft, survey
from pipeline.chunks.floor import Probe, measure_floor, probe_named
from pipeline.chunks.header import HeaderWriter
from pipeline.chunks.links import Links
from pipeline.chunks.model import Chunk, ChunkedDocument, Floor, Seam
from pipeline.chunks.planner import Cut
from pipeline.chunks.seams import describe_seam
from pipeline.chunks.weights import weights_of
from pipeline.identifiers import short_id
from pipeline.normalized_text.model import NormalizedText
from pipeline.spans import Span
from pipeline.tokens import TokenCounter, token_counter


def cut(
    normalized: NormalizedText, plan: ChunkPlan, settings: ChunkingSettings, probe: Probe | None = None
) -> ChunkedDocument:
    """The chunks of a document.

    Bodies of level 0 are in text order and tile the text after a leading front matter. A document whose
    remaining text is blank has no chunks. Level-1 parents come before the first of their children.

    Args:
        normalized: the text and its structure.
        plan: what :func:`pipeline.chunk_plans.plan_document` made of the same text and settings.
        settings: the settings the plan was made with.
        probe: what counts entities and predicates for the floor; by default the one the settings name.

    Raises:
        ValueError: if the plan was made under other settings, as far as they matter to its tier.
    """
    if plan.fingerprint != plan_fingerprint(settings, plan.rule, plan.tier):
        raise ValueError(f"the plan of {normalized.document_id!r} was made under other settings")
    strategy = settings.strategy_of(plan.rule)
    counter = token_counter(settings.tokenizer)
    token_map = counter.map(normalized.text)
    ground = survey(normalized, plan, settings, token_map)
    chunks: tuple[Chunk, ...] = ()
    if ground is not None:
        links, cuts = draft(ground, weights_of(plan.tier))
        finisher = _Finisher(
            normalized, strategy, counter, ground, links, probe or probe_named(strategy.floor.probe)
        )
        chunks = finisher.chunks(cuts)
    return ChunkedDocument(
        document_id=normalized.document_id,
        text=normalized.text,
        token_count=plan.token_count,
        plan=plan,
        sections=normalized.sections,
        blocks=normalized.blocks,
        chunks=chunks,
    )


class _Finisher:
    """Gives cuts their ids, headers, seams and floors."""

    def __init__(
        self,
        normalized: NormalizedText,
        strategy: TierStrategy | ChonkieStrategy,
        counter: TokenCounter,
        ground: Ground,
        links: Links,
        probe: Probe,
    ) -> None:
        self.normalized = normalized
        self.strategy = strategy
        self.counter = counter
        self.token_map = counter.map(normalized.text)
        self.ground = ground
        self.links = links
        self.done: list[Chunk] = []
        self.repeats: Counter[tuple[str, str]] = Counter()
        self.names = NameFinder(normalized.text, ground.units)
        self.probe = probe
        self.headers = HeaderWriter(normalized.document_id, normalized.title, strategy.header, counter)

    def chunks(self, cuts: Sequence[Cut]) -> tuple[Chunk, ...]:
        """Parents and children in index order."""
        starts = self.ground.parents.tolist()
        bounds = dict(zip(starts, [*starts[1:], len(self.ground.units)], strict=False))
        parent: Chunk | None = None
        previous: Cut | None = None
        for planned in cuts:
            if planned.body in bounds:
                parent = self._parent(planned.body, bounds[planned.body])
                self.done.append(parent)
            self.done.append(self._child(planned, previous, parent))
            previous = planned
        return tuple(self.done)

    def _parent(self, first: int, last: int) -> Chunk:
        units = self.ground.units
        section = self.ground.outline.branch[units.items[first].section]
        body = units.span(first, last)
        path = self.ground.outline.sections[section].path
        tokens = self._tokens(body)
        header = self.headers.write(path, None, (), tokens)
        section_id = self.ground.outline.sections[section].section_id
        return Chunk(
            chunk_id=self._id("par", section_id),
            index=len(self.done),
            level=1,
            parent_id=None,
            section_id=section_id,
            section_path=path,
            body=body,
            carried=None,
            header=header.text,
            header_tokens=header.tokens,
            antecedents=(),
            tokens=tokens,
            content_key=_content_key(header.text, body.of(self.normalized.text)),
            seam=Seam("section" if first else "start"),
            floor=Floor(0, 0, True),
            atomic=any(unit.atomic for unit in units.items[first:last]),
        )

    def _child(self, planned: Cut, previous: Cut | None, parent: Chunk | None) -> Chunk:
        units, outline, text = self.ground.units, self.ground.outline, self.normalized.text
        limits = self.ground.limits
        inside = units.items[planned.body : planned.end]
        section = outline.section_of([unit.section for unit in inside], inside[0].starts_section)
        body = units.span(planned.body, planned.end)
        carried = units.span(planned.carried, planned.body) if planned.carried < planned.body else None
        whole = Span(carried.start if carried else body.start, body.end)
        tokens = self._tokens(whole)
        names = self.names.missing(planned.carried, planned.end)
        path = outline.sections[section].path
        above = parent.section_path[-1] if parent and parent.section_path else None
        header = self.headers.write(path, above, names, tokens)
        content = whole.of(text)
        content_key = _content_key(header.text, content)
        return Chunk(
            chunk_id=self._id("chk", content_key),
            index=len(self.done),
            level=0,
            parent_id=parent.chunk_id if parent else None,
            section_id=outline.sections[section].section_id,
            section_path=path,
            body=body,
            carried=carried,
            header=header.text,
            header_tokens=header.tokens,
            antecedents=header.antecedents,
            tokens=tokens,
            content_key=content_key,
            seam=describe_seam(planned, previous, self.ground, self.links),
            floor=measure_floor(content, self.strategy.floor, self.probe),
            atomic=any(unit.atomic for unit in inside),
            # Counted in the document, as the planner does: read alone, a text may have a token more.
            oversize=int(units.tokens[planned.end] - units.tokens[planned.carried]) > limits.largest,
            sentences=self._sentences(planned) if self.ground.tier == "whole" else (),
        )

    def _sentences(self, planned: Cut) -> tuple[Span, ...]:
        return tuple(self.ground.units.span(unit, unit + 1) for unit in range(planned.body, planned.end))

    def _tokens(self, span: Span) -> int:
        return self.counter.count_span(self.normalized.text, self.token_map, *span)

    def _id(self, prefix: str, key: str) -> str:
        """From what a chunk says, for a parent from its section; equal ones are told apart by their order."""
        repeat = self.repeats[prefix, key]
        self.repeats[prefix, key] += 1
        return short_id(prefix, self.normalized.document_id, key, repeat)


def _content_key(header: str, text: str) -> str:
    """SHA-256 of header and text: what an extractor reads, and so what its answer depends on."""
    data = header.encode("utf-8", "surrogatepass") + b"\0" + text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()

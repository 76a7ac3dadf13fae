"""Cuts a normalized text by its plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.chunk_plans.model import ChunkPlan
from pipeline.chunk_plans.planning import plan_fingerprint
from pipeline.chunk_plans.settings import ChonkieStrategy, ChunkingSettings, TierStrategy
from pipeline.chunks.antecedents import find_antecedents
from pipeline.chunks.floor import Probe, measure_floor, probe_named
from pipeline.chunks.header import build_header
from pipeline.chunks.links import Links, link
from pipeline.chunks.model import Chunk, ChunkedDocument, Floor, Seam
from pipeline.chunks.outline import Outline
from pipeline.chunks.planner import Cut, Limits, plan_cuts
from pipeline.chunks.seams import describe_seam
from pipeline.chunks.units import Units, build_units
from pipeline.chunks.weights import weights_of
from pipeline.identifiers import fingerprint, number_repeats, short_id
from pipeline.normalized_text.model import NormalizedText
from pipeline.spans import Span
from pipeline.tokens import IntArray, TokenCounter, TokenMap, token_counter


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
        ValueError: if the plan was made under other settings.
    """
    if plan.fingerprint != plan_fingerprint(settings, plan.rule):
        raise ValueError(f"the plan of {normalized.document_id!r} was made under other settings")
    strategy = settings.strategy_of(plan.rule)
    counter = token_counter(settings.tokenizer)
    token_map = counter.map(normalized.text)
    draft = _draft(normalized, plan, strategy, token_map)
    chunks = _Finisher(
        normalized, strategy, counter, draft, probe or probe_named(strategy.floor.probe)
    ).chunks()
    return ChunkedDocument(
        document_id=normalized.document_id,
        text=normalized.text,
        token_count=plan.token_count,
        plan=plan,
        sections=normalized.sections,
        blocks=normalized.blocks,
        chunks=chunks,
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """Units and the cuts between them, before headers and ids."""

    units: Units
    links: Links
    cuts: Sequence[Cut]
    limits: Limits
    outline: Outline
    parents: IntArray
    """Units at which a new parent starts; empty where the tier has no parents."""


def limits_of(plan: ChunkPlan, strategy: TierStrategy | ChonkieStrategy) -> Limits:
    """The sizes of a plan's tier in tokens."""
    if isinstance(strategy, ChonkieStrategy):
        size_target, low, high, largest = strategy.target, 1, strategy.target, 1.0
        band = (strategy.overlap, strategy.overlap)
        across = True
    else:
        size = {"section": strategy.section, "hierarchical": strategy.hierarchical}.get(
            plan.tier, strategy.sentence
        )
        size_target, low, high, largest = size.target, size.low, size.high, strategy.largest
        band = (strategy.overlap.low, strategy.overlap.high)
        across = strategy.carry_across_sections
    return Limits(
        target=size_target,
        low=low,
        high=high,
        largest=int(largest * size_target),
        band_low=int(np.ceil(band[0] * size_target)),
        band_high=int(band[1] * size_target),
        carry_across_sections=across,
    )


def _draft(
    normalized: NormalizedText, plan: ChunkPlan, strategy: TierStrategy | ChonkieStrategy, token_map: TokenMap
) -> Draft:
    limits = limits_of(plan, strategy)
    weights = weights_of(plan.tier)
    units = build_units(
        normalized,
        token_map,
        limits.largest,
        max(1, (limits.band_low + limits.band_high) // 2),
        strategy.language,
    )
    outline = Outline(normalized.sections)
    links = link(normalized.text, units, weights.links)
    barriers, parents = _barriers(units, outline, plan)
    if not len(units):
        cuts: Sequence[Cut] = ()
    elif plan.tier == "whole":
        cuts = (Cut(0, 0, len(units)),)
    else:
        cuts = plan_cuts(units, links, barriers, limits, weights)
    return Draft(units, links, cuts, limits, outline, parents)


def _barriers(units: Units, outline: Outline, plan: ChunkPlan) -> tuple[IntArray, IntArray]:
    """Units before which a body must start, and those at which a parent starts."""
    none = np.zeros(0, dtype=np.int64)
    sections = [unit.section for unit in units.items]
    if plan.tier == "whole" or not sections:
        return np.zeros(min(1, len(sections)), dtype=np.int64), none
    top = outline.changes(sections, outline.top)
    if plan.tier != "hierarchical":
        return top, none
    branches = outline.changes(sections, outline.branch)
    return branches, branches


class _Finisher:
    """Gives cuts their ids, headers, seams and floors."""

    def __init__(
        self,
        normalized: NormalizedText,
        strategy: TierStrategy | ChonkieStrategy,
        counter: TokenCounter,
        draft: Draft,
        probe: Probe,
    ) -> None:
        self.normalized = normalized
        self.strategy = strategy
        self.counter = counter
        self.draft = draft
        self.probe = probe
        self.title = normalized.title or normalized.document_id

    def chunks(self) -> tuple[Chunk, ...]:
        """Parents and children in index order, ids assigned."""
        drafts: list[Chunk] = []
        starts = self.draft.parents.tolist()
        bounds = dict(zip(starts, [*starts[1:], len(self.draft.units)], strict=False))
        parent: Chunk | None = None
        for planned in self.draft.cuts:
            if planned.body in bounds:
                parent = self._parent(planned.body, bounds[planned.body])
                drafts.append(parent)
            drafts.append(self._child(planned, parent))
        return self._numbered(drafts)

    def _parent(self, first: int, last: int) -> Chunk:
        units = self.draft.units
        section = self.draft.outline.branch[units.items[first].section]
        body = units.span(first, last)
        path = self.draft.outline.sections[section].path
        header = build_header(
            self.title, path, None, (), self._tokens(body), self.strategy.header, self.counter
        )
        return Chunk(
            chunk_id="",
            index=0,
            level=1,
            parent_id=None,
            section_id=self.draft.outline.sections[section].section_id,
            section_path=path,
            body=body,
            carried=None,
            header=header.text,
            header_tokens=header.tokens,
            antecedents=(),
            tokens=int(units.tokens[last] - units.tokens[first]),
            content_key=fingerprint("chunk", header.text, body.of(self.normalized.text)),
            seam=Seam("section" if first else "start"),
            floor=Floor(0, 0, True),
            atomic=any(unit.atomic for unit in units.items[first:last]),
        )

    def _child(self, planned: Cut, parent: Chunk | None) -> Chunk:
        units, outline, text = self.draft.units, self.draft.outline, self.normalized.text
        inside = units.items[planned.body : planned.end]
        section = outline.section_of([unit.section for unit in inside], inside[0].starts_section)
        body = units.span(planned.body, planned.end)
        carried = units.span(planned.carried, planned.body) if planned.carried < planned.body else None
        whole = Span(carried.start if carried else body.start, body.end)
        tokens = self._tokens(whole)
        names = find_antecedents(
            text, units, self.draft.links, planned.carried, planned.end, self.strategy.header.max_antecedents
        )
        path = outline.sections[section].path
        header = build_header(
            self.title,
            path,
            parent.section_path[-1] if parent and parent.section_path else None,
            names,
            tokens,
            self.strategy.header,
            self.counter,
        )
        return Chunk(
            chunk_id="",
            index=0,
            level=0,
            parent_id=None,
            section_id=outline.sections[section].section_id,
            section_path=path,
            body=body,
            carried=carried,
            header=header.text,
            header_tokens=header.tokens,
            antecedents=header.antecedents,
            tokens=tokens,
            content_key=fingerprint("chunk", header.text, whole.of(text)),
            seam=describe_seam(planned, units, self.draft.links, self.draft.limits),
            floor=measure_floor(whole.of(text), self.strategy.floor, self.probe),
            atomic=any(unit.atomic for unit in inside),
            oversize=tokens > self.draft.limits.largest,
        )

    def _tokens(self, span: Span) -> int:
        return self.counter.count(span.of(self.normalized.text))

    def _numbered(self, drafts: Sequence[Chunk]) -> tuple[Chunk, ...]:
        """Ids from what a chunk says, or for a parent from its section; equal ones are told apart by order."""
        from dataclasses import replace

        keys = [chunk.section_id if chunk.level else chunk.content_key for chunk in drafts]
        repeats = number_repeats(f"{chunk.level} {key}" for chunk, key in zip(drafts, keys, strict=True))
        document = self.normalized.document_id
        numbered: list[Chunk] = []
        parent_id: str | None = None
        for index, (chunk, key, repeat) in enumerate(zip(drafts, keys, repeats, strict=True)):
            chunk_id = short_id("par" if chunk.level else "chk", document, key, repeat)
            if chunk.level:
                parent_id = chunk_id
            numbered.append(
                replace(chunk, chunk_id=chunk_id, index=index, parent_id=None if chunk.level else parent_id)
            )
        return tuple(numbered)

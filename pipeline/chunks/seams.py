"""What a seam is: its kind, its overlap, and the reason where the overlap lies outside the band."""

from __future__ import annotations

from pipeline.chunks.drafting import Ground
from pipeline.chunks.evidence import REACH
from pipeline.chunks.links import Links
from pipeline.chunks.model import Exemption, Seam, SeamKind
from pipeline.chunks.planner import Cut, Limits
from pipeline.chunks.units import Units


def describe_seam(cut: Cut, previous: Cut | None, ground: Ground, links: Links) -> Seam:
    """The seam at which a planned chunk starts, ``previous`` being the chunk before it."""
    if previous is None:
        return Seam("start")
    units, limits = ground.units, ground.limits
    opening = units.items[cut.carried]
    tokens = int(units.tokens[cut.body] - units.tokens[cut.carried])
    return Seam(
        kind=_kind(cut.body, units),
        carried_tokens=tokens,
        ratio=tokens / limits.target,
        exemption=None
        if limits.band_low <= tokens <= limits.band_high
        else _exemption(cut, previous, units, limits, ground.starts_parent(cut.body)),
        dangling=bool(ground.evidence.opens_pronoun[cut.carried]) and not opening.starts_section,
        severed=float(links.severed[min(cut.body - cut.carried, REACH), cut.body]),
    )


def _kind(body: int, units: Units) -> SeamKind:
    unit = units.items[body]
    if unit.starts_section:
        return "section"
    if unit.inside_sentence:
        return "oversize"
    if unit.atomic or units.items[body - 1].atomic:
        return "atomic"
    return "paragraph" if unit.starts_block else "sentence"


def _exemption(
    cut: Cut, previous: Cut, units: Units, limits: Limits, starts_parent: bool
) -> Exemption | None:
    """Why whole sentences before the seam do not add up to the band; None if they could.

    The place of a seam next to an atomic block is the block's choice. Walking back from any other seam over
    what the body before holds: a section's start or an atomic block ends what may be carried, a sentence may
    step over the band, and the body before may be used up. A unit so long that nothing fits in front of it
    is an unsplittable sentence as well.
    """
    if starts_parent or (units.items[cut.body].starts_section and not limits.carry_across_sections):
        return "section_start"
    if units.items[cut.body].atomic:
        return "atomic_neighbour"
    tokens = units.tokens
    seam = int(tokens[cut.body])
    for index in range(cut.body - 1, previous.body, -1):
        if units.items[index].atomic:
            return "atomic_neighbour"
        carried = seam - int(tokens[index])
        if carried > limits.band_high:
            return "unsplittable_sentence"
        if carried >= limits.band_low:
            fits = int(tokens[cut.body + 1]) - int(tokens[index]) <= limits.largest
            return None if fits else "unsplittable_sentence"
        if units.items[index].starts_section:
            return "short_previous"
    return "atomic_neighbour" if units.items[previous.body].atomic else "short_previous"

"""What a seam is: its kind, its overlap, and the reason where the overlap lies outside the band."""

from __future__ import annotations

from pipeline.chunks.links import Links
from pipeline.chunks.model import Exemption, Seam, SeamKind
from pipeline.chunks.planner import Cut, Limits
from pipeline.chunks.units import Units


def describe_seam(cut: Cut, units: Units, links: Links, limits: Limits) -> Seam:
    """The seam at which a planned chunk starts."""
    if cut.body == 0:
        return Seam("start")
    tokens = int(units.tokens[cut.body] - units.tokens[cut.carried])
    distance = cut.body - cut.carried
    return Seam(
        kind=_kind(cut.body, units),
        carried_tokens=tokens,
        ratio=tokens / limits.target,
        exemption=None if limits.band_low <= tokens <= limits.band_high else _exemption(cut, units, limits),
        dangling=bool(links.dangling[cut.carried]),
        severed=links.severed_at(cut.body, distance),
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


def _exemption(cut: Cut, units: Units, limits: Limits) -> Exemption:
    """Why whole sentences before the seam do not add up to the band.

    Walking back from the seam: a section's start or an atomic block ends what may be carried; a body too
    short to carry from without carrying all of it; else a sentence that steps over the band.
    """
    if units.items[cut.body].starts_section and not limits.carry_across_sections:
        return "section_start"
    seam = int(units.tokens[cut.body])
    for index in range(cut.body - 1, -1, -1):
        if units.items[index].atomic:
            return "atomic_neighbour"
        if seam - int(units.tokens[index]) > limits.band_high:
            return "unsplittable_sentence"
        if units.items[index].starts_section:
            return "short_previous"
    return "short_previous"

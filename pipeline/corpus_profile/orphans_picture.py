"""Which documents name things that no sentence relates to another named thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.corpus_profile.model import OrphanProfile
from pipeline.corpus_profile.style import (
    BLUE,
    INK,
    TIER_COLOURS,
    add_panel,
    add_title,
    draw_shares,
    new_figure,
    percent,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_orphans(orphans: OrphanProfile) -> Figure:
    """The share of orphans by tier and by source format, with the share over all as a line."""
    overall = orphans.overall
    bottom = 100 + 32 * max(4, len(orphans.by_format))
    figure = new_figure(
        "Entities in no edge",
        f"{overall.part:,} of {overall.whole:,} entities, {percent(overall.rate)} (dotted). An entity counts "
        "wherever it is mentioned."
        if overall.whole
        else "no entities yet",
        bottom + 10,
    )
    panels = (
        ("By tier of the documents", 12, orphans.by_tier, [TIER_COLOURS[s.label] for s in orphans.by_tier]),
        ("By source format", 330, orphans.by_format, [BLUE] * len(orphans.by_format)),
    )
    for title, left, shares, colours in panels:
        add_title(figure, title, left, 62)
        axes = add_panel(figure, left + 76, 84, left + 212, bottom)
        draw_shares(axes, shares, colours, largest=1.25)
        if shares:
            axes.axvline(overall.rate, color=INK, linewidth=1, linestyle=":")
    return figure

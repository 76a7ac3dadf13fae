"""How well the corpus is cut: overlap at the seams, why it is missing, and openings that point back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.corpus_profile.model import SeamProfile
from pipeline.corpus_profile.style import (
    GREEN,
    GREY,
    TIER_COLOURS,
    add_panel,
    add_title,
    count_upwards,
    draw_bars,
    draw_shares,
    new_figure,
    percent,
    say_empty,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_seams(seams: SeamProfile) -> Figure:
    """Overlap ratios with the band shaded, exemptions by reason, the share of dangling openings by tier."""
    total, owing = sum(seams.reasons.values()), seams.reasons.get("", 0)
    figure = new_figure(
        "Seams between chunks",
        f"{total:,} seams: {owing:,} owe an overlap in the band, {total - owing:,} are exempt",
        470,
    )
    _draw_ratios(add_panel(figure, 56, 88, 625, 240), seams)
    add_title(figure, "Seams by reason of exemption", 12, 300)
    _draw_reasons(add_panel(figure, 134, 324, 306, 460), seams, total)
    add_title(figure, "Chunks that open on a word pointing back", 332, 300)
    draw_shares(
        add_panel(figure, 408, 324, 550, 460),
        seams.dangling,
        [TIER_COLOURS[share.label] for share in seams.dangling],
        largest=max([0.05, *(share.rate for share in seams.dangling)]) * 1.5,
    )
    return figure


def _draw_ratios(axes: Axes, seams: SeamProfile) -> None:
    axes.set_title("Overlap of the seams that carry text")
    if not seams.in_band and not seams.exempt:
        say_empty(axes, "no seam carries text yet")
        return
    edge = 5 * round(max([*seams.in_band, *seams.exempt, *(seams.band or ())]) * 100 // 5 + 2)
    if seams.band:
        low, high = (100 * end for end in seams.band)
        axes.axvspan(low, high, color=GREEN, alpha=0.16, linewidth=0, label=f"band: {low:g} to {high:g} %")
    axes.hist(
        [[_place(ratio, seams.band) for ratio in ratios] for ratios in (seams.in_band, seams.exempt)],
        bins=range(edge + 1) if edge <= 60 else 60,
        stacked=True,
        color=[GREEN, GREY],
        edgecolor="white",
        linewidth=0.4,
        label=[f"not exempt: {len(seams.in_band):,}", f"exempt: {len(seams.exempt):,}"],
    )
    axes.set_xlim(0, edge)
    axes.set_xlabel("carried tokens, % of the target size")
    axes.set_ylabel("seams")
    count_upwards(axes)
    axes.legend(loc="upper left")


def _place(ratio: float, band: tuple[float, float] | None) -> float:
    """Per cent, a little off the bin's edge: a band holds both of its ends, a bin only the lower one."""
    return 100 * ratio + (-1e-6 if band and ratio == band[1] else 1e-6)


def _draw_reasons(axes: Axes, seams: SeamProfile, total: int) -> None:
    if not total:
        say_empty(axes, "no seams yet")
        return
    reasons = sorted(seams.reasons.items(), key=lambda item: (item[0] != "", -item[1], item[0]))
    counts = [count for _, count in reasons]
    draw_bars(
        axes,
        [(reason or "not exempt").replace("_", " ") for reason, _ in reasons],
        counts,
        [f"{count:,}  ({percent(count / total)})" for count in counts],
        [GREY if reason else GREEN for reason, _ in reasons],
    )
    axes.set_xlim(0, max(counts) * 1.75)

"""How large the documents are, and where one tier ends and the next begins."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pipeline.corpus_profile.model import TokenProfile
from pipeline.corpus_profile.style import INK, TIER_COLOURS, add_panel, count_upwards, new_figure, say_empty

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINS_PER_DECADE: Final = 14


def draw_tokens(tokens: TokenProfile) -> Figure:
    """A histogram on a log axis, coloured by tier, with a line at each border."""
    count = sum(map(len, tokens.by_tier.values()))
    figure = new_figure("Documents by size", _subtitle(tokens, count), 360)
    axes = add_panel(figure, 56, 76, 625, 282)
    if not count:
        say_empty(axes, "no documents yet")
        return figure
    bins = _bins(tokens)
    axes.hist(
        # A border is the largest size of its tier, a bin's right end is not in the bin.
        [[max(size, 1) - 0.5 for size in members] for members in tokens.by_tier.values()],
        bins=bins,
        stacked=True,
        color=[TIER_COLOURS[tier] for tier in tokens.by_tier],
        edgecolor="white",
        linewidth=0.6,
        label=[f"{tier}: {len(members):,}" for tier, members in tokens.by_tier.items()],
    )
    for border in tokens.borders or ():
        if bins[0] < border < bins[-1]:
            _mark(axes, border)
    _scale(axes, bins[0], bins[-1])
    axes.set_ylim(0, axes.get_ylim()[1] * 1.1)
    figure.legend(loc="lower center", ncols=len(tokens.by_tier))
    return figure


def _subtitle(tokens: TokenProfile, count: int) -> str:
    if not count or tokens.borders is None:
        return f"{count:,} documents"
    whose = "" if tokens.bordered == count else f", as {tokens.bordered:,} of them have it"
    return f"{count:,} documents by tier; dashed: the most tokens of a tier{whose}"


def _bins(tokens: TokenProfile) -> list[float]:
    """Even steps on a log axis that start anew at each border, so that no bar belongs to two tiers."""
    import numpy as np

    sizes = [max(size, 1) for members in tokens.by_tier.values() for size in members]
    borders = {border for border in tokens.borders or () if border > 0}
    # With all borders in view, two corpora are seen on the same ground.
    ends = sorted({max(0.5, min([*sizes, *borders]) / 2), *borders, max([*sizes, *borders]) * 2})
    bins = {
        float(place)
        for start, end in pairwise(ends)
        for place in np.geomspace(start, end, max(2, round(np.log10(end / start) * BINS_PER_DECADE) + 1))
    }
    return sorted(bins)


def _mark(axes: Axes, border: int) -> None:
    axes.axvline(border, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.annotate(
        f"{border:,}",
        (border, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 3),
        textcoords="offset points",
        ha="center",
        size=8,
    )


def _scale(axes: Axes, low: float, high: float) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    count_upwards(axes)
    axes.set_xlabel("tokens (log scale)")
    axes.set_ylabel("documents")

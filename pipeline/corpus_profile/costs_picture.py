"""What the latest runs did, what they could reuse, and where the time went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pipeline.corpus_profile.model import RunTotals
from pipeline.corpus_profile.style import (
    BLUE,
    FAINT,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    RED,
    SKY,
    add_panel,
    brief,
    new_figure,
    say_empty,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ASSET_COLOURS: Final = {"extractions": BLUE, "chunks": ORANGE, "normalized_text": GREEN, "documents": PINK}
"""The assets that take time; all others are drawn as one."""
FEWEST_COLUMNS: Final = 6
"""Fewer runs leave room beside them."""
LONGEST_REASON: Final = 9


def draw_costs(runs: Sequence[RunTotals]) -> Figure:
    """Four rows over the same runs: documents, extraction calls, tokens read, seconds by asset."""
    figure = new_figure(
        "What runs did and cost",
        f"The latest runs that had something to do, {len(runs)} of them, oldest first"
        if runs
        else "no runs yet",
        620,
    )
    if not runs:
        say_empty(add_panel(figure, 48, 64, 625, 600), "no runs yet")
        return figure
    spent = {name: [run.seconds.get(name, 0.0) for run in runs] for name in ASSET_COLOURS}
    others = [sum(run.seconds.values()) - sum(run.seconds.get(n, 0.0) for n in ASSET_COLOURS) for run in runs]
    rows: Sequence[tuple[str, Mapping[str, Sequence[float]], Mapping[str, str]]] = (
        (
            "Documents",
            {"processed": [run.documents for run in runs], "failed": [run.failed for run in runs]},
            {"processed": GREEN, "failed": RED},
        ),
        (
            "Extraction calls, one for each chunk",
            {"made": [run.calls_made for run in runs], "reused": [run.calls_reused for run in runs]},
            {"made": BLUE, "reused": SKY},
        ),
        ("Tokens read by the calls made", {"tokens": [run.tokens_read for run in runs]}, {"tokens": BLUE}),
        ("Seconds by asset", {**spent, "others": others}, {**ASSET_COLOURS, "others": GREY}),
    )
    for number, (title, series, colours) in enumerate(rows):
        top = 84 + 132 * number
        axes = add_panel(figure, 52, top, 625, top + 88)
        _stack(axes, title, series, colours)
        axes.set_xlim(-0.6, max(len(runs), FEWEST_COLUMNS) - 0.4)
        axes.set_xticks(range(len(runs)), [""] * len(runs))
    figure.axes[-1].set_xticks(range(len(runs)), [f"{run.ended_at}\n{_short(run.reason)}" for run in runs])
    return figure


def _stack(axes: Axes, title: str, series: Mapping[str, Sequence[float]], colours: Mapping[str, str]) -> None:
    """Stacked columns, the total above each, and a legend where there are several series."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.set_title(title)
    places = range(len(next(iter(series.values()))))
    base = [0.0 for _ in places]
    for name, values in series.items():
        axes.bar(places, values, bottom=base, width=0.66, color=colours[name], label=name)
        base = [below + value for below, value in zip(base, values, strict=True)]
    for place, total in enumerate(base):
        axes.annotate(
            brief(total),
            (place, total),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            size=7.5,
            color=FAINT,
        )
    axes.set_ylim(0, (max(base) or 1) * 1.2)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _place: brief(value)))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=3))
    axes.grid(axis="y")
    axes.tick_params(axis="x", length=0)
    if len(series) > 1:
        axes.legend(
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=len(series),
            borderaxespad=0,
            handlelength=1,
            columnspacing=1.2,
        )


def _short(reason: str) -> str:
    return reason if len(reason) <= LONGEST_REASON else reason[: LONGEST_REASON - 1] + "…"

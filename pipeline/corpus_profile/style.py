"""One look for all pictures. The colours, by Okabe and Ito, are told apart with any colour vision.

Figures are made without pyplot, which keeps state between calls.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pipeline.corpus_profile.model import Share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE: Final = "#0072B2"
ORANGE: Final = "#E69F00"
GREEN: Final = "#009E73"
RED: Final = "#D55E00"
SKY: Final = "#56B4E9"
PINK: Final = "#CC79A7"
GREY: Final = "#9AA0A6"
INK: Final = "#222222"
FAINT: Final = "#6B7075"

TIER_COLOURS: Final = {"whole": SKY, "sentence": GREEN, "section": ORANGE, "hierarchical": BLUE}

WIDTH: Final = 640
"""Pixels."""
DPI: Final = 100
COLOURS: Final = 128
"""Of a picture, with the shades between them."""
FEWEST_BARS: Final = 4
"""Fewer bars leave room below them, so that all bars are of one size."""
STYLE: Final[dict[Any, Any]] = {
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#B8BCC0",
    "axes.labelcolor": FAINT,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "grid.color": "#E8EAED",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "text.color": INK,
    "text.parse_math": False,
}


def new_figure(title: str, subtitle: str, height: int) -> Figure:
    """An empty figure, ``height`` pixels high, with its title. Call it inside ``rc_context(STYLE)``."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / DPI, height / DPI), dpi=DPI, facecolor="white")
    figure.text(12 / WIDTH, 1 - 12 / height, title, size=12, weight="bold", va="top")
    figure.text(12 / WIDTH, 1 - 34 / height, subtitle, size=8.5, color=FAINT, va="top")
    return figure


def add_panel(figure: Figure, left: int, top: int, right: int, bottom: int) -> Axes:
    """Axes between these pixels, counted from the figure's upper left corner.

    Places are fixed, because a layout that measures its labels takes most of the time of drawing.
    """
    height = figure.get_figheight() * DPI
    return figure.add_axes(
        (left / WIDTH, 1 - bottom / height, (right - left) / WIDTH, (bottom - top) / height), axisbelow=True
    )


def add_title(figure: Figure, text: str, left: int, top: int) -> None:
    """The title of a panel at these pixels, for panels whose names stand left of them."""
    figure.text(left / WIDTH, 1 - top / (figure.get_figheight() * DPI), text, size=9, va="top")


def to_png(figure: Figure) -> bytes:
    """The figure as a PNG of few colours, which is small. The same figure gives the same bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba()))
    written = io.BytesIO()
    image.convert("RGB").quantize(COLOURS).save(written, format="PNG", optimize=True)
    return written.getvalue()


def count_upwards(axes: Axes) -> None:
    """Whole numbers only on the upright axis, and a faint line at each."""
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.grid(axis="y")


def say_empty(axes: Axes, message: str) -> None:
    """Say in the middle of an empty panel why there is nothing in it."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, message, transform=axes.transAxes, ha="center", va="center", color=FAINT)


def draw_bars(
    axes: Axes, names: Sequence[str], values: Sequence[float], labels: Sequence[str], colours: Sequence[str]
) -> None:
    """Horizontal bars from the top down, each with its label at its end. The axis needs no numbers then."""
    axes.barh(range(len(names)), values, height=0.6, color=list(colours))
    for place, (value, label) in enumerate(zip(values, labels, strict=True)):
        axes.annotate(
            label,
            (value, place),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            size=8,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), FEWEST_BARS) - 0.4, -0.6)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", length=0, labelcolor=INK)


def draw_shares(axes: Axes, shares: Sequence[Share], colours: Sequence[str], largest: float) -> None:
    """A bar for each share; ``largest`` is the share (0 … 1) that fills the panel."""
    if not shares:
        say_empty(axes, "nothing to count yet")
        return
    draw_bars(
        axes,
        [share.label for share in shares],
        [share.rate for share in shares],
        [percent(share.rate) for share in shares],
        colours,
    )
    axes.set_xlim(0, largest)
    for place, share in enumerate(shares):
        axes.annotate(
            f"{share.part:,} of {share.whole:,}",
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            size=8,
            color=FAINT,
        )


def percent(rate: float) -> str:
    """A share for people: what is there is never shown as nothing, and what is missing never as all."""
    if 0 < rate < 0.001:
        return "< 0.1 %"
    if 0.995 <= rate < 1:
        return "> 99 %"
    return f"{rate * 100:.1f} %" if 0 < rate < 0.1 else f"{rate * 100:.0f} %"


def brief(value: float) -> str:
    """A number in three digits: 950, 12.3k, 4.56M."""
    for limit, suffix in ((1_000_000, "M"), (1_000, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{suffix}"
    return f"{value:.3g}"

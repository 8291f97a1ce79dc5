"""Who is best where two parameters vary: a cell in the colour of the best scheduler, the stronger the larger
its margin, hatched where that is not clear.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import quantities
from engine.dashboard import Winner
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_margin
from webapp.figures.frame import NARROW_PX, chart, margins, plain_axis, plot_width, small, still
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.png import data_url, png
from webapp.figures.traces import image, legend_mark

PLOT_PX = 230
MIN_PX = 120
SHADES = 8
MIN_OPACITY = 0.42  # of a clear margin that is next to nothing
UNCLEAR_OPACITY = 0.26
HATCH_PX = 7
GAP_FROM_PX = 12  # cells from this size on are parted by an empty line
TICKS = 8
MAX_NAME_CHARS = 24


def map_figure(
    won: Sequence[Winner],
    x: Sequence[float],
    y: Sequence[float],
    names: Sequence[str],
    *,
    x_title: str,
    y_title: str,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """A figure dict; won: of each point, those of y changing first; x, y: their values, each cell as wide as
    any other; titles with their units.
    """
    look = theme.look(dark)
    sides = margins(58 if width < NARROW_PX else 76, 0)
    plot = plot_width(width, sides)
    shown = [escaped(shortened(name, MAX_NAME_CHARS)) for name in names]
    sides |= legend_margin(shown, plot)
    picture = png(pixels(won, len(x), len(y), len(names), plot), palette(len(names), dark))
    layout = still(legend(look)) | {
        "images": [image(data_url(picture), -0.5, len(y) - 0.5, len(x), len(y))],
        "xaxis": _axis(x, x_title, look),
        "yaxis": _axis(y, y_title, look),
    }
    data = [legend_mark(name, theme.scheduler(place, dark)) for place, name in enumerate(shown)]
    return chart(data, layout, sides, PLOT_PX, MIN_PX, dark)


def pixels(won: Sequence[Winner], columns: int, rows: int, names: int, plot: int) -> np.ndarray:
    """uint8[PLOT_PX, plot]: of each pixel the palette's colour, the largest y on top."""
    place, clear, margin = (
        np.array([getattr(winner, field) for winner in won]).reshape(columns, rows)
        for field in ("scheduler_index", "is_clear", "margin")
    )
    margin = np.nan_to_num(margin)
    max_margin = float(margin[clear].max()) if clear.any() else 0.0
    strength = np.clip(margin / max_margin, 0, 1) if max_margin else np.ones(margin.shape)
    shade = np.rint(strength * (SHADES - 1)).astype(int)
    colour = np.where(place < 0, 0, 1 + place * (SHADES + 2) + np.where(clear, 2 + shade, 0))
    row_of_pixel, column_of_pixel = np.arange(PLOT_PX) * rows // PLOT_PX, np.arange(plot) * columns // plot
    point = column_of_pixel[None, :], rows - 1 - row_of_pixel[:, None]
    codes = colour[point]
    hatched = (np.arange(PLOT_PX)[:, None] + np.arange(plot)[None, :]) % HATCH_PX == 0
    codes += hatched & ~clear[point] & (codes > 0)
    if plot / columns >= GAP_FROM_PX:
        codes[:, np.flatnonzero(np.diff(column_of_pixel)) + 1] = 0
    if PLOT_PX / rows >= GAP_FROM_PX:
        codes[np.flatnonzero(np.diff(row_of_pixel)) + 1] = 0
    return codes.astype(np.uint8)


def palette(names: int, dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, and of each scheduler not clear, the hatch over it, and SHADES of a clear
    margin.
    """
    paper = np.array(theme.rgb(theme.look(dark).paper))
    colours = [np.zeros(4)]
    for scheduler_index in range(names):
        ink = np.array(theme.rgb(theme.scheduler(scheduler_index, dark)))
        parts = [UNCLEAR_OPACITY, (1 + UNCLEAR_OPACITY) / 2, *np.linspace(MIN_OPACITY, 1, SHADES)]
        colours += [np.append(np.rint(paper + (ink - paper) * part), 255) for part in parts]
    return np.array(colours).astype(np.uint8)


def _axis(values: Sequence[float], title: str, look: theme.Look) -> dict:
    step = -(-len(values) // TICKS)
    shown = list(range(0, len(values), step))
    texts = [quantities.number(values[at]) for at in shown]
    ticks = {"tickmode": "array", "tickvals": shown, "ticktext": texts, "range": [-0.5, len(values) - 0.5]}
    return plain_axis(look) | ticks | {"title": small(escaped(title), look), "fixedrange": True}

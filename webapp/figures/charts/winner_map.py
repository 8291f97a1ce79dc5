"""Who is best where two parameters vary: a cell in the colour of the best scheduler, the stronger the larger its margin, hatched where that is not clear."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import Winner
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_room
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, base, heights, plain_axis, small
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.png import data_url, png

PLOT_PX = 230
LEAST_PX = 120
SHADES = 8
FAINTEST = 0.42  # of a clear margin that is next to nothing
UNCLEAR = 0.26
HATCH_PX = 7
GAP_PX = 12  # cells from this size on are parted by an empty line
TICKS = 8
NAME = 24


def map_figure(
    won: Sequence[Winner], x: Sequence[float], y: Sequence[float], names: Sequence[str], *, x_title: str, y_title: str, dark: bool = False, width: int = 700
) -> dict:
    """A figure dict; won: of each point, those of y changing first; x, y: their values, each cell as wide as any other; titles with their units."""
    look = theme.look(dark)
    sides = {"l": 58 if width < NARROW_PX else 76, "r": 16, "b": BOTTOM_PX, "pad": 0}
    plot = max(width - sides["l"] - sides["r"], 1)
    shown = [escaped(shortened(name, NAME)) for name in names]
    sides |= legend_room(shown, plot)
    picture = png(pixels(won, len(x), len(y), len(names), plot), palette(len(names), dark))
    layout = base(sides, dark) | {**heights(PLOT_PX, LEAST_PX, sides["t"] + BOTTOM_PX), "showlegend": True, "legend": legend(look), "dragmode": False}
    whole = {"xref": "x", "yref": "y", "x": -0.5, "y": len(y) - 0.5, "sizex": len(x), "sizey": len(y), "xanchor": "left", "yanchor": "top"}
    layout["images"] = [whole | {"source": data_url(picture), "sizing": "stretch", "layer": "above"}]
    layout["xaxis"] = _axis(x, x_title, look)
    layout["yaxis"] = _axis(y, y_title, look)
    return {"data": [_key(place, name, dark) for place, name in enumerate(shown)], "layout": layout}


def pixels(won: Sequence[Winner], columns: int, rows: int, names: int, plot: int) -> np.ndarray:
    """uint8[PLOT_PX, plot]: of each pixel the palette's colour, the largest y on top."""
    place = np.array([one.place for one in won]).reshape(columns, rows)
    clear = np.array([one.is_clear for one in won]).reshape(columns, rows)
    margin = np.nan_to_num(np.array([one.margin for one in won])).reshape(columns, rows)
    most = float(margin[clear].max()) if clear.any() else 0.0
    shade = np.rint(np.clip(margin / most, 0, 1) * (SHADES - 1)).astype(int) if most else np.full(margin.shape, SHADES - 1)
    colour = np.where(place < 0, 0, 1 + place * (SHADES + 2) + np.where(clear, 2 + shade, 0))
    tall, wide = np.arange(PLOT_PX) * rows // PLOT_PX, np.arange(plot) * columns // plot
    found = colour[wide[None, :], rows - 1 - tall[:, None]]
    hatched = (np.arange(PLOT_PX)[:, None] + np.arange(plot)[None, :]) % HATCH_PX == 0
    found = np.where(hatched & ~clear[wide[None, :], rows - 1 - tall[:, None]] & (found > 0), found + 1, found)
    if plot / columns >= GAP_PX:
        found[:, np.flatnonzero(np.diff(wide)) + 1] = 0
    if PLOT_PX / rows >= GAP_PX:
        found[np.flatnonzero(np.diff(tall)) + 1] = 0
    return found.astype(np.uint8)


def palette(names: int, dark: bool) -> np.ndarray:
    """uint8[colours, 4]: nothing, and of each scheduler not clear, the hatch over it, and SHADES of a clear margin."""
    paper = np.array(theme.rgb(theme.look(dark).paper))
    found = [np.zeros(4)]
    for place in range(names):
        ink = np.array(theme.rgb(theme.scheduler(place, dark)))
        parts = [UNCLEAR, (1 + UNCLEAR) / 2, *np.linspace(FAINTEST, 1, SHADES)]
        found += [np.append(np.rint(paper + (ink - paper) * part), 255) for part in parts]
    return np.array(found).astype(np.uint8)


def _axis(values: Sequence[float], title: str, look: theme.Look) -> dict:
    every = -(-len(values) // TICKS)
    shown = list(range(0, len(values), every))
    ticks = {"tickmode": "array", "tickvals": shown, "ticktext": [theme.number(values[at]) for at in shown], "range": [-0.5, len(values) - 0.5]}
    return plain_axis(look) | ticks | {"title": small(escaped(title), look), "fixedrange": True}


def _key(place: int, name: str, dark: bool) -> dict:
    """Of the legend alone."""
    marker = {"symbol": "square", "size": 11, "color": theme.scheduler(place, dark)}
    return {"type": "scatter", "mode": "markers", "x": [None], "y": [None], "name": name, "marker": marker, "hoverinfo": "skip"}

"""One step line a scheduler over a shared axis. A scheduler is a colour and a dash, named at its line where
there is room and in the legend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import quantities
from webapp import theme
from webapp.figures.frame import (
    FIXED_GRID,
    chart,
    legend_above,
    margin,
    plain_axis,
    plot_width,
    small,
    still,
    time_axis,
)
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.ticks import share_ticks
from webapp.figures.timeline.usage_curves import pixel_points
from webapp.figures.traces import lines as line_trace
from webapp.figures.traces import scheduler_line

PLOT_PX = 220
MIN_PX = 84  # of the plot, in a low drawer
LEGEND_PX = 20  # of one line of names
LEGEND_MARGIN_PX = 14  # around them
SAMPLE_PX = 40  # of a name's line in the legend and the room around it
CHARACTER_PX = 6.1
LABEL_PX = 15
BOLD_PX = 7.4  # of a character in bold
NAMES_PX = (76, 92)  # of the left margin with names, in charts below NARROW_PX and from it on
NARROW_PX = 400
RIGHT_PX = 22
MAX_NAME_LENGTH = 28
GRID_PX = 6  # between places tried for a label
LABEL_GAP_PX = 3  # between a label and its line
LABEL_OFFSET_PX = LABEL_GAP_PX + LABEL_PX / 2  # from the middle of a label to its line
MAX_CLEARANCE_PX = 40.0  # beyond which it does not matter how far the next line is
MIN_CLEARANCE_PX = 4  # by which the next line must be further from a label than its own


class Line(NamedTuple):
    """From x[i] on (ascending) the level is y[i], to `until`. name: of the scheduler."""

    name: str
    x: np.ndarray
    y: np.ndarray
    until: float


class Axes(NamedTuple):
    """Titles with units, {} standing for that of time across; the ranges; what hovering says: a plotly
    template of %{y}, or %{text} where is_share, and, for the time, %{customdata};
    at: the text of a place across, a time in s."""

    x: str
    y: str
    span: tuple[float, float]
    top: float
    says: str
    y_format: str = ",~r"
    is_share: bool = False
    at: Callable[[float], str] = lambda seconds: quantities.moment(1000 * seconds)


def lines_figure(lines: Sequence[Line], axes: Axes, *, dark: bool, width: int) -> dict:
    """A figure dict; a line has a few points a pixel at most."""
    look, sides = theme.look(dark), plain_margin(width)
    plot = plot_width(width, sides)
    names = [escaped(shortened(line.name, MAX_NAME_LENGTH)) for line in lines]
    sides |= legend_margin(names, plot)
    data = []
    for number, (line, name) in enumerate(zip(lines, names)):
        x, y = downsample_line(line, axes.span, plot)
        trace = line_trace(x, y, scheduler_line(number, dark, 1.8) | {"shape": "hv"}, name=name)
        trace["customdata"] = [axes.at(at) for at in x.tolist()]
        trace["hovertemplate"] = f"<b>{escaped(line.name)}</b> {axes.says}<extra></extra>"
        if axes.is_share:
            trace["text"] = [quantities.percent(share) for share in y.tolist()]
        data.append(trace)
    y_axis = plain_axis(look) | {"title": small(axes.y, look), "range": [0, axes.top], "nticks": 5}
    y_axis |= FIXED_GRID | {"tickformat": axes.y_format}
    if axes.is_share:
        y_axis |= share_ticks(0, min(axes.top, 1), 6)
    if axes.y_format == ",d" and axes.top < 5:  # a half would be written as a whole
        y_axis["dtick"] = 1
    placed = place_labels(lines, names, axes, plot)
    layout = still(legend(look)) | {
        "xaxis": time_axis(axes.x, axes.span, plot, look) | FIXED_GRID,
        "yaxis": y_axis,
        "annotations": [_label(text, place, plot, look) for text, place in placed],
    }
    return chart(data, layout, sides, PLOT_PX, MIN_PX, dark)


def plain_margin(width: int) -> dict[str, int]:
    """As `margin`, with room for half of the last number below the plot."""
    return margin(width) | {"r": RIGHT_PX}


def named_margin(width: int) -> dict[str, int]:
    """As `plain_margin`, with room for names at the left in narrow charts too."""
    return plain_margin(width) | {"l": NAMES_PX[width >= NARROW_PX]}


def name_chars(sides: dict[str, int]) -> int:
    """Characters of a name that fit into the left margin, set in bold."""
    return int((sides["l"] - 8) / BOLD_PX)


def legend(look: theme.Look) -> dict:
    """Over the plot; a click hides nothing, for the table and the words would not follow."""
    return legend_above(look, itemclick=False, itemdoubleclick=False)


def legend_margin(names: Sequence[str], plot: int) -> dict[str, Any]:
    """The part of the margins that a legend of these names needs; plotly must widen none of them, or charts
    of one width would not align.
    """
    return {"t": LEGEND_MARGIN_PX + LEGEND_PX * legend_lines(names, plot), "autoexpand": False}


def legend_lines(names: Sequence[str], plot: int) -> int:
    """How many lines plotly needs for the names: where they wrap, each gets as much as the longest."""
    widths = [len(name) * CHARACTER_PX + SAMPLE_PX for name in names]
    if sum(widths) <= plot:
        return 1
    return -(-len(names) // max(int(plot / max(widths)), 1))


def downsample_line(line: Line, span: tuple[float, float], plot: int) -> tuple[np.ndarray, np.ndarray]:
    """Its points and its end; with more than four a pixel the first, lowest, highest and last of each
    pixel.
    """
    last_x, last_y = (line.x[-1], line.y[-1]) if len(line.x) else (line.until, 0)
    x, y = np.append(line.x, max(line.until, last_x)), np.append(line.y, last_y)
    if len(x) <= 4 * plot:
        return x, y
    pixel = ((x - span[0]) / max(span[1] - span[0], 1e-9) * plot).astype(np.int64)
    points_x, points_y, _ = pixel_points(pixel, x, y)
    return points_x.ravel(), points_y.ravel()


def place_labels(
    lines: Sequence[Line], names: Sequence[str], axes: Axes, plot: int
) -> list[tuple[str, tuple[float, float, int]]]:
    """(text, (left edge, middle, side)) of the labels that have room, in pixels of the plot from its lower
    left corner; side: 1 above the line, -1 below.

    Lines that are the same share one.
    """
    grid = np.arange(0, plot, GRID_PX)
    low, high = (
        np.array([_extreme_px(line, axes, plot, grid, pick) for line in lines]).reshape(len(lines), len(grid))
        for pick in (np.minimum, np.maximum)
    )
    labels: list[tuple[str, tuple[float, float, int]]] = []
    taken: list[tuple[float, float, float]] = []
    for number in range(len(lines)):
        same = np.flatnonzero((low == low[number]).all(axis=1) & (high == high[number]).all(axis=1))
        if same[0] != number:
            continue
        text = ", ".join(names[index] for index in same.tolist())
        width, others = len(text) * CHARACTER_PX, np.delete(np.arange(len(lines)), same)
        best = max(_label_candidates(width, number, others, grid, low, high, taken), default=None)
        if best:
            _, left, middle, side = best
            labels.append((text, (left, middle, side)))
            taken.append((left, left + width, middle))
    return labels


def _label_candidates(
    width: float,
    line: int,
    others: np.ndarray,
    grid: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    taken: list[tuple[float, float, float]],
) -> Iterator[tuple[float, float, float, int]]:
    """(how good, left edge, middle, side) of every place for a label just above or below its line where no
    other line is as near and no label stands.
    """
    columns = int(width // GRID_PX) + 2
    for column in range(len(grid) - columns):
        inside = slice(column, column + columns)
        at = float(grid[column])
        for side, edge in ((1, float(high[line, inside].max())), (-1, float(low[line, inside].min()))):
            middle = edge + side * LABEL_OFFSET_PX
            if not LABEL_PX / 2 <= middle <= PLOT_PX - LABEL_PX / 2:
                continue
            if any(
                abs(middle - other) < LABEL_PX and left < at + width and at < right
                for left, right, other in taken
            ):
                continue
            own_distance = float(
                np.minimum(abs(low[line, inside] - middle), abs(high[line, inside] - middle)).max()
            )
            clearance = min(
                (_distance(low[other, inside], high[other, inside], middle) for other in others),
                default=MAX_CLEARANCE_PX,
            )
            if clearance >= own_distance + MIN_CLEARANCE_PX:
                yield min(clearance, MAX_CLEARANCE_PX) - own_distance, at, middle, side


def _distance(low: np.ndarray, high: np.ndarray, middle: float) -> float:
    """How far a line stays from a height, 0 where it crosses it."""
    return float(np.maximum(np.maximum(low - middle, middle - high), 0).min())


def _extreme_px(line: Line, axes: Axes, plot: int, grid: np.ndarray, pick: np.ufunc) -> np.ndarray:
    """The lowest or highest of a line between each place of the grid and the next, in pixels from the bottom;
    far below where it has not begun.
    """
    at = axes.span[0] + np.append(grid, plot) / plot * (axes.span[1] - axes.span[0])
    place = np.searchsorted(line.x, at, side="right")
    level = np.append(-1e6, np.asarray(line.y, float) / axes.top * PLOT_PX)
    extremes = pick(level[place[:-1]], level[place[1:]])
    for column in np.flatnonzero(place[1:] > place[:-1] + 1).tolist():
        extremes[column] = pick.reduce(level[place[column] : place[column + 1] + 1])
    return extremes


def _label(text: str, place: tuple[float, float, int], plot: int, look: theme.Look) -> dict:
    left, middle, side = place
    font = {"size": 12, "color": look.ink}
    annotation = {"text": text, "showarrow": False, "font": font, "borderpad": 0}
    place_across = {"xref": "paper", "x": left / plot, "xanchor": "left"}
    # at its line however high the plot is
    y, shift = (middle - side * LABEL_OFFSET_PX) / PLOT_PX, side * LABEL_OFFSET_PX
    return annotation | place_across | {"yref": "paper", "y": y, "yshift": shift, "yanchor": "middle"}

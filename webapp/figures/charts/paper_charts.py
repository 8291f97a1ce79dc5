"""Pictures after a paper's own: bars, stacked bars, lines and steps. Series are shades, dashes and symbols,
for colour means phase; the paper's are hollow.
"""

from __future__ import annotations

import re
from typing import Any

from engine import quantities
from engine.dashboard import Picture, Series
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_lines
from webapp.figures.frame import base, plain_axis, small, still
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.messages import msg

PLOT_PX = 200
SIDES = {"l": 62, "r": 16, "b": 48}
UNTITLED_PX = 28  # below the plot where the axis needs no title
LEGEND_PX = 21
CHARACTER_PX, LEGEND_MARGIN_PX = 7.2, 12
FONT_PX = 12
SHADES = (0.72, 0.42, 0.22, 0.08)  # of the ink, by series
HATCHES = ("", "/", "x", ".")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
GAP_PX = 8  # between names that stand beside each other
ZERO_BELOW_SHARE = 0.4  # share of the largest number
MAX_BAR_PX = 64  # at most, so that two bars are no two walls
MAX_MARKS = 24  # points of a line beyond which each has no symbol
LARGE_SCALE = 1.5  # times as large, for a class; assets/papers.css has it too
MAX_NAME_LENGTH = 34


def printed_figure(picture: Picture, *, dark: bool = False, width: int = 700, large: bool = False) -> dict:
    """A figure dict; width: pixels, margins included; large: with letters that can be read from the last
    row.
    """
    look, scale = theme.look(dark), LARGE_SCALE if large else 1.0
    is_bar = picture.kind in ("bars", "stacked")
    is_named = is_bar or any(isinstance(x, str) for series in picture.series for x in series.x)
    drawn = [
        (_bars if is_bar else _line)(series, place, picture, look)
        for place, series in enumerate(picture.series)
    ]
    plot = max(width - (SIDES["l"] + SIDES["r"]) * scale, 1)
    names = [trace["name"] for trace in drawn]
    # one series alone needs no name
    rows = legend_lines(names, int(plot / scale)) if len(names) > 1 or picture.series[0].paper else 0
    angle, labels_px = _label_angle(picture, plot / scale) if is_named else (None, 0)
    below = (SIDES["b"] if picture.x else UNTITLED_PX) + labels_px
    px = SIDES | {"t": LEGEND_MARGIN_PX + LEGEND_PX * rows, "b": below}
    sides = {side: round(size * scale) for side, size in px.items()} | {"autoexpand": False}
    font = {"size": FONT_PX * scale, "color": look.muted}
    axis = plain_axis(look) | {"fixedrange": True, "tickfont": font}
    x_axis, y_axis = (
        axis | {"title": small(escaped(text), look) | {"font": font}} for text in (picture.x, picture.y)
    )
    x_axis["nticks"] = max(round(plot / 70 / scale), 3)
    x_axis |= (
        {"type": "category", "dtick": 1, "tickangle": angle} if is_named else {"separatethousands": True}
    )
    if labels_px:
        x_axis["title"]["standoff"] = round((labels_px + 8) * scale)
    y_axis |= {"showgrid": True, "nticks": 6, "separatethousands": True}
    y_axis["rangemode"] = "normal" if not is_bar and _is_narrow_range(picture) else "tozero"
    layout = still(legend(look) | {"font": {"size": FONT_PX * scale}}) | {
        "height": round(PLOT_PX * scale) + sides["t"] + sides["b"],
        "showlegend": rows > 0,
        "barmode": "stack" if picture.kind == "stacked" else "group",
        "bargap": _bar_gap(picture, plot / scale),
        "xaxis": x_axis,
        "yaxis": y_axis,
        "meta": {"title": picture.title},
    }
    return {"data": drawn, "layout": base(sides, dark) | layout}


def printed_table(picture: Picture) -> tuple[list[str], list[list[str]]]:
    """The picture's numbers: a head, and a row an x with a cell a series, its interval as ±."""
    cells_of_x: dict[float | str, list[str]] = {}
    for place, series in enumerate(picture.series):
        for at, x in enumerate(series.x):
            cells_of_x.setdefault(x, [""] * len(picture.series))[place] = _cell_text(series, at)
    unit_suffix = f" ({unit[1]})" if (unit := re.search(r"\(([^()]+)\)$", picture.y)) else ""
    head = [picture.x or "", *(f"{_series_name(series)}{unit_suffix}" for series in picture.series)]
    return head, [
        [x if isinstance(x, str) else quantities.number(x), *cells] for x, cells in cells_of_x.items()
    ]


def _cell_text(series: Series, at: int) -> str:
    y = series.y[at]
    low, high = (ends[at] if ends else None for ends in (series.low, series.high))
    if y is None or low is None or high is None:
        return quantities.number(y)
    return f"{quantities.number(y)} ± {quantities.number(float(f'{(high - low) / 2:.2g}'))}"


def _bars(series: Series, place: int, picture: Picture, look: theme.Look) -> dict:
    shade = theme.with_alpha(look.ink, SHADES[place % len(SHADES)])
    marker: dict[str, Any] = {"color": shade, "line": {"color": look.ink, "width": 1}}
    if series.paper:
        edge, pattern = {"color": look.ink, "width": 1.6}, {"shape": "/", "fgcolor": look.line, "size": 5}
        marker = {"color": theme.with_alpha(look.ink, 0.0), "line": edge, "pattern": pattern}
    elif place >= len(SHADES):
        shape = HATCHES[place // len(SHADES) % len(HATCHES)]
        marker["pattern"] = {"shape": shape, "bgcolor": shade, "fgcolor": look.ink, "size": 6}
    bars = {"type": "bar", "x": [str(x) for x in series.x], "marker": marker}
    return _trace(series, picture) | bars | _error_bars(series, look)


def _line(series: Series, place: int, picture: Picture, look: theme.Look) -> dict:
    colour = (look.ink, look.muted)[place // len(theme.DASHES) % 2]
    dash = "dot" if series.paper else theme.DASHES[place % len(theme.DASHES)]
    shape = "hv" if picture.kind == "steps" else "linear"
    line: dict[str, Any] = {"type": "scatter", "mode": "lines", "x": list(series.x), "connectgaps": False}
    line["line"] = {"color": colour, "width": 1.8, "dash": dash, "shape": shape}
    if picture.kind == "lines" and len(series.x) <= MAX_MARKS:
        symbol = SYMBOLS[place % len(SYMBOLS)] + ("-open" if series.paper else "")
        line["mode"] = "lines+markers"
        line["marker"] = {"symbol": symbol, "size": 8, "color": colour, "line": {"width": 1.5}}
    return _trace(series, picture) | line | _error_bars(series, look)


def _trace(series: Series, picture: Picture) -> dict:
    name = _series_name(series)
    x_text = f"{escaped(picture.x)}: %{{x}}<br>" if picture.x else "%{x}<br>"
    hover = f"<b>{escaped(name)}</b><br>{x_text}{escaped(picture.y)}: %{{y:,.4~g}}<extra></extra>"
    return {"name": escaped(shortened(name, MAX_NAME_LENGTH)), "y": list(series.y), "hovertemplate": hover}


def _error_bars(series: Series, look: theme.Look) -> dict:
    """The intervals, as far as there are any."""
    if not series.low:
        return {}
    up, down = (
        [abs(end - y) if end is not None and y is not None else 0 for end, y in zip(ends, series.y)]
        for ends in (series.high, series.low)
    )
    bars = {"type": "data", "symmetric": False, "color": look.muted, "thickness": 1.2, "width": 3}
    return {"error_y": bars | {"array": up, "arrayminus": down}}


def _series_name(series: Series) -> str:
    if series.paper and "paper" not in series.name.lower():
        return msg("figures.paper_charts.paper", name=series.name)
    return series.name


def _groups(picture: Picture) -> list[str]:
    """What stands below the bars, each once."""
    return list(dict.fromkeys(str(x) for series in picture.series for x in series.x))


def _label_angle(picture: Picture, plot: float) -> tuple[int, int]:
    """The angle of the names below the bars, and the room in pixels that they need beyond a line's."""
    names = _groups(picture)
    longest = max(len(name) for name in names) * CHARACTER_PX
    if longest + GAP_PX <= plot / len(names):
        return 0, 0
    return -45, round(0.71 * longest)


def _bar_gap(picture: Picture, plot: float) -> float:
    """Share of a group's room that is left free."""
    groups = len(_groups(picture)) or 1
    bars = 1 if picture.kind == "stacked" else len(picture.series)
    return max(0.25, 1 - bars * MAX_BAR_PX * groups / plot)


def _is_narrow_range(picture: Picture) -> bool:
    """Whether all numbers are so near each other that an axis from zero would hide what lies between them;
    bars always stand on zero.
    """
    values = [y for series in picture.series for y in series.y if y is not None]
    return bool(values) and min(values) > ZERO_BELOW_SHARE * max(values)

"""Pictures after a paper's own: bars, stacked bars, lines and steps. Series are shades, dashes and symbols, for colour means phase; the paper's are hollow."""

from __future__ import annotations

import re
from typing import Any

from engine import Picture, Series
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_lines
from webapp.figures.frame import base, plain_axis, small
from webapp.figures.plotly_arrays import escaped, shortened

PLOT_PX = 250
SIDES = {"l": 62, "r": 16, "b": 48}
UNTITLED_PX = 28  # below the plot where the axis needs no title
LEGEND_PX = 21
CHARACTER_PX, OVER_PX = 7.2, 12
TYPE_PX = 12
SHADES = (0.72, 0.42, 0.22, 0.08)  # of the ink, by series
HATCHES = ("", "/", "x", ".")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
GAP_PX = 8  # between names that stand beside each other
FAR = 0.4  # share of the largest number
BAR_PX = 64  # at most, so that two bars are no two walls
MOST_MARKS = 24  # points of a line beyond which each has no symbol
LARGE = 1.5  # times as large, for a class; assets/papers.css has it too
MOST_NAME = 34


def printed_figure(picture: Picture, *, dark: bool = False, width: int = 700, large: bool = False) -> dict:
    """A figure dict; width: pixels, margins included; large: with letters that can be read from the last row."""
    look, scale = theme.look(dark), LARGE if large else 1.0
    words = any(isinstance(x, str) for one in picture.series for x in one.x)
    is_bar = picture.kind in ("bars", "stacked")
    drawn = [(_bars if is_bar else _line)(one, place, picture, look) for place, one in enumerate(picture.series)]
    plot = max(width - (SIDES["l"] + SIDES["r"]) * scale, 1)
    rows = legend_lines([trace["name"] for trace in drawn], int(plot / scale)) if _named(picture) else 0
    angle, labels_px = _labels(picture, plot / scale) if words or is_bar else (None, 0)
    px = SIDES | {"t": OVER_PX + LEGEND_PX * rows, "b": (SIDES["b"] if picture.x else UNTITLED_PX) + labels_px}
    sides = {side: round(one * scale) for side, one in px.items()} | {"autoexpand": False}
    layout = base(sides, dark) | {"height": round(PLOT_PX * scale) + sides["t"] + sides["b"], "dragmode": False, "showlegend": rows > 0}
    layout |= {
        "legend": legend(look) | {"font": {"size": TYPE_PX * scale}},
        "barmode": "stack" if picture.kind == "stacked" else "group",
        "bargap": _gap(picture, plot / scale),
    }
    axis = plain_axis(look) | {"fixedrange": True, "tickfont": {"size": TYPE_PX * scale, "color": look.muted}}
    layout["xaxis"] = axis | {"title": _title(picture.x, look, scale), "nticks": max(round(plot / 70 / scale), 3)}
    layout["xaxis"] |= {"type": "category", "dtick": 1, "tickangle": angle} if words or is_bar else {"separatethousands": True}
    if labels_px:
        layout["xaxis"]["title"]["standoff"] = round((labels_px + 8) * scale)
    layout["yaxis"] = axis | {"title": _title(picture.y, look, scale), "showgrid": True, "nticks": 6, "separatethousands": True}
    layout["yaxis"]["rangemode"] = "normal" if not is_bar and _close(picture) else "tozero"
    layout["meta"] = {"title": picture.title}
    return {"data": drawn, "layout": layout}


def printed_table(picture: Picture) -> tuple[list[str], list[list[str]]]:
    """The picture's numbers: a head, and a row an x with a cell a series, its interval as ±."""
    found: dict[float | str, list[str]] = {}
    for place, one in enumerate(picture.series):
        for at, x in enumerate(one.x):
            found.setdefault(x, [""] * len(picture.series))[place] = _cell_text(one, at)
    of = f" ({unit[1]})" if (unit := re.search(r"\(([^()]+)\)$", picture.y)) else ""
    head = [picture.x or "", *(f"{_name(one)}{of}" for one in picture.series)]
    return head, [[x if isinstance(x, str) else theme.number(x), *cells] for x, cells in found.items()]


def _cell_text(one: Series, at: int) -> str:
    y = one.y[at]
    low, high = (ends[at] if ends else None for ends in (one.low, one.high))
    half = f" ± {theme.number(float(f'{(high - low) / 2:.2g}'))}" if y is not None and low is not None and high is not None else ""
    return f"{theme.number(y)}{half}"


def _bars(one: Series, place: int, picture: Picture, look: theme.Look) -> dict:
    shade = theme.faded(look.ink, SHADES[place % len(SHADES)])
    marker: dict[str, Any] = {"color": shade, "line": {"color": look.ink, "width": 1}}
    if one.paper:
        marker = {"color": theme.faded(look.ink, 0.0), "line": {"color": look.ink, "width": 1.6}, "pattern": {"shape": "/", "fgcolor": look.line, "size": 5}}
    elif place >= len(SHADES):
        marker["pattern"] = {"shape": HATCHES[place // len(SHADES) % len(HATCHES)], "bgcolor": shade, "fgcolor": look.ink, "size": 6}
    return _trace(one, picture) | {"type": "bar", "x": [str(x) for x in one.x], "marker": marker} | _ends(one, look)


def _line(one: Series, place: int, picture: Picture, look: theme.Look) -> dict:
    colour = (look.ink, look.muted)[place // len(theme.DASHES) % 2]
    symbol = SYMBOLS[place % len(SYMBOLS)] + ("-open" if one.paper else "")
    marked = picture.kind == "lines" and len(one.x) <= MOST_MARKS
    dash = "dot" if one.paper else theme.DASHES[place % len(theme.DASHES)]
    line = {"color": colour, "width": 1.8, "dash": dash, "shape": "hv" if picture.kind == "steps" else "linear"}
    shown = {"mode": "lines+markers", "marker": {"symbol": symbol, "size": 8, "color": colour, "line": {"width": 1.5}}} if marked else {"mode": "lines"}
    return _trace(one, picture) | {"type": "scatter", "x": list(one.x), "line": line, "connectgaps": False} | shown | _ends(one, look)


def _trace(one: Series, picture: Picture) -> dict:
    name = _name(one)
    of = f"{escaped(picture.x)}: %{{x}}<br>" if picture.x else "%{x}<br>"
    says = f"<b>{escaped(name)}</b><br>{of}{escaped(picture.y)}: %{{y:,.4~g}}<extra></extra>"
    return {"name": escaped(shortened(name, MOST_NAME)), "y": list(one.y), "hovertemplate": says}


def _ends(one: Series, look: theme.Look) -> dict:
    """The intervals, as far as there are any."""
    if not one.low:
        return {}
    up, down = ([abs(end - y) if end is not None and y is not None else 0 for end, y in zip(ends, one.y)] for ends in (one.high, one.low))
    return {"error_y": {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "color": look.muted, "thickness": 1.2, "width": 3}}


def _name(one: Series) -> str:
    return f"{one.name} (paper)" if one.paper and "paper" not in one.name.lower() else one.name


def _named(picture: Picture) -> bool:
    """Whether the series need names: one alone does not."""
    return len(picture.series) > 1 or picture.series[0].paper


def _groups(picture: Picture) -> list[str]:
    """What stands below the bars, each once."""
    return list(dict.fromkeys(str(x) for one in picture.series for x in one.x))


def _labels(picture: Picture, plot: float) -> tuple[int, int]:
    """The angle of the names below the bars, and the room in pixels that they need beyond a line's."""
    names = _groups(picture)
    longest = max(len(name) for name in names) * CHARACTER_PX
    if longest + GAP_PX <= plot / len(names):
        return 0, 0
    return -45, round(0.71 * longest)


def _gap(picture: Picture, plot: float) -> float:
    """Share of a group's room that is left free."""
    groups = len(_groups(picture)) or 1
    bars = 1 if picture.kind == "stacked" else len(picture.series)
    return max(0.25, 1 - bars * BAR_PX * groups / plot)


def _close(picture: Picture) -> bool:
    """Whether all numbers are so near each other that an axis from zero would hide what lies between them; bars always stand on zero."""
    values = [y for one in picture.series for y in one.y if y is not None]
    return bool(values) and min(values) > FAR * max(values)


def _title(text: str, look: theme.Look, scale: float) -> dict:
    return small(escaped(text), look) | {"font": {"size": TYPE_PX * scale, "color": look.muted}}

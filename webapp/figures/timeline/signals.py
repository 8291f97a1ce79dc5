"""What a scheduler measures and computes inside, over time: a strip of step lines a signal, on the time axis of the charts above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from webapp import theme
from webapp.figures.frame import NARROW_PX, Panel, frame, margin
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.timeline.usage_curves import Steps, dense, thinned

MOST_STRIPS = 4
MOST_SERIES = 6
STRIP_PX = 56
LEGEND_PX = 18  # of one line of names
MOST_NAME = 28  # characters of one
SAMPLE_PX = 42  # of a name's line and the room around it
CHARACTER_PX = 6.2
MB_UNTIL = 8192  # memory below this is drawn in MB, as the curves do


class Strip(NamedTuple):
    """The signals of one name, one a series."""

    title: str
    unit: str
    about: str
    signals: tuple[Any, ...]

    @classmethod
    def of(cls, signals: Sequence[Any]) -> list[Strip]:
        """Strips in the order of their first signals; `signals` as engine's signals gives them."""
        named: dict[str, list[Any]] = {}
        for one in signals:
            named.setdefault(one.name, []).append(one)
        return [cls(found[0].title, found[0].unit, found[0].about, tuple(found)) for found in named.values()]


def signals_figure(
    strips: Sequence[Strip],
    *,
    window: tuple[int, int],
    whole: tuple[int, int],
    highlight: str | None = None,
    dark: bool = False,
    width: int = 900,
) -> dict:
    """A figure dict of the strips, one under the other. window: what is looked at, in ms; whole: all of the run; width: of the chart in pixels.

    A strip shows at most MOST_SERIES series, the highlighted job's among them. layout.meta.complete: the figure holds all of the
    run whatever `window` is, and zooming needs no other.
    """
    sides = margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    shown = [(strip, _series(strip, highlight)) for strip in strips]
    complete = all(len(one.at_ms) <= plot for _, series in shown for one in series)
    drawn = whole if complete else window
    panels = []
    for place, (strip, series) in enumerate(shown):
        scale, unit = _scaled(strip)
        traces = [_line(one, number, strip, unit, scale, drawn, plot, dark) for number, one in enumerate(series)]
        if len(series) > 1:
            traces = [trace | {"showlegend": True, "legend": f"legend{_suffix(place)}"} for trace in traces]
        panels.append(Panel(_title(strip, series, unit), STRIP_PX, traces, _axis(series, scale), LEGEND_PX * _legend_lines(strip, series, unit, plot)))
    figure = frame(panels, drawn, sides, dark)
    layout = figure["layout"]
    layout["xaxis"]["range"] = [ms / 1000 for ms in window]
    for place, (panel, (strip, series)) in enumerate(zip(panels, shown)):
        layout["annotations"][place] |= {"hovertext": escaped(strip.about), "captureevents": True}
        if len(series) > 1:
            layout[f"legend{_suffix(place)}"] = _legend(layout[f"yaxis{_suffix(place)}"]["domain"][1], panel.over > 0, dark)
    layout |= {"showlegend": True, "meta": {"complete": complete}}
    return figure


def _suffix(place: int) -> str:
    """What plotly puts behind the name of an axis or legend."""
    return str(place + 1) if place else ""


def _series(strip: Strip, highlight: str | None) -> list[Any]:
    """Those that are drawn: the first, and the highlighted job's at the front."""
    order = sorted(strip.signals, key=lambda one: one.series != highlight)
    return order[:MOST_SERIES]


def _scaled(strip: Strip) -> tuple[float, str]:
    """By what its values are multiplied, and the unit they then have."""
    if strip.unit == "MB" and max((_span(one.values)[1] for one in strip.signals), default=0) >= MB_UNTIL:
        return 1 / 1024, "GB"
    return theme.column(strip.unit)


def _span(values: np.ndarray) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _title(strip: Strip, series: Sequence[Any], unit: str) -> str:
    text = escaped(theme.titled(strip.title, unit))
    left = len(strip.signals) - len(series)
    return f"{text}, {len(series)} of {len(strip.signals)}" if left else text


def _axis(series: Sequence[Any], scale: float) -> dict:
    """From the lowest to the highest of all of the run, so that zooming in time leaves it; from 0 where that costs little."""
    spans = [_span(one.values) for one in series if np.isfinite(one.values).any()]
    low, high = min((low for low, _ in spans), default=0) * scale, max((high for _, high in spans), default=0) * scale
    if 0 < low <= 0.6 * high:
        low = 0.0
    if low == high:
        low, high = (low - 1, high + 1) if low else (0.0, 1.0)
    room = 0.06 * (high - low)
    ticks = [low, (low + high) / 2, high]
    texts = [theme.number(_rounded(tick, high - low)) for tick in ticks]
    return {"range": [low - room, high + room], "tickmode": "array", "tickvals": ticks, "ticktext": texts}


def _rounded(value: float, span: float) -> float:
    """To a thousandth of the span or better."""
    return round(value, 3 - int(np.floor(np.log10(span))))


def _line(one: Any, number: int, strip: Strip, unit: str, scale: float, window: tuple[int, int], plot: int, dark: bool) -> dict:
    """Colour means phase, so series differ by dashes."""
    look = theme.look(dark)
    steps = _within(Steps(one.at_ms, one.values * scale), window)
    shown = dense(thinned(steps, window, plot), window, plot) if len(steps.time) else steps
    what = escaped(shortened(one.series)) if one.series else escaped(strip.title)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": typed_array(shown.time / 1000, "f8"),
        "y": typed_array(np.where(np.isfinite(shown.level), shown.level, np.nan), "f8"),
        "line": {"shape": "hv", "width": 1.4, "color": look.ink if number < 3 else look.muted, "dash": theme.DASHES[number % len(theme.DASHES)]},
        "name": escaped(shortened(one.series, MOST_NAME)),
        "hovertemplate": f"<b>{what}</b> %{{y:,.4~r}}{' ' + escaped(unit) if unit else ''}<br>at %{{x:,.3~f}} s<extra></extra>",
    }


def _within(steps: Steps, window: tuple[int, int]) -> Steps:
    """The part of it in the window; unlike a curve of use it begins with its first value and is unknown before."""
    first, last = np.searchsorted(steps.time, window, "right")
    if last == 0:
        return Steps(np.zeros(0, np.int64), np.zeros(0))
    time, level = steps.time[first:last], steps.level[first:last]
    if first:
        time, level = np.concatenate([[window[0]], time]), np.concatenate([steps.level[first - 1 : first], level])
    return Steps(np.append(time, window[1]), np.append(level, level[-1]))


def _legend_lines(strip: Strip, series: Sequence[Any], unit: str, plot: int) -> int:
    """How many lines the names need above the strip; 0 where they fit beside its title, or there is one series."""
    if len(series) < 2:
        return 0
    title = 7 * len(_title(strip, series, unit)) + 20
    widths = [len(one.series[:MOST_NAME]) * CHARACTER_PX + SAMPLE_PX for one in series]
    if title + sum(widths) <= plot and plot >= NARROW_PX:
        return 0
    if sum(widths) <= plot:
        return 1
    return -(-len(series) // max(int(plot / max(widths)), 1))  # where they wrap, plotly gives each as much as the longest


def _legend(top: float, over: bool, dark: bool) -> dict:
    look = theme.look(dark)
    found = {"orientation": "h", "yref": "paper", "y": top, "yanchor": "bottom", "traceorder": "normal", "itemclick": False, "itemdoubleclick": False}
    found |= {"font": {"size": 11, "color": look.muted}, "bgcolor": theme.faded(look.paper, 0)}
    return found | ({"x": 0, "xanchor": "left"} if over else {"x": 1, "xanchor": "right"})

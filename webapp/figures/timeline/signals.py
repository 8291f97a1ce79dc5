"""What a scheduler measures and computes inside, over time: a strip of step lines a signal, on the time axis of the charts above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from webapp import theme
from webapp.figures.timeline import svg
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.usage_curves import Steps, thinned

MOST_STRIPS = 4
MOST_SERIES = 6
STRIP_PX = 56
ROOM = 0.06  # of the span of values, above and below
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


def drawn(strip: Strip, place: Place, highlight: str | None = None) -> dict[str, Any]:
    """A strip as the page gets it: title, about, px, ticks, svg, and the names of its series in the order of their dashes.

    At most MOST_SERIES series, the highlighted job's among them.
    """
    series = _series(strip, highlight)
    scale, unit = _scaled(strip)
    low, high = _range(series, scale)
    y = lambda level: STRIP_PX * (high - level) / (high - low)
    parts = [svg.path(line, f"signal d-{number}") for number, one in enumerate(series) if (line := _line(one, place, scale, y))]
    at = [low + (high - low) * ROOM / (1 + 2 * ROOM), high - (high - low) * ROOM / (1 + 2 * ROOM)]
    return {
        "key": "signal",
        "title": _title(strip, series, unit),
        "about": strip.about,
        "px": STRIP_PX,
        "ticks": [[round(float(y(value)), 1), theme.number(_rounded(value, high - low))] for value in at],
        "series": [one.series for one in series] if len(series) > 1 else [],
        "svg": svg.drawing(place.px, STRIP_PX, "".join(parts)),
    }


def _line(one: Any, place: Place, scale: float, y: Any) -> str:
    """The path of a series, broken where its value is unknown."""
    steps = _within(Steps(one.at_ms, one.values * scale), place.drawn)
    if not len(steps.time):
        return ""
    shown = thinned(steps, place.drawn, place.px)
    known = np.isfinite(shown.level)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    x, level = place.x(shown.time), y(np.where(known, shown.level, 0))
    found = []
    for first, until in zip(edges[::2].tolist(), edges[1::2].tolist()):
        end = min(until, len(x) - 1)  # it holds until the next point, where it is no longer known
        found.append(svg.steps(np.append(x[first:until], x[end]), np.append(level[first:until], level[until - 1])))
    return "".join(found)


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
    text = theme.titled(strip.title, unit)
    left = len(strip.signals) - len(series)
    return f"{text}, {len(series)} of {len(strip.signals)}" if left else text


def _range(series: Sequence[Any], scale: float) -> tuple[float, float]:
    """From the lowest to the highest of all of the run, so that zooming in time leaves it; from 0 where that costs little."""
    spans = [_span(one.values) for one in series if np.isfinite(one.values).any()]
    low, high = min((low for low, _ in spans), default=0) * scale, max((high for _, high in spans), default=0) * scale
    if 0 < low <= 0.6 * high:
        low = 0.0
    if low == high:
        low, high = (low - 1, high + 1) if low else (0.0, 1.0)
    room = ROOM * (high - low)
    return low - room, high + room


def _rounded(value: float, span: float) -> float:
    """To a thousandth of the span or better."""
    return round(value, 3 - int(np.floor(np.log10(span))))


def _within(steps: Steps, window: tuple[int, int]) -> Steps:
    """The part of it in the window; unlike a curve of use it begins with its first value and is unknown before."""
    first, last = np.searchsorted(steps.time, window, "right")
    if last == 0:
        return Steps(np.zeros(0, np.int64), np.zeros(0))
    time, level = steps.time[first:last], steps.level[first:last]
    if first:
        time, level = np.concatenate([[window[0]], time]), np.concatenate([steps.level[first - 1 : first], level])
    return Steps(np.append(time, window[1]), np.append(level, level[-1]))

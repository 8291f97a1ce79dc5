"""What a scheduler measures and computes inside, over time: a strip of step lines a signal, on the time axis
of the charts above.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import quantities
from webapp.figures.timeline import svg
from webapp.figures.timeline.time_scale import TimeScale
from webapp.figures.timeline.usage_curves import StepFunction, downsample

MAX_STRIPS = 4
MAX_SERIES = 6
STRIP_PX = 56
MARGIN_SHARE = 0.06  # of the span of values, above and below
GB_FROM_MB = 8192  # memory below this is drawn in MB, as the curves do


class SignalStrip(NamedTuple):
    """The signals of one name, one a series."""

    title: str
    unit: str
    about: str
    signals: tuple[Any, ...]

    @classmethod
    def of(cls, signals: Sequence[Any]) -> list[SignalStrip]:
        """Strips in the order of their first signals; `signals` as engine's signals gives them."""
        named: dict[str, list[Any]] = {}
        for signal in signals:
            named.setdefault(signal.name, []).append(signal)
        return [cls(same[0].title, same[0].unit, same[0].about, tuple(same)) for same in named.values()]


def draw_strip(strip: SignalStrip, time_scale: TimeScale, highlight: str | None = None) -> dict[str, Any]:
    """A strip as the page gets it: title, about, px, ticks, svg, and the names of its series in the order of
    their dashes.

    At most MAX_SERIES series, the highlighted job's among them.
    """
    series = _drawn_series(strip, highlight)
    scale, unit = _display_scale(strip)
    low, high = _value_range(series, scale)
    y = lambda level: STRIP_PX * (high - level) / (high - low)
    parts = [
        svg.path_element(line, f"signal d-{number}")
        for number, signal in enumerate(series)
        if (line := _series_path(signal, time_scale, scale, y))
    ]
    margin = (high - low) * MARGIN_SHARE / (1 + 2 * MARGIN_SHARE)
    return {
        "key": "signal",
        "title": _title(strip, series, unit),
        "about": strip.about,
        "px": STRIP_PX,
        "ticks": [
            [round(float(y(value)), 1), quantities.number(_rounded(value, high - low))]
            for value in (low + margin, high - margin)
        ],
        "series": [signal.series for signal in series] if len(series) > 1 else [],
        "svg": svg.svg_element(time_scale.px, STRIP_PX, "".join(parts)),
    }


def _series_path(signal: Any, time_scale: TimeScale, scale: float, y: Any) -> str:
    """The path of a series, broken where its value is unknown."""
    steps = _clip_known(StepFunction(signal.at_ms, signal.values * scale), time_scale.drawn)
    if not len(steps.time):
        return ""
    shown = downsample(steps, time_scale.drawn, time_scale.px)
    is_known = np.isfinite(shown.level)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_known, [False]])))
    x, level = time_scale.x(shown.time), y(np.where(is_known, shown.level, 0))
    paths = []
    for first, until in zip(edges[::2].tolist(), edges[1::2].tolist()):
        end = min(until, len(x) - 1)  # it holds until the next point, where it is no longer known
        paths.append(
            svg.step_path(np.append(x[first:until], x[end]), np.append(level[first:until], level[until - 1]))
        )
    return "".join(paths)


def _drawn_series(strip: SignalStrip, highlight: str | None) -> list[Any]:
    """Those that are drawn: the first, and the highlighted job's at the front."""
    order = sorted(strip.signals, key=lambda signal: signal.series != highlight)
    return order[:MAX_SERIES]


def _display_scale(strip: SignalStrip) -> tuple[float, str]:
    """By what its values are multiplied, and the unit they then have."""
    if strip.unit == "MB" and any(_finite_range(one.values)[1] >= GB_FROM_MB for one in strip.signals):
        return 1 / 1024, "GB"
    return quantities.display_unit(strip.unit)


def _finite_range(values: np.ndarray) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _title(strip: SignalStrip, series: Sequence[Any], unit: str) -> str:
    text = quantities.title_with_unit(strip.title, unit)
    left = len(strip.signals) - len(series)
    return f"{text}, {len(series)} of {len(strip.signals)}" if left else text


def _value_range(series: Sequence[Any], scale: float) -> tuple[float, float]:
    """From the lowest to the highest of all of the run, so that zooming in time leaves it; from 0 where that
    costs little.
    """
    spans = [_finite_range(signal.values) for signal in series if np.isfinite(signal.values).any()]
    low = min((low for low, _ in spans), default=0) * scale
    high = max((high for _, high in spans), default=0) * scale
    if 0 < low <= 0.6 * high:
        low = 0.0
    if low == high:
        low, high = (low - 1, high + 1) if low else (0.0, 1.0)
    margin = MARGIN_SHARE * (high - low)
    return low - margin, high + margin


def _rounded(value: float, span: float) -> float:
    """To a thousandth of the span or better."""
    return round(value, 3 - int(np.floor(np.log10(span))))


def _clip_known(steps: StepFunction, window: tuple[int, int]) -> StepFunction:
    """The part of it in the window; unlike a curve of use it begins with its first value and is unknown
    before.
    """
    first, last = np.searchsorted(steps.time, window, "right")
    if last == 0:
        return StepFunction(np.zeros(0, np.int64), np.zeros(0))
    time, level = steps.time[first:last], steps.level[first:last]
    if first:
        time, level = np.append(window[0], time), np.append(steps.level[first - 1], level)
    return StepFunction(np.append(time, window[1]), np.append(level, level[-1]))

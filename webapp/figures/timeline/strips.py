"""What is in use and where the capacity goes, as strips of SVG on the time axis of the Gantt chart above them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import PARTS
from webapp.figures.timeline import svg
from webapp.figures.timeline.capacity_areas import SAME, Levels
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.usage_curves import Resource, Steps, thinned, within

MANY = 1000  # vcores whose number has no room beside the whole word
ROOM = 1.06  # of the capacity is the upper end of a strip
AREAS = tuple(SAME.get(part.key, part.key) for part in PARTS)  # the phase of each part


class Strip(NamedTuple):
    """A strip: key and title, its ticks as (place from the top in px, words), and what is drawn."""

    key: str
    title: str
    ticks: tuple[tuple[float, str], ...]
    parts: str


def curve(key: str, held: Steps, highlighted: Steps | None, of: Resource, place: Place, high: float) -> Strip:
    """A resource in use under the cluster's capacity; highlighted: what the highlighted hold of it, filled then. high: px."""
    top = ROOM * max(of.capacity, float(held.level.max(initial=0)))
    parts = []
    x, y = _line(held, place, top, high)
    line = svg.steps(x, y)
    parts.append(svg.path(svg.under(*_line(highlighted, place, top, high), high), "use-lit") if highlighted else svg.path(svg.closed(line, x, high), "use"))
    parts.append(svg.path(line, "use-line"))
    full = high * (1 - of.capacity / top)
    parts.append(svg.path(f"M0 {full:.1f}H{place.px}", "capacity-line"))
    return Strip(key, of.title, _ticks(of, top, high), "".join(parts))


def areas(levels: Levels, of: Resource, place: Place, high: float) -> Strip:
    """Where the capacity goes: from the upper edge of all parts down, each covers what lies under it, so that no seam shows."""
    shown = levels.parts.clip(0)
    edges = np.cumsum(shown, axis=1)
    top = ROOM * max(of.capacity, float(edges[:, -1].max(initial=0)))
    x = place.x(levels.time)
    y = lambda amount: high * (1 - amount / top)
    parts = [svg.path(svg.under(x, y(edges[:, number]), high), f"p-{key}") for number, key in reversed(list(enumerate(AREAS))) if shown[:, number].any()]
    lower, upper = levels.wasted
    if (upper > lower).any():
        parts.append(svg.path(svg.between(x, y(upper), y(lower)), "p-wasted"))
    return Strip("capacity", f"Where the capacity goes ({of.unit})", _ticks(of, top, high), "".join(parts))


def _line(steps: Steps, place: Place, top: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """float[points] each: px of a level in the drawing."""
    shown = thinned(within(steps, place.drawn), place.drawn, place.px)
    return place.x(shown.time), high * (1 - shown.level / top)


def _ticks(of: Resource, top: float, high: float) -> tuple[tuple[float, str], ...]:
    full = of.capacity / of.per
    unit = "vc" if of.unit == "vcores" and full >= MANY else of.unit
    return (high * (1 - of.capacity / top), f"{full:,.6g} {unit}"), (high, "0")

"""What is in use and where the capacity goes, as strips of SVG on the time axis of the Gantt chart above
them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.dashboard import PARTS
from webapp.figures.timeline import svg
from webapp.figures.timeline.capacity_areas import CapacityLevels, phase_of_part
from webapp.figures.timeline.time_scale import TimeScale
from webapp.figures.timeline.usage_curves import ResourceView, StepFunction, clip_to_window, downsample
from webapp.messages import msg

SHORT_UNIT_FROM = 1000  # vcores whose number has no room beside the whole word
HEADROOM = 1.06  # of the capacity is the upper end of a strip
AREA_PHASES = tuple(phase_of_part(part.key) for part in PARTS)  # the phase of each part


class Strip(NamedTuple):
    """A strip: key and title, its ticks as (place from the top in px, words), and what is drawn."""

    key: str
    title: str
    ticks: tuple[tuple[float, str], ...]
    parts: str


def usage_strip(
    key: str,
    held: StepFunction,
    highlighted: StepFunction | None,
    resource: ResourceView,
    time_scale: TimeScale,
    height: float,
) -> Strip:
    """A resource in use under the cluster's capacity; highlighted: what the highlighted hold of it, filled
    then; height: px.
    """
    top = HEADROOM * max(resource.capacity, float(held.level.max(initial=0)))
    x, y = _scaled_points(held, time_scale, top, height)
    line = svg.step_path(x, y)
    area, kind = svg.close_area(line, x, height), "use"
    if highlighted:
        area, kind = svg.area_under(*_scaled_points(highlighted, time_scale, top, height), height), "use-lit"
    full = height * (1 - resource.capacity / top)
    capacity = svg.path_element(f"M0 {full:.1f}H{time_scale.px}", "capacity-line")
    parts = svg.path_element(area, kind) + svg.path_element(line, "use-line") + capacity
    return Strip(key, resource.title, _ticks(resource, top, height), parts)


def capacity_strip(
    levels: CapacityLevels, resource: ResourceView, time_scale: TimeScale, height: float
) -> Strip:
    """Where the capacity goes: from the upper edge of all parts down, each covers what lies under it, so that
    no seam shows.
    """
    shown = levels.parts.clip(0)
    edges = np.cumsum(shown, axis=1)
    top = HEADROOM * max(resource.capacity, float(edges[:, -1].max(initial=0)))
    x = time_scale.x(levels.time)
    y = lambda amount: height * (1 - amount / top)
    parts = [
        svg.path_element(svg.area_under(x, y(edges[:, number]), height), f"p-{key}")
        for number, key in reversed(list(enumerate(AREA_PHASES)))
        if shown[:, number].any()
    ]
    lower, upper = levels.wasted
    if (upper > lower).any():
        parts.append(svg.path_element(svg.area_between(x, y(upper), y(lower)), "p-wasted"))
    title = msg("figures.strips.where_capacity_goes", unit=resource.unit)
    return Strip("capacity", title, _ticks(resource, top, height), "".join(parts))


def _scaled_points(
    steps: StepFunction, time_scale: TimeScale, top: float, height: float
) -> tuple[np.ndarray, np.ndarray]:
    """float[points] each: px of a level in the drawing."""
    shown = downsample(clip_to_window(steps, time_scale.drawn), time_scale.drawn, time_scale.px)
    return time_scale.x(shown.time), height * (1 - shown.level / top)


def _ticks(resource: ResourceView, top: float, height: float) -> tuple[tuple[float, str], ...]:
    full = resource.capacity / resource.per
    unit = "vc" if resource.unit == "vcores" and full >= SHORT_UNIT_FROM else resource.unit
    return (height * (1 - resource.capacity / top), f"{full:,.6g} {unit}"), (height, "0")

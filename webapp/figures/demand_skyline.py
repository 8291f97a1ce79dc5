"""What a demand holds over time, as a skyline, if each of its containers starts when it is requested."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import quantities
from webapp.figures.timeline import svg

WIDTH_PX, HEIGHT_PX = 280, 56  # of the area
TEXT_PX, BASELINE_PX = 18, 12  # of a line of words, above and below it


class Held(NamedTuple):
    """Memory in MB that is held from start to end, in s."""

    start: float
    end: float
    memory_mb: float


def draw_demand(stages: list[Held]) -> str:
    """SVG text of the memory that all hold, from 0 on, with its maximum and the end in words; "" where that
    is nothing.
    """
    at = np.unique([0.0, *(time for stage in stages for time in (stage.start, stage.end))])
    held = np.zeros(len(at))
    for stage in stages:
        held[(stage.start <= at) & (at < stage.end)] += stage.memory_mb
    if not held.any():
        return ""
    most, end = float(held.max()), float(at[-1])
    floor = TEXT_PX + HEIGHT_PX
    area = svg.area_under(WIDTH_PX * at / end, floor - HEIGHT_PX * held / most, floor)
    clock = quantities.clock(end)
    words = [
        svg.text_element(0, BASELINE_PX, quantities.memory(most, exact=True)),
        svg.text_element(0, floor + BASELINE_PX, "0:00"),
        svg.text_element(WIDTH_PX - svg.LETTER_PX * len(clock), floor + BASELINE_PX, clock),
    ]
    return svg.svg_element(WIDTH_PX, floor + TEXT_PX, svg.path_element(area, "demand-held"), *words)

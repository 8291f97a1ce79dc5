"""Memory and vcores in use over time, as levels that hold until the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import Run
from engine.dashboard import NONE, requests_of
from webapp.messages import msg


class StepFunction(NamedTuple):
    """From time[i] (ms, ascending) on the level is level[i]."""

    time: np.ndarray
    level: np.ndarray


def usage(run: Run, size: np.ndarray, chosen: np.ndarray | None = None) -> StepFunction:
    """What containers hold from their start to their end. size: of each request; chosen:
    bool[containers], those that count; None: all.
    """
    c = run.containers
    counted = slice(None) if chosen is None else np.flatnonzero(chosen)
    amount = size[requests_of(run.workload, c, counted)]
    end = c.end[counted]
    ended = end != NONE
    time = np.concatenate([[run.first_ms], c.start[counted], end[ended]])
    change = np.concatenate([[0], amount, -amount[ended]])
    order = np.argsort(time, kind="stable")
    time, level = time[order], np.cumsum(change[order])
    last = np.concatenate([time[1:] != time[:-1], [True]])
    return StepFunction(time[last], level[last])


def clip_to_window(steps: StepFunction, window: tuple[int, int]) -> StepFunction:
    """The part of it inside the window, which begins with the level there and ends with the last one held to
    the window's end.
    """
    first, last = np.searchsorted(steps.time, window, "right")
    before = steps.level[first - 1] if first else 0
    after = steps.level[last - 1] if last else 0
    time = np.concatenate([[window[0]], steps.time[first:last], [window[1]]])
    return StepFunction(time, np.concatenate([[before], steps.level[first:last], [after]]))


def downsample(steps: StepFunction, window: tuple[int, int], width: int) -> StepFunction:
    """At most four points a pixel: the first, lowest, highest and last of it. width: pixels of the window."""
    if len(steps.time) <= 4 * width:
        return steps
    pixel = (steps.time - window[0]) * width // (window[1] - window[0] + 1)
    time, level, is_longer = pixel_points(pixel, steps.time, steps.level)
    fresh = np.ones(time.shape, bool)
    fresh[:, 1:] = is_longer[:, None]
    return StepFunction(time[fresh], level[fresh])


def pixel_points(
    pixel: np.ndarray, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x and y of the first, lowest, highest and last point of each pixel, [pixels, 4] each; bool[pixels],
    which have more than one. pixel: that of each point, ascending.
    """
    first = np.flatnonzero(np.concatenate([[True], pixel[1:] != pixel[:-1]]))
    last = np.concatenate([first[1:], [len(pixel)]]) - 1
    low, high = np.minimum.reduceat(y, first), np.maximum.reduceat(y, first)
    points_x = np.stack([x[first], x[first], x[last], x[last]], axis=1)
    return points_x, np.stack([y[first], low, high, y[last]], axis=1), last > first


class ResourceView(NamedTuple):
    """A resource as charts show it. title: with its unit; per: how many of the scenario's units are one of
    the chart's.
    """

    title: str
    unit: str
    per: int
    size: np.ndarray  # of each request
    capacity: int


def memory_view(run: Run) -> ResourceView:
    """Memory in the largest unit of which the cluster has eight."""
    capacity = int(run.workload.node_memory.sum())
    units = ("TB", 2**20), ("GB", 2**10), ("MB", 1)
    unit, per = next((unit, per) for unit, per in units if capacity >= 8 * per or per == 1)
    title = msg("figures.usage_curves.memory", unit=unit)
    return ResourceView(title, unit, per, run.workload.request_memory, capacity)


def vcores_view(run: Run) -> ResourceView:
    """Virtual cores."""
    work = run.workload
    return ResourceView("Vcores", "vcores", 1, work.request_vcores, int(work.node_vcores.sum()))

"""Sums over a grid of lines and time bins: what a picture of many containers, or a curve over a long run, is
made of.
"""

from __future__ import annotations

import numpy as np

from engine.jit import compiled


def bin_coverage(
    owner: np.ndarray,
    kind: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    line: np.ndarray,
    weight: np.ndarray,
    window: tuple[int, int],
    shape: tuple[int, int, int],
) -> np.ndarray:
    """float64[lines, kinds, bins]: how much of each bin the intervals of each kind cover on each line,
    weighed, added up.

    Intervals [start, end) in ms, each `of` an owner and of a kind; owners' line (below 0: left out) and
    weight. The bins part the window (ms) evenly; a bin covered once by weight 1 counts 1. shape: (lines,
    kinds, bins). Cost: intervals + cells.
    """
    lines, kinds, bins = shape
    out = np.zeros((lines, kinds, bins + 2))
    _cover(owner, kind, start, end, line, weight, window[0], window[1], bins, out)
    return out[:, :, :bins]


@compiled
def _cover(owner, kind, start, end, line, weight, x0, x1, bins, out):
    """An interval is the difference of two ramps: four numbers of it are put down, and summed up along the
    line at the end.
    """
    scale = bins / (x1 - x0)
    for i in range(len(owner)):
        if start[i] >= x1 or end[i] <= x0 or end[i] <= start[i]:
            continue
        row = line[owner[i]]
        if row < 0:
            continue
        w = weight[owner[i]]
        a, b = (max(start[i], x0) - x0) * scale, (min(end[i], x1) - x0) * scale
        first, last = int(a), int(b)
        lane = out[row, kind[i]]
        lane[first] += w * (1 - (a - first))
        lane[first + 1] += w * (a - first)
        lane[last] -= w * (1 - (b - last))
        lane[last + 1] -= w * (b - last)
    for row in range(out.shape[0]):
        for kind_index in range(out.shape[1]):
            lane = out[row, kind_index]
            total = 0.0
            for bin_index in range(bins):
                total += lane[bin_index]
                lane[bin_index] = total if total > 1e-9 else 0.0


def bin_means(times: np.ndarray, levels: np.ndarray, window: tuple[float, float], bins: int) -> np.ndarray:
    """float64[bins, columns]: the mean over time of each column in each of the bins that part the window
    evenly.

    times: int64[pieces + 1] in ms, ascending; levels: [pieces, columns], held between two of them; before and
    after there is nothing.
    Cost: the pieces within the window, and the bins.
    """
    out = np.zeros((bins, levels.shape[1]))
    first = max(int(np.searchsorted(times, window[0], "right")) - 1, 0)
    last = int(np.searchsorted(times, window[1], "left"))
    _mean(times, levels, first, min(last, len(levels)), float(window[0]), float(window[1]), out)
    return out


@compiled
def _mean(times, levels, first, last, x0, x1, out):
    bins = len(out)
    width = (x1 - x0) / bins
    for piece in range(first, last):
        at, until = max(float(times[piece]), x0), min(float(times[piece + 1]), x1)
        bin_index = int((at - x0) / width)
        while at < until and bin_index < bins:
            edge = min(x0 + (bin_index + 1) * width, until)
            share = (edge - at) / width
            if share > 0:
                for column in range(levels.shape[1]):
                    out[bin_index, column] += share * levels[piece, column]
                at = edge
            bin_index += 1

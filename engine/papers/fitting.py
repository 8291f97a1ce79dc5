"""Fixing the few free parameters of a paper's test bed from numbers that the paper prints."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from engine.papers.schema import Fit

FINEST = 1 / 256  # of a parameter's range: the last step of the search


def errors(fit: Fit, values: Mapping[str, float]) -> list[float]:
    """Relative error of every cell with these values of the parameters."""
    predicted = fit.predict(values)
    return [(predicted[cell.key] - cell.number) / cell.number for cell in fit.cells]


@cache
def found_errors(fit: Fit) -> tuple[tuple[float, ...], float]:
    """Relative error of every cell with the values that were found, and the residual; the model is run once for each fit."""
    off = errors(fit, fit.found)
    return tuple(off), root_mean_square(off)


def residual(fit: Fit, values: Mapping[str, float]) -> float:
    """Root of the mean square of the cells' relative errors; inf where one of them is a deadlock."""
    return root_mean_square(errors(fit, values))


def root_mean_square(off: Sequence[float]) -> float:
    """sqrt(sum of x^2 / n)."""
    return math.sqrt(math.fsum(error * error for error in off) / len(off))


def search(fit: Fit, progress: Callable[[float, Mapping[str, float]], None] = lambda residual, values: None) -> tuple[dict[str, float], float]:
    """The values of least residual: the best point of a grid over all ranges, then the best neighbour, with steps halved until none is better.

    A pattern search (Hooke and Jeeves 1961): nothing is random, and no slope is needed, which a schedule does not have.
    """
    grids = [[one.low + (one.high - one.low) * (place + 0.5) / fit.starts for place in range(fit.starts)] for one in fit.free]
    best = min((_weighed(fit, point) for point in product(*grids)), key=lambda found: found[0])
    step = 1 / (2 * fit.starts)
    while step >= FINEST:
        found = min((_weighed(fit, point) for point in neighbours(fit, best[1], step)), key=lambda one: one[0])
        if found[0] < best[0]:
            best = found
            progress(best[0], dict(zip(fit.found, best[1])))
        else:
            step /= 2
    return {name: rounded(value) for name, value in zip(fit.found, best[1])}, best[0]


def neighbours(fit: Fit, point: tuple[float, ...], step: float) -> Iterator[tuple[float, ...]]:
    """One parameter a step of its range up or down, the others as they are; none outside its range."""
    for place, one in enumerate(fit.free):
        for way in (-1, 1):
            value = point[place] + way * step * (one.high - one.low)
            if one.low <= value <= one.high:
                yield (*point[:place], value, *point[place + 1 :])


def rounded(value: float) -> float:
    """Three digits: what a fit to a few cells can carry."""
    return float(f"{value:.3g}")


def _weighed(fit: Fit, point: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    point = tuple(rounded(value) for value in point)
    return residual(fit, dict(zip(fit.found, point))), point

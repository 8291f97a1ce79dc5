"""Fits the free parameters of a paper's test bed to numbers that the paper prints."""

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
def fitted_errors(fit: Fit) -> tuple[tuple[float, ...], float]:
    """Relative error of every cell with the values that were found, and the residual; the model is run once
    for each fit.
    """
    relative_errors = errors(fit, fit.values)
    return tuple(relative_errors), root_mean_square(relative_errors)


def residual(fit: Fit, values: Mapping[str, float]) -> float:
    """Root of the mean square of the cells' relative errors; inf where one of them is a deadlock."""
    return root_mean_square(errors(fit, values))


def root_mean_square(relative_errors: Sequence[float]) -> float:
    """sqrt(sum of x^2 / n)."""
    return math.sqrt(math.fsum(error * error for error in relative_errors) / len(relative_errors))


def search(
    fit: Fit, progress: Callable[[float, Mapping[str, float]], None] = lambda residual, values: None
) -> tuple[dict[str, float], float]:
    """The values of least residual: the best point of a grid over all ranges, then the best neighbour, with
    steps halved until none is better.

    A pattern search (Hooke and Jeeves 1961): nothing is random, and no slope is needed, which a schedule does
    not have.
    """
    grids = [
        [item.low + (item.high - item.low) * (index + 0.5) / fit.starts for index in range(fit.starts)]
        for item in fit.free
    ]
    best = min(
        (_evaluated_point(fit, point) for point in product(*grids)), key=lambda candidate: candidate[0]
    )
    step = 1 / (2 * fit.starts)
    while step >= FINEST:
        candidate = min(
            (_evaluated_point(fit, point) for point in neighbours(fit, best[1], step)),
            key=lambda item: item[0],
        )
        if candidate[0] < best[0]:
            best = candidate
            progress(best[0], dict(zip(fit.values, best[1])))
        else:
            step /= 2
    return {name: rounded(value) for name, value in zip(fit.values, best[1])}, best[0]


def neighbours(fit: Fit, point: tuple[float, ...], step: float) -> Iterator[tuple[float, ...]]:
    """One parameter a step of its range up or down, the others as they are; none outside its range."""
    for index, parameter in enumerate(fit.free):
        for direction in (-1, 1):
            value = point[index] + direction * step * (parameter.high - parameter.low)
            if parameter.low <= value <= parameter.high:
                yield (*point[:index], value, *point[index + 1 :])


def rounded(value: float) -> float:
    """Three digits: what a fit to a few cells can carry."""
    return float(f"{value:.3g}")


def _evaluated_point(fit: Fit, point: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    point = tuple(rounded(value) for value in point)
    return residual(fit, dict(zip(fit.values, point))), point

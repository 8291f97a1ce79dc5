"""Ranges a number is moved through: sensible ends and steps around its present value, within what is legal.

Steps are counted in decimals, so that 0.1 + 0.2 is 0.3 on every grid.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

FROM_NOTHING = {"s": 60.0, "ms": 2000.0, "MB": 512.0, "%": 100.0}  # how far a number that is 0 goes, by its unit
STEPS = 50  # about so many from one end to the other
WIDER, LOWER = 3, 4  # up to so many times the present value, down to such a part of it
LEAST_MORE = 8  # a small whole number goes at least so much further
ALL_WHOLE = 100  # of so many whole numbers each is on the way
SMALL = 20  # a legal range up to this is offered whole
SMALL_STEPS = ((1, (0.05, 0.01)), (10, (0.1, 0.02)), (SMALL, (0.5, 0.1)))  # by its width, the first on which the present value is
FINER = 10  # parts of a step that a search refines a number to that is not whole


class Range(NamedTuple):
    """From `first` to `last` in steps."""

    first: float
    last: float
    step: float


def suggested(value: float, low: float, high: float, *, whole: bool, unit: str = "", most: float = math.inf) -> Range:
    """Around `value` and on whose grid it is; low, high: what is legal, an end that is not legal itself left out by the caller; most: where more is refused."""
    most = max(min(high, most), value)
    if high - low <= SMALL and not whole:
        for step in next(steps for widest, steps in SMALL_STEPS if high - low <= widest):
            if _on(value, 0, step):
                return Range(_plus(0, math.ceil(low / step - 1e-9), step), _plus(0, math.floor(high / step + 1e-9), step), step)
        first, last = low, high
    elif value > 0:
        first, last = value / LOWER, max(value * WIDER, value + LEAST_MORE * whole)
    else:
        first, last = value, value + FROM_NOTHING.get(unit, LEAST_MORE if whole else 1.0)
    first, last = max(first, low), min(last, most)
    step = _nice((last - first) / STEPS, unit)
    step = 1 if whole and last - first <= ALL_WHOLE else max(step, 1) if whole else step
    down, up = math.floor((value - first) / step + 1e-9), math.floor((last - value) / step + 1e-9)
    if not down + up:  # more is refused at present, but may not be once another number has changed
        down, up = (0, 1) if value + step <= high else (1, 0)
    return Range(_plus(value, -down, step), _plus(value, up, step), step)


def step_between(first: float, last: float, *, whole: bool, unit: str = "") -> float:
    """A sensible step from one end to the other, as `suggested` has it: ends of a small range on its grid, else about STEPS of them."""
    if not whole and last - first <= SMALL:
        steps = next(steps for widest, steps in SMALL_STEPS if last - first <= widest)
        for step in steps:
            if _on(first, 0, step) and _on(last, 0, step) and last > first:
                return step
    step = _nice((last - first) / STEPS, unit)
    return 1 if whole and last - first <= ALL_WHOLE else max(step, 1) if whole else step


def range_values(of: Range, most: int = 10_000, keep: float | None = None) -> list[float]:
    """The values of a range; where there are more than `most`, every so many of them, those that meet `keep` if it is one of them, and both ends."""
    count = math.floor((of.last - of.first) / of.step + 1e-9) + 1
    every = max(1, math.ceil(count / max(most, 2)))
    at = 0 if keep is None or not _on(keep, of.first, of.step) else round((keep - of.first) / of.step) % every
    chosen = sorted({*range(at, count, every), 0, count - 1}) if every > 1 else range(count)
    return [_plus(of.first, place, of.step) for place in chosen]


def values_between(one: float, other: float, resolution: float) -> list[float]:
    """What lies strictly between two values at this resolution, from the one towards the other."""
    count = math.ceil(abs(other - one) / resolution - 1e-9) - 1
    sign = 1 if other > one else -1
    return [_plus(one, sign * place, resolution) for place in range(1, count + 1)]


def resolution(step: float, whole: bool) -> float:
    """How finely a search looks: whole numbers exactly, others to a tenth of the step."""
    return 1 if whole else _tidy(Decimal(repr(step)) / FINER)


def _on(value: float, first: float, step: float) -> bool:
    steps = (value - first) / step
    return abs(steps - round(steps)) < 1e-6


def _plus(value: float, times: int, step: float) -> float:
    return _tidy(Decimal(repr(value)) + times * Decimal(repr(step)))


def _tidy(number: Decimal) -> float:
    return int(number) if number == number.to_integral_value() else float(number)


def _nice(step: float, unit: str) -> float:
    """The next larger of 1, 2, 5, 10, 20, 50 …; of memory the next power of two."""
    if step <= 0:
        return 1
    if unit == "MB" and step >= 1:
        return 2 ** math.ceil(math.log2(step))
    power = Decimal(10) ** math.floor(math.log10(step))
    return _tidy(next(number for factor in (1, 2, 5, 10) if (number := factor * power) >= Decimal(repr(step))))

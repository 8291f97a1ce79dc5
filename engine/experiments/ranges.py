"""Ranges a number is moved through: sensible ends and steps around its present value, within what is legal.

Steps are counted in decimals, so that 0.1 + 0.2 is 0.3 on every grid.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

# how far the range of a number that is 0 goes, by its unit
DEFAULT_SPANS = {
    "s": 60.0,
    "ms": 2000.0,
    "MB": 512.0,
    "%": 100.0,
}
STEPS = 50  # about as many from one end to the other
WIDEN_FACTOR, NARROW_FACTOR = 3, 4  # up to so many times the present value, down to such a part of it
MIN_WIDENING = 8  # a small whole number goes at least so much further
MAX_INTEGER_STEPS = 100  # up to this many integers each one is a step
SMALL = 20  # a legal range up to this is offered whole
# by its width, the first on which the present value is
SMALL_STEPS = (
    (1, (0.05, 0.01)),
    (10, (0.1, 0.02)),
    (SMALL, (0.5, 0.1)),
)
REFINEMENT = 10  # parts of a step that a search refines a number to that is not whole


class Range(NamedTuple):
    """From `first` to `last` in steps."""

    first: float
    last: float
    step: float


def suggested_range(
    value: float, low: float, high: float, *, is_integer: bool, unit: str = "", max_value: float = math.inf
) -> Range:
    """Around `value` and on whose grid it is; low, high: what is legal, an end that is not legal itself left
    out by the caller; max_value: where more is refused.
    """
    max_value = max(min(high, max_value), value)
    if high - low <= SMALL and not is_integer:
        for step in next(steps for widest, steps in SMALL_STEPS if high - low <= widest):
            if _is_on_grid(value, 0, step):
                return Range(
                    _add_steps(0, math.ceil(low / step - 1e-9), step),
                    _add_steps(0, math.floor(high / step + 1e-9), step),
                    step,
                )
        first, last = low, high
    elif value > 0:
        first, last = value / NARROW_FACTOR, max(value * WIDEN_FACTOR, value + MIN_WIDENING * is_integer)
    else:
        first, last = value, value + DEFAULT_SPANS.get(unit, MIN_WIDENING if is_integer else 1.0)
    first, last = max(first, low), min(last, max_value)
    step = _round_step((last - first) / STEPS, unit)
    step = 1 if is_integer and last - first <= MAX_INTEGER_STEPS else max(step, 1) if is_integer else step
    down, up = math.floor((value - first) / step + 1e-9), math.floor((last - value) / step + 1e-9)
    if not down + up:  # more is refused at present, but may not be once another number has changed
        down, up = (0, 1) if value + step <= high else (1, 0)
    return Range(_add_steps(value, -down, step), _add_steps(value, up, step), step)


def step_between(first: float, last: float, *, is_integer: bool, unit: str = "") -> float:
    """A sensible step from one end to the other, as `suggested_range` has it: ends of a small range on its
    grid, else about STEPS of them.
    """
    if not is_integer and last - first <= SMALL:
        steps = next(steps for widest, steps in SMALL_STEPS if last - first <= widest)
        for step in steps:
            if _is_on_grid(first, 0, step) and _is_on_grid(last, 0, step) and last > first:
                return step
    step = _round_step((last - first) / STEPS, unit)
    return 1 if is_integer and last - first <= MAX_INTEGER_STEPS else max(step, 1) if is_integer else step


def range_values(limits: Range, max_count: int = 10_000, anchor: float | None = None) -> list[float]:
    """The values of a range; where there are more than `max_count`, evenly spaced ones, among them `anchor`
    if it is on the grid, and both ends.
    """
    count = math.floor((limits.last - limits.first) / limits.step + 1e-9) + 1
    stride = max(1, math.ceil(count / max(max_count, 2)))
    offset = (
        0
        if anchor is None or not _is_on_grid(anchor, limits.first, limits.step)
        else round((anchor - limits.first) / limits.step) % stride
    )
    chosen = sorted({*range(offset, count, stride), 0, count - 1}) if stride > 1 else range(count)
    return [_add_steps(limits.first, index, limits.step) for index in chosen]


def values_between(start: float, end: float, resolution: float) -> list[float]:
    """What lies strictly between two values at this resolution, from the one towards the other."""
    count = math.ceil(abs(end - start) / resolution - 1e-9) - 1
    sign = 1 if end > start else -1
    return [_add_steps(start, sign * step_number, resolution) for step_number in range(1, count + 1)]


def resolution(step: float, is_integer: bool) -> float:
    """How finely a search looks: whole numbers exactly, others to a tenth of the step."""
    return 1 if is_integer else _to_number(Decimal(repr(step)) / REFINEMENT)


def _is_on_grid(value: float, first: float, step: float) -> bool:
    steps = (value - first) / step
    return abs(steps - round(steps)) < 1e-6


def _add_steps(value: float, times: int, step: float) -> float:
    return _to_number(Decimal(repr(value)) + times * Decimal(repr(step)))


def _to_number(number: Decimal) -> float:
    return int(number) if number == number.to_integral_value() else float(number)


def _round_step(step: float, unit: str) -> float:
    """The next larger of 1, 2, 5, 10, 20, 50 …; of memory the next power of two."""
    if step <= 0:
        return 1
    if unit == "MB" and step >= 1:
        return 2 ** math.ceil(math.log2(step))
    power = Decimal(10) ** math.floor(math.log10(step))
    return _to_number(
        next(number for factor in (1, 2, 5, 10) if (number := factor * power) >= Decimal(repr(step)))
    )

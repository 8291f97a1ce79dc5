"""What would it take: the smallest change of one number that brings a metric to a goal, found by search.

Makespan may fall, rise and fall again as a number grows (Graham 1966: more machines can make a schedule longer), so nothing is assumed of its
shape: an answer says which values were looked at. The values of a grid come first; then what lies between the nearest one that reaches the goal
and its neighbour towards the present value is looked at, every value where they are few, else by bisection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.analysis.metrics import METRICS
from engine.experiments.ranges import values_between

FEW = 16  # values between two of the grid that are all tried
ALREADY, FOUND, OUT_OF_REACH = "already", "found", "out of reach"


class Goal(NamedTuple):
    """A metric by key, and what it must not exceed, or must reach unless smaller is better."""

    metric: str
    bound: float

    @property
    def larger(self) -> bool:
        """Must it be at least the bound?"""
        return next(metric.better for metric in METRICS if metric.key == self.metric) != "smaller"

    def reached(self, value: float | None) -> bool:
        """Is it, by this value? Not where a deadlock leaves none."""
        return value is not None and (value >= self.bound if self.larger else value <= self.bound)


@dataclass(frozen=True)
class GoalAnswer:
    """state: ALREADY, FOUND or OUT_OF_REACH. value: of the number, and what the metric is there; None out of reach.

    beyond: the value next to it towards the present one, which does not reach the goal; tried: how many values between grid points were looked
    at, bisected: whether only those that bisection led to. best: the value of the grid nearest to the goal, and the metric there.
    """

    state: str
    value: float | None = None
    there: float | None = None
    beyond: float | None = None
    tried: int = 0
    bisected: bool = False
    best: float | None = None
    best_there: float | None = None


def goal_seek(
    goal: Goal,
    present: float | None,
    now: float | None,
    values: Sequence[float],
    found: Sequence[float | None],
    look: Callable[[float], float | None],
    fine: float,
) -> GoalAnswer:
    """present, now: the number and the metric as they are, None where the number is not given; values, found: a grid, ascending, and the metric at each;
    look: the metric at any value; fine: the resolution."""
    if goal.reached(now):
        return GoalAnswer(ALREADY, present, now)
    start = values[0] if present is None else present
    sides = [_side(goal, start, side, look, fine) for side in _sides(start, values, found)]
    answers = [answer for answer in sides if answer]
    if answers:
        return min(answers, key=lambda answer: (abs(answer.value - start), answer.value))
    known = [(number, value) for value, number in zip(values, found) if number is not None]
    if not known:
        return GoalAnswer(OUT_OF_REACH)
    there, best = max(known, key=lambda pair: pair[0]) if goal.larger else min(known, key=lambda pair: pair[0])
    return GoalAnswer(OUT_OF_REACH, best=best, best_there=there)


def _sides(start: float, values: Sequence[float], found: Sequence[float | None]) -> list[list[tuple[float, float | None]]]:
    """The grid above and below the start, each from the start on."""
    pairs = list(zip(values, found))
    return [[pair for pair in pairs if pair[0] >= start], [pair for pair in pairs if pair[0] < start][::-1]]


def _side(goal: Goal, start: float, side: list[tuple[float, float | None]], look: Callable[[float], float | None], fine: float) -> GoalAnswer | None:
    """The nearest on one side, refined."""
    before = start
    for value, number in side:
        if goal.reached(number):
            return _refined(goal, before, value, number, look, fine)
        before = value
    return None


def _refined(goal: Goal, fails: float, value: float, there: float, look: Callable[[float], float | None], fine: float) -> GoalAnswer:
    inner = values_between(fails, value, fine)
    beyond = fails if fails != value else None
    if len(inner) <= FEW:
        for tried, one in enumerate(inner, start=1):
            if goal.reached(number := look(one)):
                return GoalAnswer(FOUND, one, number, inner[tried - 2] if tried > 1 else beyond, tried)
        return GoalAnswer(FOUND, value, there, inner[-1] if inner else beyond, len(inner))
    low, high, tried = -1, len(inner), 0
    while high - low > 1:
        middle = (low + high) // 2
        tried += 1
        if goal.reached(number := look(inner[middle])):
            high, value, there = middle, inner[middle], number
        else:
            low = middle
    return GoalAnswer(FOUND, value, there, inner[low] if low >= 0 else beyond, tried, True)

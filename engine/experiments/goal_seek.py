"""Goal seek: the smallest change of one number that brings a metric to a goal, found by search.

Makespan may fall, rise and fall again as a number grows (Graham 1966: more machines can make a schedule
longer), so nothing is assumed of its
shape: an answer says which values were tried. The values of a grid come first; then what lies between the
nearest one that reaches the goal and its neighbour towards the present value is looked at, every value where
they are few, else by bisection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.analysis.metrics import METRICS
from engine.experiments.ranges import values_between
from engine.messages import msg

EXHAUSTIVE_LIMIT = 16  # values between two of the grid that are all tried
ALREADY, FOUND, OUT_OF_REACH = "already", "found", msg("experiments.goal_seek.out_reach")


class Goal(NamedTuple):
    """A metric by key, and what it must not exceed, or must reach unless smaller is better."""

    metric: str
    bound: float

    @property
    def is_larger_better(self) -> bool:
        """Must it be at least the bound?"""
        return next(metric.better for metric in METRICS if metric.key == self.metric) != "smaller"

    def is_reached(self, value: float | None) -> bool:
        """Is it, by this value? Not where a deadlock leaves none."""
        return value is not None and (value >= self.bound if self.is_larger_better else value <= self.bound)


@dataclass(frozen=True)
class GoalAnswer:
    """state: ALREADY, FOUND or OUT_OF_REACH. value: of the number, and metric_value: the metric there; None
    out of reach.

    beyond: the value next to it towards the present one, which does not reach the goal; tried: how many
    values between grid points were looked at, bisected: whether only those that bisection led to. best: the
    value of the grid nearest to the goal, and the metric there.
    """

    state: str
    value: float | None = None
    metric_value: float | None = None
    beyond: float | None = None
    tried: int = 0
    bisected: bool = False
    best: float | None = None
    best_metric: float | None = None


def goal_seek(
    goal: Goal,
    present: float | None,
    present_metric: float | None,
    values: Sequence[float],
    metrics: Sequence[float | None],
    evaluate: Callable[[float], float | None],
    resolution: float,
) -> GoalAnswer:
    """present, present_metric: the number and the metric as they are, None where the number is not given;
    values, metrics: a grid, ascending, and the metric at each;
    evaluate: the metric at any value; resolution: the resolution."""
    if goal.is_reached(present_metric):
        return GoalAnswer(ALREADY, present, present_metric)
    start = values[0] if present is None else present
    sides = [_side(goal, start, side, evaluate, resolution) for side in _sides(start, values, metrics)]
    answers = [
        (abs(answer.value - start), answer.value, answer)
        for answer in sides
        if answer and answer.value is not None
    ]
    if answers:
        return min(answers, key=lambda entry: entry[:2])[2]
    measured = [(number, value) for value, number in zip(values, metrics) if number is not None]
    if not measured:
        return GoalAnswer(OUT_OF_REACH)
    best_metric, best = (
        max(measured, key=lambda pair: pair[0])
        if goal.is_larger_better
        else min(measured, key=lambda pair: pair[0])
    )
    return GoalAnswer(OUT_OF_REACH, best=best, best_metric=best_metric)


def _sides(
    start: float, values: Sequence[float], metrics: Sequence[float | None]
) -> list[list[tuple[float, float | None]]]:
    """The grid above and below the start, each from the start on."""
    pairs = list(zip(values, metrics))
    return [[pair for pair in pairs if pair[0] >= start], [pair for pair in pairs if pair[0] < start][::-1]]


def _side(
    goal: Goal,
    start: float,
    side: list[tuple[float, float | None]],
    evaluate: Callable[[float], float | None],
    resolution: float,
) -> GoalAnswer | None:
    """The nearest on one side, refined."""
    before = start
    for value, metric in side:
        if goal.is_reached(metric):
            return _refined(goal, before, value, metric, evaluate, resolution)
        before = value
    return None


def _refined(
    goal: Goal,
    failing: float,
    value: float,
    metric: float | None,
    evaluate: Callable[[float], float | None],
    resolution: float,
) -> GoalAnswer:
    inner = values_between(failing, value, resolution)
    beyond = failing if failing != value else None
    if len(inner) <= EXHAUSTIVE_LIMIT:
        for tried, candidate in enumerate(inner, start=1):
            if goal.is_reached(candidate_metric := evaluate(candidate)):
                return GoalAnswer(
                    FOUND, candidate, candidate_metric, inner[tried - 2] if tried > 1 else beyond, tried
                )
        return GoalAnswer(FOUND, value, metric, inner[-1] if inner else beyond, len(inner))
    low, high, tried = -1, len(inner), 0
    while high - low > 1:
        middle = (low + high) // 2
        tried += 1
        if goal.is_reached(candidate_metric := evaluate(inner[middle])):
            high, value, metric = middle, inner[middle], candidate_metric
        else:
            low = middle
    return GoalAnswer(FOUND, value, metric, inner[low] if low >= 0 else beyond, tried, True)

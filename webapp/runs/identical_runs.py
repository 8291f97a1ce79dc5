"""Runs that are equal, container for container, so that they stand once."""

from __future__ import annotations

from collections.abc import Sequence

from webapp.runs.outcome import Outcome
from webapp.runs.task import Task


def first_equal(outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """For each run of one scenario the place of the first that has the same containers at the same times on
    the same nodes; its own where it is the first.

    What was measured, and the optimum, equal nothing: they stand there to be compared to.
    """
    return _first_places(
        [(outcome.is_scheduled or outcome.run.scheduler, outcome.placement) for outcome in outcomes]
    )


def equal_groups(task: Task) -> tuple[int, ...]:
    """As `first_equal`, for what is shown; a pinned run equals pinned ones alone, for it stands there to be
    compared too.
    """
    return _first_places(
        [(run.task is task, run.is_scheduled or run.name, run.outcome.placement) for run in task.shown]
    )


def _first_places(keys: Sequence[tuple]) -> tuple[int, ...]:
    first: dict[tuple, int] = {}
    return tuple(first.setdefault(key, place) for place, key in enumerate(keys))

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
    first: dict[tuple, int] = {}
    return tuple(
        first.setdefault((outcome.is_scheduled or outcome.run.scheduler, outcome.placement), place)
        for place, outcome in enumerate(outcomes)
    )


def equal_groups(task: Task) -> tuple[int, ...]:
    """As `first_equal`, for what is shown; a pinned run equals pinned ones alone, for it stands there to be
    compared too.
    """
    first: dict[tuple, int] = {}
    return tuple(
        first.setdefault(
            (shown_run.task is task, shown_run.is_scheduled or shown_run.name, shown_run.outcome.placement),
            place,
        )
        for place, shown_run in enumerate(task.shown)
    )

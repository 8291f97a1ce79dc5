"""Runs that are equal, container for container, so that they stand once."""

from __future__ import annotations

from collections.abc import Sequence

from engine import MEASURED
from webapp.services.runs import Outcome, Task


def first_equal(outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """For each run of one scenario the place of the first that has the same containers at the same times on the same nodes; its own where it is the first.

    What was measured equals nothing: it stands there to be compared to.
    """
    first: dict[tuple, int] = {}
    return tuple(first.setdefault((one.run.scheduler == MEASURED.name, one.placement), place) for place, one in enumerate(outcomes))


def equal_groups(task: Task) -> tuple[int, ...]:
    """As `first_equal`, for what is shown; a pinned run equals pinned ones alone, for it stands there to be compared too."""
    first: dict[tuple, int] = {}
    return tuple(first.setdefault((one.task is task, one.is_measured, one.outcome.placement), place) for place, one in enumerate(task.shown))

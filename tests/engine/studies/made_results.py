"""Results with numbers that a test chooses: nothing is run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.codes import RunState
from engine.studies.result import StudyResult
from engine.studies.study import Study, Vary
from tests.handmade_runs import scenario, stage

PLAIN = scenario([(8, 8), (8, 8)], [{"maps": stage(4, 1, 1, 20.0), "reduces": stage(2, 2, 2, 10.0)}]).plain()
NAMES = ("fair", "fifo", "drf", "haste")
SLOW = "jobs[*].slowstart"


def made(
    values: Sequence[Sequence[Sequence[float]]],
    metric: str = "makespan_s",
    jitter: float = 0.1,
    vary: tuple[Vary, ...] | None = None,
) -> StudyResult:
    """values[point][scheduler][seed] of one metric; points are values of slow start unless said otherwise;
    all runs finished.
    """
    numbers = np.array(values, float)
    points, schedulers, seeds = numbers.shape
    if vary is None:
        vary = (Vary(SLOW, tuple(round(place / 10, 1) for place in range(points))),) if points > 1 else ()
    study = Study(PLAIN, NAMES[:schedulers], vary, seeds, metrics=(metric,), jitter=jitter)
    return StudyResult(study, numbers[..., None], np.full(numbers.shape, RunState.FINISHED, np.int8))

"""Curves over executors whose times are written down."""

from __future__ import annotations

import numpy as np

from engine import Scenario
from engine.codes import RunState
from engine.studies.executor_curve import ExecutorCurve, executor_curve, executor_study
from engine.studies.measures import OWN_TIME
from engine.studies.result import StudyResult
from tests.spark_jobs import MIXED, SPARK

DYNAMIC = Scenario.of(MIXED)
PLAIN = {key: value for key, value in SPARK.items() if key != "stages"} | {
    "stages": [{"name": "scan", "tasks": 40, "duration_s": 3}]
}
FIXED = Scenario.of({**MIXED, "jobs": [PLAIN]})  # nothing of it is random


def curve(times: list[list[float]], numbers: tuple[int, ...] = (), bands=None) -> ExecutorCurve:
    """Of the application's turnarounds, a row a number of executors, a column a seed."""
    numbers = numbers or tuple(range(1, len(times) + 1))
    study = executor_study(DYNAMIC, ["fair"], 0, numbers, len(times[0]), 0.0, usual_seeds=1)
    result = StudyResult.empty(study)
    result.state[:] = RunState.FINISHED
    result.values[:, 0, :, study.metrics.index(OWN_TIME)] = np.array(times)
    return executor_curve(result, DYNAMIC, bands)

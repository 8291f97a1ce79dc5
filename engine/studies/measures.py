"""What a study measures of each run: the metrics that are compared, the worst queue's, for guarantees to
every queue, and, where a number of one application moves, that application's beside the others'.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.analysis.metrics import (
    METRICS,
    Metric,
    critical_path_ms,
    percentile,
    slowdown,
    summary,
    turnaround_ms,
    wait_ms,
)
from engine.codes import NONE, TAKEN
from engine.messages import msg
from engine.simulation.run import Run

WORST = "worst_queue_"
QUEUE_MEASURES: dict[
    str, tuple[Callable[[Run], np.ndarray], Callable[[np.ndarray], float]]
] = {  # by metric: a number for each job, and its aggregate over a queue
    "mean_wait_s": (wait_ms, lambda ms: int(ms.sum()) / len(ms)),
    "max_wait_s": (wait_ms, lambda ms: int(ms.max())),
    "mean_turnaround_s": (turnaround_ms, lambda ms: int(ms.sum()) / len(ms)),
    "p95_turnaround_s": (turnaround_ms, lambda ms: percentile(ms, 95)),
    "max_turnaround_s": (turnaround_ms, lambda ms: int(ms.max())),
}


def _worst(key: str) -> Metric:
    base = next(metric for metric in METRICS if metric.key == key)
    return base._replace(
        key=WORST + key,
        title=msg("studies.measures.worst_queue", title=base.title),
        formula=msg("studies.measures.jobs_queue_queue_has_largest", title=base.title),
    )


MEASURES: dict[str, Metric] = {metric.key: metric for metric in (*METRICS, *map(_worst, QUEUE_MEASURES))}
COMPARED = tuple(metric.key for metric in METRICS if metric.compared)
OWN_TIME, OWN_PATH = "application_turnaround_s", "application_critical_path_s"
OTHERS_TIME, OTHERS_SLOWDOWN = "others_mean_turnaround_s", "others_mean_slowdown"
# of one application and of all others: only a study that moves a number of one application has them
APPLICATION_MEASURES: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(
            OWN_TIME,
            msg("studies.measures.application_turnaround"),
            "s",
            "smaller",
            msg("studies.measures.application_turnaround_formula"),
        ),
        Metric(
            OWN_PATH,
            msg("studies.measures.application_critical_path"),
            "s",
            None,
            msg("studies.measures.application_critical_path_formula"),
        ),
        Metric(
            OTHERS_TIME,
            msg("studies.measures.others_turnaround"),
            "s",
            "smaller",
            msg("studies.measures.others_turnaround_formula"),
        ),
        Metric(
            OTHERS_SLOWDOWN,
            msg("studies.measures.others_slowdown"),
            "x",
            "smaller",
            msg("studies.measures.others_slowdown_formula"),
        ),
    )
}
STUDY_MEASURES = MEASURES | APPLICATION_MEASURES


def measure_run(run: Run, keys: tuple[str, ...], application: int | None = None) -> list[float]:
    """float[keys]: what `STUDY_MEASURES` says of a run, nan where it has no value. application: the job in
    the scenario's file that APPLICATION_MEASURES are about.
    """
    metrics = summary(run)

    def value(key: str) -> float | None:
        if key in APPLICATION_MEASURES:
            return None if application is None else _application_value(run, key, application)
        return _worst_queue_value(run, key.removeprefix(WORST)) if key.startswith(WORST) else metrics[key]

    return [_or_nan(value(key)) for key in keys]


def _application_value(run: Run, key: str, application: int) -> float | None:
    """The mean over the copies of an application, or over all other jobs; of those that finished."""
    is_own = run.workload.job_group == application
    times = turnaround_ms(run)
    chosen = (is_own if key in (OWN_TIME, OWN_PATH) else ~is_own) & (times != NONE)
    if not chosen.any():
        return None
    if key == OTHERS_SLOWDOWN:
        return math.fsum(slowdown(run)[chosen].tolist()) / int(chosen.sum())
    ms = critical_path_ms(run) if key == OWN_PATH else times
    return int(ms[chosen].sum()) / (1000 * int(chosen.sum()))


def _worst_queue_value(run: Run, key: str) -> float | None:
    """The largest of the queues' numbers; None where a job has none, as in a deadlock."""
    of_job, of_queue = QUEUE_MEASURES[key]
    times, queue = of_job(run), run.workload.job_queue
    has_value = (times != NONE) | run.jobs.failed | (run.jobs.refused != TAKEN)
    if not has_value.all():
        return None
    values = [
        of_queue(queue_times) / 1000
        for queue_index in np.unique(queue)
        if len(queue_times := times[(queue == queue_index) & (times != NONE)])
    ]
    return max(values, default=None)


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else float(value)

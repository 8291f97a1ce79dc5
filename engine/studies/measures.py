"""What a study measures of each run: the metrics that are compared, and the worst queue's, for guarantees to
every queue.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.analysis.metrics import METRICS, Metric, percentile, summary, turnaround_ms, wait_ms
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


def measure_run(run: Run, keys: tuple[str, ...]) -> list[float]:
    """float[keys]: what `MEASURES` says of a run, nan where it has no value."""
    metrics = summary(run)
    return [
        _or_nan(_worst_queue_value(run, key.removeprefix(WORST)) if key.startswith(WORST) else metrics[key])
        for key in keys
    ]


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

"""What a study measures of each run: the metrics that are compared, and the worst queue's, which a promise to every queue is about."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.analysis.metrics import METRICS, Metric, percentile, summary, turnaround_ms, wait_ms
from engine.simulation.run import NONE, Run

WORST = "worst_queue_"
OF_QUEUES: dict[str, tuple[Callable[[Run], np.ndarray], Callable[[np.ndarray], float]]] = {  # by the metric: a number a job, and what is made of a queue's
    "mean_wait_s": (wait_ms, lambda ms: int(ms.sum()) / len(ms)),
    "max_wait_s": (wait_ms, lambda ms: int(ms.max())),
    "mean_turnaround_s": (turnaround_ms, lambda ms: int(ms.sum()) / len(ms)),
    "p95_turnaround_s": (turnaround_ms, lambda ms: percentile(ms, 95)),
    "max_turnaround_s": (turnaround_ms, lambda ms: int(ms.max())),
}


def _worst(key: str) -> Metric:
    of = next(metric for metric in METRICS if metric.key == key)
    return of._replace(key=WORST + key, title=f"{of.title}, worst queue", formula=f"{of.title} of the jobs of a queue, of the queue that has the largest.")


MEASURES: dict[str, Metric] = {metric.key: metric for metric in (*METRICS, *map(_worst, OF_QUEUES))}
COMPARED = tuple(metric.key for metric in METRICS if metric.compared)


def measured(run: Run, keys: tuple[str, ...]) -> list[float]:
    """float[keys]: what `MEASURES` says of a run, nan where it has no value."""
    found = summary(run)
    return [_number(_of_worst(run, key.removeprefix(WORST)) if key.startswith(WORST) else found[key]) for key in keys]


def _of_worst(run: Run, key: str) -> float | None:
    """The largest of the queues' numbers; None where a job has none, as in a deadlock."""
    of_job, of_queue = OF_QUEUES[key]
    times, queue = of_job(run), run.workload.job_queue
    known = (times != NONE) | run.jobs.failed
    if not known.all():
        return None
    values = [of_queue(own) / 1000 for one in np.unique(queue) if len(own := times[(queue == one) & (times != NONE)])]
    return max(values, default=None)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)

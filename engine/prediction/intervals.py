"""Bootstrap intervals: jobs are resampled with replacement and the estimate is repeated (Efron 1979). The
seed is fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

DRAWS, SEED = 400, 20_17
LOW, HIGH = 5, 95  # percentiles: 90 % of the estimates lie between
AT_ONCE = 1_000_000  # numbers drawn at a time, to bound memory


class Estimate(NamedTuple):
    """value, and the interval in which 90 % of the estimates from drawn jobs lie; None of one job. count:
    jobs. Without a value nothing can be said.
    """

    value: float | None
    low: float | None
    high: float | None
    count: int  # type: ignore[assignment]  # hides tuple.count


NO_ESTIMATE = Estimate(None, None, None, 0)


def median_interval(values: np.ndarray) -> Estimate:
    """Of the median of a value a job."""
    if not len(values):
        return NO_ESTIMATE
    generator, step, drawn = np.random.default_rng(SEED), max(1, AT_ONCE // len(values)), []
    for begin in range(0, DRAWS, step):
        places = generator.integers(0, len(values), (min(step, DRAWS - begin), len(values)))
        drawn.append(np.median(values[places], axis=1))
    return _estimate(float(np.median(values)), np.concatenate(drawn), len(values))


def sums_interval(rows: np.ndarray, estimate: Callable[[np.ndarray], np.ndarray]) -> Estimate:
    """Of what follows from the sums of numbers over jobs. rows: jobs x numbers; estimate: of times x sums, a
    number a time, NaN where there is none.
    """
    jobs = len(rows)
    value = float(estimate(rows.sum(axis=0, keepdims=True))[0]) if jobs else np.nan
    if np.isnan(value):
        return NO_ESTIMATE
    generator, step, drawn = np.random.default_rng(SEED), max(1, AT_ONCE // jobs), []
    for begin in range(0, DRAWS, step):
        times = generator.multinomial(jobs, np.full(jobs, 1 / jobs), min(step, DRAWS - begin))
        drawn.append(estimate(times @ rows))
    return _estimate(value, np.concatenate(drawn), jobs)


def _estimate(value: float, drawn: np.ndarray, jobs: int) -> Estimate:
    drawn = drawn[~np.isnan(drawn)]
    if jobs == 1 or not len(drawn):
        return Estimate(value, None, None, jobs)
    low, high = np.percentile(drawn, [LOW, HIGH])
    return Estimate(value, float(min(low, value)), float(max(high, value)), jobs)


def medians_by_job(job: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The median of each job's values, for the jobs that have any."""
    order = np.lexsort((values, job))
    job, values = job[order], values[order].astype(float)
    begin = np.flatnonzero(np.diff(job, prepend=-1))
    count = np.diff(begin, append=len(job))
    return (values[begin + (count - 1) // 2] + values[begin + count // 2]) / 2

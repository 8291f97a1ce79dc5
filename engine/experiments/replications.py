"""The same scenario over many seeds: one number a metric, scheduler and seed, and confidence intervals of
their means.

Every scheduler runs with every seed, so that schedulers are compared on the same draws (common random
numbers: Law, Simulation Modeling and Analysis, 11.2).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar, overload

from engine import jit
from engine.analysis.metrics import METRICS, summary
from engine.errors import Fault, ScenarioError
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate

CONFIDENCE = 0.95
T = TypeVar("T")
R = TypeVar("R")


class Estimate(NamedTuple):
    """Mean of `count` values and its 95 % interval; low and high are None for fewer than two values, all but
    count for none.
    """

    mean: float | None
    low: float | None
    high: float | None
    count: int  # type: ignore[assignment]  # hides tuple.count


@dataclass(frozen=True)
class Replications:
    """summaries[scheduler][seed], by index: the metrics of one run by key (engine.metrics.summary), None if
    it was cancelled before.
    """

    schedulers: list[str]
    seeds: list[int]
    summaries: list[list[dict[str, Any] | None]]

    def values(self, scheduler: int, key: str) -> list[float]:
        """One metric of one scheduler over the seeds; runs that a deadlock leaves without it, and cancelled
        ones, are left out.
        """
        values = (summary[key] for summary in self.summaries[scheduler] if summary)
        return [value for value in values if value is not None]

    def estimates(self, scheduler: int) -> dict[str, Estimate]:
        """Every metric of one scheduler by key, in the order of METRICS."""
        return {metric.key: estimate(self.values(scheduler, metric.key)) for metric in METRICS}

    def difference(self, scheduler: int, first: int, key: str) -> Estimate:
        """How much more of a metric `scheduler` has than `first`, seed by seed (paired-t interval, Law
        10.2.1).
        """
        pairs = [
            (candidate[key], reference[key])
            for candidate, reference in zip(self.summaries[scheduler], self.summaries[first])
            if candidate and reference
        ]
        return estimate([a - b for a, b in pairs if a is not None and b is not None])


def replicate(
    scenario: Scenario,
    schedulers: Sequence[str | Scheduler],
    seeds: Iterable[int],
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    cancel_token: CancelToken | None = None,
) -> Replications:
    """Run the scenario with each seed under each scheduler, seed by seed, as many at a time as the machine
    has cores.

    progress(done, total) is called after each run, cancelled() before each; both in the caller's thread. Runs
    begun when it is cancelled end first, or at once by `cancel_token`. Raises ScenarioError for a seed that
    no scenario may have, else as `simulate` does.
    """
    parsed = [as_scheduler(scheduler) for scheduler in schedulers]
    seeds = list(seeds)
    invalid = [seed for seed in seeds if not 0 <= seed < 2**63]
    if invalid:
        raise ScenarioError(
            [Fault("seed", msg("experiments.replications.must_be_from_to", invalid=invalid[0]))]
        )
    tasks = [(index, seed_index) for seed_index in range(len(seeds)) for index in range(len(parsed))]
    runs = parallel_map(
        lambda task: _measure(scenario, seeds[task[1]], parsed[task[0]], cancel_token),
        tasks,
        progress,
        cancelled,
    )
    summaries: list[list[dict[str, Any] | None]] = [[None] * len(seeds) for _ in parsed]
    for (index, seed_index), scheduler in zip(tasks, runs):
        summaries[index][seed_index] = scheduler
    return Replications([scheduler.name for scheduler in parsed], seeds, summaries)


@overload
def parallel_map(
    function: Callable[[T], R], tasks: Sequence[T], progress: Callable[[int, int], None] = ...
) -> list[R]: ...
@overload
def parallel_map(
    function: Callable[[T], R],
    tasks: Sequence[T],
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
) -> list[R | None]: ...
def parallel_map(
    function: Callable[[T], R],
    tasks: Sequence[T],
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Any:
    """function(task) of every task in their order, as many at a time as the machine has cores; None for those
    not begun when it is cancelled.

    progress(done, total) is called after each, cancelled() before each; both in the caller's thread. What is
    begun ends first.
    """
    if jit.PLAIN:  # in a browser there are no threads, and plain Python runs one at a time anyway
        return _one_after_another(function, tasks, progress, cancelled)
    results: list[R | None] = [None] * len(tasks)
    waiting, done, workers = iter(enumerate(tasks)), 0, os.cpu_count() or 1
    running: dict[Future[R], int] = {}
    with ThreadPoolExecutor(workers) as pool:
        while True:
            while len(running) < workers and not cancelled() and (next_task := next(waiting, None)):
                index, task = next_task
                running[pool.submit(function, task)] = index
            if not running:
                return results
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                results[running.pop(future)] = future.result()
                done += 1
                progress(done, len(tasks))


def _one_after_another(
    function: Callable[[T], R],
    tasks: Sequence[T],
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
) -> list[R | None]:
    results: list[R | None] = [None] * len(tasks)
    for index, task in enumerate(tasks):
        if cancelled():
            break
        results[index] = function(task)
        progress(index + 1, len(tasks))
    return results


def estimate(values: Sequence[float]) -> Estimate:
    """Mean and its t-interval: mean ± t(n - 1) s / sqrt(n), s^2 = sum of (x - mean)^2 / (n - 1) (Law 4.5)."""
    count = len(values)
    if count == 0:
        return Estimate(None, None, None, 0)
    mean = math.fsum(values) / count
    if count == 1:
        return Estimate(mean, None, None, 1)
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = t_quantile(count - 1) * math.sqrt(variance / count)
    return Estimate(mean, mean - half, mean + half, count)


@cache
def t_quantile(degrees_of_freedom: int, confidence: float = CONFIDENCE) -> float:
    """What Student's t with so many degrees of freedom exceeds in size in 5 % of cases, or 1 - confidence:
    its distribution function, a finite sum for whole degrees (Abramowitz and Stegun 26.7.3 and 26.7.4),
    bisected."""
    low, high = 0.0, 16.0
    while _central_probability(high, degrees_of_freedom) < confidence:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _central_probability(middle, degrees_of_freedom) < confidence else (low, middle)
        )
    return high


def _central_probability(t: float, degrees_of_freedom: int) -> float:
    """Probability that Student's t lies in [-t, t]."""
    angle = math.atan(t / math.sqrt(degrees_of_freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees_of_freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for factor in range(2 if odd else 1, degrees_of_freedom, 2):
        total += term
        term *= cosine * cosine * factor / (factor + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def _measure(
    scenario: Scenario, seed: int, scheduler: Scheduler, cancel_token: CancelToken | None
) -> dict[str, Any]:
    return summary(
        simulate(
            scenario.model_construct(**{**dict(scenario), "seed": seed}), scheduler, cancel_token=cancel_token
        )
    )

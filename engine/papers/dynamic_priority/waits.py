"""The two readings of waiting, of the same runs.

To the first container   Algorithm 1 counts T_w = T_c - T_e of a job in the queue, so until it is sent for
                         running: here until its master's container
Turnaround - run time    section 5.1's every waiting time is the turnaround less the run time of Table 1. A
                         job of a cluster has no run time but what it takes alone there: the same job, with
                         the same tasks, run without any other
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.analysis.metrics import summary, turnaround_ms
from engine.experiments.replications import parallel_map
from engine.papers.columns import FULL_NAMES
from engine.papers.measuring import DEFAULT_TRIAL, run_trial
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler
from engine.simulation.run import Run

WAIT, TURNAROUND, ALONE = "mean_wait_s", "mean_turnaround_s", "alone_s"
GAP_S = 1e5  # more than any job takes alone
FAR = 1000  # between the seeds of the tests of one seed: more than there are seeds
MAX_CACHED = 8  # tests whose runs are cached: both readings use the same runs
Make = Callable[[int], Scenario]
_cache: dict[tuple, dict[str, list[float]]] = {}


class Waits(NamedTuple):
    """A reading of waiting. alone: it is the turnaround less the time that the job takes alone; else to the
    first container. assumes: as of `Reading`.
    """

    key: str
    title: str
    says: str
    alone: bool
    assumes: tuple[str, ...] = ()

    def of(self, runs: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
        """ "scheduler/mean_wait_s" as this reading has it, and "scheduler/mean_turnaround_s"."""
        samples = {key: list(values) for key, values in runs.items() if key != ALONE}
        for key in [sample_key for sample_key in samples if self.alone and sample_key.endswith(WAIT)]:
            turnaround = samples[key.replace(WAIT, TURNAROUND)]
            samples[key] = [total - alone for total, alone in zip(turnaround, runs[ALONE])]
        return samples


FIRST_CONTAINER = Waits(
    "first-container",
    "waiting to the first container",
    "Waiting is from a job's arrival to its first container, its master's: Algorithm 1 counts the waiting "
    "of a job in the queue. One reduce a job, Hadoop's "
    "default.",
    False,
)
LESS_RUN_TIME = Waits(
    "run-time",
    "waiting as turnaround − run time",
    "Waiting is a job's turnaround less the time that it takes alone on the cluster: every waiting time "
    "of section 5.1 is turnaround less run time. One reduce "
    "a job, Hadoop's default.",
    True,
    ("A job of a cluster has no run time of its own: that is the time that it takes alone on it.",),
)
BOTH = (FIRST_CONTAINER, LESS_RUN_TIME)


def runs(
    test: tuple, make: Make, schedulers: Mapping[str, str | Scheduler], trial: Trial, sets: int = 1
) -> dict[str, list[float]]:
    """ "scheduler/metric" -> one value a seed: both means of a test's jobs, and the mean time alone. test:
    identifies it in the cache; sets: as of `run_uncached`.
    """
    name = (*test, sets, tuple(schedulers), tuple(trial.seeds), trial.conditions)
    if name in _cache:
        trial.progress(1, 1)
        return _cache[name]
    while len(_cache) >= MAX_CACHED:
        _cache.pop(next(iter(_cache)), None)
    _cache[name] = run_uncached(make, schedulers, trial, sets)
    return _cache[name]


def run_uncached(
    make: Make, schedulers: Mapping[str, str | Scheduler], trial: Trial, sets: int = 1
) -> dict[str, list[float]]:
    """As `runs`, run now. sets: so many tests a seed, of which the value is the mean."""

    def run(seed: int) -> dict[str, float]:
        rows = [run_one(make(seed + FAR * index)) for index in range(sets)]
        return {key: sum(row[key] for row in rows) / sets for key in rows[0]}

    def run_one(scenario: Scenario) -> dict[str, float]:
        samples = {ALONE: alone_s(scenario, trial)}
        for name, chosen in schedulers.items():
            means = summary(run_trial(scenario, chosen, trial))
            samples |= {
                f"{name}/{metric}": math.inf if means[metric] is None else means[metric]
                for metric in (WAIT, TURNAROUND)
            }
        return samples

    rows = parallel_map(run, trial.seeds, trial.progress)
    return {key: [row[key] for row in rows] for key in rows[0]}


def alone_s(scenario: Scenario, trial: Trial = DEFAULT_TRIAL) -> float:
    """Mean over its jobs of the turnaround of each without the others, s: one run in which each comes when
    the one before has long gone.

    Durations are drawn by the job's name, so they are the same; whoever schedules, there is nothing to
    choose.
    """
    return summary(_one_by_one(scenario, trial))[TURNAROUND]


def longest_alone_s(scenario: Scenario, trial: Trial = DEFAULT_TRIAL) -> float:
    """As `alone_s`, of the job that takes longest."""
    return int(turnaround_ms(_one_by_one(scenario, trial)).max()) / 1000


def _one_by_one(scenario: Scenario, trial: Trial) -> Run:
    jobs = [
        job.model_copy(update={"arrival_s": GAP_S * job_index}) for job_index, job in enumerate(scenario.jobs)
    ]
    return run_trial(scenario.model_construct(**{**dict(scenario), "jobs": jobs}), FULL_NAMES["fifo"], trial)

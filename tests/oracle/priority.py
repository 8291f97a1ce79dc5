"""The oracle's dynamic priority: a score of the jobs that wait, and the estimate of a job's run time that it
needs.
"""

from __future__ import annotations

import math
import re

from engine.scenario.field_types import Exponential, Listed, Spread, Uniform
from engine.scenario.model import milliseconds
from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.orders import Flat, QueueOrder, first_of, jobs_among
from tests.oracle.queues import Queue
from tests.oracle.workload import Job, Node, added

HISTORY = 5


class Priority(Flat):
    """Highest score among all jobs, or in each leaf of an order by queues."""

    def __init__(self, state: ClusterState, base: str, k1: float, split_mb: float) -> None:
        super().__init__(state)
        self.k1 = k1
        self.split_mb = split_mb
        self.queues = None if base == "fifo" else QueueOrder(state, base, in_leaf=self._in_leaf)
        self.shares = self.queues.shares if self.queues else "all"
        self.fair = self.queues.fair if self.queues else None

    def allows(self, job: Job, kind: str) -> bool:
        return not self.queues or self.queues.allows(job, kind)

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        return (
            self.queues.choose(node, candidates)
            if self.queues
            else self._highest(self.state.jobs, candidates)
        )

    def _in_leaf(self, queue: Queue, candidates: list[Candidate]) -> Candidate:
        return self._highest([job for job in self.state.jobs if job.group.queue == queue.name], candidates)

    def _highest(self, jobs: list[Job], candidates: list[Candidate]) -> Candidate:
        """Ties: job order, which max() keeps."""
        waiting = [job for job in jobs if job.waiting]
        best = max(jobs_among(candidates), key=lambda job: self._score(job, waiting))
        return first_of(best, candidates)

    def _score(self, job: Job, waiting: list[Job]) -> float:
        split = job.group.input_mb
        k2 = job.maps if split is None else max(1, math.ceil(split / self.split_mb))
        run_time = estimate(self.state, job, self.split_mb)
        return score(
            len(waiting), waiting.index(job) + 1, self.k1, k2, run_time, self.state.now - job.arrival
        )


def score(length: int, place: int, k1: float, k2: int, run_time: float, waited: int) -> float:
    """Its place in the queue, and how long it waits for the time it needs."""
    return (length - place) * k1 + (run_time + waited) / (run_time * k2)


def estimate(state: ClusterState, job: Job, split_mb: float) -> float:
    """Run time in ms, at least 1: as given, else by the jobs of its kind that had finished when it arrived,
    else by its first run.
    """
    if job.group.estimate_s is not None:
        return max(1.0, float(milliseconds(job.group.estimate_s)))
    known = [
        other
        for other in state.jobs
        if stem(other.name) == stem(job.name)
        and not other.refused
        and other.finish is not None
        and other.finish <= job.arrival
    ]
    newest = sorted(known, key=lambda other: (other.finish, state.jobs.index(other)), reverse=True)[:HISTORY]
    return max(1.0, _by_history(job, newest, split_mb) if newest else _first_run(state, job))


def stem(name: str) -> str:
    """The name without its number."""
    return re.sub(r"[-_]?\d+$", "", name) or name


def _by_history(job: Job, newest: list[Job], split_mb: float) -> float:
    """Their times, scaled to the job's input; those with an input like its own weigh most."""
    own = _input(job, split_mb)
    inputs = [_input(other, split_mb) for other in newest]
    weights = [1 / (1 + abs(own - other) / own) for other in inputs]
    times = [other.finish - other.start for other in newest]
    scaled = [weight * time * (own / other) for weight, time, other in zip(weights, times, inputs)]
    return added(scaled) / added(weights)


def _input(job: Job, split_mb: float) -> float:
    return max(1.0, job.maps * split_mb if job.group.input_mb is None else job.group.input_mb)


def _first_run(state: ClusterState, job: Job) -> float:
    """Waves of maps, the shuffle and waves of reduces on the whole cluster."""
    startup = math.floor(mean_ms(job.group.am.startup_s) + 0.5) if job.group.am else 0
    one = _waves(state, job, "map", job.maps) * mean_ms(job.group.maps.duration_s)
    if job.reduces:
        one = (
            one
            + job.maps * state.fetch_ms(job)
            + _waves(state, job, "reduce", job.reduces) * mean_ms(job.group.reduces.duration_s)
        )
    return startup + job.group.iterations * one


def _waves(state: ClusterState, job: Job, kind: str, count: int) -> int:
    memory, vcores = job.size(kind)
    at_once = sum(min(node.memory // memory, node.vcores // vcores) for node in state.nodes)
    return -(-count // max(1, at_once))


def mean_ms(value: float | Spread | Uniform | Exponential | Listed) -> float:
    """The mean of a duration, from parameters in whole milliseconds."""
    if isinstance(value, Listed):
        return sum(milliseconds(one) for one in value.values) / len(value.values)
    if isinstance(value, Uniform):
        return (milliseconds(value.low) + milliseconds(value.high)) / 2
    return float(milliseconds(value.mean if isinstance(value, (Spread, Exponential)) else value))

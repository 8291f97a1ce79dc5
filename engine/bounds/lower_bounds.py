"""Bounds that hold for every schedule, of a scenario with its own draws: full knowledge and any preference
included.

Critical path    the longest chain of a job after its arrival (Graham 1969)
Area             what arrives from some instant on needs so much memory-time or vcore-time, and the cluster
                 has no more (Garey, Graham 1975); a master holds its container for its job's chain, a reduce
                 for all its fetches
Packing          of the containers of some size and more a node holds only so many at a time, however much is
                 left beside them
Fluid            mean turnaround: the whole cluster works on one job at a time, the one with least left first
                 (Schrage 1968: SRPT is optimal on one machine)

Nodes that join work from then on (OUTAGE-4); lost nodes are taken to be there.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine import quantities
from engine.bounds.minimum_work import MinimumWork, minimum_work
from engine.codes import INFINITE
from engine.errors import GantryError
from engine.messages import msg
from engine.resource_types import MEMORY, VCORES
from engine.scenario.model import Scenario
from engine.simulation.refused_jobs import may_refuse

MAX_SIZES = 64  # of containers, that packing looks at
MAKESPAN, TURNAROUND = "makespan_s", "mean_turnaround_s"


class NoBound(GantryError):
    """A scenario of which no bound can be told."""


class Bound(NamedTuple):
    """metric: its key; at_least: s; key, title, about: which bound it is; of: the resource, "memory",
    "vcores" or "".
    """

    metric: str
    key: str
    title: str
    at_least: float
    about: str
    of: str = ""


def lower_bounds(scenario: Scenario, memory_only: bool = False) -> list[Bound]:
    """Every bound, those of the makespan first, the tightest of a metric first. memory_only: vcores are
    handed out without limit (`resources=memory`).

    Raises NoBound where attempts may fail or jobs be refused: such a job ends before its work is done.
    """
    if scenario.cluster.failures and scenario.cluster.failures.probability:
        raise NoBound(msg("bounds.lower_bounds.no_lower_bound_exists_when_attempts"))
    minimum = minimum_work(scenario)
    if may_refuse(scenario, minimum.work):
        raise NoBound(msg("bounds.lower_bounds.no_lower_bound_exists_where_jobs"))
    resources = ("memory",) if memory_only else ("memory", "vcores")
    bounds = [
        _critical_path(minimum),
        *(_area(minimum, one) for one in resources),
        *(_packing(minimum, one) for one in resources),
    ]
    bounds += [_mean_chain(minimum), *(_fluid(minimum, one) for one in resources)]
    return sorted(
        (one for one in bounds if one.at_least > 0), key=lambda one: (one.metric != MAKESPAN, -one.at_least)
    )


def tightest(bounds: Sequence[Bound], metric: str) -> Bound | None:
    """The largest of a metric's."""
    return next((bound for bound in bounds if bound.metric == metric), None)


def above(value: float | None, bound: Bound | None) -> float | None:
    """By what share a metric's value is more than a bound; None without either. Rounding aside it is never
    less than 0.
    """
    return None if value is None or bound is None else max(value / bound.at_least - 1, 0.0)


def _critical_path(minimum: MinimumWork) -> Bound:
    arrival = minimum.work.job_arrival
    ends = np.maximum(arrival, minimum.registered_ms.min()) + minimum.chain_ms
    last = int(ends.max())
    job = minimum.work.job_names[int(np.argmax(ends))]
    about = msg("bounds.lower_bounds.longest_chain_start_up_maps_fetch", job=job)
    return Bound(
        MAKESPAN,
        "critical_path",
        msg("bounds.lower_bounds.critical_path"),
        (last - int(arrival.min())) / 1000,
        about,
    )


def _area(minimum: MinimumWork, resource: str) -> Bound:
    size, capacity = _sizes(minimum, resource)
    return Bound(
        MAKESPAN,
        f"area_{resource}",
        msg("bounds.lower_bounds.area", resource=resource),
        _from_arrivals(minimum, size * minimum.scaled_ms, _supply(minimum, capacity)),
        _AREA.format(resource),
        resource,
    )


def _packing(minimum: MinimumWork, resource: str) -> Bound:
    """Over all sizes of container: of those as large, a node takes floor(capacity / size)."""
    size, capacity = _sizes(minimum, resource)
    best, min_size = 0.0, 0
    sizes = np.unique(size[size > 0])
    for size_limit in sizes[np.linspace(0, len(sizes) - 1, min(len(sizes), MAX_SIZES)).astype(int)].tolist():
        at_a_time = capacity // size_limit
        length = (
            _from_arrivals(
                minimum, np.where(size >= size_limit, minimum.scaled_ms, 0.0), _supply(minimum, at_a_time)
            )
            if at_a_time.any()
            else 0.0
        )
        if length > best:
            best, min_size = length, size_limit
    least = f"{min_size:,} MB" if resource == "memory" else quantities.count(min_size, "vcores")
    about = msg("bounds.lower_bounds.containers_at_least_only_so_many", size=least)
    return Bound(
        MAKESPAN,
        f"packing_{resource}",
        msg("bounds.lower_bounds.large_containers", resource=resource),
        best,
        about,
        resource,
    )


_AREA = msg("bounds.lower_bounds.what_all_containers_need_from_some")


def _sizes(minimum: MinimumWork, resource: str) -> tuple[np.ndarray, np.ndarray]:
    """(of each container, of each node)."""
    work = minimum.work
    requested, capacity = (
        (work.asked_resource[MEMORY], work.node_memory)
        if resource == "memory"
        else (work.asked_resource[VCORES], work.node_vcores)
    )
    return requested[minimum.request], np.where(minimum.registered_ms < INFINITE, capacity, 0)


class _Supply(NamedTuple):
    """What nodes give over time. begins_ms: when some join, in order; rate: a ms from then on; given: up to
    then.
    """

    begins_ms: np.ndarray
    rate: np.ndarray
    given: np.ndarray

    def until(self, ms: np.ndarray) -> np.ndarray:
        """What there was up to each time."""
        step = np.maximum(np.searchsorted(self.begins_ms, ms, "right") - 1, 0)
        return self.given[step] + np.maximum(ms - self.begins_ms[step], 0) * self.rate[step]

    def when(self, start_ms: np.ndarray, amount: np.ndarray) -> np.ndarray:
        """ms at which so much has been given since each time."""
        if len(self.begins_ms) == 1:
            return np.maximum(start_ms, self.begins_ms) + amount / self.rate
        target = self.until(start_ms) + amount
        step = np.maximum(np.searchsorted(self.given, target, "right") - 1, 0)
        return self.begins_ms[step] + (target - self.given[step]) / self.rate[step]


def _supply(minimum: MinimumWork, amount: np.ndarray) -> _Supply:
    """amount: of each node, at speed 1, 0 of what it cannot serve."""
    gives = amount > 0
    joins, rate = minimum.registered_ms[gives], (amount * minimum.work.node_speed)[gives]
    begins, step = np.unique(joins, return_inverse=True)
    if len(begins) == 1:
        return _Supply(begins, np.array([amount @ minimum.work.node_speed]), np.zeros(1))
    rates = np.cumsum(np.bincount(step, rate))
    return _Supply(begins, rates, np.concatenate([[0.0], np.cumsum(rates[:-1] * np.diff(begins))]))


def _from_arrivals(minimum: MinimumWork, amount: np.ndarray, supply: _Supply) -> float:
    """s from the first arrival: the largest over all arrivals of the instant at which there was what jobs
    from it on need; rounded down to 1 ms.
    """
    arrival = minimum.work.job_arrival
    per_job = np.bincount(minimum.job, amount, len(arrival))
    later = np.cumsum(per_job[::-1])[::-1]  # jobs are in the order of their arrivals
    begin = arrival - arrival[0]
    ends = supply._replace(begins_ms=supply.begins_ms - arrival[0]).when(begin, later)
    ends = np.where(later > 0, ends, begin)
    return max(float(np.floor(ends.max() - 1e-3)), 0.0) / 1000


def _mean_chain(minimum: MinimumWork) -> Bound:
    about = msg("bounds.lower_bounds.every_jobs_chain_start_up_maps")
    return Bound(
        TURNAROUND,
        "critical_path",
        msg("bounds.lower_bounds.critical_paths"),
        float(
            (minimum.chain_ms + np.maximum(minimum.registered_ms.min() - minimum.work.job_arrival, 0)).mean()
        )
        / 1000,
        about,
    )


def _fluid(minimum: MinimumWork, resource: str) -> Bound:
    size, capacity = _sizes(minimum, resource)
    arrival = minimum.work.job_arrival
    amount = np.bincount(minimum.job, size * minimum.scaled_ms, len(arrival))
    supply = _supply(minimum, capacity)
    if len(supply.begins_ms) == 1:
        begin, work = np.maximum(arrival, supply.begins_ms), amount / supply.rate
    else:
        begin, work = supply.until(arrival), amount  # SRPT is optimal whenever what is given comes
    job, end = (np.array(column) for column in zip(*_srpt(begin.tolist(), work.tolist())))
    if len(supply.begins_ms) > 1:
        end = supply.when(np.full(len(end), supply.begins_ms[0]), end)
    mean_ms = sum((end - arrival[job]).tolist()) / len(arrival)
    mean_s = float(np.floor(mean_ms - 1e-3)) / 1000
    about = msg("bounds.lower_bounds.as_if_all_nodes_served_job", resource=resource)
    return Bound(
        TURNAROUND,
        f"fluid_{resource}",
        msg("bounds.lower_bounds.all_on_one_job_at_time", resource=resource),
        max(mean_s, 0.0),
        about,
        resource,
    )


def _srpt(arrivals: list[float], works: list[float]) -> Iterator[tuple[int, float]]:
    """(job, its end) in the order of ends on one machine, what has least left first, at any time."""
    waiting: list[tuple[float, int]] = []
    now, next_arrival = float(arrivals[0]), 0
    while waiting or next_arrival < len(arrivals):
        if not waiting:
            now = max(now, float(arrivals[next_arrival]))
        while next_arrival < len(arrivals) and arrivals[next_arrival] <= now:
            heapq.heappush(waiting, (works[next_arrival], next_arrival))
            next_arrival += 1
        remaining, job = heapq.heappop(waiting)
        until = arrivals[next_arrival] if next_arrival < len(arrivals) else float("inf")
        if now + remaining <= until:
            now += remaining
            yield job, now
        else:
            heapq.heappush(waiting, (remaining - (until - now), job))
            now = float(until)

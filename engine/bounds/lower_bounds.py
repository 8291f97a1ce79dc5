"""Bounds that no schedule can beat, of a scenario with its own draws: full knowledge and any preference included.

Critical path    the longest chain of a job after its arrival (Graham 1969)
Area             what arrives from some instant on needs so much memory-time or vcore-time, and the cluster has no more (Garey, Graham 1975); a master
                 holds its container for its job's chain, a reduce for all its fetches
Packing          of the containers of some size and more a node holds only so many at a time, however much is left beside them
Fluid            mean turnaround: the whole cluster works on one job at a time, the one with least left first (Schrage 1968: SRPT is optimal on one machine)
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from engine.bounds.least_needs import LeastNeeds, least_needs
from engine.errors import GantryError
from engine.scenario.model import Scenario

MOST_SIZES = 64  # of containers, that packing looks at
MAKESPAN, TURNAROUND = "makespan_s", "mean_turnaround_s"


class NoBound(GantryError):
    """A scenario of which no bound can be told."""


class Bound(NamedTuple):
    """metric: its key; at_least: s; key, title, about: which bound it is; of: the resource, "memory", "vcores" or ""."""

    metric: str
    key: str
    title: str
    at_least: float
    about: str
    of: str = ""


def lower_bounds(scenario: Scenario, memory_only: bool = False) -> list[Bound]:
    """Every bound, those of the makespan first, the tightest of a metric first. memory_only: vcores are handed out without limit (`resources=memory`).

    Raises NoBound where attempts may fail: a job that fails ends before its work is done.
    """
    if scenario.cluster.failures and scenario.cluster.failures.probability:
        raise NoBound("no bound can be told where attempts may fail: a failed job ends before its work is done")
    needs = least_needs(scenario)
    of = ("memory",) if memory_only else ("memory", "vcores")
    found = [_critical_path(needs), *(_area(needs, one) for one in of), *(_large(needs, one) for one in of)]
    found += [_mean_chain(needs), *(_fluid(needs, one) for one in of)]
    return sorted((one for one in found if one.at_least > 0), key=lambda one: (one.metric != MAKESPAN, -one.at_least))


def tightest(bounds: list[Bound], metric: str) -> Bound | None:
    """The largest of a metric's."""
    return next((one for one in bounds if one.metric == metric), None)


def above(value: float | None, bound: Bound | None) -> float | None:
    """By what share a metric's value is more than a bound; None without either. Rounding aside it is never less than 0."""
    return None if value is None or bound is None else max(value / bound.at_least - 1, 0.0)


def _critical_path(needs: LeastNeeds) -> Bound:
    arrival = needs.work.job_arrival
    last = int((arrival + needs.chain_ms).max())
    job = needs.work.job_names[int(np.argmax(arrival + needs.chain_ms))]
    about = f"The longest chain of start-up, maps, fetch and reduces: {job}'s."
    return Bound(MAKESPAN, "critical_path", "Critical path", (last - int(arrival.min())) / 1000, about)


def _area(needs: LeastNeeds, of: str) -> Bound:
    size, capacity = _sizes(needs, of)
    return Bound(MAKESPAN, f"area_{of}", f"Area of {of}", _from_arrivals(needs, size * needs.scaled_ms, capacity @ needs.work.node_speed), _AREA.format(of), of)


def _large(needs: LeastNeeds, of: str) -> Bound:
    """Over all sizes of container: of those as large, a node takes floor(capacity / size)."""
    size, capacity = _sizes(needs, of)
    best, least = 0.0, 0
    sizes = np.unique(size[size > 0])
    for one in sizes[np.linspace(0, len(sizes) - 1, min(len(sizes), MOST_SIZES)).astype(int)].tolist():
        places = (capacity // one) @ needs.work.node_speed
        found = _from_arrivals(needs, np.where(size >= one, needs.scaled_ms, 0.0), places) if places else 0.0
        if found > best:
            best, least = found, one
    unit = "MB" if of == "memory" else "vcores"
    about = f"Containers of {least:,} {unit} and more: a node holds only so many at a time."
    return Bound(MAKESPAN, f"packing_{of}", f"Large containers ({of})", best, about, of)


_AREA = "What all containers need of it from some arrival on, over what all nodes have."


def _sizes(needs: LeastNeeds, of: str) -> tuple[np.ndarray, np.ndarray]:
    """(of each container, of each node)."""
    work = needs.work
    asked, capacity = (work.asked_memory, work.node_memory) if of == "memory" else (work.asked_vcores, work.node_vcores)
    return asked[needs.request], capacity


def _from_arrivals(needs: LeastNeeds, amount: np.ndarray, rate: float) -> float:
    """s from the first arrival: the largest over all arrivals of that instant and what jobs from it on need at this rate; rounded down to 1 ms."""
    per_job = np.bincount(needs.job, amount, len(needs.work.job_arrival))
    later = np.cumsum(per_job[::-1])[::-1]  # jobs are in the order of their arrivals
    return max(float(np.floor((needs.work.job_arrival - needs.work.job_arrival[0] + later / rate).max() - 1e-3)), 0.0) / 1000


def _mean_chain(needs: LeastNeeds) -> Bound:
    about = "Every job's chain of start-up, maps, fetch and reduces, in the mean."
    return Bound(TURNAROUND, "critical_path", "Critical paths", float(needs.chain_ms.mean()) / 1000, about)


def _fluid(needs: LeastNeeds, of: str) -> Bound:
    size, capacity = _sizes(needs, of)
    work = np.bincount(needs.job, size * needs.scaled_ms, len(needs.work.job_arrival)) / float(capacity @ needs.work.node_speed)
    found = float(np.floor(_shortest_first(needs.work.job_arrival.tolist(), work.tolist()) - 1e-3)) / 1000
    about = f"As if the {of} of all nodes served the job with least left."
    return Bound(TURNAROUND, f"fluid_{of}", f"All {of} on one job at a time", max(found, 0.0), about, of)


def _shortest_first(arrivals: list[int], lasts: list[float]) -> float:
    """ms: mean turnaround on one machine, what has least left first, at any time."""
    waiting: list[tuple[float, int]] = []
    now, total, coming = float(arrivals[0]), 0.0, 0
    while waiting or coming < len(arrivals):
        if not waiting:
            now = max(now, float(arrivals[coming]))
        while coming < len(arrivals) and arrivals[coming] <= now:
            heapq.heappush(waiting, (lasts[coming], coming))
            coming += 1
        left, job = heapq.heappop(waiting)
        until = arrivals[coming] if coming < len(arrivals) else float("inf")
        if now + left <= until:
            now += left
            total += now - arrivals[job]
        else:
            heapq.heappush(waiting, (left - (until - now), job))
            now = float(until)
    return total / len(arrivals)

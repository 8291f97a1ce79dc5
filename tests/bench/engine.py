"""Containers a second, from a Scenario to the complete Run, warm, on one core."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine import CATALOGUE, Containers, Run, Scenario, SchedulerError, parse, simulate
from engine.dashboard import KILLED
from tests.bench import scenarios

HADOOP = ("fifo", "fair", "drf", "capacity")
ORDERS = tuple(CATALOGUE["order"])
# measured in (b)
RULES = tuple(
    f"fair+{rule}" for rule in ("lazy-start", "ramp-up", "am-share", "reserve(fraction=0.1)", "autoadmin")
)
MIN_PER_S = {"b": 3e5, "f": 2e5}  # what the papers' orders are to reach
# What an older revision calls a scheduler that it does not know by its name of today.
EQUIVALENTS = {
    "fifo+slowstart+admit-all": "fifo",
    "fair(reservations=no, update_ms=0)+slowstart+admit-all": "fair",
    "drf(reservations=no, update_ms=0)+slowstart+admit-all": "drf",
    "capacity(reservations=no, user_limits=no)+slowstart+admit-all": "capacity",
}
TEXTBOOK = {order: name for name, order in EQUIVALENTS.items()}


class Part(NamedTuple):
    """One row of targets: a batch, and what is to be reached (seconds for a run, or containers a second)."""

    title: str
    build: Callable[[], Scenario]
    max_s: float | None
    min_per_s: float | None
    repeats: int


PARTS = {
    "a": Part("four WordCount jobs on 8 nodes", scenarios.word_counts, 0.001, None, 200),
    "b": Part(
        "4,000 nodes, about 50 jobs active", lambda: scenarios.stream(1_000_000, 4000, 50), None, 1e6, 3
    ),
    "c": Part(
        "4,000 nodes, about 1,000 jobs active", lambda: scenarios.stream(1_000_000, 4000, 1000), None, 2e5, 1
    ),
    "d": Part(
        "as b, contention 0.1", lambda: scenarios.stream(1_000_000, 4000, 50, contention=0.1), None, 1e5, 2
    ),
    "f": Part(
        "as b, the physics of a cluster on", lambda: scenarios.physical(1_000_000, 4000, 50), None, 2e5, 2
    ),
}


def on_one_core() -> None:
    """Keeps this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def best(scenario: Scenario, order: str, repeats: int) -> tuple[float, Run]:
    """Seconds of the fastest of `repeats` runs, each from a Scenario that was never run; one of a small
    batch, which compiles, comes before them.

    It is the process's own time: that by the clock on an idle machine, and on a busy one without what others
    took.
    """
    order = local_name(order)
    simulate(scenarios.word_counts(), order, plain=False)
    seconds = []
    for _ in range(repeats):
        new_scenario = Scenario.of(scenario.plain())
        start = time.process_time()
        run = simulate(new_scenario, order, plain=False)
        seconds.append(time.process_time() - start)
    return min(seconds), run


def local_name(order: str) -> str:
    """The name by which this revision knows a scheduler."""
    try:
        parse(order)
    except SchedulerError:
        return EQUIVALENTS.get(order, order)
    return order


def speed(key: str, order: str) -> dict:
    """Containers a second of (a) to (d), and nothing else."""
    title, build, _max_s, _min_per_s, repeats = PARTS[key]
    seconds, run = best(build(), order, repeats)
    return {"part": key, "title": title, "order": order, "per_second": len(run.containers.job) / seconds}


def part(key: str, order: str) -> dict:
    """One measured row of (a) to (d) with its target; Hadoop's own orders have targets everywhere, the
    papers' in (a) and (b).
    """
    title, build, max_s, min_per_s, repeats = PARTS[key]
    if order not in HADOOP and min_per_s:
        min_per_s = MIN_PER_S.get(key)
    seconds, run = best(build(), order, repeats)
    rate = len(run.containers.job) / seconds
    row = {"part": key, "title": title, "order": order, "seconds": seconds, "per_second": rate}
    if max_s or min_per_s:
        met = seconds < max_s if max_s else rate >= min_per_s
        row |= {"target": f"under {max_s * 1000:g} ms" if max_s else f"{min_per_s:,.0f}/s", "met": bool(met)}
    return row | shape(run)


def shape(run: Run) -> dict:
    """What the run was like: its containers, means of active jobs (arrival to finish), waiting requests and
    memory held, share of time over 85 %.
    """
    jobs, containers = run.jobs, run.containers
    length = int(run.until_ms - run.first_ms)
    if run.status != "finished" or not length:
        return {"status": run.status, "containers": len(containers.job)}
    held, full = memory(run)
    active = float((jobs.finish - jobs.arrival).sum()) / length
    return {
        "status": run.status,
        "containers": len(containers.job),
        "jobs": len(jobs.arrival),
        "active_jobs": active,
        "waiting_requests": waiting(containers) / length,
        "memory_utilization": held / length,
        "full": full / length,
        "killed": int((containers.outcome == KILLED).sum()),
    }


def waiting(containers: Containers) -> float:
    """Milliseconds that requests waited, from the first of their containers asked for to the last one's
    start.
    """
    job, stage = containers.job.astype(np.int64), containers.stage.astype(np.int64)
    request = 3 * (job * (stage.max() + 1) + stage) + containers.kind
    first_asked, last_served = (
        np.full(request.max() + 1, np.iinfo(np.int64).max),
        np.full(request.max() + 1, -1),
    )
    np.minimum.at(first_asked, request, containers.requested)
    np.maximum.at(last_served, request, containers.start)
    return float((last_served - first_asked)[last_served >= 0].sum())


def memory(run: Run) -> tuple[float, float]:
    """Milliseconds in full clusters' worth of memory, and milliseconds in which over 85 % of it was held."""
    cluster = run.scenario.cluster
    capacity = sum(group.count * group.memory_mb for group in cluster.nodes)
    sizes = run.workload.request_memory[3 * run.containers.job.astype(np.int64) + run.containers.kind]
    times = np.concatenate([run.containers.start, run.containers.end])
    order = np.argsort(times, kind="stable")
    level = np.cumsum(np.concatenate([sizes, -sizes])[order])[:-1] / capacity
    spans = np.diff(times[order])
    return float((level * spans).sum()), float(spans[level > 0.85].sum())

"""Everything that moves capacity from one part to another, as one list of events in the order of time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.accounting import ASK, BEGIN, CAUGHT_UP, CLOSE, COMPUTE, DOWN, END, OPEN, PENDING, SEEN, START, UP
from engine.analysis.capacity.fetching import caught_up, ends_by_iteration, gaps
from engine.analysis.node_outages import outages
from engine.analysis.phases import begins
from engine.analysis.repeated_tasks import counted_maps
from engine.schedulers.view import MASTER, REDUCE
from engine.simulation.run import KILLED, LOST, NONE, Run
from engine.simulation.workload import NO_MASTER, SLOTS


class Pending(NamedTuple):
    """Requests never served, one entry each; of a master held back for ever too."""

    request: np.ndarray
    count: np.ndarray
    since: np.ndarray


class Events(NamedTuple):
    """times: int64, ascending; code: int8; who: int64. iteration: of each container's reduces, an index below `iterations`; begin: of each container."""

    times: np.ndarray
    code: np.ndarray
    who: np.ndarray
    iteration: np.ndarray
    iterations: int
    pending: Pending
    begin: np.ndarray


def events_of(run: Run) -> Events:
    """The events of a run before its end; those of one instant in no particular order."""
    c, until = run.containers, run.until_ms
    everyone = np.arange(len(c.job))
    end = np.where(c.end == NONE, until, c.end)
    asked = asked_ms(run)
    waited = np.flatnonzero(asked < c.start)
    computed = np.flatnonzero((c.shuffle_end != NONE) & (c.shuffle_end < end))
    begin = begins(run, end)
    launched = np.flatnonzero((begin > c.start) & (begin < end))
    down = outages(run)
    pending = never_served(run)
    found = [
        (ASK, asked[waited], waited),
        (START, c.start, everyone),
        (BEGIN, begin[launched], launched),
        (COMPUTE, c.shuffle_end[computed], computed),
        (END, end, everyone),
        (SEEN, seen_ms(run, end), everyone),
        (DOWN, np.maximum(down.lost, run.first_ms), down.node),
        (UP, down.back, down.node),
        (PENDING, pending.since, np.arange(len(pending.since))),
    ]
    iteration, iterations, fetching = _fetching(run, begin, end)
    found += fetching
    times = np.concatenate([times for _, times, _ in found])
    code = np.repeat(np.array([code for code, _, _ in found], np.int8), [len(times) for _, times, _ in found])
    who = np.concatenate([who for _, _, who in found])
    inside = np.flatnonzero(times < until)
    order = inside[np.argsort(times[inside])]
    return Events(times[order], code[order], who[order], iteration, iterations, pending, begin)


def asked_ms(run: Run) -> np.ndarray:
    """int64[containers]: when each was asked for; a job's first master at its arrival, though it may be held back."""
    c = run.containers
    return np.where((c.kind == MASTER) & (c.attempt == 1), run.jobs.arrival[c.job], c.requested)


def seen_ms(run: Run, end: np.ndarray) -> np.ndarray:
    """When the scheduler sees each end: node i of N beats at i * heartbeat // N + k * heartbeat (model 3, 5), at or after it.

    Jobs kill when a beat has made room scarce: a reduce killed at the instant of its node's beat is seen at the next one,
    unless the last container started at that instant is on a node that beats before its own. What ends with its node, or is not yet seen
    when that is lost, is known at once; so is every end that is followed by a beat out of band.
    """
    c, cluster = run.containers, run.scenario.cluster
    heartbeat = cluster.heartbeat_ms
    if heartbeat == 0 or cluster.out_of_band_heartbeats:
        return end
    first = c.node.astype(np.int64) * heartbeat // len(run.workload.node_names)
    known = end.copy()
    killed = np.flatnonzero(c.outcome == KILLED)
    last = np.searchsorted(c.start, end[killed], side="right") - 1
    known[killed] += (c.start[last] == end[killed]) & (c.node[last] >= c.node[killed])
    seen = np.where(c.outcome == LOST, end, first - (first - known) // heartbeat * heartbeat)
    for node, lost, _ in zip(*outages(run)):
        seen[(c.node == node) & (end <= lost) & (seen > lost)] = lost
    return seen


def never_served(run: Run) -> Pending:
    """What waits for ever in a deadlock: tasks' requests, and masters from their jobs' arrival on."""
    waiting, work = run.waiting, run.workload
    tasks = waiting.kind != MASTER
    begun = np.zeros(len(work.job_names), bool)
    begun[run.containers.job[run.containers.kind == MASTER]] = True
    masters = np.flatnonzero((work.job_startup != NO_MASTER) & ~begun)
    return Pending(
        request=np.concatenate([waiting.job[tasks].astype(np.int64) * SLOTS + waiting.kind[tasks], masters * SLOTS + MASTER]),
        count=np.concatenate([waiting.count[tasks].astype(np.int64), np.ones(len(masters), np.int64)]),
        since=np.concatenate([waiting.since[tasks].astype(np.int64), run.jobs.arrival[masters]]),
    )


def _fetching(run: Run, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, int, list]:
    """Which iteration each reduce is of, how many there are, and when reduces catch up and when those that have wait."""
    c, work = run.containers, run.workload
    iteration = np.zeros(len(c.job), np.int64)
    reduces = np.flatnonzero(c.kind == REDUCE)
    if not len(reduces):
        return iteration, 0, []
    last = np.zeros(len(work.job_names), np.int64)
    np.maximum.at(last, c.job[reduces], c.stage[reduces])
    first_of_job = np.cumsum(last) - last
    job = np.repeat(np.arange(len(last)), last)
    iterations = len(job)
    iteration[reduces] = first_of_job[c.job[reduces]] + c.stage[reduces] - 1
    maps = counted_maps(run)
    maps = maps[c.stage[maps] <= last[c.job[maps]]]
    first, ends = ends_by_iteration(first_of_job[c.job[maps]] + c.stage[maps] - 1, c.end[maps], iterations)
    leave = np.where(c.shuffle_end == NONE, end, np.minimum(c.shuffle_end, end))[reduces]
    limits = work.job_maps[job], work.job_fetch_ms[job]
    at = caught_up(iteration[reduces], np.minimum(begin[reduces], leave), leave, first, ends, *limits)
    late = at < leave
    since, until = np.full(iterations, run.until_ms), np.zeros(iterations, np.int64)
    np.minimum.at(since, iteration[reduces][late], at[late])
    np.maximum.at(until, iteration[reduces][late], leave[late])
    which, opens, closes = gaps(first, ends, *limits, since, until)
    return iteration, iterations, [(CAUGHT_UP, at[late], reduces[late]), (OPEN, opens, which), (CLOSE, closes, which)]

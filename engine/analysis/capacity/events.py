"""Everything that moves capacity from one part to another, as one list of events in the order of time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.accounting import ASK, CAUGHT_UP, CLOSE, COMPUTE, END, OPEN, PENDING, SEEN, START
from engine.analysis.capacity.fetching import caught_up, caught_up_alone, ends_by_iteration, gaps
from engine.analysis.shuffles import divides_unevenly, fetch_ms, fetching_over, finished_maps
from engine.schedulers.view import MASTER, REDUCE
from engine.simulation.run import KILLED, NONE, Run
from engine.simulation.workload import NO_MASTER, SLOTS

MOST_ALONE = 10_000_000  # gaps between maps; where uneven reduces may have more, all of an iteration are taken for even


class Pending(NamedTuple):
    """Requests never served, one entry each; of a master held back for ever too."""

    request: np.ndarray
    count: np.ndarray
    since: np.ndarray


class Events(NamedTuple):
    """times: int64, ascending; code: int8; who: int64. iteration: of each reduce the group that waits together, an index below `iterations`."""

    times: np.ndarray
    code: np.ndarray
    who: np.ndarray
    iteration: np.ndarray
    iterations: int
    pending: Pending


def events_of(run: Run) -> Events:
    """The events of a run before its end; those of one instant in no particular order."""
    c, until = run.containers, run.until_ms
    everyone = np.arange(len(c.job))
    end = np.where(c.end == NONE, until, c.end)
    asked = np.where(c.kind == MASTER, run.jobs.arrival[c.job], c.requested)
    waited = np.flatnonzero(asked < c.start)
    computed = np.flatnonzero((c.shuffle_end != NONE) & (c.shuffle_end < end))
    pending = never_served(run)
    found = [
        (ASK, asked[waited], waited),
        (START, c.start, everyone),
        (COMPUTE, c.shuffle_end[computed], computed),
        (END, end, everyone),
        (SEEN, seen_ms(run, end), everyone),
        (PENDING, pending.since, np.arange(len(pending.since))),
    ]
    iteration, iterations, fetching = _fetching(run, end)
    found += fetching
    times = np.concatenate([times for _, times, _ in found])
    code = np.repeat(np.array([code for code, _, _ in found], np.int8), [len(times) for _, times, _ in found])
    who = np.concatenate([who for _, _, who in found])
    inside = np.flatnonzero(times < until)
    order = inside[np.argsort(times[inside])]
    return Events(times[order], code[order], who[order], iteration, iterations, pending)


def seen_ms(run: Run, end: np.ndarray) -> np.ndarray:
    """When the scheduler sees each end: node i of N beats at i * heartbeat // N + k * heartbeat (model 3, 5), at or after it.

    Jobs kill when a beat has made room scarce: a reduce killed at the instant of its node's beat is seen at the next one,
    unless the last container started at that instant is on a node that beats before its own. Beats out of band see it at once.
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
    return first - (first - known) // heartbeat * heartbeat


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


class _Shuffles(NamedTuple):
    """Reduces and the iterations whose output they fetch: job of each iteration, where the ends of its maps begin in `ends`, and their end."""

    reduces: np.ndarray
    iteration: np.ndarray
    leave: np.ndarray
    job: np.ndarray
    first: np.ndarray
    ends: np.ndarray


def _fetching(run: Run, end: np.ndarray) -> tuple[np.ndarray, int, list]:
    """Which group each reduce is of, how many groups there are, and when reduces catch up and when those that have wait.

    Those of an iteration wait together once they have caught up, unless each has its own part to fetch or the run tells when it did.
    """
    c = run.containers
    group = np.zeros(len(c.job), np.int64)
    reduces = np.flatnonzero(c.kind == REDUCE)
    if not len(reduces):
        return group, 0, []
    leave = np.where(c.shuffle_end == NONE, end, np.minimum(c.shuffle_end, end))[reduces]
    if run.fetches is not None:
        group[reduces] = np.arange(len(reduces))
        return group, len(reduces), _as_told(run, reduces, fetching_over(run, reduces, leave))
    found = _shuffles(run, reduces, leave)
    iterations = len(found.job)
    alone = divides_unevenly(run)[c.job[reduces]]
    if float(run.workload.job_maps[c.job[reduces[alone]]].sum()) > MOST_ALONE:
        alone[:] = False
    group[reduces] = found.iteration
    group[reduces[alone]] = iterations + np.arange(alone.sum())
    events = _caught_up(run, found, alone, group)
    return group, iterations + int(alone.sum()), events


def _shuffles(run: Run, reduces: np.ndarray, leave: np.ndarray) -> _Shuffles:
    c = run.containers
    last = np.zeros(len(run.workload.job_names), np.int64)
    np.maximum.at(last, c.job[reduces], c.stage[reduces])
    first_of_job = np.cumsum(last) - last
    job = np.repeat(np.arange(len(last)), last)
    maps = finished_maps(run)
    maps = maps[c.stage[maps] <= last[c.job[maps]]]
    first, ends = ends_by_iteration(first_of_job[c.job[maps]] + c.stage[maps] - 1, c.end[maps], len(job))
    return _Shuffles(reduces, first_of_job[c.job[reduces]] + c.stage[reduces] - 1, leave, job, first, ends)


def _caught_up(run: Run, found: _Shuffles, alone: np.ndarray, group: np.ndarray) -> list:
    """Events by the ends of the maps; alone: reduces that are a group by themselves."""
    work, begin = run.workload, run.containers.begin[found.reduces]
    maps, even = work.job_maps[found.job], work.job_fetch_ms[found.job]
    own = fetch_ms(run, found.reduces[alone])
    at = np.empty(len(alone), np.int64)
    known = found.first, found.ends, maps
    at[~alone] = caught_up(found.iteration[~alone], begin[~alone], found.leave[~alone], *known, even)
    if len(own):
        at[alone] = caught_up_alone(found.iteration[alone], begin[alone], found.leave[alone], *known, own)
    late = at < found.leave
    groups = len(found.job) + len(own)
    since, until = np.full(groups, run.until_ms), np.zeros(groups, np.int64)
    of = group[found.reduces[late]]
    np.minimum.at(since, of, at[late])
    np.maximum.at(until, of, found.leave[late])
    which, opens, closes = gaps(np.append(np.arange(len(found.job)), found.iteration[alone]), *known, np.append(even, own), since, until)
    return [(CAUGHT_UP, at[late], found.reduces[late]), (OPEN, opens, which), (CLOSE, closes, which)]


def _as_told(run: Run, reduces: np.ndarray, over: np.ndarray) -> list:
    """Events of reduces that are each a group by itself: it waits where it does not fetch between its launch and its last output."""
    container, start, end = run.fetches
    place = np.zeros(len(run.containers.job), np.int64)
    place[reduces] = np.arange(len(reduces))
    everyone = np.arange(len(reduces))
    begin = np.minimum(run.containers.begin[reduces], over)
    end = np.where(end == NONE, over[place[container]], end)
    opens, of = np.concatenate([begin, end]), np.concatenate([everyone, place[container]])
    closes, by = np.concatenate([start, over]), np.concatenate([place[container], everyone])
    opens, closes, of = opens[np.lexsort((opens, of))], closes[np.lexsort((closes, by))], np.sort(of)
    waits = np.flatnonzero(opens < closes)
    at = over.copy()
    np.minimum.at(at, of[waits], opens[waits])
    late = np.flatnonzero(at < over)
    return [(CAUGHT_UP, at[late], reduces[late]), (OPEN, opens[waits], of[waits]), (CLOSE, closes[waits], of[waits])]

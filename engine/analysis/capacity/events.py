"""Everything that moves capacity from one part to another, as one list of events in the order of time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.accounting import (
    BEGIN,
    CAUGHT_UP,
    CLOSE,
    COMPUTE,
    DOWN,
    END,
    OPEN,
    PENDING,
    READS,
    REQUEST,
    SEEN,
    START,
    TASKS,
    UP,
)
from engine.analysis.capacity.fetching import caught_up, caught_up_alone, map_ends_by_iteration, waiting_gaps
from engine.analysis.executor_use import SlotUse, slot_use
from engine.analysis.node_outages import outages
from engine.analysis.phases import begins
from engine.analysis.shuffles import divides_unevenly, fetch_ms, fetching_end_ms, final_maps
from engine.analysis.stage_fetches import Readers, inputs_before_ends, reading_tasks
from engine.codes import KILLED, LOST, MASTER, NONE, REDUCE, request_of, requests_of
from engine.simulation.run import Run

# gaps between maps; where uneven reduces may have more, all of an iteration are taken for even
MAX_UNEVEN_GAPS = 10_000_000


class Pending(NamedTuple):
    """Requests that are never served, one entry each; also of a master that is never admitted."""

    request: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # hides tuple.count
    since: np.ndarray


class Events(NamedTuple):
    """times: int64, ascending; code: int8; who: int64. iteration: of each reduce the group that waits
    together, an index below `iterations`; of each task that reads too, those in held containers behind all.

    begin: of each container; slot_use: of executors; readers: reading_tasks.
    """

    times: np.ndarray
    code: np.ndarray
    who: np.ndarray
    iteration: np.ndarray
    iterations: int
    pending: Pending
    begin: np.ndarray
    slot_use: SlotUse
    readers: Readers


def run_events(run: Run) -> Events:
    """The events of a run before its end; those of one instant in no particular order."""
    c, until = run.containers, run.until_ms
    containers = np.arange(len(c.job))
    end = np.where(c.end == NONE, until, c.end)
    requested = requested_ms(run)
    waited = np.flatnonzero(requested < c.start)
    computed = np.flatnonzero((c.shuffle_end != NONE) & (c.shuffle_end < end))
    begin = begins(run, end)
    launched = np.flatnonzero((begin > c.start) & (begin < end))
    down = outages(run)
    pending = unserved_requests(run)
    tasks = slot_use(run)
    parts = [
        (REQUEST, requested[waited], waited),
        (START, c.start, containers),
        (BEGIN, begin[launched], launched),
        (COMPUTE, c.shuffle_end[computed], computed),
        (END, end, containers),
        (SEEN, observed_end_ms(run, end), containers),
        (DOWN, np.maximum(down.lost, run.first_ms), down.node),
        (UP, down.back, down.node),
        (PENDING, pending.since, np.arange(len(pending.since))),
        (TASKS, tasks.at, np.arange(len(tasks.at))),
    ]
    iteration, iterations, fetching = _fetching(run, end)
    readers = reading_tasks(run)
    iteration = np.append(iteration, np.zeros(len(readers.job) - readers.own, np.int64))
    iterations += _stage_fetching(run, readers, iteration, iterations, parts)
    parts += fetching
    times = np.concatenate([times for _, times, _ in parts])
    code = np.repeat(np.array([code for code, _, _ in parts], np.int8), [len(times) for _, times, _ in parts])
    subjects = np.concatenate([subjects for _, _, subjects in parts])
    inside = np.flatnonzero(times < until)
    order = inside[np.argsort(times[inside])]
    groups = iteration, iterations
    return Events(times[order], code[order], subjects[order], *groups, pending, begin, tasks, readers)


def requested_ms(run: Run) -> np.ndarray:
    """int64[containers]: when each was asked for; a job's first master at its arrival, though it may be held
    back.
    """
    c = run.containers
    return np.where((c.kind == MASTER) & (c.attempt == 1), run.jobs.arrival[c.job], c.requested)


def observed_end_ms(run: Run, end: np.ndarray) -> np.ndarray:
    """When the scheduler sees each end: node i of N beats at i * heartbeat // N + k * heartbeat (HEARTBEAT-1,
    HEARTBEAT-3), at or after it.

    Jobs kill after a heartbeat has left too few resources: a reduce killed at the instant of its node's
    heartbeat is seen at the next one, unless the last container started at that instant is on a node that
    beats before its own. What ends with its node, or is not yet seen when that is lost, is known at once; so
    is every end that is followed by an out-of-band heartbeat.
    """
    c, cluster = run.containers, run.scenario.cluster
    heartbeat = cluster.heartbeat_ms
    if heartbeat == 0 or cluster.out_of_band_heartbeats:
        return end
    first = c.node.astype(np.int64) * heartbeat // len(run.workload.node_names)
    reported = end.copy()
    killed = np.flatnonzero(c.outcome == KILLED)
    last = np.searchsorted(c.start, end[killed], side="right") - 1
    reported[killed] += (c.start[last] == end[killed]) & (c.node[last] >= c.node[killed])
    seen = np.where(c.outcome == LOST, end, first - (first - reported) // heartbeat * heartbeat)
    for node, lost, _ in zip(*outages(run)):
        seen[(c.node == node) & (end <= lost) & (seen > lost)] = lost
    return seen


def unserved_requests(run: Run) -> Pending:
    """What is never served in a deadlock: tasks' requests, and masters from their jobs' arrival on."""
    waiting, work = run.waiting, run.workload
    tasks = waiting.kind != MASTER
    begun = np.zeros(len(work.job_names), bool)
    begun[run.containers.job[run.containers.kind == MASTER]] = True
    masters = np.flatnonzero((work.job_startup != NONE) & ~begun)
    return Pending(
        request=np.concatenate(
            [
                requests_of(work, waiting, tasks),
                request_of(work, masters, MASTER),
            ]
        ),
        count=np.concatenate([waiting.count[tasks].astype(np.int64), np.ones(len(masters), np.int64)]),
        since=np.concatenate([waiting.since[tasks].astype(np.int64), run.jobs.arrival[masters]]),
    )


class _Shuffles(NamedTuple):
    """Reduces and the iterations whose output they fetch: job of each iteration, where the ends of its maps
    begin in `ends`, and their end.
    """

    reduces: np.ndarray
    iteration: np.ndarray
    leave: np.ndarray
    job: np.ndarray
    first: np.ndarray
    ends: np.ndarray


def _fetching(run: Run, end: np.ndarray) -> tuple[np.ndarray, int, list]:
    """Which group each reduce is of, how many groups there are, and when reduces catch up and when those that
    have wait.

    Those of an iteration wait together once they have caught up, unless each has its own part to fetch or the
    run records when it did.
    """
    c = run.containers
    group = np.zeros(len(c.job), np.int64)
    reduces = np.flatnonzero(c.kind == REDUCE)
    if not len(reduces):
        return group, 0, []
    leave = np.where(c.shuffle_end == NONE, end, np.minimum(c.shuffle_end, end))[reduces]
    if run.fetches is not None:
        group[reduces] = np.arange(len(reduces))
        over = fetching_end_ms(run, c.shuffle_end[reduces], leave)
        return group, len(reduces), _recorded_fetches(run, reduces, over)
    shuffles = _shuffles(run, reduces, leave)
    iterations = len(shuffles.job)
    alone = divides_unevenly(run)[c.job[reduces]]
    if float(run.workload.job_maps[c.job[reduces[alone]]].sum()) > MAX_UNEVEN_GAPS:
        alone[:] = False
    group[reduces] = shuffles.iteration
    group[reduces[alone]] = iterations + np.arange(alone.sum())
    events = _caught_up(run, shuffles, alone, group)
    return group, iterations + int(alone.sum()), events


def _stage_fetching(run: Run, readers: Readers, group: np.ndarray, groups: int, parts: list) -> int:
    """The same of tasks whose stages come after others, those of a stage together: adds their groups to
    `group` from number `groups` on, and their events to `parts`; how many groups they are.
    """
    leave = readers.leave(run.until_ms)
    held = len(readers.job) - readers.own
    subject = np.append(readers.container[: readers.own], len(run.containers.job) + np.arange(held))
    if held:
        in_held = subject[readers.own :]
        parts += [
            (READS, np.minimum(readers.begin, leave)[readers.own :], in_held),
            (COMPUTE, leave[readers.own :], in_held),
        ]
    inputs = inputs_before_ends(run, readers)
    for number, one in enumerate(inputs, start=groups):
        own = subject[one.readers]
        group[own] = number
        at = one.caught_up(readers.begin[one.readers], leave[one.readers])
        late = at < leave[one.readers]
        if late.any():
            opens, closes = one.gaps(int(at[late].min()), int(leave[one.readers][late].max()))
            parts += [
                (CAUGHT_UP, at[late], own[late]),
                (OPEN, opens, np.full(len(opens), number)),
                (CLOSE, closes, np.full(len(closes), number)),
            ]
    return len(inputs)


def _shuffles(run: Run, reduces: np.ndarray, leave: np.ndarray) -> _Shuffles:
    c = run.containers
    last = np.zeros(len(run.workload.job_names), np.int64)
    np.maximum.at(last, c.job[reduces], c.stage[reduces])
    first_of_job = np.cumsum(last) - last
    job = np.repeat(np.arange(len(last)), last)
    maps = final_maps(run)
    maps = maps[c.stage[maps] <= last[c.job[maps]]]
    first, ends = map_ends_by_iteration(first_of_job[c.job[maps]] + c.stage[maps] - 1, c.end[maps], len(job))
    return _Shuffles(reduces, first_of_job[c.job[reduces]] + c.stage[reduces] - 1, leave, job, first, ends)


def _caught_up(run: Run, shuffles: _Shuffles, alone: np.ndarray, group: np.ndarray) -> list:
    """Events by the ends of the maps; alone: reduces that are a group by themselves."""
    work, begin = run.workload, run.containers.begin[shuffles.reduces]
    maps, even = work.job_maps[shuffles.job], work.job_fetch_ms[shuffles.job]
    own_fetch_ms = fetch_ms(run, shuffles.reduces[alone])
    caught_up_at = np.empty(len(alone), np.int64)
    map_ends = shuffles.first, shuffles.ends, maps
    caught_up_at[~alone] = caught_up(
        shuffles.iteration[~alone], begin[~alone], shuffles.leave[~alone], *map_ends, even
    )
    if len(own_fetch_ms):
        caught_up_at[alone] = caught_up_alone(
            shuffles.iteration[alone], begin[alone], shuffles.leave[alone], *map_ends, own_fetch_ms
        )
    late = caught_up_at < shuffles.leave
    groups = len(shuffles.job) + len(own_fetch_ms)
    since, until = np.full(groups, run.until_ms), np.zeros(groups, np.int64)
    groups_of_late = group[shuffles.reduces[late]]
    np.minimum.at(since, groups_of_late, caught_up_at[late])
    np.maximum.at(until, groups_of_late, shuffles.leave[late])
    waiting_groups, opens, closes = waiting_gaps(
        np.append(np.arange(len(shuffles.job)), shuffles.iteration[alone]),
        *map_ends,
        np.append(even, own_fetch_ms),
        since,
        until,
    )
    return [
        (CAUGHT_UP, caught_up_at[late], shuffles.reduces[late]),
        (OPEN, opens, waiting_groups),
        (CLOSE, closes, waiting_groups),
    ]


def _recorded_fetches(run: Run, reduces: np.ndarray, over: np.ndarray) -> list:
    """Events of reduces that are each a group by itself: it waits where it does not fetch between its launch
    and its last output.
    """
    assert run.fetches is not None
    container, start, end = run.fetches
    position = np.zeros(len(run.containers.job), np.int64)
    position[reduces] = np.arange(len(reduces))
    all_groups = np.arange(len(reduces))
    begin = np.minimum(run.containers.begin[reduces], over)
    end = np.where(end == NONE, over[position[container]], end)
    opens, groups = np.concatenate([begin, end]), np.concatenate([all_groups, position[container]])
    closes, closing_groups = np.concatenate([start, over]), np.concatenate([position[container], all_groups])
    opens, closes, groups = (
        opens[np.lexsort((opens, groups))],
        closes[np.lexsort((closes, closing_groups))],
        np.sort(groups),
    )
    waits = np.flatnonzero(opens < closes)
    at = over.copy()
    np.minimum.at(at, groups[waits], opens[waits])
    late = np.flatnonzero(at < over)
    return [
        (CAUGHT_UP, at[late], reduces[late]),
        (OPEN, opens[waits], groups[waits]),
        (CLOSE, closes[waits], groups[waits]),
    ]

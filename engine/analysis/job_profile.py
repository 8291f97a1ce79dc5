"""One job of a run: its life, how its tasks' durations and waits are spread, when it waited, and who held the
cluster meanwhile.

A job waits while a container it asked for is not placed. Such times are cut at the starts of its containers,
so each ends with a container whose decision tells why the wait was over. Cost: linear in the containers of
the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.analysis.node_outages import outages
from engine.analysis.stage_times import stage_tasks
from engine.codes import (
    EXECUTOR,
    FINISHED,
    INFINITE,
    MAP,
    MASTER,
    NONE,
    OUTCOMES,
    REDUCE,
    TASK,
    WASTED,
    requests_of,
)
from engine.simulation.run import Containers, Run

WAITS = {
    "am_wait": MASTER,
    "map_wait": MAP,
    "reduce_wait": REDUCE,
    "executor_wait": EXECUTOR,
    "task_wait": TASK,
}
QUARTILE_KEYS = ("map", "shuffle", "reduce", "task", *WAITS)


class JobLife(NamedTuple):
    """The moments of a job in ms, of all its iterations; NONE: never reached, or the job has no such thing.

    reduces_asked: of the first reduce, as far as a run keeps it: where requests are added to, as ramp-up
    does, the last addition before it was placed.
    """

    submitted: int
    master: int
    first_map: int
    reduces_asked: int
    maps_end: int
    first_reduce: int
    last_reduce: int
    shuffle_end: int
    finish: int


class Quartiles(NamedTuple):
    """How values spread: how many, and the least, the quartiles and the most in ms, each by nearest rank."""

    count: int  # type: ignore[assignment]  # hides tuple.count
    least: int
    lower: int
    median: int
    upper: int
    most: int


class JobWaits(NamedTuple):
    """One entry a time in which a job waited and nothing of it started, [since, until) ms, in order: they
    don't overlap.

    container: index into run.containers of the first that started then; NONE for a wait without end, counted
    until the run got stuck, which may be at once.
    """

    since: np.ndarray
    until: np.ndarray
    container: np.ndarray


class Holder(NamedTuple):
    """A job (index) and the mean shares of the cluster's memory and vcores that its containers held."""

    job: int
    memory: float
    vcores: float


@dataclass(frozen=True)
class JobProfile:
    """A job (index) of a run. containers: int64, indices into run.containers in the order of start, every
    attempt; outcomes: how many of each of OUTCOMES.

    spreads: by key of QUARTILE_KEYS, durations of what finished and waits of all that started, without those
    of no container;
    maps_before_reduces: share of the first iteration's maps that had finished when the first reduce was asked
    for, None without one;
    never_started: requested containers that wait for good in a deadlock.
    """

    job: int
    life: JobLife
    spreads: dict[str, Quartiles]
    containers: np.ndarray
    outcomes: tuple[int, ...]
    maps_before_reduces: float | None
    never_started: int


def job_profile(run: Run, job: int) -> JobProfile:
    """What a run made of one job; job: its index. IndexError where there is no such job."""
    indices = np.flatnonzero(run.containers.job == job)
    c = Containers(*(column[indices] for column in run.containers))
    unserved = run.waiting.job == job
    asked_at = np.append(
        c.requested[c.kind == REDUCE], run.waiting.since[unserved & (run.waiting.kind == REDUCE)]
    )
    first_asked = _first(asked_at)
    before = (c.kind == MAP) & (c.stage == 1) & (c.outcome == FINISHED) & (c.end <= first_asked)
    return JobProfile(
        job=job,
        life=_life(run, job, c, first_asked),
        spreads=_spreads(run, job, c),
        containers=indices,
        outcomes=tuple(np.bincount(c.outcome, minlength=len(OUTCOMES)).tolist()),
        maps_before_reduces=None
        if first_asked == NONE
        else int(before.sum()) / int(run.workload.job_maps[job]),
        never_started=int(run.waiting.count[unserved].sum()),
    )


def job_waits(run: Run, job: int) -> JobWaits:
    """When a job (index) waited: together all the time in which a request of it was not placed."""
    c = run.containers
    indices = np.flatnonzero(c.job == job)
    start = c.start[indices]
    unserved = run.waiting.since[run.waiting.job == job]
    never = int(unserved.min()) if len(unserved) else INFINITE
    # the earliest of what is still to be placed, this one included
    earliest_asked = np.minimum.accumulate(np.append(c.requested[indices], never)[::-1])[::-1]
    first = np.flatnonzero(np.diff(start, prepend=NONE))
    until, container = start[first], indices[first]
    since = np.maximum(earliest_asked[first], np.append(NONE, until)[:-1])
    if len(unserved):
        since = np.append(since, max(never, int(until.max(initial=NONE))))
        until, container = np.append(until, max(run.until_ms, int(since[-1]))), np.append(container, NONE)
    is_wait = (until > since) | (container == NONE)
    return JobWaits(since[is_wait], until[is_wait], container[is_wait])


def holders(run: Run, since: int, until: int) -> list[Holder]:
    """Who held the cluster in [since, until) ms: jobs by their share of the scarcer resource, memory or
    vcores, of the nodes that were up, largest first; none where no time passes.
    """
    c, work = run.containers, run.workload
    begun = int(np.searchsorted(c.start, until))
    end = np.where(c.end[:begun] == NONE, until, c.end[:begun])
    held_ms = np.clip(np.minimum(end, until) - np.maximum(c.start[:begun], since), 0, None)
    held = np.bincount(requests_of(work, c, slice(begun)), held_ms, len(work.request_job)).astype(np.float64)
    down = outages(run)
    down_ms = np.clip(np.minimum(down.back, until) - np.maximum(down.lost, since), 0, None)
    up_ms = np.full(len(work.node_memory), max(until - since, 1), np.int64)
    np.subtract.at(up_ms, down.node, down_ms)
    shares = []
    for requested, capacity in (
        (work.request_memory, work.node_memory),
        (work.request_vcores, work.node_vcores),
    ):
        shares.append(np.bincount(work.request_job, held * requested) / max(int((capacity * up_ms).sum()), 1))
    memory, vcores = shares
    fuller = memory if run.memory_only or memory.sum() >= vcores.sum() else vcores
    order = np.argsort(-fuller, kind="stable")[: np.count_nonzero(memory + vcores)]
    return [Holder(job, float(memory[job]), float(vcores[job])) for job in order.tolist()]


def _life(run: Run, job: int, c: Containers, reduces_asked: int) -> JobLife:
    """c: the job's containers. What is the last of its kind is known once there are as many as the job has
    tasks.
    """
    work = run.workload
    maps, reduces = (
        int(count[job] * work.job_iterations[job]) for count in (work.job_maps, work.job_reduces)
    )
    used = ~np.isin(c.outcome, WASTED)
    starts = {kind: c.start[(c.kind == kind) & used] for kind in (MASTER, MAP, REDUCE)}
    fetched = c.shuffle_end[(c.kind == REDUCE) & used & (c.shuffle_end != NONE)]
    return JobLife(
        submitted=int(run.jobs.arrival[job]),
        master=_first(starts[MASTER]),
        first_map=_first(starts[MAP]),
        reduces_asked=reduces_asked,
        maps_end=_last(c.end[(c.kind == MAP) & (c.outcome == FINISHED)], maps),
        first_reduce=_first(c.start[c.kind == REDUCE]),
        last_reduce=_last(starts[REDUCE], reduces),
        shuffle_end=_last(fetched, reduces),
        finish=int(run.jobs.finish[job]),
    )


def _spreads(run: Run, job: int, c: Containers) -> dict[str, Quartiles]:
    """c: the job's containers. A task is counted from when it has what it reads, in whatever it runs."""
    done, tasks = c.outcome == FINISHED, stage_tasks(run)
    reduces = done & (c.kind == REDUCE)
    own = (tasks.job == job) & (tasks.outcome == FINISHED)
    fetched = [(c.shuffle_end - c.start)[done & (c.shuffle_end != NONE)]]
    if run.tasks is not None:
        held = (run.containers.job[run.tasks.container] == job) & (run.tasks.outcome == FINISHED)
        held &= run.tasks.shuffle_end != NONE
        fetched.append((run.tasks.shuffle_end - run.tasks.start)[held])
    values = [
        (c.end - c.start)[done & (c.kind == MAP)],
        np.concatenate(fetched),
        (c.end - c.shuffle_end)[reduces],
        (tasks.end - tasks.computes)[own],
    ]
    values += [(c.start - c.requested)[c.kind == kind] for kind in WAITS.values()]
    return {key: _spread(ms) for key, ms in zip(QUARTILE_KEYS, values, strict=True) if len(ms)}


def _spread(ms: np.ndarray) -> Quartiles:
    """By nearest rank, as metrics.percentile; ms: not empty."""
    count = len(ms)
    ranks = [max(-(-quarters * count // 4), 1) - 1 for quarters in range(5)]
    return Quartiles(count, *np.sort(ms)[ranks].tolist())


def _first(ms: np.ndarray) -> int:
    return int(ms.min()) if len(ms) else NONE


def _last(ms: np.ndarray, count: int) -> int:
    """The maximum, once there are `count` of them; NONE before."""
    return int(ms.max()) if len(ms) >= count > 0 else NONE

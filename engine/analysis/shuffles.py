"""A shuffle under the cluster's physics: a reduce's part of the output, when it begins, how long it lasts.

Its shuffle has a latency after that, which is reported as fetching.
"""

from __future__ import annotations

import numpy as np

from engine.codes import FINISHED, MAP, NONE, TASK
from engine.scenario.model import Job
from engine.simulation.run import Run


def final_maps(run: Run) -> np.ndarray:
    """The containers whose output the reduces fetch, in no particular order: of each map the last that
    finished.
    """
    c = run.containers
    maps = np.flatnonzero((c.kind == MAP) & (c.outcome == FINISHED))
    if not len(maps) or c.attempt[maps].max() == 1:
        return maps
    order = maps[np.lexsort((c.end[maps], c.index[maps], c.stage[maps], c.job[maps]))]
    same = np.ones(len(order) - 1, bool)
    for column in (c.job, c.stage, c.index):
        same &= column[order][1:] == column[order][:-1]
    return order[np.append(~same, True)]


def fetch_ms(run: Run, reduces: np.ndarray) -> np.ndarray:
    """float64: what each of these reduces (indices into run.containers) takes to fetch the output of one map,
    at the full rate.
    """
    work, job = run.workload, run.containers.job[reduces]
    per_map = work.job_fetch_ms[job]
    return (
        per_map * work.reduce_part[work.reduce_base[job] + run.containers.index[reduces]]
        if len(work.reduce_part)
        else per_map
    )


def fetching_end_ms(run: Run, shuffle_end: np.ndarray, leave: np.ndarray) -> np.ndarray:
    """When each has fetched the last output and only the latency is to come; leave: when its shuffle, or else
    its container, ends.
    """
    has_fetched_all = (shuffle_end == leave) & (leave != NONE)
    return np.where(has_fetched_all, leave - run.workload.shuffle_latency_ms, leave)


def fetching_ms(run: Run, container: int) -> int:
    """How much of its shuffle a reduce or a stage's task that has ended it fetched, or waited for nothing but
    the latency: the rest it waited for maps, or for the stages before its own.
    """
    c, work = run.containers, run.workload
    shuffle_ms = int(c.shuffle_end[container] - c.begin[container])
    if c.kind[container] == TASK:
        job = run.scenario.jobs[work.job_group[c.job[container]]]
        return stage_fetching_ms(run, job, int(c.stage[container]), shuffle_ms)
    if run.fetches is None:
        fetching = round(
            int(work.job_maps[c.job[container]]) * float(fetch_ms(run, np.array([container]))[0])
        )
    else:
        is_own = run.fetches.container == container
        fetching = int((run.fetches.end - run.fetches.start)[is_own].sum())
    return min(fetching + work.shuffle_latency_ms, shuffle_ms)


def stage_fetching_ms(run: Run, job: Job, stage: int, shuffle_ms: int) -> int:
    """The same of a task of a stage, from 1, whatever it runs in. shuffle_ms: how long it took to have it
    all.
    """
    own, rate = job.stages[stage - 1], run.scenario.cluster.shuffle_mb_s
    sources = [job.stages[source] for source in job.stage_sources[stage - 1]]
    fetching = round(sum(one.tasks * own.fetch_ms(one, rate) for one in sources))
    return min(fetching + run.workload.shuffle_latency_ms, shuffle_ms)


def divides_unevenly(run: Run) -> np.ndarray:
    """bool[jobs]: have its reduces parts of different sizes?"""
    groups = np.array([job.partitions is not None for job in run.scenario.jobs])
    return groups[run.workload.job_group]

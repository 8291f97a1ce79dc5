"""What each job needs at least, wherever its tasks run: the shortest time of each container, and the longest
chain of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.stage_times import input_ms, longest_way
from engine.codes import EXECUTOR, MAP, MASTER, REDUCE, TASK, request_of
from engine.scenario.model import Scenario
from engine.simulation.durations import durations
from engine.simulation.physics_arrays import registered_ms
from engine.simulation.workload import Workload, workload


class MinimumWork(NamedTuple):
    """Of all containers, in no order: job, request, ms that each holds its node at least, and the same on a
    node of speed 1; of an executor's task what it takes of one with all its slots in use. Per job: chain_ms.
    Per node: registered_ms, when it is there for the first time.
    """

    work: Workload
    job: np.ndarray
    request: np.ndarray
    held_ms: np.ndarray
    scaled_ms: np.ndarray  # ms x speed of the node: what it takes of the cluster's speed-weighted time
    chain_ms: np.ndarray
    registered_ms: np.ndarray


def minimum_work(scenario: Scenario) -> MinimumWork:
    """From the scenario's own draws. What only makes things longer (contention, launch, stragglers, distance,
    heartbeats, lost nodes) is left out.
    """
    work = workload(scenario)
    drawn = durations(scenario, work)
    per_stage = np.stack([work.job_maps, work.job_reduces], axis=1)
    counts, stage_job, stage_kind, stage_fetch = _parts(scenario, work, per_stage)
    job, kind = np.repeat(stage_job, counts), np.repeat(stage_kind, counts)
    speeds = np.unique(work.node_speed)
    share = _output_shares(work, job, kind, per_stage)
    per_speed = np.maximum(1, np.floor((drawn * share)[:, None] / speeds + 0.5))
    fetch_one, fetch_all = _fetches(work, job, kind, share)
    fetch_all = fetch_all + np.repeat(stage_fetch, counts)
    held = per_speed.min(axis=1) + fetch_all
    scaled = (per_speed * speeds).min(axis=1) + fetch_all * speeds[0]
    longest = _longest(per_speed.min(axis=1) + fetch_one, counts)
    chain = np.bincount(stage_job, longest, len(work.job_maps))
    if (kind >= EXECUTOR).any():
        slots = np.array([job.slots or 1 for job in scenario.jobs])
        held, scaled = (amount / slots[work.job_group[job]] for amount in (held, scaled))
        _longest_ways(scenario, work, longest, stage_job, chain)
    chain += _startup_ms(scenario, work)
    masters = np.flatnonzero(work.request_memory[work.job_first_request[:-1] + MASTER] > 0)
    return MinimumWork(
        work,
        np.concatenate([job, masters]),
        np.concatenate([request_of(work, job, kind), request_of(work, masters, MASTER)]),
        np.concatenate([held, chain[masters]]),
        np.concatenate([scaled, chain[masters] * speeds[0]]),
        chain,
        registered_ms(scenario.cluster, work),
    )


def _output_shares(work: Workload, job: np.ndarray, kind: np.ndarray, per_stage: np.ndarray) -> np.ndarray:
    """What each task has of its job's output beside an even part: it fetches and computes for so many times
    as long.
    """
    share = np.ones(len(job))
    if len(work.reduce_part):
        reduces = np.flatnonzero(kind == REDUCE)
        begins = np.concatenate([[0], np.cumsum(np.repeat(per_stage[:, 1], work.job_iterations))])
        stage = np.searchsorted(begins, np.arange(len(reduces)), "right") - 1
        share[reduces] = work.reduce_part[
            work.reduce_base[job[reduces]] + np.arange(len(reduces)) - begins[stage]
        ]
    return share


def _fetches(
    work: Workload, job: np.ndarray, kind: np.ndarray, share: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(ms for the last map's output, for that of all maps) of each task: a reduce's, with the shuffle's
    latency.
    """
    per_map = np.where(kind == REDUCE, work.job_fetch_ms[job] * share, 0.0)
    latency = np.where(kind == REDUCE, work.shuffle_latency_ms, 0)
    fetch_last, fetch_all = (
        np.maximum(np.ceil(times * per_map - 1e-6), 0.0) for times in (1, work.job_maps[job])
    )
    return fetch_last + latency, fetch_all + latency


def _parts(
    scenario: Scenario, work: Workload, per_stage: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(tasks, job, place of their request among the job's, ms in which each fetches what earlier stages have
    written) of what is drawn together, in the order of the draws: maps and reduces of each iteration, stages
    of an application.
    """
    if not any(job.stages for job in scenario.jobs):
        return (
            np.repeat(per_stage, work.job_iterations, axis=0).ravel(),
            np.repeat(np.arange(len(work.job_maps)), 2 * work.job_iterations),
            np.tile([MAP, REDUCE], int(work.job_iterations.sum())),
            np.zeros(2 * int(work.job_iterations.sum())),
        )
    rows: list[tuple[int, int, int, int]] = []
    fetches = [input_ms(job, scenario.cluster) for job in scenario.jobs]
    for number, group in enumerate(work.job_group.tolist()):
        job, (maps, reduces) = scenario.jobs[group], per_stage[number].tolist()
        for place, (stage, fetch) in enumerate(zip(job.stages, fetches[group], strict=True)):
            request = EXECUTOR if job.executors else place + (EXECUTOR if job.slots else TASK)
            rows.append((stage.tasks, number, request, fetch))
        rows += [] if job.stages else [(maps, number, MAP, 0), (reduces, number, REDUCE, 0)] * job.iterations
    counts, jobs, kinds, fetch_ms = np.array(rows, np.int64).T
    return counts, jobs, kinds, fetch_ms


def _longest(durations: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """ms of the longest of each stage, 0 of one without tasks."""
    nonempty, longest = np.flatnonzero(counts), np.zeros(len(counts))
    longest[nonempty] = np.maximum.reduceat(
        durations, np.concatenate([[0], np.cumsum(counts[nonempty])[:-1]])
    )
    return longest


def _longest_ways(
    scenario: Scenario, work: Workload, longest: np.ndarray, stage_job: np.ndarray, chain: np.ndarray
) -> None:
    """Sets the ms of the longest way through each application's stages. longest: of each stage; chain: of
    each job.
    """
    first = np.searchsorted(stage_job, np.arange(len(chain)))
    for group, job in enumerate(scenario.jobs):
        jobs = np.flatnonzero(work.job_group == group)
        if job.stages:
            own = longest[first[jobs][:, None] + np.arange(len(job.stages))]
            chain[jobs] = longest_way(job, own, scenario.cluster)


def _startup_ms(scenario: Scenario, work: Workload) -> np.ndarray:
    """Of each job's master where it is fixed; of one that is drawn nothing is taken to be known."""
    is_fixed = np.array(
        [job.am is not None and isinstance(job.am.startup_s, (int, float)) for job in scenario.jobs]
    )[work.job_group]
    return np.where(is_fixed, np.maximum(work.job_startup, 0), 0)

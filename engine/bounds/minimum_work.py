"""What each job needs at least, wherever its tasks run: the shortest time of each container, and the longest chain of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.scenario.model import Scenario
from engine.schedulers.view import MAP, MASTER, PER_JOB, REDUCE
from engine.simulation.durations import durations
from engine.simulation.workload import Workload, workload


class LeastNeeds(NamedTuple):
    """Of all containers, in no order: job, request (3 a job), ms that each holds its node at least, and the same on a node of speed 1. Per job: chain_ms."""

    work: Workload
    job: np.ndarray
    request: np.ndarray
    held_ms: np.ndarray
    scaled_ms: np.ndarray  # ms x speed of the node: what it takes of the cluster's speed-weighted time
    chain_ms: np.ndarray


def least_needs(scenario: Scenario) -> LeastNeeds:
    """From the scenario's own draws. What only makes things longer (contention, launch, stragglers, distance, beats, lost nodes) is left out."""
    work = workload(scenario)
    drawn = durations(scenario, work)
    per_stage = np.stack([work.job_maps, work.job_reduces], axis=1)
    counts = np.repeat(per_stage, work.job_iterations, axis=0).ravel()
    stage_job = np.repeat(np.arange(len(work.job_maps)), 2 * work.job_iterations)
    stage_kind = np.tile([MAP, REDUCE], int(work.job_iterations.sum()))
    job, kind = np.repeat(stage_job, counts), np.repeat(stage_kind, counts)
    speeds = np.unique(work.node_speed)
    part = _parts(work, job, kind, per_stage)
    on_each = np.maximum(1, np.floor((drawn * part)[:, None] / speeds + 0.5))
    one_fetch, all_fetches = _fetches(work, job, kind, part)
    held = on_each.min(axis=1) + all_fetches
    scaled = (on_each * speeds).min(axis=1) + all_fetches * speeds[0]
    chain = _startup_ms(scenario, work) + _stages(on_each.min(axis=1) + one_fetch, counts, stage_job, len(work.job_maps))
    masters = np.flatnonzero(work.request_memory[MASTER::PER_JOB] > 0)
    return LeastNeeds(
        work,
        np.concatenate([job, masters]),
        np.concatenate([PER_JOB * job + kind, PER_JOB * masters + MASTER]),
        np.concatenate([held, chain[masters]]),
        np.concatenate([scaled, chain[masters] * speeds[0]]),
        chain,
    )


def _parts(work: Workload, job: np.ndarray, kind: np.ndarray, per_stage: np.ndarray) -> np.ndarray:
    """What each task has of its job's output beside an even part: it fetches and computes for so many times as long."""
    part = np.ones(len(job))
    if len(work.reduce_part):
        reduces = np.flatnonzero(kind == REDUCE)
        begins = np.concatenate([[0], np.cumsum(np.repeat(per_stage[:, 1], work.job_iterations))])
        stage = np.searchsorted(begins, np.arange(len(reduces)), "right") - 1
        part[reduces] = work.reduce_part[work.reduce_base[job[reduces]] + np.arange(len(reduces)) - begins[stage]]
    return part


def _fetches(work: Workload, job: np.ndarray, kind: np.ndarray, part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(ms for the last map's output, for that of all maps) of each task: a reduce's, with the shuffle's latency."""
    each = np.where(kind == REDUCE, work.job_fetch_ms[job] * part, 0.0)
    latency = np.where(kind == REDUCE, work.shuffle_latency_ms, 0)
    one, every = (np.maximum(np.ceil(times * each - 1e-6), 0.0) for times in (1, work.job_maps[job]))
    return one + latency, every + latency


def _stages(lasts: np.ndarray, counts: np.ndarray, stage_job: np.ndarray, jobs: int) -> np.ndarray:
    """ms[jobs]: the longest of each stage, added up."""
    some = np.flatnonzero(counts)
    longest = np.maximum.reduceat(lasts, np.concatenate([[0], np.cumsum(counts[some])[:-1]]))
    return np.bincount(stage_job[some], longest, jobs)


def _startup_ms(scenario: Scenario, work: Workload) -> np.ndarray:
    """Of each job's master where it is fixed; of one that is drawn nothing is taken to be known."""
    is_fixed = np.array([job.am is not None and isinstance(job.am.startup_s, (int, float)) for job in scenario.jobs])[work.job_group]
    return np.where(is_fixed, np.maximum(work.job_startup, 0), 0)

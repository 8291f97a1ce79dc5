"""The groups of requests of which an order need see the first alone (kernel/shortlist.py), and their empty heaps."""

from __future__ import annotations

import numpy as np

from engine.schedulers.names import Scheduler
from engine.schedulers.view import MASTER, PER_JOB
from engine.simulation.workload import Workload

LEAST_JOBS = 32  # of fewer, all candidates are listed as quickly
MOST_GROUPS = 64


def shortlist_arrays(chosen: Scheduler, work: Workload, fit_vcores: np.ndarray, sees_all: bool) -> dict[str, np.ndarray]:
    """State's arrays of groups and heaps; empty where the order is no rank of the job alone, where somebody sees all candidates, or for a few jobs.

    Minimum shares of jobs make a rank that is no order (0 / 0 ties with all), so there all candidates are listed.
    """
    jobs = len(work.job_arrival)
    ranks = chosen.ranks_by and not sees_all and jobs >= LEAST_JOBS and not (work.job_min_memory.any() or work.job_min_vcores.any())
    groups = np.zeros((0, 4), np.int64)
    if ranks:
        requests = np.arange(PER_JOB * jobs)
        columns = (work.job_queue[requests // PER_JOB], requests % PER_JOB == MASTER, work.request_memory, fit_vcores)
        groups, group_of, sizes = np.unique(np.stack(columns, 1), axis=0, return_inverse=True, return_counts=True)
    if not ranks or len(groups) > MOST_GROUPS:
        jobs, groups, group_of, sizes = 0, groups[:0], np.zeros(0, np.int64), np.zeros(0, np.int64)
    return {
        "group_of": np.concatenate((group_of.ravel(), group_of.ravel() + len(groups))),
        "group_begin": np.cumsum(np.tile(sizes, 2)) - np.tile(sizes, 2),
        "group_size": np.zeros(2 * len(groups), np.int64),
        "group_waiting": np.zeros(len(groups), np.int64),
        "group_memory": groups[:, 2].copy(),
        "group_vcores": groups[:, 3].copy(),
        "group_masters": groups[:, 1].copy(),
        "ranked": np.zeros(2 * PER_JOB * jobs, np.int64),
        "ranked_place": np.full(2 * PER_JOB * jobs, -1, np.int64),
        "ranked_first": np.zeros(2 * PER_JOB * jobs),
        "is_starving": np.zeros(jobs, np.int8),
        "rank_first": np.zeros(2 * jobs),
        "rank_second": np.zeros(2 * jobs),
        "stale_jobs": np.zeros(jobs, np.int64),
        "is_stale": np.zeros(jobs, np.int8),
        "is_odd": np.zeros(jobs, np.int8),
    }

"""Requests that are alike (kernel/waiting_requests.py), the heaps of those of which an order need see the
first alone (kernel/shortlist.py), and masters that an admission rule holds back and answers alike
(hadoop/capacity/activation.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import MASTER
from engine.resource_types import RESOURCE_COUNT
from engine.run_records import Amounts
from engine.schedulers.scheduler import Scheduler
from engine.simulation.workload import Workload

MIN_JOBS = 32  # of fewer, all candidates are listed as quickly
MAX_GROUPS = 64


class AlikeRequests(NamedTuple):
    """arrays: what the State is given; groups: how many there are; are_ranked: are they kept in heaps?"""

    arrays: dict[str, np.ndarray]
    groups: int
    are_ranked: bool


def alike_requests(chosen: Scheduler, work: Workload, fit_resource: Amounts, sees_all: bool) -> AlikeRequests:
    """Groups and whether they have heaps. No groups for a few jobs, or of many sizes; no heaps where the
    order is no rank of the job alone, or somebody sees all candidates.

    Minimum shares of jobs make a rank that is no order (0 / 0 ties with all), so there all candidates are
    listed.
    """
    first = _first_jobs(work)
    groups, group_of = (
        _groups(work, fit_resource, first)
        if len(work.job_arrival) >= MIN_JOBS
        else (np.zeros((0, 2 + RESOURCE_COUNT), np.int64), np.zeros(0, np.int64))
    )
    if len(groups) > MAX_GROUPS:
        groups, group_of = groups[:0], group_of[:0]
    has_min_shares = work.job_min_resource.any()
    sizes = np.tile(np.bincount(group_of, minlength=len(groups)), 2)
    arrays = {
        "group_of": np.concatenate((group_of, group_of + len(groups))),
        "entry_job": np.concatenate((work.request_job, work.request_job)),
        "group_begin": np.cumsum(sizes) - sizes,
        "group_resource": groups[:, 2:].T.copy(),
        "held_back_kind": _kinds_of_masters(work, first),
    }
    are_ranked = bool(chosen.ranks_by and not sees_all and len(groups) and not has_min_shares)
    return AlikeRequests(arrays, len(groups), are_ranked)


def _first_jobs(work: Workload) -> np.ndarray:
    """The first job of each group of the scenario, whose jobs are alike but for their arrivals."""
    first = np.zeros(work.job_group.max() + 1, np.int64)
    first[work.job_group[::-1]] = np.arange(len(work.job_group))[::-1]
    return first


def _groups(work: Workload, fit_resource: Amounts, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(leaf, is it a master, resources) of each group, and the group of each request."""
    shift = work.job_first_request[first[work.job_group]] - work.job_first_request[:-1]
    same = np.arange(len(work.request_job)) + shift[work.request_job]  # the same request of the first job
    requests = np.flatnonzero(shift[work.request_job] == 0)
    columns = (
        work.job_queue[work.request_job[requests]],
        work.request_kind[requests] == MASTER,
        *fit_resource[:, requests],
    )
    groups, group_of = np.unique(np.stack(columns, 1), axis=0, return_inverse=True)
    return groups, group_of.ravel()[np.searchsorted(requests, same)]


def _kinds_of_masters(work: Workload, first: np.ndarray) -> np.ndarray:
    """A number for each job, the same for those of one user in one leaf whose masters are of one size."""
    master_requests = work.job_first_request[first] + MASTER
    columns = (
        work.job_user[first],
        work.job_startup[first] < 0,
        *work.request_resource[:, master_requests],
    )
    kinds: dict[tuple, int] = {}
    numbers = [kinds.setdefault(kind, len(kinds)) for kind in zip(*(column.tolist() for column in columns))]
    return np.array(numbers, np.int64)[work.job_group]

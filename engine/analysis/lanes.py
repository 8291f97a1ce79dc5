"""Lanes: the rows of a node in a Gantt chart, such that no two containers of a row overlap.

Greedy interval partitioning (Kleinberg and Tardos, Algorithm Design, 4.1): containers by start, each in the
lowest lane that is free; a node then needs as many lanes as it ever ran containers at once, and no partition
needs fewer.
Cost: containers x lanes of a node (or job).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import INFINITE, NONE
from engine.jit import compiled
from engine.simulation.run import Run


class Lanes(NamedTuple):
    """lane: int32[containers], from 0 on each node (or job); used: int32[nodes (or jobs)], lanes of each, 0
    where nothing ran.
    """

    lane: np.ndarray
    used: np.ndarray


def pack_lanes(run: Run, by_job: bool = False) -> Lanes:
    """The lane of each container by its real [start, end), on its node or among its job's; one that still
    runs in a deadlock keeps its lane for good.
    """
    c = run.containers
    owner, owners = (c.job, len(run.workload.job_names)) if by_job else (c.node, len(run.workload.node_names))
    max_lanes = np.bincount(owner, minlength=owners)
    first = np.cumsum(max_lanes) - max_lanes
    lane = np.empty(len(owner), np.int32)
    used = np.zeros(owners, np.int32)
    _pack(owner, c.start, c.end, first, np.empty(len(owner), np.int64), lane, used)
    return Lanes(lane, used)


@compiled
def _pack(node, start, end, first, free_at, lane, used):
    """Containers in the order of placement, so by start on each node; free_at[first[n] + k]: when lane k of
    node n is free.
    """
    for i in range(len(node)):
        n = node[i]
        k = 0
        while k < used[n] and free_at[first[n] + k] > start[i]:
            k += 1
        if k == used[n]:
            used[n] += 1
        free_at[first[n] + k] = end[i] if end[i] != NONE else INFINITE
        lane[i] = k

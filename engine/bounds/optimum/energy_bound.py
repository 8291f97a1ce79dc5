"""A bound by energy: what must lie between two instants however tasks are shifted, over what the cluster has there.

Each container has a head r, before which it can't start, and a tail q, which its job takes after it at least. Of one that takes p, at least
p - max(r' - r, 0) lies after an instant r', at least p - max(q' - q, 0) before the last q' of the makespan C, and the lesser of the two between them, or
all of what is between them. So C >= r' + (sum of size x that) / capacity + q' (energetic reasoning; Erschler, Lopez, Thuriot 1991), for r' and q' that a
bound known already parts. Of containers of which a node holds one, nodes are the capacity.
"""

from __future__ import annotations

import numpy as np

from engine.bounds.optimum.planned_batch import PlannedBatch, fetched_ms

MOST_INSTANTS = 80  # of each kind that are looked at


def energy_bound_ms(batch: PlannedBatch) -> int:
    """The largest over all pairs of heads and tails, from the first arrival on."""
    head, least, tail = windows(batch)
    first = int(batch.work.job_arrival.min())
    heads = _some(head)
    tails = _some(np.concatenate([tail, tail + least]))
    best = int((head + least + tail).max()) - first
    for size, capacity in _sizes(batch):
        lasting = np.where(size > 0, least, 0)
        for tail_at in tails.tolist():
            before = np.maximum(lasting - np.maximum(tail_at - tail, 0), 0)
            for head_at in heads.tolist():
                between = first + best - head_at - tail_at
                if between > 0:
                    within = np.minimum(before, np.maximum(lasting - np.maximum(head_at - head, 0), 0))
                    best = max(best, head_at + -(-int(size @ np.minimum(within, between)) // capacity) + tail_at - first)
    return best


def _some(values: np.ndarray) -> np.ndarray:
    found = np.unique(values)
    return found[np.linspace(0, len(found) - 1, min(len(found), MOST_INSTANTS)).astype(int)]


def windows(batch: PlannedBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ms of each container: head, least time that it holds its node, tail."""
    count = len(batch.containers)
    head, least, tail = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    for job, stages in enumerate(batch.tasks):
        arrival, master = int(batch.work.job_arrival[job]), batch.masters[job]
        ready = arrival if master < 0 else arrival + min(batch.containers[master].takes_ms)
        for maps, reduces in stages:
            ready = _forth(batch, job, maps, reduces, ready, head, least)
        if master >= 0:
            head[master], least[master] = arrival, ready - arrival
        after = 0
        for maps, reduces in reversed(stages):
            after = _back(batch, maps, reduces, after, tail, least)
    return head, least, tail


def _forth(batch: PlannedBatch, job: int, maps: list[int], reduces: list[int], ready: int, head: np.ndarray, least: np.ndarray) -> int:
    """Heads and times of a stage's containers; the earliest end of the stage."""
    times = sorted(min(batch.containers[at].takes_ms) for at in maps)
    for at in maps:
        head[at], least[at] = ready, min(batch.containers[at].takes_ms)
    over, needed = ready + times[-1], batch.needed_maps[job]
    end = over
    for at in reduces:
        one = batch.containers[at]
        head[at] = ready + (times[needed - 1] if needed else 0)
        least[at] = one.launch_ms + fetched_ms(one, len(maps)) + min(one.takes_ms)
        end = max(end, over + fetched_ms(one, 1) + min(one.takes_ms), head[at] + least[at])
    return int(end)


def _back(batch: PlannedBatch, maps: list[int], reduces: list[int], after: int, tail: np.ndarray, least: np.ndarray) -> int:
    """Tails; what the job takes at least from the start of this stage's first map."""
    tail[reduces] = after
    of_maps = max((fetched_ms(batch.containers[at], 1) + min(batch.containers[at].takes_ms) for at in reduces), default=0) + after
    tail[maps] = of_maps
    return int(least[maps].max()) + of_maps


def _sizes(batch: PlannedBatch) -> list[tuple[np.ndarray, int]]:
    """(of each container, of all nodes) of what counts."""
    work, found = batch.work, []
    resources = [("memory", work.node_memory)] + ([] if batch.rules.memory_only else [("vcores", work.node_vcores)])
    for name, capacity in resources:
        size = np.array([getattr(one, name) for one in batch.containers], np.int64)
        found.append((size, int(capacity.sum())))
        if (large := 2 * size > int(capacity.max())).any():
            found.append((large.astype(np.int64), len(capacity)))
    return found

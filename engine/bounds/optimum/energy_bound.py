"""A bound by energy: what must lie between two instants however tasks are shifted, over what the cluster has
there.

Each container has a head r, before which it can't start, and a tail q, which its job takes after it at least.
Of one that takes p, at least p - max(r' - r, 0) lies after an instant r', at least p - max(q' - q, 0) before
the last q' of the makespan C, and the lesser of the two between them, or all of what is between them. So C >=
r' + (sum of size x that) / capacity + q' (energetic reasoning; Erschler, Lopez, Thuriot 1991), for r' and q'
that a bound known already parts. Of containers of which a node holds one, nodes are the capacity.
"""

from __future__ import annotations

import numpy as np

from engine.bounds.optimum.planned_batch import PlannedBatch, fetch_time_ms

MAX_INSTANTS = 80  # of each kind that are looked at


def energy_bound_ms(batch: PlannedBatch) -> int:
    """The largest over all pairs of heads and tails, from the first arrival on."""
    head, min_ms, tail = heads_and_tails(batch)
    first = int(batch.work.job_arrival.min())
    heads = _sampled(head)
    tails = _sampled(np.concatenate([tail, tail + min_ms]))
    best = int((head + min_ms + tail).max()) - first
    for size, capacity in _sizes(batch):
        durations = np.where(size > 0, min_ms, 0)
        for tail_at in tails.tolist():
            before = np.maximum(durations - np.maximum(tail_at - tail, 0), 0)
            for head_at in heads.tolist():
                between = first + best - head_at - tail_at
                if between > 0:
                    within = np.minimum(before, np.maximum(durations - np.maximum(head_at - head, 0), 0))
                    best = max(
                        best,
                        head_at + -(-int(size @ np.minimum(within, between)) // capacity) + tail_at - first,
                    )
    return best


def _sampled(values: np.ndarray) -> np.ndarray:
    distinct = np.unique(values)
    return distinct[np.linspace(0, len(distinct) - 1, min(len(distinct), MAX_INSTANTS)).astype(int)]


def heads_and_tails(batch: PlannedBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ms of each container: head, least time that it holds its node, tail."""
    count = len(batch.containers)
    head, min_ms, tail = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    for job, stages in enumerate(batch.tasks):
        arrival, master = int(batch.work.job_arrival[job]), batch.masters[job]
        ready = arrival if master < 0 else arrival + min(batch.containers[master].durations_ms)
        for maps, reduces in stages:
            ready = _forward_pass(batch, job, maps, reduces, ready, head, min_ms)
        if master >= 0:
            head[master], min_ms[master] = arrival, ready - arrival
        after = 0
        for maps, reduces in reversed(stages):
            after = _backward_pass(batch, maps, reduces, after, tail, min_ms)
    return head, min_ms, tail


def _forward_pass(
    batch: PlannedBatch,
    job: int,
    maps: list[int],
    reduces: list[int],
    ready: int,
    head: np.ndarray,
    min_ms: np.ndarray,
) -> int:
    """Heads and times of a stage's containers; the earliest end of the stage."""
    times = sorted(min(batch.containers[at].durations_ms) for at in maps)
    for at in maps:
        head[at], min_ms[at] = ready, min(batch.containers[at].durations_ms)
    maps_end, needed = ready + times[-1], batch.needed_maps[job]
    end = maps_end
    for at in reduces:
        container = batch.containers[at]
        head[at] = ready + (times[needed - 1] if needed else 0)
        min_ms[at] = container.launch_ms + fetch_time_ms(container, len(maps)) + min(container.durations_ms)
        end = max(
            end, maps_end + fetch_time_ms(container, 1) + min(container.durations_ms), head[at] + min_ms[at]
        )
    return int(end)


def _backward_pass(
    batch: PlannedBatch, maps: list[int], reduces: list[int], after: int, tail: np.ndarray, min_ms: np.ndarray
) -> int:
    """Tails; what the job takes at least from the start of this stage's first map."""
    tail[reduces] = after
    maps_tail = (
        max(
            (
                fetch_time_ms(batch.containers[at], 1) + min(batch.containers[at].durations_ms)
                for at in reduces
            ),
            default=0,
        )
        + after
    )
    tail[maps] = maps_tail
    return int(min_ms[maps].max()) + maps_tail


def _sizes(batch: PlannedBatch) -> list[tuple[np.ndarray, int]]:
    """(of each container, of all nodes) of what counts."""
    work, sizes = batch.work, []
    resources = [("memory", work.node_memory)] + (
        [] if batch.rules.memory_only else [("vcores", work.node_vcores)]
    )
    for name, capacity in resources:
        size = np.array([getattr(container, name) for container in batch.containers], np.int64)
        sizes.append((size, int(capacity.sum())))
        if (large := 2 * size > int(capacity.max())).any():
            sizes.append((large.astype(np.int64), len(capacity)))
    return sizes

"""The nodes' free resources at one time and the requests that wait for them: can any waiting request use
them?
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.accounting import FITS_NO_NODE
from engine.analysis.capacity.events import observed_end_ms, requested_ms, unserved_requests
from engine.analysis.capacity.split import CapacitySplit
from engine.analysis.node_outages import outages
from engine.codes import NONE, requests_of
from engine.simulation.run import Run
from engine.simulation.workload import node_slots


class FreeResources(NamedTuple):
    """What is free on each node as the scheduler sees it: int64[nodes] memory in MB, vcores, and int64[kinds,
    nodes] containers more by kind.
    """

    memory: np.ndarray
    vcores: np.ndarray
    slots: np.ndarray


class WaitingSize(NamedTuple):
    """Containers of one size that wait, of whatever kind and job: how many, how many nodes one of them fits,
    and how many of them fit in all.
    """

    memory: int
    vcores: int
    kinds: tuple[int, ...]
    count: int  # type: ignore[assignment]  # hides tuple.count
    nodes: int
    placeable: int


def free_resources(run: Run, at: int) -> FreeResources:
    """Capacity less what containers hold at `at` ms, each from its start until its node's heartbeat after its
    end; a lost node has none.
    """
    c, work = run.containers, run.workload
    holding = np.flatnonzero((c.start <= at) & ((c.end == NONE) | (observed_end_ms(run, c.end) > at)))
    node, request = c.node[holding], requests_of(work, c, holding)
    memory, vcores = work.node_memory.copy(), work.node_vcores.copy()
    np.subtract.at(memory, node, work.request_memory[request])
    np.subtract.at(vcores, node, work.request_vcores[request])
    down = outages(run)
    lost = down.node[(down.lost <= at) & (at < down.back)]
    memory[lost] = vcores[lost] = 0
    slots = node_slots(work).T.copy()
    np.subtract.at(slots, (c.kind[holding], node), 1)
    return FreeResources(memory, vcores, slots)


def waiting_sizes(run: Run, at: int) -> list[WaitingSize]:
    """What waits at `at` ms by size, the most wanted first: asked for at or before it and placed after it; a
    master waits from its job's arrival on.
    """
    c, work = run.containers, run.workload
    later = np.flatnonzero(c.start > at)
    asked_at = requested_ms(run)[later]
    chosen, never = later[asked_at <= at], unserved_requests(run)
    late = never.since <= at
    request = np.concatenate([requests_of(work, c, chosen), never.request[late]])
    count = np.concatenate([np.ones(len(chosen), np.int64), never.count[late]])
    free = free_resources(run, at)
    sizes_waiting: dict[tuple[int, int], WaitingSize] = {}
    sizes = np.stack([work.request_memory[request], work.request_vcores[request], work.request_kind[request]])
    shapes, shape_of = np.unique(sizes, axis=1, return_inverse=True)
    totals = np.zeros(shapes.shape[1], np.int64)
    np.add.at(totals, shape_of.ravel(), count)
    for (memory, vcores, kind), number in zip(shapes.T.tolist(), totals.tolist()):
        fits = np.minimum(free.memory // memory, free.slots[kind])
        fits = np.maximum(fits if run.memory_only else np.minimum(fits, free.vcores // vcores), 0)
        known_size = sizes_waiting.get((memory, vcores), WaitingSize(memory, vcores, (), 0, 0, 0))
        nodes, placeable = int((fits > 0).sum()), min(number, int(fits.sum()))
        sizes_waiting[memory, vcores] = WaitingSize(
            memory,
            vcores,
            (*known_size.kinds, kind),
            known_size.count + number,
            max(known_size.nodes, nodes),
            known_size.placeable + placeable,
        )
    return sorted(
        sizes_waiting.values(), key=lambda size: (-size.count * size.memory, -size.memory, -size.vcores)
    )


def most_fragmented(split: CapacitySplit) -> int:
    """The ms at which the largest share of a resource is free and wanted but fits no node, the earliest of
    them; the middle of the run where none ever is.
    """
    shares = [
        resource.figures[:, FITS_NO_NODE] / max(resource.capacity, 1)
        for resource in (split.memory, split.vcores)
    ]
    worst = np.maximum(*shares)
    if not len(worst) or worst.max() <= 0:
        return int(split.times[0] + split.times[-1]) // 2
    return int(split.times[np.argmax(worst)])

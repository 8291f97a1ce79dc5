"""Which of its job's maps a container runs: of those whose blocks are nearest the lowest (LOCALITY-2).

In Hadoop  RMContainerAllocator.ScheduledRequests.assignMapsWithLocality
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.blocks import pass_none, unpass_task
from engine.simulation.applications.mapreduce.map_blocks import nearest_map, place_blocks

if TYPE_CHECKING:
    from engine.run_records import Ints
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def next_map(v: View, s: State, job: int, node: int) -> int:
    """The task that a container of the job's map request takes on a node: the lowest of those whose block is
    nearest.
    """
    if len(s.map_container) == 0:
        return v.job_placed_maps[job]
    index = -1
    if s.replication > 0:
        index = nearest_map(v, s, job, s.blocks_by_node, s.passed_by_node, node)
        if index < 0:
            index = nearest_map(v, s, job, s.blocks_by_rack, s.passed_by_rack, s.node_rack[node])
    return index if index >= 0 else first_unplaced(s.first_map, s.map_container, s.map_base[job], job)


def take_map(v: View, s: State, job: int, container: int, node: int) -> None:
    """The container runs the next of the job's maps."""
    index = next_map(v, s, job, node)
    s.container_index[container] = index
    v.job_placed_maps[job] += 1
    if len(s.map_container) > 0:
        s.map_container[s.map_base[job] + index] = container


def restore_map(v: View, s: State, job: int, index: int) -> None:
    """A map is to be placed again: it is passed no more in the lists it stands in."""
    unpass_task(s, s.map_base[job], v.job_maps[job], index)


def all_maps_wait(v: View, s: State, job: int) -> None:
    """An iteration begins; with the first one the job's input is there."""
    if len(s.map_container) == 0:
        return
    first = s.map_base[job]
    for index in range(first, first + v.job_maps[job]):
        s.map_container[index] = -1
    s.first_map[job] = 0
    if s.replication > 0:
        if v.job_iteration[job] == 1:
            place_blocks(v, s, job)
        pass_none(s, first, v.job_maps[job])


def first_unplaced(first: Ints, container: Ints, base: int, job: int) -> int:
    """The job's lowest task of a kind that has no attempt; first: of each job where to look from, container:
    of tasks, a job's from `base` on.
    """
    index = first[job]
    while container[base + index] >= 0:
        index += 1
    first[job] = index
    return index

"""What is near a node of the blocks of a job's maps (LOCALITY-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import COUNTED, MAP, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL
from engine.jit import inlined
from engine.simulation.applications.blocks import block_distance, nearest, place_block, sort_blocks

if TYPE_CHECKING:
    from engine.run_records import Ints
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


@inlined
def prefers_nodes(v: View, request: int) -> bool:
    """Are these maps, which would rather run near their blocks where there are some?"""
    return v.request_kind[request] == MAP


def nearest_distance(v: View, s: State, job: int, node: int) -> int:
    """From a node to the nearest block of the job's waiting maps, of which the last may be one that is to
    have a speculative attempt.
    """
    if v.job_placed_maps[job] == v.job_maps[job]:
        return distance(s, job, s.backup[v.job_first_request[job] + MAP], node)
    if nearest_map(v, s, job, s.blocks_by_node, s.passed_by_node, node) >= 0:
        return NODE_LOCAL
    return (
        RACK_LOCAL
        if nearest_map(v, s, job, s.blocks_by_rack, s.passed_by_rack, s.node_rack[node]) >= 0
        else OFF_SWITCH
    )


def nearest_map(v: View, s: State, job: int, near: Ints, passed: Ints, key: int) -> int:
    """The job's lowest waiting map with a block on a node or rack, -1 without any."""
    base = s.map_base[job]
    first, last = base * s.replication, (base + v.job_maps[job]) * s.replication
    return nearest(near, passed, s.map_container, base, first, last, key)


def place_blocks(v: View, s: State, job: int) -> None:
    """Where the copies of each map's block lie, and both sorted lists."""
    base, maps = s.map_base[job], v.job_maps[job]
    for index in range(maps):
        place_block(s, job, base, 0, index)
    places = sort_blocks(s, base, maps, s.blocks_by_node, False)
    places += sort_blocks(s, base, maps, s.blocks_by_rack, True)
    v.job_block_locations[job] = places if s.delays == COUNTED else 0


def distance(s: State, job: int, index: int, node: int) -> int:
    """NODE_LOCAL, RACK_LOCAL or OFF_SWITCH."""
    return block_distance(s, s.map_base[job] + index, node)

"""Where the blocks of jobs' maps lie, and what is near a node (LOCALITY-1).

In HDFS    BlockPlacementPolicyDefault: the second copy on another rack than the first, the third beside the
           second
Of a block's nodes and racks each job has two sorted lists, key * 2^32 + map, so that a node's maps are found
by halving and passed once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import COUNTED, INFINITE, MAP, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL
from engine.jit import inlined
from engine.run_records import (
    JOB,
    MAP_BLOCK,
    MAP_TASK,
    MAPS_ARE_KEPT,
    NODE,
    RACK,
    Ints,
    Record,
    array,
    given,
    number,
)
from engine.simulation.applications.attempt_draws import BLOCK, attempt_draw

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Blocks(Record):
    """Where the blocks of maps are."""

    replication: int = number("", "copies of a block, 0 where maps have none")
    block_node: Ints = array(MAP_BLOCK, "", "`replication` a map, -1 beyond the nodes; blocks.py", initial=-1)
    blocks_by_node: Ints = array(MAP_BLOCK, "", "maps by the node of a block, in order")
    blocks_by_rack: Ints = array(MAP_BLOCK, "", "maps by the rack of a block, in order")
    passed_by_node: Ints = array(MAP_BLOCK, "", "entries of blocks_by_node of a node's that are placed")
    passed_by_rack: Ints = array(MAP_BLOCK, "", "entries of blocks_by_rack of a rack's that are placed")
    map_container: Ints = array(MAP_TASK, "", "-1 while not placed", initial=-1, when=MAPS_ARE_KEPT)
    first_map: Ints = array(JOB, "", "no unplaced map below this")
    node_rack: Ints = given(NODE, "", "racks numbered by first appearance")
    rack_nodes: Ints = given(NODE, "", "nodes rack by rack")
    rack_place: Ints = given(NODE, "", "where a node stands in rack_nodes")
    rack_begin: Ints = given(RACK, "", "where a rack begins in rack_nodes, and the end")


KEY = 32  # bits of a map's index beside its node or rack


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
    if nearest(v, s, job, s.blocks_by_node, s.passed_by_node, node) >= 0:
        return NODE_LOCAL
    return (
        RACK_LOCAL
        if nearest(v, s, job, s.blocks_by_rack, s.passed_by_rack, s.node_rack[node]) >= 0
        else OFF_SWITCH
    )


def nearest(v: View, s: State, job: int, near: Ints, passed: Ints, key: int) -> int:
    """The job's lowest waiting map with a block on a node or rack, -1 without any; passed: how many at the
    head of each list run or have ended.
    """
    first = s.map_base[job] * s.replication
    last = first + v.job_maps[job] * s.replication
    head = bisect_left(near, first, last, key << KEY)
    if head == last:
        return -1
    at = head + passed[head]
    while at < last and near[at] >> KEY == key and s.map_container[s.map_base[job] + map_of(near[at])] >= 0:
        at += 1
    passed[head] = at - head
    return map_of(near[at]) if at < last and near[at] >> KEY == key else -1


def bisect_left(near: Ints, first: int, last: int, entry: int) -> int:
    """The first place of a sorted list whose entry is at least this one."""
    while first < last:
        middle = (first + last) // 2
        if near[middle] < entry:
            first = middle + 1
        else:
            last = middle
    return first


def map_of(entry: int) -> int:
    return entry & ((1 << KEY) - 1)


def place_blocks(v: View, s: State, job: int) -> None:
    """Where the copies of each map's block lie, in the order in which they are written, and both sorted
    lists.
    """
    for index in range(v.job_maps[job]):
        block = (s.map_base[job] + index) * s.replication
        for copy in range(min(s.replication, len(s.rack_nodes))):
            s.block_node[block + copy] = s.rack_nodes[
                place_of_copy(s, block, copy, attempt_draw(s.job_key[job], copy + 1, BLOCK, 0, MAP, index))
            ]
    places = sort_blocks(v, s, job, s.blocks_by_node, False) + sort_blocks(v, s, job, s.blocks_by_rack, True)
    v.job_block_locations[job] = places if s.delays == COUNTED else 0


def place_of_copy(s: State, block: int, copy: int, u: int) -> int:
    """Where in rack_nodes the node of a copy stands."""
    nodes = len(s.rack_nodes)
    if copy == 1 or copy == 2:
        rack = s.node_rack[s.block_node[block + copy - 1]]
        begin, end = s.rack_begin[rack], s.rack_begin[rack + 1]
        if copy == 1 and end - begin < nodes:
            place = int(u * (nodes - (end - begin)))
            return place if place < begin else place + end - begin
        if copy == 2 and count_taken(s, block, copy, begin, end - 1) < end - begin:
            return free_place(s, block, copy, begin, end, u)
    return free_place(s, block, copy, 0, nodes, u)


def free_place(s: State, block: int, copy: int, begin: int, end: int, u: int) -> int:
    """A place from begin to end that no earlier copy has, all alike."""
    place = begin + int(u * (end - begin - count_taken(s, block, copy, begin, end - 1)))
    passed = 0
    while count_taken(s, block, copy, begin, place + passed) > passed:
        passed = count_taken(s, block, copy, begin, place + passed)
    return place + passed


def count_taken(s: State, block: int, copy: int, begin: int, last: int) -> int:
    """How many of the earlier copies stand from begin to last."""
    count = 0
    for other in range(copy):
        count += begin <= s.rack_place[s.block_node[block + other]] <= last
    return count


def sort_blocks(v: View, s: State, job: int, near: Ints, is_rack_list: bool) -> int:
    """Fill a job's sorted list, a rack once for each map; what is left of it stays far. How many nodes or
    racks there are in it.
    """
    copies = s.replication
    places = 0
    first = s.map_base[job] * copies
    for filling in range(2):  # count, then fill
        for index in range(v.job_maps[job]):
            for copy in range(copies):
                key = key_of(s, first + index * copies, copy, is_rack_list)
                if key >= 0:
                    if filling:
                        near[first + s.per_node[key]] = (key << KEY) + index
                    s.per_node[key] += 1
        total = 0
        for key in range(len(s.per_node)):
            count = s.per_node[key]
            places += filling == 0 and count > 0
            s.per_node[key] = 0 if filling else total
            total += count
        if not filling:
            for entry in range(first + total, first + v.job_maps[job] * copies):
                near[entry] = INFINITE
    return places


def key_of(s: State, block: int, copy: int, is_rack_list: bool) -> int:
    """The node of a copy, or its rack; -1 where there is no such copy, or where an earlier one is on that
    rack.
    """
    node = s.block_node[block + copy]
    if node < 0 or not is_rack_list:
        return node
    for other in range(copy):
        if s.node_rack[s.block_node[block + other]] == s.node_rack[node]:
            return -1
    return s.node_rack[node]


def distance(s: State, job: int, index: int, node: int) -> int:
    """NODE_LOCAL, RACK_LOCAL or OFF_SWITCH."""
    block = (s.map_base[job] + index) * s.replication
    nearest_level = OFF_SWITCH
    for copy in range(s.replication):
        other = s.block_node[block + copy]
        if other == node:
            return NODE_LOCAL
        if other >= 0 and s.node_rack[other] == s.node_rack[node]:
            nearest_level = RACK_LOCAL
    return nearest_level

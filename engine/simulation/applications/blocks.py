"""Where blocks of input lie, and which waiting task has one near a node (LOCALITY-1).

In HDFS    BlockPlacementPolicyDefault: the second copy on another rack than the first, the third beside the
           second
Blocks are those of each job's maps, then those of Spark's stages that read input: one a task, and the tasks
of a job or stage have theirs in a row, the first at `base`. Of their nodes and racks there are two sorted
lists, key * 2^32 + task, so that a node's tasks are found by halving and passed once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, MAP, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL
from engine.run_records import NODE, RACK, TASK_BLOCK, Ints, Ints32, Record, array, given, number
from engine.simulation.applications.attempt_draws import BLOCK, attempt_draw

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


class Blocks(Record):
    """Where the blocks of tasks are."""

    replication: int = number("", "copies of a block, 0 where tasks have none")
    block_node: Ints = array(
        TASK_BLOCK, "", "`replication` a task, -1 beyond the nodes; blocks.py", initial=-1
    )
    blocks_by_node: Ints = array(TASK_BLOCK, "", "tasks by the node of a block, in order")
    blocks_by_rack: Ints = array(TASK_BLOCK, "", "tasks by the rack of a block, in order")
    passed_by_node: Ints = array(TASK_BLOCK, "", "entries of blocks_by_node of a node's that are placed")
    passed_by_rack: Ints = array(TASK_BLOCK, "", "entries of blocks_by_rack of a rack's that are placed")
    node_rack: Ints = given(NODE, "", "racks numbered by first appearance")
    rack_nodes: Ints = given(NODE, "", "nodes rack by rack")
    rack_place: Ints = given(NODE, "", "where a node stands in rack_nodes")
    rack_begin: Ints = given(RACK, "", "where a rack begins in rack_nodes, and the end")


KEY = 32  # bits of a task's index beside its node or rack


def nearest(
    near: Ints, passed: Ints, containers: Ints | Ints32, task: int, first: int, last: int, key: int
) -> int:
    """Of a sorted list from first to last, the lowest task with a block on a node or rack that has no
    container, -1 without any; task: where these have their containers, passed: how many at the head of each
    key's run or have ended.
    """
    head = bisect_left(near, first, last, key << KEY)
    if head == last:
        return -1
    at = head + passed[head]
    while at < last and near[at] >> KEY == key and containers[task + task_of(near[at])] >= 0:
        at += 1
    passed[head] = at - head
    return task_of(near[at]) if at < last and near[at] >> KEY == key else -1


def bisect_left(near: Ints, first: int, last: int, entry: int) -> int:
    """The first place of a sorted list whose entry is at least this one."""
    while first < last:
        middle = (first + last) // 2
        if near[middle] < entry:
            first = middle + 1
        else:
            last = middle
    return first


def task_of(entry: int) -> int:
    return entry & ((1 << KEY) - 1)


def place_block(s: State, job: int, base: int, iteration: int, index: int) -> None:
    """Where the copies of a task's block lie, in the order in which they are written."""
    block = (base + index) * s.replication
    for copy in range(min(s.replication, len(s.rack_nodes))):
        u = attempt_draw(s.job_key[job], copy + 1, BLOCK, iteration, MAP, index)
        s.block_node[block + copy] = s.rack_nodes[place_of_copy(s, block, copy, u)]


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


def sort_blocks(s: State, base: int, tasks: int, near: Ints, is_rack_list: bool) -> int:
    """Fill the sorted list of so many tasks, a rack once for each; what is left of it stays far. How many
    nodes or racks there are in it.
    """
    copies = s.replication
    places = 0
    first = base * copies
    for filling in range(2):  # count, then fill
        for index in range(tasks):
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
            for entry in range(first + total, first + tasks * copies):
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


def block_distance(s: State, task: int, node: int) -> int:
    """From a node to a task's block: NODE_LOCAL, RACK_LOCAL or OFF_SWITCH; task: base plus index."""
    block = task * s.replication
    nearest_level = OFF_SWITCH
    for copy in range(s.replication):
        other = s.block_node[block + copy]
        if other == node:
            return NODE_LOCAL
        if other >= 0 and s.node_rack[other] == s.node_rack[node]:
            nearest_level = RACK_LOCAL
    return nearest_level


def pass_none(s: State, base: int, tasks: int) -> None:
    """All of them wait."""
    for entry in range(base * s.replication, (base + tasks) * s.replication):
        s.passed_by_node[entry] = 0
        s.passed_by_rack[entry] = 0


def unpass_task(s: State, base: int, tasks: int, index: int) -> None:
    """A task waits again: it is passed no more in the lists it stands in."""
    copies = s.replication
    first, last = base * copies, (base + tasks) * copies
    for copy in range(copies):
        node = s.block_node[(base + index) * copies + copy]
        if node >= 0:
            _unpass(s.blocks_by_node, s.passed_by_node, first, last, node, index)
            _unpass(s.blocks_by_rack, s.passed_by_rack, first, last, s.node_rack[node], index)


def _unpass(near: Ints, passed: Ints, first: int, last: int, key: int, index: int) -> None:
    head = bisect_left(near, first, last, key << KEY)
    passed[head] = min(passed[head], bisect_left(near, first, last, (key << KEY) + index) - head)

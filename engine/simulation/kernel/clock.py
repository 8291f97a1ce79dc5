"""The next instant: a tournament tree over node ends and job timers, and the heartbeats of nodes that are
awake.

The tree holds one time a leaf; each inner entry is the smaller of its two children, so the earliest time is
timer_tree[1] and a change costs at most log2(leaves) comparisons. Nodes come before jobs, so at one instant
container ends come before requests (TIME-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.run_records import NODE, NODE_BLOCK, RUN, TIMER, Flags, Ints, Record, array, given, number

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State

NODES_IN_BLOCK = 64  # nodes to a block of `awake`


MAX_DURATION_MS = 1e15  # ms; no single task lasts longer, so that the clock can't overflow


class Clock(Record):
    """When each node and each job is next looked at."""

    timer_tree: Ints = array(
        TIMER, "", "tournament tree: earliest end of each node, then the timer of each job", initial=INFINITE
    )
    tree_leaves: int = number("", "leaves of `timer_tree`")
    awake: Flags = array(NODE, "", "a node that may be given a container on its next heartbeat")
    awake_in_block: Ints = array(NODE_BLOCK, "", "how many of NODES_IN_BLOCK nodes are awake")
    parked: Ints = array(NODE, "", "nodes that wait until something changes")
    is_parked: Flags = array(NODE, "", "1: it is in `parked`")
    parked_count: int = number("", "of `parked`")
    heartbeat_round: int = number("", "where the walk over the nodes that send heartbeats stands")
    heartbeat_node: int = number("", "the next node of the walk")
    event_count: int = number("", "all that has happened and a window may see")
    last_event_ms: int = number("ms", "of the last start or end")
    idle_heartbeats: int = number("", "in a row since which nothing has happened")
    idle_event_count: int = number("", "`event_count` at the last heartbeat")
    pause_ms: int = number(
        "ms", "the kernel returns before the first instant at this time or later, INFINITE: it does not"
    )
    cancel_flag: Ints = given(RUN, "", "one number, not 0 once the run is cancelled (cancellation.py)")


def set_time(s: State, leaf: int, time: int) -> None:
    i = s.tree_leaves + leaf
    s.timer_tree[i] = time
    i >>= 1
    while i > 0:
        left = s.timer_tree[2 * i]
        right = s.timer_tree[2 * i + 1]
        earlier = left if left < right else right
        if s.timer_tree[i] == earlier:
            break
        s.timer_tree[i] = earlier
        i >>= 1


def earliest(s: State) -> int:
    """The leaf whose time is timer_tree[1]; of equal ones the first."""
    i = 1
    while i < s.tree_leaves:
        i *= 2
        if s.timer_tree[i] != s.timer_tree[1]:
            i += 1
    return i - s.tree_leaves


def wake(s: State, node: int) -> None:
    if s.awake[node] == 0 and s.is_down[node] == 0:
        s.awake[node] = 1
        s.awake_in_block[node // NODES_IN_BLOCK] += 1


def sleep(s: State, node: int) -> None:
    if s.awake[node] == 1:
        s.awake[node] = 0
        s.awake_in_block[node // NODES_IN_BLOCK] -= 1


def park(s: State, node: int) -> None:
    """The node sleeps until something changes anywhere (HEARTBEAT-4)."""
    sleep(s, node)
    if s.is_parked[node] == 0:
        s.is_parked[node] = 1
        s.parked[s.parked_count] = node
        s.parked_count += 1


def wake_parked(s: State) -> None:
    """Something changed: whoever waited for that is asked again."""
    for place in range(s.parked_count):
        node = s.parked[place]
        s.is_parked[node] = 0
        wake(s, node)
    s.parked_count = 0


def next_awake(s: State, begin: int) -> int:
    """The first awake node from `begin` on, -1 when there is none."""
    return next_with_state(s, begin, 1)


def next_asleep(s: State, begin: int) -> int:
    """The first node from `begin` on that sleeps, -1 when there is none."""
    return next_with_state(s, begin, 0)


def next_with_state(s: State, begin: int, awake: int) -> int:
    nodes = len(s.awake)
    node = begin
    match = -1
    while node < nodes and match < 0:
        block = node // NODES_IN_BLOCK
        stop = min(nodes, (block + 1) * NODES_IN_BLOCK)
        none_matches = 0 if awake == 1 else stop - block * NODES_IN_BLOCK
        if s.awake_in_block[block] != none_matches:
            while node < stop and s.awake[node] != awake:
                node += 1
            if node < stop:
                match = node
        node = stop
    return match

"""Heartbeats out of band: a node sends a heartbeat as soon as a container on it ends, and its regular
heartbeats keep their phase (HEARTBEAT-5).

In Hadoop  ContainerImpl.ContainerDoneTransition -> NodeStatusUpdater.sendOutofBandHeartBeat
Ours       the interval to the next regular heartbeat is not begun anew. Of the nodes that send heartbeats at
           an instant the first in the order of nodes is next, so that a kill on a heartbeat makes a node send
           another heartbeat before those behind it; a regular heartbeat of the same instant is one with it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.run_records import NODE, Flags, Ints, Record, array, number

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


class OutOfBand(Record):
    """Heartbeats that nodes send as soon as a container ends."""

    sends_out_of_band: int = number("", "1: a node sends a heartbeat as soon as a container on it ends")
    due_nodes: Ints = array(NODE, "", "that send heartbeats out of band at this instant, in their order")
    is_due: Flags = array(NODE, "", "1: it is in `due_nodes`")
    due_first: int = number("", "the first of `due_nodes` that has not sent its heartbeat")
    due_count: int = number("", "of `due_nodes`")
    is_out_of_band: int = number("", "1: the heartbeat that is under way is out of band")


def schedule_out_of_band(s: State, node: int) -> None:
    """A container on the node has ended."""
    if s.is_due[node] == 1:
        return
    s.is_due[node] = 1
    last = s.due_first + s.due_count
    s.due_count += 1
    if s.due_first > 0:  # on a heartbeat: one has been taken from the front
        s.due_first -= 1
        place = s.due_first
        while place + 1 < last and s.due_nodes[place + 1] < node:
            s.due_nodes[place] = s.due_nodes[place + 1]
            place += 1
    else:
        place = last
        while place > 0 and s.due_nodes[place - 1] > node:
            s.due_nodes[place] = s.due_nodes[place - 1]
            place -= 1
    s.due_nodes[place] = node


def take_first(s: State) -> int:
    node = s.due_nodes[s.due_first]
    s.is_due[node] = 0
    s.due_count -= 1
    s.due_first = s.due_first + 1 if s.due_count > 0 else 0
    return node


def first_due(s: State, regular: int, now: int, heartbeat: int) -> int:
    """The first node that is due, taken from the list, where it comes before the one whose regular heartbeat
    is next; that one, due or not, is not due then.

    The walk over the nodes goes on to the first that sends a heartbeat regularly at this instant and stands
    behind it: those before it have sent theirs, or slept.
    """
    while s.due_count > 0 and s.is_down[s.due_nodes[s.due_first]] == 1:
        take_first(s)
    if s.due_count == 0 or s.due_nodes[s.due_first] > regular:
        return -1
    node = take_first(s)
    if node == regular:
        return -1
    s.is_out_of_band = 1
    nodes = len(s.awake)
    beyond = (
        now % heartbeat * nodes + nodes + heartbeat - 1
    ) // heartbeat  # of those that send heartbeats now
    if s.heartbeat_round == now // heartbeat:
        s.heartbeat_node = max(s.heartbeat_node, min(node, beyond))
    return node

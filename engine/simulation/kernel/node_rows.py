"""Entries of a node's row: one a container that runs there, or has ended there and was not reported yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ENDED, INFINITE, KINDS, RUNNING
from engine.jit import inlined
from engine.run_records import (
    KIND,
    NODE,
    ROW,
    Amounts,
    Flags,
    Floats,
    Ints,
    Record,
    Size,
    amounts,
    array,
    given,
    number,
)
from engine.schedulers.amounts import THE_RUN, add
from engine.simulation.kernel.clock import set_time, wake
from engine.simulation.kernel.out_of_band_heartbeats import schedule_out_of_band

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


KIND_COUNT = len(KINDS)
NODE_AND_KIND = Size(NODE, KIND_COUNT)


class NodeRows(Record):
    """What runs on each node: a row of `row_width` containers a node, and what its next heartbeat reports."""

    row_container: Ints = array(ROW, "", "the container, by its number in the log")
    row_request: Ints = array(
        ROW, "", "the request it was placed for, so that its end reads nothing far away"
    )
    row_end: Ints = array(ROW, "ms", "when it ends, INFINITE while that is not known")
    row_remaining_ms: Floats = array(
        ROW,
        "ms",
        "of work left at k = 1, or of output to fetch where that counts in k; -1 while there is none",
    )
    row_updated_at: Ints = array(ROW, "ms", "when row_remaining_ms was true")
    row_count: Ints = array(NODE, "", "containers in the row")
    row_width: int = number("", "entries a node has in row_*")
    node_speed: Floats = given(NODE, "", "how many times as fast as the durations say")
    slots: Ints = given(NODE_AND_KIND, "", "containers of a kind that it may run at a time; slot_of")
    kind_has_slot: Flags = array(KIND, "", "1: the node that is looked at has a free slot of the kind")
    total_slots: Ints = array(KIND, "", "on the nodes that limit them")
    limits_slots: int = number("", "1: some node may have no more than so many containers of a kind")
    used_slots: Ints = array(NODE_AND_KIND, "", "the scheduler's view, as node_free_*")
    unreported_resource: Amounts = amounts(NODE, "of containers that ended and were not reported yet")
    unreported_slots: Ints = array(
        NODE_AND_KIND, "", "slots of containers that ended and were not reported yet"
    )
    unreported: Ints = array(NODE, "", "how many")
    running_tasks: Ints = array(NODE, "", "k of the contention rule, without what fetches")
    settled_load: Floats = array(NODE, "", "k when the previous instant was over")
    launching: Ints = array(NODE, "", "executors that launch, where that slows each other")
    settled_launching: Ints = array(NODE, "", "of these when the previous instant was over")
    dirty: Ints = array(NODE, "", "nodes whose tasks' speed may have changed in this instant")
    is_dirty: Flags = array(NODE, "", "1: it is in `dirty`")
    dirty_count: int = number("", "of `dirty`")
    end_count: int = number("", "containers that have ended")
    is_down: Flags = array(NODE, "", "1: it is lost, or has not joined yet")


@inlined
def slot_of(node: int, kind: int) -> int:
    """Where a node's slots for containers of a kind stand."""
    return KIND_COUNT * node + kind


@inlined
def limits_kinds(s: State, node: int) -> bool:
    """May it run no more than so many containers of some kind?"""
    limits = False
    for kind in range(KIND_COUNT):
        limits = limits or s.slots[slot_of(node, kind)] != INFINITE
    return limits


def mark_dirty(s: State, node: int) -> None:
    if s.is_dirty[node] == 0:
        s.is_dirty[node] = 1
        s.dirty[s.dirty_count] = node
        s.dirty_count += 1


def set_row_end(s: State, entry: int, node: int, time: int) -> None:
    """An entry of a node's row ends (or changes phase) at `time`."""
    s.row_end[entry] = time
    if time < s.timer_tree[s.tree_leaves + node]:
        set_time(s, node, time)


def add_running_task(s: State, node: int) -> None:
    """One more task slows the others there."""
    s.running_tasks[node] += 1
    mark_dirty(s, node)


def remove_running_task(s: State, node: int) -> None:
    """One less that slows the others there."""
    s.running_tasks[node] -= 1
    mark_dirty(s, node)


def release(v: View, s: State, entry: int, node: int, outcome: int, now: int) -> None:
    """A container ends: known to its job, not yet to the scheduler."""
    container = s.row_container[entry]
    request = s.row_request[entry]
    s.container_end[container] = now
    s.container_outcome[container] = outcome
    s.row_end[entry] = ENDED
    add(v.idle_resource, THE_RUN, v.request_resource, request, 1)
    add(s.unreported_resource, node, s.fit_resource, request, 1)
    s.unreported_slots[slot_of(node, v.request_kind[request])] += 1
    s.unreported[node] += 1
    s.end_count += 1
    s.event_count += 1
    s.last_event_ms = now
    wake(s, node)
    if s.sends_out_of_band == 1:
        schedule_out_of_band(s, node)


def row_entry(s: State, container: int) -> int:
    """Where a running container stands in its node's row."""
    entry = s.container_node[container] * s.row_width
    while s.row_container[entry] != container:
        entry += 1
    return entry


def is_running(s: State, container: int) -> bool:
    return container >= 0 and s.container_outcome[container] == RUNNING


def refresh_time(s: State, node: int) -> None:
    """The node's next end, after one of its entries has ended before its time."""
    first = node * s.row_width
    earliest_end = INFINITE
    for entry in range(first, first + s.row_count[node]):
        earliest_end = min(earliest_end, s.row_end[entry])
    set_time(s, node, earliest_end)

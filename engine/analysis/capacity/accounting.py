"""One pass over the events of a run: what each part holds after every instant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import EXECUTOR, MAP, MASTER, REDUCE, TASK, WASTED
from engine.jit import compiled

# Codes of events. Their subject is a container; for OPEN and CLOSE a group of reduces that wait together, for
# DOWN and UP a node, for PENDING an entry of the requests that are never served, for TASKS one of SlotUse. A
# task that fetches in a held container is one of its own behind the others: READS moves what it holds from
# what runs tasks, COMPUTE back there.
REQUEST, START, BEGIN, CAUGHT_UP, COMPUTE, END, SEEN, OPEN, CLOSE, DOWN, UP, PENDING, TASKS, READS = range(14)
# Columns of the result; the first six, IS_LAUNCHING and the executors' are held by containers. Those from
# BASE_COLUMNS on are kept only where a run uses them, and so are those from LAUNCH_COLUMNS on.
(
    IS_MASTER,
    IS_MAP,
    IS_FETCHING,
    IS_WAITING,
    IS_COMPUTING,
    IS_AWAITING_HEARTBEAT,
    FITS_NO_NODE,
    UNASSIGNED,
    IDLE,
    WASTED_LATER,
) = range(10)
# WASTED_NON_REDUCES: what is wasted later of masters, maps, executors, tasks that compute and what launches
IS_LAUNCHING, IS_DOWN, WASTED_NON_REDUCES = range(10, 13)
IS_EXECUTOR_IDLE, IS_SLOTS_FREE, IS_TASK, IS_HELD_IDLE = range(13, 17)
BASE_COLUMNS = 10
LAUNCH_COLUMNS = 13
ALL_COLUMNS = 17
OUTSIDE = ALL_COLUMNS  # no column: less what containers hold, which comes from there and goes there


class ContainerArrays(NamedTuple):
    """One entry a container. has_waited: it was asked for before it started; launches: its task begins later;
    has_begun: before it ended; has_computed: it had fetched its input before it ended.
    """

    request: np.ndarray
    node: np.ndarray
    iteration: np.ndarray
    has_waited: np.ndarray
    launches: np.ndarray
    has_begun: np.ndarray
    has_computed: np.ndarray
    outcome: np.ndarray


class RequestArrays(NamedTuple):
    """One entry a request; shape: an index into ShapeArrays; kind: an index into KINDS; part: the one that
    its containers are in once their tasks have begun.
    """

    memory: np.ndarray
    vcores: np.ndarray
    shape: np.ndarray
    kind: np.ndarray
    part: np.ndarray


class ShapeArrays(NamedTuple):
    """The distinct sizes of requests, by the kind of slot they need."""

    memory: np.ndarray
    vcores: np.ndarray
    kind: np.ndarray


class TaskArrays(NamedTuple):
    """One entry a change of an executor's busy slots: of which container, to how many from how many, of how
    many in all.
    """

    container: np.ndarray
    busy: np.ndarray
    before: np.ndarray
    slots: np.ndarray


class NodeArrays(NamedTuple):
    """What nodes have, or have free; slots: int64[kinds, nodes]."""

    memory: np.ndarray
    vcores: np.ndarray
    slots: np.ndarray


# By KINDS, the part that a container is in once its task has begun, a task's where its stage reads nothing,
# an executor's while it runs none.
RUNNING_PARTS = IS_MASTER, IS_FETCHING, IS_MAP, IS_EXECUTOR_IDLE, IS_TASK


def computing_part(kind):
    """The part of what has fetched its input."""
    return IS_TASK if kind == TASK else IS_COMPUTING


def part_left(event, kind, running_part, has_begun, has_computed, is_waiting):
    """The part that a container leaves. is_waiting: a reduce that has caught up, while its group waits."""
    if event == START:
        return OUTSIDE
    if event == CAUGHT_UP:
        return IS_FETCHING
    if event == SEEN:
        return IS_AWAITING_HEARTBEAT
    if event == READS:
        return IS_TASK
    if event == BEGIN or not has_begun:
        return IS_LAUNCHING
    if running_part != IS_FETCHING:
        return running_part
    if event == END and has_computed:
        return computing_part(kind)
    return IS_WAITING if is_waiting else IS_FETCHING


def part_entered(event, kind, running_part, launches, is_waiting):
    """The part that a container enters."""
    if event == SEEN:
        return OUTSIDE
    if event == END:
        return IS_AWAITING_HEARTBEAT
    if event == COMPUTE:
        return computing_part(kind)
    if event == CAUGHT_UP:
        return IS_WAITING if is_waiting else IS_FETCHING
    return IS_LAUNCHING if event == START and launches else running_part


def non_reduce(part):
    """1 for a part whose containers, where they are wasted, are none of reduces that run; 0 for others."""
    return 1 if part in (IS_MASTER, IS_MAP, IS_LAUNCHING, IS_EXECUTOR_IDLE, IS_HELD_IDLE, IS_TASK) else 0


def add_slot_change(parts, idle_part, amount, before, busy, slots):
    """Moves what an executor holds between its parts: so many of its slots ran tasks before, and now.
    idle_part: where it is while none does.
    """
    tasks = amount * busy // slots - amount * before // slots
    idle = (amount if busy == 0 else 0) - (amount if before == 0 else 0)
    parts[IS_TASK] += tasks
    parts[idle_part] += idle
    parts[IS_SLOTS_FREE] -= tasks + idle


def containers_that_fit(free_memory, free_vcores, free_slots, memory, vcores, by_vcores):
    """How many containers of this size fit the free resources of one node."""
    count = 0
    if free_memory >= memory and free_slots > 0 and (not by_vcores or free_vcores >= vcores):
        count = min(free_memory // memory, free_slots)
        if by_vcores:
            count = min(count, free_vcores // vcores)
    return count


@compiled
def fill_amounts(
    begins, event_codes, subject,
    containers, tasks, pending_request, pending_count, requests, shapes, nodes, by_vcores,
    iterations, memory, vcores,
):  # fmt: skip
    """Fills memory and vcores, [pieces, BASE_COLUMNS, LAUNCH_COLUMNS or ALL_COLUMNS]: what each part holds
    from the start of a piece to the next.

    begins: where each piece's events begin in event_codes and subject, and their end; containers, tasks,
    requests, shapes, nodes: ContainerArrays, TaskArrays, RequestArrays, ShapeArrays, NodeArrays; by_vcores:
    vcores must fit.
    """
    fill_held(begins, event_codes, subject, containers, tasks, requests, nodes, iterations, memory, vcores)
    fill_idle(
        begins, event_codes, subject,
        containers, pending_request, pending_count, requests, shapes, nodes, by_vcores,
        memory, vcores,
    )  # fmt: skip


def fill_held(begins, event_codes, subject, containers, tasks, requests, nodes, iterations, memory, vcores):
    """The columns of what containers hold and lost nodes had; and in IDLE all that is left."""
    request, _, iteration, _, launches, has_begun, has_computed, outcome = containers
    request_memory, request_vcores, _, request_kind, request_part = requests
    node_memory, node_vcores, _ = nodes
    task_container, task_busy, task_before, task_slots = tasks
    columns = memory.shape[1]
    part_memory, part_vcores = np.zeros(ALL_COLUMNS + 1, np.int64), np.zeros(ALL_COLUMNS + 1, np.int64)
    total_memory, total_vcores = node_memory.sum(), node_vcores.sum()
    # Reduces that have caught up, by group: they fetch or wait together.
    caught_up_memory, caught_up_vcores = np.zeros(iterations, np.int64), np.zeros(iterations, np.int64)
    has_caught_up, group_waits = np.zeros(len(request), np.bool_), np.zeros(iterations, np.bool_)
    for piece in range(len(begins) - 1):
        for position in range(begins[piece], begins[piece + 1]):
            event, i = event_codes[position], subject[position]
            if event in (REQUEST, PENDING):
                continue
            if event in (DOWN, UP):
                sign = 1 if event == DOWN else -1
                part_memory[IS_DOWN] += sign * node_memory[i]
                part_vcores[IS_DOWN] += sign * node_vcores[i]
                continue
            if event in (OPEN, CLOSE):
                sign = 1 if event == OPEN else -1
                group_waits[i] = event == OPEN
                part_memory[IS_WAITING] += sign * caught_up_memory[i]
                part_vcores[IS_WAITING] += sign * caught_up_vcores[i]
                part_memory[IS_FETCHING] -= sign * caught_up_memory[i]
                part_vcores[IS_FETCHING] -= sign * caught_up_vcores[i]
                continue
            if event == TASKS:
                r = request[task_container[i]]
                busy, before, slots = task_busy[i], task_before[i], task_slots[i]
                add_slot_change(part_memory, request_part[r], request_memory[r], before, busy, slots)
                add_slot_change(part_vcores, request_part[r], request_vcores[r], before, busy, slots)
                continue
            r, group = request[i], iteration[i]
            m, v, kind = request_memory[r], request_vcores[r], request_kind[r]
            if event == CAUGHT_UP:
                has_caught_up[i] = True
                caught_up_memory[group] += m
                caught_up_vcores[group] += v
            is_waiting = has_caught_up[i] and group_waits[group]
            left = part_left(event, kind, request_part[r], has_begun[i], has_computed[i], is_waiting)
            entered = part_entered(event, kind, request_part[r], launches[i], is_waiting)
            part_memory[left] -= m
            part_vcores[left] -= v
            part_memory[entered] += m
            part_vcores[entered] += v
            if event in (COMPUTE, END) and has_caught_up[i]:
                has_caught_up[i] = False
                caught_up_memory[group] -= m
                caught_up_vcores[group] -= v
            if outcome[i] in WASTED:
                if event in (START, END):
                    sign = 1 if event == START else -1
                    part_memory[WASTED_LATER] += sign * m
                    part_vcores[WASTED_LATER] += sign * v
                change = non_reduce(entered) - non_reduce(left)
                part_memory[WASTED_NON_REDUCES] += change * m
                part_vcores[WASTED_NON_REDUCES] += change * v
        for column in range(columns):
            memory[piece, column], vcores[piece, column] = part_memory[column], part_vcores[column]
        memory[piece, IDLE] = total_memory + part_memory[OUTSIDE] - part_memory[IS_DOWN]
        vcores[piece, IDLE] = total_vcores + part_vcores[OUTSIDE] - part_vcores[IS_DOWN]


def fill_idle(
    begins, event_codes, subject,
    containers, pending_request, pending_count, requests, shapes, nodes, by_vcores,
    memory, vcores,
):  # fmt: skip
    """Divides IDLE, which holds all that is idle: UNASSIGNED could be placed now, FITS_NO_NODE is wanted
    too.
    """
    request, container_node, _, has_waited, _, _, _, _ = containers
    request_memory, request_vcores, request_shape, request_kind, _ = requests
    shape_memory, shape_vcores, shape_kind = shapes
    node_memory, node_vcores, node_slots = nodes
    node_count, shape_count = len(node_memory), len(shape_memory)
    wanted_memory, wanted_vcores = 0, 0
    # Free resources as the scheduler sees them, now and at the end of the previous instant.
    free_memory, free_vcores, free_slots = node_memory.copy(), node_vcores.copy(), node_slots.copy()
    previous_memory, previous_vcores, previous_slots = (
        node_memory.copy(),
        node_vcores.copy(),
        node_slots.copy(),
    )
    changed, is_changed, changes = np.empty(node_count, np.int64), np.zeros(node_count, np.bool_), 0
    # Shapes whose count of fitting containers is kept up to date: all that wait, and others until that has
    # cost as much as a recount.
    waiting, fits, idle_updates = (
        np.zeros(shape_count, np.int64),
        np.zeros(shape_count, np.int64),
        np.zeros(shape_count, np.int64),
    )
    counted, is_counted, count = np.empty(shape_count, np.int64), np.zeros(shape_count, np.bool_), 0
    asked, is_asked, asked_count = np.empty(shape_count, np.int64), np.zeros(shape_count, np.bool_), 0
    free, sizes = (free_memory, free_vcores, free_slots), (shape_memory, shape_vcores, shape_kind)
    for piece in range(len(begins) - 1):
        for position in range(begins[piece], begins[piece + 1]):
            event, i = event_codes[position], subject[position]
            if event in (DOWN, UP):
                m, v, kind, slots = node_memory[i], node_vcores[i], MASTER, 0
            elif event in (START, SEEN, REQUEST, PENDING):
                r = pending_request[i] if event == PENDING else request[i]
                m, v, shape, kind, slots = (
                    request_memory[r],
                    request_vcores[r],
                    request_shape[r],
                    request_kind[r],
                    1,
                )
                number = pending_count[i] if event == PENDING else demand_change(event, has_waited[i])
                wanted_memory += number * m
                wanted_vcores += number * v
                waiting[shape] += number
                if number > 0 and not is_asked[shape]:
                    asked[asked_count], is_asked[shape] = shape, True
                    asked_count += 1
            sign = free_change(event)
            if sign == 0:
                continue
            node = i if event in (DOWN, UP) else container_node[i]
            if not is_changed[node]:
                changed[changes], is_changed[node] = node, True
                changes += 1
                previous_memory[node], previous_vcores[node] = free_memory[node], free_vcores[node]
                previous_slots[MASTER, node] = free_slots[MASTER, node]
                previous_slots[REDUCE, node] = free_slots[REDUCE, node]
                previous_slots[MAP, node] = free_slots[MAP, node]
                previous_slots[EXECUTOR, node] = free_slots[EXECUTOR, node]
                previous_slots[TASK, node] = free_slots[TASK, node]
            free_memory[node] += sign * m
            free_vcores[node] += sign * v
            free_slots[kind, node] += sign * slots

        slot = 0
        while slot < count:
            shape = counted[slot]
            size_memory, size_vcores, kind = shape_memory[shape], shape_vcores[shape], shape_kind[shape]
            for c in range(changes):
                node = changed[c]
                fits[shape] += containers_that_fit(
                    free_memory[node],
                    free_vcores[node],
                    free_slots[kind, node],
                    size_memory,
                    size_vcores,
                    by_vcores,
                )
                fits[shape] -= containers_that_fit(
                    previous_memory[node],
                    previous_vcores[node],
                    previous_slots[kind, node],
                    size_memory,
                    size_vcores,
                    by_vcores,
                )
            idle_updates[shape] = 0 if waiting[shape] else idle_updates[shape] + changes
            slot += 1
            if idle_updates[shape] > node_count:
                slot, count, is_counted[shape], idle_updates[shape] = slot - 1, count - 1, False, 0
                counted[slot] = counted[count]
        for c in range(changes):
            is_changed[changed[c]] = False
        if asked_count > 0:
            count = count_asked(
                asked,
                asked_count,
                is_asked,
                counted,
                count,
                is_counted,
                waiting,
                fits,
                free,
                sizes,
                by_vcores,
            )
        changes = asked_count = 0

        placeable_memory = placeable_vcores = 0
        for slot in range(count):
            shape = counted[slot]
            placeable = min(waiting[shape], fits[shape])
            placeable_memory += placeable * shape_memory[shape]
            placeable_vcores += placeable * shape_vcores[shape]
        wanted_idle = min(wanted_memory, max(memory[piece, IDLE], 0))
        memory[piece, UNASSIGNED] = min(wanted_idle, placeable_memory)
        memory[piece, FITS_NO_NODE] = wanted_idle - memory[piece, UNASSIGNED]
        memory[piece, IDLE] -= wanted_idle
        wanted_idle = min(wanted_vcores, max(vcores[piece, IDLE], 0))
        vcores[piece, UNASSIGNED] = min(wanted_idle, placeable_vcores)
        vcores[piece, FITS_NO_NODE] = wanted_idle - vcores[piece, UNASSIGNED]
        vcores[piece, IDLE] -= wanted_idle


def demand_change(event, has_waited):
    """How many containers more are asked for and not placed."""
    if event == REQUEST:
        return 1
    return -1 if event == START and has_waited else 0


def free_change(event):
    """1 where a node's free resources grow, -1 where they shrink, 0 where they do not change."""
    if event in (SEEN, UP):
        return 1
    return -1 if event in (START, DOWN) else 0


def count_asked(
    asked, asked_count, is_asked, counted, count, is_counted, waiting, fits, free, sizes, by_vcores
):
    """How many shapes are counted, once those are that were asked for at this instant and wait."""
    free_memory, free_vcores, free_slots = free
    memory, vcores, kind = sizes
    for position in range(asked_count):
        shape = asked[position]
        is_asked[shape] = False
        if waiting[shape] and not is_counted[shape]:
            counted[count], is_counted[shape], fits[shape] = shape, True, 0
            count += 1
            for node in range(len(free_memory)):
                fits[shape] += containers_that_fit(
                    free_memory[node],
                    free_vcores[node],
                    free_slots[kind[shape], node],
                    memory[shape],
                    vcores[shape],
                    by_vcores,
                )
    return count

"""One pass over the events of a run: what each part holds after every instant."""

from __future__ import annotations

import numpy as np

from engine.jit import compiled
from engine.schedulers.view import MASTER, REDUCE
from engine.simulation.run import FAILED, KILLED, LOST
from engine.simulation.workload import SLOTS

# Codes of events. Their subject is a container; for OPEN and CLOSE a group of reduces that wait together, for
# DOWN and UP a node, for PENDING an entry of the requests that are never served.
ASK, START, BEGIN, CAUGHT_UP, COMPUTE, END, SEEN, OPEN, CLOSE, DOWN, UP, PENDING = range(12)
# Columns of the result; the first HELD and IS_LAUNCHING are held by containers. Those from BASE_COLUMNS on
# are kept only where a run uses them.
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
IS_LAUNCHING, IS_DOWN, WASTED_NON_REDUCES = range(
    10, 13
)  # WASTED_NON_REDUCES: what is wasted later of masters, maps and what launches
HELD_COLUMNS = 6
BASE_COLUMNS = 10
ALL_COLUMNS = 13


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
    request, node, iteration, waited, launches, begun, computes, outcome,
    pending_request, pending_count,
    request_memory, request_vcores, request_shape,
    shape_memory, shape_vcores, shape_kind, by_vcores,
    node_memory, node_vcores, node_slots,
    iterations, memory, vcores,
):  # fmt: skip
    """Fills memory and vcores, [pieces, BASE_COLUMNS or ALL_COLUMNS]: what each part holds from the start of
    a piece to the next.

    begins: where each piece's events begin in event_codes and subject, and their end; request … outcome: per
    container (waited: it was asked for before it started; launches: its task begins later; begun: before it
    ended; computes: it has fetched its input before it ended); shape_*: distinct sizes by the kind of slot
    they need;
    by_vcores: vcores must fit; node_slots: int64[kinds, nodes].
    """
    pieces, nodes, shapes = len(begins) - 1, len(node_memory), len(shape_memory)
    part_memory, part_vcores = np.zeros(ALL_COLUMNS, np.int64), np.zeros(ALL_COLUMNS, np.int64)
    total_memory, total_vcores = node_memory.sum(), node_vcores.sum()
    columns = memory.shape[1]
    wanted_memory, wanted_vcores = 0, 0
    # Reduces that have caught up, by group: they fetch or wait together.
    caught_up_memory, caught_up_vcores = np.zeros(iterations, np.int64), np.zeros(iterations, np.int64)
    has_caught_up, group_waits = np.zeros(len(request), np.bool_), np.zeros(iterations, np.bool_)
    # Free resources as the scheduler sees them, now and at the end of the previous instant.
    free_memory, free_vcores, free_slots = node_memory.copy(), node_vcores.copy(), node_slots.copy()
    previous_memory, previous_vcores, previous_slots = (
        node_memory.copy(),
        node_vcores.copy(),
        node_slots.copy(),
    )
    changed, is_changed, changes = np.empty(nodes, np.int64), np.zeros(nodes, np.bool_), 0
    # Shapes whose count of fitting containers is kept up to date: all that wait, and others until that has
    # cost as much as a recount.
    waiting, fits, idle_updates = (
        np.zeros(shapes, np.int64),
        np.zeros(shapes, np.int64),
        np.zeros(shapes, np.int64),
    )
    counted_shapes, is_counted, count = np.empty(shapes, np.int64), np.zeros(shapes, np.bool_), 0
    asked_shapes, is_newly_asked, asked_count = np.empty(shapes, np.int64), np.zeros(shapes, np.bool_), 0

    for piece in range(pieces):
        for position in range(begins[piece], begins[piece + 1]):
            event, subject_index = event_codes[position], subject[position]
            if event in (OPEN, CLOSE):
                sign = 1 if event == OPEN else -1
                group_waits[subject_index] = event == OPEN
                part_memory[IS_WAITING] += sign * caught_up_memory[subject_index]
                part_vcores[IS_WAITING] += sign * caught_up_vcores[subject_index]
                part_memory[IS_FETCHING] -= sign * caught_up_memory[subject_index]
                part_vcores[IS_FETCHING] -= sign * caught_up_vcores[subject_index]
                continue
            if event in (DOWN, UP):
                sign = 1 if event == DOWN else -1
                part_memory[IS_DOWN] += sign * node_memory[subject_index]
                part_vcores[IS_DOWN] += sign * node_vcores[subject_index]
                free_memory[subject_index] -= sign * node_memory[subject_index]
                free_vcores[subject_index] -= sign * node_vcores[subject_index]
                if not is_changed[subject_index]:
                    changed[changes], is_changed[subject_index] = subject_index, True
                    changes += 1
                continue
            r = pending_request[subject_index] if event == PENDING else request[subject_index]
            m, v, shape, kind = request_memory[r], request_vcores[r], request_shape[r], r % SLOTS
            if event in (ASK, PENDING):
                requests = pending_count[subject_index] if event == PENDING else 1
                wanted_memory += requests * m
                wanted_vcores += requests * v
                waiting[shape] += requests
                if not is_newly_asked[shape]:
                    asked_shapes[asked_count], is_newly_asked[shape] = shape, True
                    asked_count += 1
                continue
            i = iteration[subject_index]
            if event == CAUGHT_UP:
                has_caught_up[subject_index] = True
                caught_up_memory[i] += m
                caught_up_vcores[i] += v
                leaves, enters = (IS_FETCHING, IS_WAITING) if group_waits[i] else (IS_FETCHING, IS_FETCHING)
            elif event == BEGIN:
                leaves, enters = (
                    IS_LAUNCHING,
                    IS_MASTER if kind == MASTER else (IS_FETCHING if kind == REDUCE else IS_MAP),
                )  # masters launch where measured
            elif event == START:
                leaves, enters = (
                    -1,
                    IS_MASTER if kind == MASTER else (IS_FETCHING if kind == REDUCE else IS_MAP),
                )
                enters = IS_LAUNCHING if launches[subject_index] else enters
                if waited[subject_index]:
                    wanted_memory -= m
                    wanted_vcores -= v
                    waiting[shape] -= 1
            elif event in (COMPUTE, END):
                enters = IS_COMPUTING if event == COMPUTE else IS_AWAITING_HEARTBEAT
                if not begun[subject_index]:
                    leaves = IS_LAUNCHING
                elif kind != REDUCE:
                    leaves = IS_MASTER if kind == MASTER else IS_MAP
                elif event == END and computes[subject_index]:
                    leaves = IS_COMPUTING
                elif has_caught_up[subject_index]:
                    caught_up_memory[i] -= m
                    caught_up_vcores[i] -= v
                    leaves = IS_WAITING if group_waits[i] else IS_FETCHING
                else:
                    leaves = IS_FETCHING
            else:  # SEEN
                leaves, enters = IS_AWAITING_HEARTBEAT, -1
            if leaves >= 0:
                part_memory[leaves] -= m
                part_vcores[leaves] -= v
            if enters >= 0:
                part_memory[enters] += m
                part_vcores[enters] += v
            if (
                outcome[subject_index] == KILLED
                or outcome[subject_index] == FAILED
                or outcome[subject_index] == LOST
            ):
                if event in (START, END):
                    sign = 1 if event == START else -1
                    part_memory[WASTED_LATER] += sign * m
                    part_vcores[WASTED_LATER] += sign * v
                if leaves in (IS_MASTER, IS_MAP, IS_LAUNCHING):
                    part_memory[WASTED_NON_REDUCES] -= m
                    part_vcores[WASTED_NON_REDUCES] -= v
                if enters in (IS_MASTER, IS_MAP, IS_LAUNCHING):
                    part_memory[WASTED_NON_REDUCES] += m
                    part_vcores[WASTED_NON_REDUCES] += v
            if leaves < 0 or enters < 0:
                n, sign = node[subject_index], (-1 if leaves < 0 else 1)
                free_memory[n] += sign * m
                free_vcores[n] += sign * v
                free_slots[kind, n] += sign
                if not is_changed[n]:
                    changed[changes], is_changed[n] = n, True
                    changes += 1

        slot = 0
        while slot < count:
            s = counted_shapes[slot]
            k = shape_kind[s]
            for c in range(changes):
                n = changed[c]
                fits[s] += containers_that_fit(
                    free_memory[n],
                    free_vcores[n],
                    free_slots[k, n],
                    shape_memory[s],
                    shape_vcores[s],
                    by_vcores,
                )
                fits[s] -= containers_that_fit(
                    previous_memory[n],
                    previous_vcores[n],
                    previous_slots[k, n],
                    shape_memory[s],
                    shape_vcores[s],
                    by_vcores,
                )
            idle_updates[s] = 0 if waiting[s] else idle_updates[s] + changes
            slot += 1
            if idle_updates[s] > nodes:
                slot, count, is_counted[s] = slot - 1, count - 1, False
                counted_shapes[slot] = counted_shapes[count]
        for c in range(changes):
            n = changed[c]
            previous_memory[n], previous_vcores[n], is_changed[n] = free_memory[n], free_vcores[n], False
            for k in range(SLOTS):
                previous_slots[k, n] = free_slots[k, n]
        for a in range(asked_count):
            s = asked_shapes[a]
            is_newly_asked[s] = False
            if waiting[s] and not is_counted[s]:
                counted_shapes[count], is_counted[s], fits[s], idle_updates[s] = s, True, 0, 0
                count += 1
                k = shape_kind[s]
                for n in range(nodes):
                    fits[s] += containers_that_fit(
                        free_memory[n],
                        free_vcores[n],
                        free_slots[k, n],
                        shape_memory[s],
                        shape_vcores[s],
                        by_vcores,
                    )
        changes = asked_count = 0

        placeable_memory = placeable_vcores = 0
        for slot in range(count):
            s = counted_shapes[slot]
            placeable = min(waiting[s], fits[s])
            placeable_memory += placeable * shape_memory[s]
            placeable_vcores += placeable * shape_vcores[s]
        idle_memory = (
            total_memory - part_memory[:HELD_COLUMNS].sum() - part_memory[IS_LAUNCHING] - part_memory[IS_DOWN]
        )
        idle_vcores = (
            total_vcores - part_vcores[:HELD_COLUMNS].sum() - part_vcores[IS_LAUNCHING] - part_vcores[IS_DOWN]
        )
        wanted_idle = min(wanted_memory, max(idle_memory, 0))
        part_memory[UNASSIGNED] = min(wanted_idle, placeable_memory)
        part_memory[FITS_NO_NODE] = wanted_idle - part_memory[UNASSIGNED]
        part_memory[IDLE] = idle_memory - wanted_idle
        wanted_idle = min(wanted_vcores, max(idle_vcores, 0))
        part_vcores[UNASSIGNED] = min(wanted_idle, placeable_vcores)
        part_vcores[FITS_NO_NODE] = wanted_idle - part_vcores[UNASSIGNED]
        part_vcores[IDLE] = idle_vcores - wanted_idle
        memory[piece] = part_memory[:columns]
        vcores[piece] = part_vcores[:columns]

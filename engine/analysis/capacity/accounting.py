"""One pass over the events of a run: what each part holds after every instant."""

from __future__ import annotations

import numpy as np

from engine.jit import compiled
from engine.schedulers.view import MASTER, REDUCE
from engine.simulation.run import FAILED, KILLED, LOST
from engine.simulation.workload import SLOTS

# Codes of events; who they are about: a container, but a group of reduces that wait together for OPEN and CLOSE, a node for DOWN and UP and an
# entry of what was never served for PENDING.
ASK, START, BEGIN, CAUGHT_UP, COMPUTE, END, SEEN, OPEN, CLOSE, DOWN, UP, PENDING = range(12)
# Columns of the result; the first HELD and IS_LAUNCHING are held by containers. Those from USUAL on are kept only where a run has something of them.
IS_MASTER, IS_MAP, IS_FETCHING, IS_WAITING, IS_COMPUTING, IS_UNSEEN, FITS_NO_NODE, NOT_GIVEN, UNWANTED, WASTED_LATER = range(10)
IS_LAUNCHING, IS_DOWN, WASTED_BELOW = range(10, 13)  # WASTED_BELOW: what is wasted later of masters, maps and what launches
HELD = 6
USUAL = 10
FIGURES = 13


def fitting(free_memory, free_vcores, free_slots, memory, vcores, by_vcores):
    """Containers of this size that fit the free room of one node."""
    count = 0
    if free_memory >= memory and free_slots > 0 and (not by_vcores or free_vcores >= vcores):
        count = min(free_memory // memory, free_slots)
        if by_vcores:
            count = min(count, free_vcores // vcores)
    return count


@compiled
def amounts(
    begins, code, who,
    request, node, iteration, waited, launches, begun, computes, outcome,
    pending_request, pending_count,
    request_memory, request_vcores, request_shape,
    shape_memory, shape_vcores, shape_kind, by_vcores,
    node_memory, node_vcores, node_slots,
    iterations, memory, vcores,
):  # fmt: skip
    """Fills memory and vcores, [pieces, USUAL or FIGURES]: what each part holds from the start of a piece to the next.

    begins: where each piece's events begin in code and who, and their end; request … outcome: per container (waited: it was asked
    for before it started; launches: its task begins later; begun: before it ended; computes: it has fetched its input before
    it ended); shape_*: distinct sizes by the kind of slot they need;
    by_vcores: vcores must fit; node_slots: int64[kinds, nodes].
    """
    pieces, nodes, shapes = len(begins) - 1, len(node_memory), len(shape_memory)
    part_memory, part_vcores = np.zeros(FIGURES, np.int64), np.zeros(FIGURES, np.int64)
    all_memory, all_vcores = node_memory.sum(), node_vcores.sum()
    columns = memory.shape[1]
    wanted_memory, wanted_vcores = 0, 0
    # Reduces that have caught up, by group: they fetch or wait together.
    together_memory, together_vcores = np.zeros(iterations, np.int64), np.zeros(iterations, np.int64)
    is_together, waits = np.zeros(len(request), np.bool_), np.zeros(iterations, np.bool_)
    # Free room as the scheduler sees it, now and when the last instant was over.
    free_memory, free_vcores, free_slots = node_memory.copy(), node_vcores.copy(), node_slots.copy()
    old_memory, old_vcores, old_slots = node_memory.copy(), node_vcores.copy(), node_slots.copy()
    changed, is_changed, changes = np.empty(nodes, np.int64), np.zeros(nodes, np.bool_), 0
    # Shapes whose fitting containers are kept counted: all that wait; and others, until that has cost as much as counting anew.
    waiting, fits, spent = np.zeros(shapes, np.int64), np.zeros(shapes, np.int64), np.zeros(shapes, np.int64)
    counted, is_counted, count = np.empty(shapes, np.int64), np.zeros(shapes, np.bool_), 0
    asked, is_asked, asks = np.empty(shapes, np.int64), np.zeros(shapes, np.bool_), 0

    for piece in range(pieces):
        for event in range(begins[piece], begins[piece + 1]):
            what, one = code[event], who[event]
            if what in (OPEN, CLOSE):
                sign = 1 if what == OPEN else -1
                waits[one] = what == OPEN
                part_memory[IS_WAITING] += sign * together_memory[one]
                part_vcores[IS_WAITING] += sign * together_vcores[one]
                part_memory[IS_FETCHING] -= sign * together_memory[one]
                part_vcores[IS_FETCHING] -= sign * together_vcores[one]
                continue
            if what in (DOWN, UP):
                sign = 1 if what == DOWN else -1
                part_memory[IS_DOWN] += sign * node_memory[one]
                part_vcores[IS_DOWN] += sign * node_vcores[one]
                free_memory[one] -= sign * node_memory[one]
                free_vcores[one] -= sign * node_vcores[one]
                if not is_changed[one]:
                    changed[changes], is_changed[one] = one, True
                    changes += 1
                continue
            r = pending_request[one] if what == PENDING else request[one]
            m, v, shape, kind = request_memory[r], request_vcores[r], request_shape[r], r % SLOTS
            if what in (ASK, PENDING):
                more = pending_count[one] if what == PENDING else 1
                wanted_memory += more * m
                wanted_vcores += more * v
                waiting[shape] += more
                if not is_asked[shape]:
                    asked[asks], is_asked[shape] = shape, True
                    asks += 1
                continue
            i = iteration[one]
            if what == CAUGHT_UP:
                is_together[one] = True
                together_memory[i] += m
                together_vcores[i] += v
                leaves, enters = (IS_FETCHING, IS_WAITING) if waits[i] else (IS_FETCHING, IS_FETCHING)
            elif what == BEGIN:
                leaves, enters = IS_LAUNCHING, IS_MASTER if kind == MASTER else (IS_FETCHING if kind == REDUCE else IS_MAP)  # masters launch where measured
            elif what == START:
                leaves, enters = -1, IS_MASTER if kind == MASTER else (IS_FETCHING if kind == REDUCE else IS_MAP)
                enters = IS_LAUNCHING if launches[one] else enters
                if waited[one]:
                    wanted_memory -= m
                    wanted_vcores -= v
                    waiting[shape] -= 1
            elif what in (COMPUTE, END):
                enters = IS_COMPUTING if what == COMPUTE else IS_UNSEEN
                if not begun[one]:
                    leaves = IS_LAUNCHING
                elif kind != REDUCE:
                    leaves = IS_MASTER if kind == MASTER else IS_MAP
                elif what == END and computes[one]:
                    leaves = IS_COMPUTING
                elif is_together[one]:
                    together_memory[i] -= m
                    together_vcores[i] -= v
                    leaves = IS_WAITING if waits[i] else IS_FETCHING
                else:
                    leaves = IS_FETCHING
            else:  # SEEN
                leaves, enters = IS_UNSEEN, -1
            if leaves >= 0:
                part_memory[leaves] -= m
                part_vcores[leaves] -= v
            if enters >= 0:
                part_memory[enters] += m
                part_vcores[enters] += v
            if outcome[one] == KILLED or outcome[one] == FAILED or outcome[one] == LOST:
                if what in (START, END):
                    sign = 1 if what == START else -1
                    part_memory[WASTED_LATER] += sign * m
                    part_vcores[WASTED_LATER] += sign * v
                if leaves in (IS_MASTER, IS_MAP, IS_LAUNCHING):
                    part_memory[WASTED_BELOW] -= m
                    part_vcores[WASTED_BELOW] -= v
                if enters in (IS_MASTER, IS_MAP, IS_LAUNCHING):
                    part_memory[WASTED_BELOW] += m
                    part_vcores[WASTED_BELOW] += v
            if leaves < 0 or enters < 0:
                n, sign = node[one], (-1 if leaves < 0 else 1)
                free_memory[n] += sign * m
                free_vcores[n] += sign * v
                free_slots[kind, n] += sign
                if not is_changed[n]:
                    changed[changes], is_changed[n] = n, True
                    changes += 1

        place = 0
        while place < count:
            s = counted[place]
            k = shape_kind[s]
            for c in range(changes):
                n = changed[c]
                fits[s] += fitting(free_memory[n], free_vcores[n], free_slots[k, n], shape_memory[s], shape_vcores[s], by_vcores)
                fits[s] -= fitting(old_memory[n], old_vcores[n], old_slots[k, n], shape_memory[s], shape_vcores[s], by_vcores)
            spent[s] = 0 if waiting[s] else spent[s] + changes
            place += 1
            if spent[s] > nodes:
                place, count, is_counted[s] = place - 1, count - 1, False
                counted[place] = counted[count]
        for c in range(changes):
            n = changed[c]
            old_memory[n], old_vcores[n], is_changed[n] = free_memory[n], free_vcores[n], False
            for k in range(SLOTS):
                old_slots[k, n] = free_slots[k, n]
        for a in range(asks):
            s = asked[a]
            is_asked[s] = False
            if waiting[s] and not is_counted[s]:
                counted[count], is_counted[s], fits[s], spent[s] = s, True, 0, 0
                count += 1
                k = shape_kind[s]
                for n in range(nodes):
                    fits[s] += fitting(free_memory[n], free_vcores[n], free_slots[k, n], shape_memory[s], shape_vcores[s], by_vcores)
        changes = asks = 0

        could_memory = could_vcores = 0
        for place in range(count):
            s = counted[place]
            placeable = min(waiting[s], fits[s])
            could_memory += placeable * shape_memory[s]
            could_vcores += placeable * shape_vcores[s]
        idle_memory = all_memory - part_memory[:HELD].sum() - part_memory[IS_LAUNCHING] - part_memory[IS_DOWN]
        idle_vcores = all_vcores - part_vcores[:HELD].sum() - part_vcores[IS_LAUNCHING] - part_vcores[IS_DOWN]
        wanted = min(wanted_memory, max(idle_memory, 0))
        part_memory[NOT_GIVEN] = min(wanted, could_memory)
        part_memory[FITS_NO_NODE] = wanted - part_memory[NOT_GIVEN]
        part_memory[UNWANTED] = idle_memory - wanted
        wanted = min(wanted_vcores, max(idle_vcores, 0))
        part_vcores[NOT_GIVEN] = min(wanted, could_vcores)
        part_vcores[FITS_NO_NODE] = wanted - part_vcores[NOT_GIVEN]
        part_vcores[UNWANTED] = idle_vcores - wanted
        memory[piece] = part_memory[:columns]
        vcores[piece] = part_vcores[:columns]

"""Haste's initial task assignment: what best fills a node that has not been filled yet, by a dynamic program.

Paper      haste, ITA (confirmed in outline, formulas §1): OPT over capacity vectors; for each vector L and each candidate i,
           (a) i is not used up in the partial solution, (b) it fits L, (c) OPT[L - R] + sum w R is better than OPT[L]
Ours       whole units: the greatest common divisor of the requests, and at most 64 of them of each resource, requests rounded
           up; identical tasks are one candidate with a count; "better" is strictly better, so the first met stays
Cost       units of memory x units of vcores x candidates; the table is kept while the candidates stay the same
"""

import math

from engine.policies.order.fitness import size
from engine.view import KINDS, MAP

MOST_UNITS = 64
CELLS = (MOST_UNITS + 1) * (MOST_UNITS + 1)
NO_CHOICE = -1
# Places in notes: steps and sizes of the table that is kept, the node it is for, how many candidates it is of, then OPT and choices.
STEP_MEMORY, STEP_VCORES, UNITS_MEMORY, UNITS_VCORES, NODE_MEMORY, NODE_VCORES, KEPT, OPT = range(8)
CHOICE = OPT + CELLS
NOTES = CHOICE + CELLS
ROWS = 1  # of request_notes: the candidates that the kept table is of, each with how often it may be used


def unit(amounts, candidates, count, free):
    """The step of a resource's grid: the greatest common divisor of what maps ask for, but at most MOST_UNITS steps."""
    step = 0
    for position in range(count):
        if candidates[position] % KINDS == MAP:
            step = math.gcd(step, amounts[candidates[position]])
    return max(step, (free + MOST_UNITS - 1) // MOST_UNITS)


def is_kept(view, count, node, notes, row, step_memory, step_vcores, memory, vcores):
    """Does the kept table answer for this node? It must be of the same steps, size of node and candidates, and large enough."""
    if notes[NODE_MEMORY] != view.node_memory[node] or notes[NODE_VCORES] != view.node_vcores[node]:
        return False
    if notes[STEP_MEMORY] != step_memory or notes[STEP_VCORES] != step_vcores or notes[UNITS_MEMORY] < memory or notes[UNITS_VCORES] < vcores:
        return False
    kept = 0
    for position in range(count):
        request = view.candidates[position]
        if request % KINDS == MAP:
            if kept == notes[KEPT] or view.request_notes[row + 2 * kept] != request:
                return False
            if view.request_notes[row + 2 * kept + 1] != bound(view, request, notes):
                return False
            kept += 1
    return kept == notes[KEPT]


def bound(view, request, notes):
    """How often a request may be used: as often as it waits, or more often than the table could hold."""
    by_memory = units(view.request_memory[request], notes[STEP_MEMORY], notes[UNITS_MEMORY])
    by_vcores = units(view.request_vcores[request], notes[STEP_VCORES], notes[UNITS_VCORES])
    return min(view.request_waiting[request], by_memory, by_vcores)


def units(amount, step, have):
    """How often an amount, in whole steps, goes into what there is."""
    return have // ((amount + step - 1) // step)


def used(candidate, memory, vcores, view, notes, row):
    """How often a candidate occurs in the partial solution of a cell: walk back by its choices."""
    times = 0
    cell = memory * (MOST_UNITS + 1) + vcores
    choice = int(notes[CHOICE + cell])
    while choice != NO_CHOICE:
        times += choice == candidate
        request = int(view.request_notes[row + 2 * choice])
        memory -= (view.request_memory[request] + int(notes[STEP_MEMORY]) - 1) // int(notes[STEP_MEMORY])
        vcores -= (view.request_vcores[request] + int(notes[STEP_VCORES]) - 1) // int(notes[STEP_VCORES])
        cell = memory * (MOST_UNITS + 1) + vcores
        choice = int(notes[CHOICE + cell])
    return times


def solve(view, count, node, notes, row, step_memory, step_vcores, memory, vcores, w_memory, w_vcores):
    """Fill the table for these candidates."""
    notes[STEP_MEMORY], notes[STEP_VCORES], notes[UNITS_MEMORY], notes[UNITS_VCORES] = step_memory, step_vcores, memory, vcores
    notes[NODE_MEMORY], notes[NODE_VCORES] = view.node_memory[node], view.node_vcores[node]
    kept = 0
    for position in range(count):
        request = view.candidates[position]
        if request % KINDS == MAP:
            view.request_notes[row + 2 * kept] = request
            view.request_notes[row + 2 * kept + 1] = bound(view, request, notes)
            kept += 1
    notes[KEPT] = kept
    for a in range(memory + 1):
        for b in range(vcores + 1):
            cell = a * (MOST_UNITS + 1) + b
            notes[OPT + cell] = 0.0
            notes[CHOICE + cell] = NO_CHOICE
            for i in range(kept):
                request = int(view.request_notes[row + 2 * i])
                left_memory = a - (view.request_memory[request] + step_memory - 1) // step_memory
                left_vcores = b - (view.request_vcores[request] + step_vcores - 1) // step_vcores
                if left_memory < 0 or left_vcores < 0:
                    continue
                value = size(
                    view.request_memory[request], view.request_vcores[request], view.node_memory[node], view.node_vcores[node], w_memory, w_vcores
                )  # fmt: skip
                reached = notes[OPT + left_memory * (MOST_UNITS + 1) + left_vcores] + value
                if reached > notes[OPT + cell] and used(i, left_memory, left_vcores, view, notes, row) < view.request_notes[row + 2 * i + 1]:
                    notes[OPT + cell] = reached
                    notes[CHOICE + cell] = i


def best_fill(view, count, node, row, fill, w_memory, w_vcores):
    """The position of the first request, in their order, of those that fill the node best; NO_CHOICE when rounding leaves none that fits.

    row: place in request_notes of the kept candidates; fill: where how many of each are in the fill is left.
    """
    notes = view.notes
    step_memory = unit(view.request_memory, view.candidates, count, view.node_free_memory[node])
    step_vcores = unit(view.request_vcores, view.candidates, count, view.node_free_vcores[node])
    memory = view.node_free_memory[node] // step_memory
    vcores = view.node_free_vcores[node] // step_vcores
    if not is_kept(view, count, node, notes, row, step_memory, step_vcores, memory, vcores):
        solve(view, count, node, notes, row, step_memory, step_vcores, memory, vcores, w_memory, w_vcores)
    first, kept = NO_CHOICE, 0
    for position in range(count):
        request = view.candidates[position]
        if request % KINDS == MAP:
            times = used(kept, memory, vcores, view, notes, row)
            view.request_notes[fill + request] = times
            if times > 0 and first == NO_CHOICE:
                first = position
            kept += 1
    return first

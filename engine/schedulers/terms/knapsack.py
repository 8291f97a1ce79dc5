"""Haste's knapsack: what best fills a node that has not been filled yet, by a dynamic program.

Paper      haste, ITA (confirmed in outline, HASTE-2): OPT over capacity vectors; for each vector L and each
           candidate i, (a) i is not used up in the partial solution, (b) it fits L, (c) OPT[L - R] + sum w R
           is better than OPT[L]
Ours       whole units: the greatest common divisor of the requests, and at most 64 of them of each resource,
           requests rounded up; identical tasks are one candidate with a count; "better" is strictly better,
           so the first met stays: of candidates of one size, which are worth the same, the first that is not
           used up
Cost       units of memory x units of vcores x sizes; the table is kept while the candidates stay the same
"""

import math

from engine.schedulers.policy import REQUEST, RUN, StateArray
from engine.schedulers.terms.fitness import size
from engine.schedulers.view import MAP, NONE, kind_of

MAX_UNITS = 64
ROW = MAX_UNITS + 1  # cells of the table for one amount of memory
MEMORY, VCORES = range(2)
KNAPSACK_MEMORY = (
    StateArray("knapsack_value", RUN, size=ROW * ROW),  # OPT of a cell, memory x ROW + vcores
    StateArray("knapsack_choice", RUN, "int64", size=ROW * ROW),  # the candidate taken last there
    StateArray("knapsack_step", RUN, "int64", size=2),  # MB and vcores to a unit
    StateArray("knapsack_units", RUN, "int64", size=2),  # how far the table goes
    StateArray("knapsack_node", RUN, "int64", size=2),  # capacity of the nodes it is for
    StateArray("knapsack_count", RUN, "int64"),  # its candidates: each with how often it may be used
    StateArray("knapsack_request", REQUEST, "int64"),
    StateArray("knapsack_max_count", REQUEST, "int64"),  # as many as the table could hold
    StateArray("knapsack_bound", REQUEST, "int64"),  # and as often as it may be used: no more than wait
    StateArray(
        "knapsack_next_same_size", REQUEST, "int64"
    ),  # the next candidate of the same size, NONE after the last
    StateArray("knapsack_sizes", RUN, "int64"),
    StateArray("knapsack_first", REQUEST, "int64"),  # of each size the first candidate
    StateArray("knapsack_last", REQUEST, "int64"),  # and the last
)


def best_fill(view, count, node, w_memory, w_vcores):
    """The position of the first request, in their order, of those that fill the node best; NONE when rounding
    leaves none that fits.

    How many of each are in the fill is left in view.fill.
    """
    step_memory = unit(view, view.request_memory, count, view.node_free_memory[node])
    step_vcores = unit(view, view.request_vcores, count, view.node_free_vcores[node])
    memory = view.node_free_memory[node] // step_memory
    vcores = view.node_free_vcores[node] // step_vcores
    if not is_table_valid(view, count, node, step_memory, step_vcores, memory, vcores):
        list_candidates(view, count, node, step_memory, step_vcores, memory, vcores)
        solve(view, node, memory, vcores, w_memory, w_vcores)
    for candidate in range(view.knapsack_count[0]):
        view.fill[view.knapsack_request[candidate]] = 0
    choice, first = view.knapsack_choice[memory * ROW + vcores], NONE
    while choice != NONE:
        request = view.knapsack_request[choice]
        view.fill[request] += 1
        first = request if first == NONE else min(first, request)
        memory -= memory_units(view, request)
        vcores -= vcore_units(view, request)
        choice = view.knapsack_choice[memory * ROW + vcores]
    position = 0
    while first != NONE and view.candidates[position] != first:
        position += 1
    return NONE if first == NONE else position


def unit(view, amounts, count, free):
    """The step of a resource's grid: the greatest common divisor of what maps ask for, but at most MAX_UNITS
    steps.
    """
    step, previous = 0, 0
    for position in range(count):
        request = view.candidates[position]
        if kind_of(view, request) == MAP and amounts[request] != previous:
            previous = amounts[request]
            step = math.gcd(step, previous)
    return max(step, (free + MAX_UNITS - 1) // MAX_UNITS)


def is_table_valid(view, count, node, step_memory, step_vcores, memory, vcores):
    """Does the kept table answer for this node? It must be of the same steps, size of node and candidates,
    and large enough.
    """
    if (
        view.knapsack_node[MEMORY] != view.node_memory[node]
        or view.knapsack_node[VCORES] != view.node_vcores[node]
    ):
        return False
    if view.knapsack_step[MEMORY] != step_memory or view.knapsack_step[VCORES] != step_vcores:
        return False
    if view.knapsack_units[MEMORY] < memory or view.knapsack_units[VCORES] < vcores:
        return False
    candidate = 0
    for position in range(count):
        request = view.candidates[position]
        if kind_of(view, request) == MAP:
            if candidate == view.knapsack_count[0] or view.knapsack_request[candidate] != request:
                return False
            if view.knapsack_bound[candidate] != bound(view, candidate):
                return False
            candidate += 1
    return candidate == view.knapsack_count[0]


def list_candidates(view, count, node, step_memory, step_vcores, memory, vcores):
    """What the table is to be of."""
    view.knapsack_step[MEMORY], view.knapsack_step[VCORES] = step_memory, step_vcores
    view.knapsack_units[MEMORY], view.knapsack_units[VCORES] = memory, vcores
    view.knapsack_node[MEMORY], view.knapsack_node[VCORES] = view.node_memory[node], view.node_vcores[node]
    view.knapsack_count[0] = view.knapsack_sizes[0] = 0
    for position in range(count):
        request = view.candidates[position]
        if kind_of(view, request) == MAP:
            candidate = view.knapsack_count[0]
            view.knapsack_count[0] += 1
            view.knapsack_request[candidate] = request
            view.knapsack_max_count[candidate] = min(
                memory // memory_units(view, request), vcores // vcore_units(view, request)
            )
            view.knapsack_bound[candidate] = bound(view, candidate)
            link_same_size(view, candidate, request)


def bound(view, candidate):
    """How often it may be used."""
    return min(view.request_waiting[view.knapsack_request[candidate]], view.knapsack_max_count[candidate])


def link_same_size(view, candidate, request):
    """A candidate behind those of its size."""
    view.knapsack_next_same_size[candidate] = NONE
    for place in range(view.knapsack_sizes[0]):
        other = view.knapsack_request[view.knapsack_first[place]]
        if (
            view.request_memory[other] == view.request_memory[request]
            and view.request_vcores[other] == view.request_vcores[request]
        ):
            view.knapsack_next_same_size[view.knapsack_last[place]] = candidate
            view.knapsack_last[place] = candidate
            return
    view.knapsack_first[view.knapsack_sizes[0]] = view.knapsack_last[view.knapsack_sizes[0]] = candidate
    view.knapsack_sizes[0] += 1


def solve(view, node, memory, vcores, w_memory, w_vcores):
    """Fill the table: for each vector L = (a, b) and each size, (b) and (c) of the paper, then (a) of its
    candidates.

    The best is the first candidate of those with the highest value, whichever size comes first; what is worth
    nothing is left out, as it is no better.
    """
    for a in range(memory + 1):
        for b in range(vcores + 1):
            cell = a * ROW + b
            view.knapsack_value[cell] = 0.0
            view.knapsack_choice[cell] = NONE
            for place in range(view.knapsack_sizes[0]):
                request = view.knapsack_request[view.knapsack_first[place]]
                left_memory, left_vcores = a - memory_units(view, request), b - vcore_units(view, request)
                if left_memory < 0 or left_vcores < 0:
                    continue
                value = size(
                    view.request_memory[request],
                    view.request_vcores[request],
                    view.node_memory[node],
                    view.node_vcores[node],
                    w_memory,
                    w_vcores,
                )
                total_value = view.knapsack_value[left_memory * ROW + left_vcores] + value
                if total_value < view.knapsack_value[cell] or total_value == 0.0:
                    continue
                i = first_unused(view, place, left_memory, left_vcores)
                if i != NONE and (total_value > view.knapsack_value[cell] or i < view.knapsack_choice[cell]):
                    view.knapsack_value[cell] = total_value
                    view.knapsack_choice[cell] = i


def first_unused(view, place, memory, vcores):
    """The first candidate of a size that is not used up in the partial solution of a cell, NONE when all
    are.
    """
    candidate = view.knapsack_first[place]
    while candidate != NONE and used(view, candidate, memory, vcores) >= view.knapsack_bound[candidate]:
        candidate = view.knapsack_next_same_size[candidate]
    return candidate


def used(view, candidate, memory, vcores):
    """How often a candidate occurs in the partial solution of a cell: walk back by its choices."""
    times = 0
    choice = view.knapsack_choice[memory * ROW + vcores]
    while choice != NONE:
        times += choice == candidate
        request = view.knapsack_request[choice]
        memory -= memory_units(view, request)
        vcores -= vcore_units(view, request)
        choice = view.knapsack_choice[memory * ROW + vcores]
    return times


def memory_units(view, request):
    """A request's memory in whole units, rounded up."""
    return (view.request_memory[request] + view.knapsack_step[MEMORY] - 1) // view.knapsack_step[MEMORY]


def vcore_units(view, request):
    """A request's vcores in whole units, rounded up."""
    return (view.request_vcores[request] + view.knapsack_step[VCORES] - 1) // view.knapsack_step[VCORES]

"""The request with the highest weighted sum of normalised terms, by cached scores (cached_scores.py): what
haste, haste-a and weighted have in common.

Of a size all requests fit a node equally well, and the other terms are of the job: each is kept as a score,
and its negative as another one, so that their bounds are at the roots of the trees. No request below a node
has a higher sum than one with the best of each term there would have, also after rounding, which keeps order:
where no node can have a higher one than what is found, that subtree is skipped. Urgency is kept for nodes of
the capacity of the first that was asked for.
"""

from engine.schedulers.indexes.cached_scores import (
    NOTHING,
    best_below,
    ensure_scores,
    first_waiting_master,
    fits_node,
    update_score,
)
from engine.schedulers.policy import RUN, StateArray
from engine.schedulers.terms.fitness import fitness_of_size
from engine.schedulers.terms.masters import MAPS_FIRST
from engine.schedulers.terms.normalised import norm
from engine.schedulers.view import MAP, MASTER, NONE, REDUCE, kind_of

TERMS = 6  # at most, beside fitness
PREFERENCE_MEMORY = (
    StateArray("cached_weight", RUN, size=TERMS + 1),  # of fitness, then of each term
    StateArray("cached_min", RUN, size=TERMS + 1),
    StateArray("cached_max", RUN, size=TERMS + 1),
    StateArray(
        "cached_node_memory", RUN, "int64"
    ),  # capacity of the nodes that urgency is kept for, 0 before
    StateArray("cached_node_vcores", RUN, "int64"),
    StateArray("cached_stack", RUN, "int64", 64),
)


def ensure_terms(view, node):
    """Are terms kept from now on, of nodes with this one's capacity if they were not before?"""
    if view.cached_node_memory[0] == 0:
        view.cached_node_memory[0], view.cached_node_vcores[0] = (
            view.node_memory[node],
            view.node_vcores[node],
        )
    return ensure_scores(view)


def are_kept_for(view, node):
    """Has the node the capacity that urgency is kept for?"""
    return (
        view.node_memory[node] == view.cached_node_memory[0]
        and view.node_vcores[node] == view.cached_node_vcores[0]
    )


def update_term(view, term, request, value):
    """A waiting request's term, from 1 on; NOTHING of one that does not wait any more."""
    update_score(view, 2 * term - 2, request, value)
    update_score(view, 2 * term - 1, request, -value if value != NOTHING else value)


def first_preferred(view, node, w_memory, w_vcores, ties):
    """The first master that fits, else the request with the highest sum; NONE where nothing fits.
    cached_weight: set.
    """
    master = first_waiting_master(view, 0, node)
    if master != NONE or not find_bounds(view, node, w_memory, w_vcores):
        return master
    chosen, best = NONE, NOTHING
    for size in range(view.cached_sizes[0]):
        if has_waiting_that_fits(view, size, node):
            chosen, best = best_of_size(
                view, size, weighted_fitness(view, size, node, w_memory, w_vcores), chosen, best
            )
    if ties == MAPS_FIRST and kind_of(view, chosen) == REDUCE:
        size = view.cached_size[chosen + MAP - REDUCE]
        leaf = view.cached_leaf[chosen + MAP - REDUCE]
        if (
            has_waiting_that_fits(view, size, node)
            and sum_below(view, size, leaf, weighted_fitness(view, size, node, w_memory, w_vcores)) == best
        ):
            return chosen + MAP - REDUCE
    return chosen


def has_waiting_that_fits(view, size, node):
    """Does a task of this size wait, and fit?"""
    return (
        view.cached_kind[size] != MASTER
        and best_below(view, 0, size, 1) != NOTHING
        and fits_node(view, size, node)
    )


def find_bounds(view, node, w_memory, w_vcores):
    """The least and the most of each term over all that fits; False where nothing does."""
    has_any = False
    for size in range(view.cached_sizes[0]):
        if has_waiting_that_fits(view, size, node):
            value = size_fitness(view, size, node, w_memory, w_vcores)
            view.cached_min[0] = min(view.cached_min[0], value) if has_any else value
            view.cached_max[0] = max(view.cached_max[0], value) if has_any else value
            for term in range(1, TERMS + 1):
                if view.cached_weight[term] != 0.0:
                    minimum, maximum = (
                        -best_below(view, 2 * term - 1, size, 1),
                        best_below(view, 2 * term - 2, size, 1),
                    )
                    view.cached_min[term] = min(view.cached_min[term], minimum) if has_any else minimum
                    view.cached_max[term] = max(view.cached_max[term], maximum) if has_any else maximum
            has_any = True
    return has_any


def size_fitness(view, size, node, w_memory, w_vcores):
    """F of a container of this size."""
    memory, vcores = view.cached_memory[size], view.cached_vcores[size]
    return fitness_of_size(view, memory, vcores, node, w_memory, w_vcores)


def weighted_fitness(view, size, node, w_memory, w_vcores):
    """What fitness adds to the sum."""
    if view.cached_weight[0] == 0.0:
        return 0.0
    return view.cached_weight[0] * norm(
        size_fitness(view, size, node, w_memory, w_vcores), view.cached_min[0], view.cached_max[0]
    )


def sum_below(view, size, place, start):
    """The sum of a request, or the most that one below a node could have; NOTHING where none waits. start: of
    fitness.
    """
    if best_below(view, 0, size, place) == NOTHING:
        return NOTHING
    total = start
    for term in range(1, TERMS + 1):
        weight = view.cached_weight[term]
        if weight != 0.0:
            value = (
                best_below(view, 2 * term - 2, size, place)
                if weight > 0.0
                else -best_below(view, 2 * term - 1, size, place)
            )
            total += weight * norm(value, view.cached_min[term], view.cached_max[term])
    return total


def best_of_size(view, size, start, chosen, best):
    """(request, its sum): the first of the size with the highest sum, or what was found if that is higher, or
    equal and comes before it.
    """
    candidate, highest = NONE, best
    view.cached_stack[0] = 1
    height = 1
    while height > 0:
        height -= 1
        place = view.cached_stack[height]
        max_sum = sum_below(view, size, place, start)
        if max_sum < highest or max_sum == NOTHING or (max_sum == highest and candidate != NONE):
            continue
        if place >= view.cached_leaves[size]:
            candidate, highest = view.cached_request[view.cached_offset[size] + place], max_sum
        else:
            view.cached_stack[height], view.cached_stack[height + 1] = 2 * place + 1, 2 * place
            height += 2
    if candidate == NONE or (highest == best and chosen != NONE and chosen < candidate):
        return chosen, best
    return candidate, highest

"""The request with the highest weighted sum of normalised terms, by kept scores (kept_scores.py): what haste, haste-a and weighted have in common.

Of a size all requests fit a node equally well, and the other terms are of the job: each is kept as a score, and its negative as another one, so
that their bounds stand at the roots of the trees. No request below a node has a higher sum than one with the best of each term there would have,
also after rounding, which keeps order: where no node can have a higher one than what is found, nobody looks below it.
Urgency is kept for nodes of the capacity of the first that was asked for; on others candidates are listed.
"""

from engine.schedulers.policy import RUN, Memory
from engine.schedulers.terms.fitness import fitness
from engine.schedulers.terms.kept_scores import NOTHING, UNKNOWN, best_below, first_waiting_master, has_room, keep_score, may_keep_scores
from engine.schedulers.terms.masters import MAPS_FIRST, NONE
from engine.schedulers.terms.normalised import norm
from engine.schedulers.view import MAP, MASTER, REDUCE, kind_of

TERMS = 6  # at most, beside fitness
PREFERENCE_MEMORY = (
    Memory("kept_weight", RUN, size=TERMS + 1),  # of fitness, then of each term
    Memory("kept_least", RUN, size=TERMS + 1),
    Memory("kept_most", RUN, size=TERMS + 1),
    Memory("kept_node_memory", RUN, "int64"),  # capacity of the nodes that urgency is kept for, 0 before
    Memory("kept_node_vcores", RUN, "int64"),
    Memory("kept_stack", RUN, "int64", 64),
)


def begins_to_keep(view, node):
    """Are scores kept that answer for this node? 1: from now on, and all are to be told; 0: they are already; UNKNOWN: they don't answer."""
    if view.kept_node_memory[0] > 0:
        is_same = view.node_memory[node] == view.kept_node_memory[0] and view.node_vcores[node] == view.kept_node_vcores[0]
        return 0 if is_same else UNKNOWN
    if not may_keep_scores(view):
        return UNKNOWN
    view.kept_node_memory[0], view.kept_node_vcores[0] = view.node_memory[node], view.node_vcores[node]
    return 1


def keep_term(view, term, request, value):
    """A waiting request's term, from 1 on; NOTHING of one that does not wait any more."""
    keep_score(view, 2 * term - 2, request, value)
    keep_score(view, 2 * term - 1, request, -value if value != NOTHING else value)


def first_preferred(view, node, w_memory, w_vcores, ties):
    """The first master that fits, else the request with the highest sum; NONE where nothing fits. kept_weight: set."""
    master = first_waiting_master(view, 0, node)
    if master != NONE or not find_bounds(view, node, w_memory, w_vcores):
        return master
    found, best = NONE, NOTHING
    for size in range(view.kept_sizes[0]):
        if is_asked(view, size, node):
            found, best = better_of_size(view, size, weighted_fitness(view, size, node, w_memory, w_vcores), found, best)
    if ties == MAPS_FIRST and kind_of(found) == REDUCE:
        size = view.kept_size[found + MAP - REDUCE]
        own = view.kept_leaf[found + MAP - REDUCE]
        if is_asked(view, size, node) and sum_below(view, size, own, weighted_fitness(view, size, node, w_memory, w_vcores)) == best:
            return found + MAP - REDUCE
    return found


def is_asked(view, size, node):
    """Does a task of this size wait, and fit?"""
    return view.kept_kind[size] != MASTER and best_below(view, 0, size, 1) != NOTHING and has_room(view, size, node)


def find_bounds(view, node, w_memory, w_vcores):
    """The least and the most of each term over all that fits; False where nothing does."""
    found = False
    for size in range(view.kept_sizes[0]):
        if is_asked(view, size, node):
            value = size_fitness(view, size, node, w_memory, w_vcores)
            view.kept_least[0] = min(view.kept_least[0], value) if found else value
            view.kept_most[0] = max(view.kept_most[0], value) if found else value
            for term in range(1, TERMS + 1):
                if view.kept_weight[term] != 0.0:
                    least, most = -best_below(view, 2 * term - 1, size, 1), best_below(view, 2 * term - 2, size, 1)
                    view.kept_least[term] = min(view.kept_least[term], least) if found else least
                    view.kept_most[term] = max(view.kept_most[term], most) if found else most
            found = True
    return found


def size_fitness(view, size, node, w_memory, w_vcores):
    """F of a container of this size."""
    return fitness(
        view.kept_memory[size], view.kept_vcores[size], view.node_free_memory[node], view.node_free_vcores[node],
        view.node_memory[node], view.node_vcores[node], w_memory, w_vcores,
    )  # fmt: skip


def weighted_fitness(view, size, node, w_memory, w_vcores):
    """What fitness adds to the sum."""
    if view.kept_weight[0] == 0.0:
        return 0.0
    return view.kept_weight[0] * norm(size_fitness(view, size, node, w_memory, w_vcores), view.kept_least[0], view.kept_most[0])


def sum_below(view, size, place, start):
    """The sum of a request, or the most that one below a node could have; NOTHING where none waits. start: of fitness."""
    if best_below(view, 0, size, place) == NOTHING:
        return NOTHING
    found = start
    for term in range(1, TERMS + 1):
        weight = view.kept_weight[term]
        if weight != 0.0:
            value = best_below(view, 2 * term - 2, size, place) if weight > 0.0 else -best_below(view, 2 * term - 1, size, place)
            found += weight * norm(value, view.kept_least[term], view.kept_most[term])
    return found


def better_of_size(view, size, start, found, best):
    """(request, its sum): the first of the size with the highest sum, or what was found if that is higher, or equal and stands before it."""
    own, highest = NONE, best
    view.kept_stack[0] = 1
    height = 1
    while height > 0:
        height -= 1
        place = view.kept_stack[height]
        most = sum_below(view, size, place, start)
        if most < highest or most == NOTHING or (most == highest and own != NONE):
            continue
        if place >= view.kept_leaves[size]:
            own, highest = view.kept_request[view.kept_begin[size] + place], most
        else:
            view.kept_stack[height], view.kept_stack[height + 1] = 2 * place + 1, 2 * place
            height += 2
    if own == NONE or (highest == best and found != NONE and found < own):
        return found, best
    return own, highest

"""The request of the best fitness by sizes (cached_scores.py): all of a size fit a node equally well, so each
size is looked at once, and the first of it stands for it.
"""

from engine.schedulers.indexes.cached_scores import (
    NOTHING,
    best_below,
    ensure_scores,
    first_waiting_master,
    first_with_score,
    fits_node,
    score_arrays,
    update_score,
)
from engine.schedulers.policy import Index
from engine.schedulers.terms.fitness import fitness_of
from engine.schedulers.terms.masters import MAPS_FIRST
from engine.schedulers.terms.offers import is_offered
from engine.schedulers.view import MAP, MASTER, NONE, REDUCE, UNDECIDED, kind_of

WAITS = 0  # a kept score, which is 0 of all that is offered


def find(view, node, w_memory, w_vcores, ties, priorities):
    if not ensure_scores(view):
        return UNDECIDED
    for place in range(1, view.changed[0] + 1):
        first = view.job_first_request[view.changed[place]]
        for request in range(first, view.job_first_request[view.changed[place] + 1]):
            update_score(view, WAITS, request, 0.0 if is_offered(view, request, priorities) else NOTHING)
    return first_of_best_size(view, node, w_memory, w_vcores, ties)


def first_of_best_size(view, node, w_memory, w_vcores, ties):
    """The first master that fits, else the first request of the size that fits best; NONE where nothing
    fits.
    """
    chosen, best = first_waiting_master(view, WAITS, node), 0.0
    if chosen != NONE:
        return chosen
    for size in range(view.cached_sizes[0]):
        if (
            view.cached_kind[size] != MASTER
            and fits_node(view, size, node)
            and best_below(view, WAITS, size, 1) != NOTHING
        ):
            first = first_with_score(view, WAITS, size, 0.0)
            value = fitness_of(view, first, node, w_memory, w_vcores)
            is_next = kind_of(view, first) == MAP and first == chosen + MAP - REDUCE and ties == MAPS_FIRST
            if (
                chosen == NONE
                or value > best
                or (value == best and (is_next or comes_before_equal(view, first, chosen, ties)))
            ):
                chosen, best = first, value
    return chosen


def comes_before_equal(view, request, other, ties):
    """Does a rival of equal fitness stand behind a request?"""
    is_map_of_same_job = kind_of(view, other) == MAP and request == other - MAP + REDUCE
    return request < other and not (is_map_of_same_job and ties == MAPS_FIRST)


BEST_FIT = Index(find, score_arrays(1), keeps_scores=True)

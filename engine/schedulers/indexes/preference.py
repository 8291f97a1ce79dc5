"""haste's, haste-a's and weighted's choice by the terms that cached_preference.py keeps. Urgency is of nodes
of one size: on others candidates are listed, and while a node is filled for the first time.
"""

from engine.schedulers.indexes.cached_preference import (
    PREFERENCE_MEMORY,
    TERMS,
    are_kept_for,
    ensure_terms,
    first_preferred,
    update_term,
)
from engine.schedulers.indexes.cached_scores import NOTHING, score_arrays
from engine.schedulers.policy import Index
from engine.schedulers.terms.alignment import alignment_of, factor_of
from engine.schedulers.terms.job_terms import rate_job
from engine.schedulers.terms.urgency import urgency_on
from engine.schedulers.view import MAP, MASTER, REDUCE, UNDECIDED, kind_of, request_of

REDUCES_FIRST = 1.0  # of equal requests the first in their order


def find_haste(view, node, w_memory, w_vcores, ties):
    if not ensure_terms(view, node):
        return UNDECIDED
    for place in range(1, view.changed[0] + 1):
        update_urgency(view, view.changed[place], w_memory, w_vcores)
    if view.filled[node] == 0 or not are_kept_for(view, node):
        return UNDECIDED
    view.cached_weight[0] = view.cached_weight[1] = 1.0
    return first_preferred(view, node, w_memory, w_vcores, ties)


def find_haste_a(view, node, w_memory, w_vcores, ties, factor):
    if not ensure_terms(view, node):
        return UNDECIDED
    for place in range(1, view.changed[0] + 1):
        job = view.changed[place]
        update_urgency(view, job, w_memory, w_vcores)
        for kind in (REDUCE, MAP):
            update_waiting(view, 2, request_of(view, job, kind), alignment_of(view, job))
    if view.filled[node] == 0 or not are_kept_for(view, node):
        return UNDECIDED
    view.cached_weight[0] = view.cached_weight[1] = 1.0
    view.cached_weight[2] = factor_of(factor, view.running_jobs[1], view.running_jobs[0])
    return first_preferred(view, node, w_memory, w_vcores, ties)


def find_weighted(view, node, fitness, urgency, alignment, share, waiting, remaining, arrival):
    if not ensure_terms(view, node):
        return UNDECIDED
    view.cached_weight[0], view.cached_weight[1], view.cached_weight[2] = fitness, urgency, alignment
    view.cached_weight[3], view.cached_weight[4] = share, waiting
    view.cached_weight[5], view.cached_weight[6] = remaining, arrival
    for place in range(1, view.changed[0] + 1):
        update_terms(view, view.changed[place])
    if not are_kept_for(view, node):
        return UNDECIDED
    return first_preferred(view, node, 1.0, 1.0, REDUCES_FIRST)


def update_urgency(view, job, w_memory, w_vcores):
    """U of its requests that wait, 0 of its master."""
    map_urgency, reduce_urgency = 0.0, 0.0
    as_map, as_reduce = request_of(view, job, MAP), request_of(view, job, REDUCE)
    if view.request_waiting[as_map] + view.request_waiting[as_reduce] > 0:
        map_urgency, reduce_urgency = urgency_on(
            view, job, view.cached_node_memory[0], view.cached_node_vcores[0], w_memory, w_vcores
        )
    update_waiting(view, 1, request_of(view, job, MASTER), 0.0)
    update_waiting(view, 1, as_reduce, reduce_urgency)
    update_waiting(view, 1, as_map, map_urgency)


def update_terms(view, job):
    """Those of a weight other than 0 are kept, the first one always."""
    map_urgency, reduce_urgency = 0.0, 0.0
    if view.cached_weight[1] != 0.0:
        map_urgency, reduce_urgency = urgency_on(
            view, job, view.cached_node_memory[0], view.cached_node_vcores[0], 1.0, 1.0
        )
    for request in range(view.job_first_request[job], view.job_first_request[job + 1]):
        kind = kind_of(view, request)
        urgency = reduce_urgency if kind == REDUCE else map_urgency if kind == MAP else 0.0
        update_waiting(view, 1, request, urgency)
        if kind != MASTER:
            rate_job(view, request)
            update_weighted(view, 2, request, alignment_of(view, job))
            update_weighted(view, 3, request, view.share[request])
            # the longer it waits: now less that
            update_weighted(view, 4, request, -float(view.request_asked_at[request]))
            update_weighted(view, 5, request, view.remaining[request])
            update_weighted(view, 6, request, view.arrival[request])


def update_weighted(view, term, request, value):
    if view.cached_weight[term] != 0.0:
        update_waiting(view, term, request, value)


def update_waiting(view, term, request, value):
    """A request's term, kept while it waits."""
    update_term(view, term, request, value if view.request_waiting[request] > 0 else NOTHING)


HASTE_INDEX = Index(find_haste, (*PREFERENCE_MEMORY, *score_arrays(2)), keeps_scores=True)
HASTE_A_INDEX = Index(find_haste_a, (*PREFERENCE_MEMORY, *score_arrays(4)), keeps_scores=True)
WEIGHTED_INDEX = Index(find_weighted, (*PREFERENCE_MEMORY, *score_arrays(2 * TERMS)), keeps_scores=True)

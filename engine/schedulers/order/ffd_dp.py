"""First fit decreasing by dot product: the request whose shape suits what is free on the node best (HASTE-3).

Paper      haste (there the baseline FFD-DP); fitness alone, saf Eq. 1
Knows      what is free on the node, sizes of requests
Ties       job order; in a job the map before the reduce, or as `ties` says (the paper is silent). Masters
           come before all (ours: as haste has them)
Cost       the logarithm of the jobs for each whose requests changed, and for each size; one pass over the
           candidates where these are listed
"""

from dataclasses import replace

from engine.schedulers.policy import ORDER, Policy
from engine.schedulers.terms.cached_scores import (
    NOTHING,
    best_below,
    ensure_scores,
    first_waiting_master,
    first_with_score,
    fits_node,
    has_scores,
    list_candidates,
    put_first,
    score_arrays,
    update_score,
)
from engine.schedulers.terms.fitness import FITNESS, W_MEMORY, W_VCORES, fitness_of
from engine.schedulers.terms.masters import MAPS_FIRST, TIES, first_master, is_higher
from engine.schedulers.view import LEAVE, MAP, MASTER, NONE, PER_JOB, REDUCE, UNLISTED, kind_of

WAITS = 0  # a kept score, which is 0 of all that waits


def choose(view, node, candidates, count, fitness, w_memory, w_vcores, ties):
    is_first = not has_scores(view)
    if has_scores(view) or (count == UNLISTED and ensure_scores(view)):
        jobs = len(view.job_arrival) if is_first else view.changed[0]
        for place in range(jobs):
            job = place if is_first else view.changed[place + 1]
            for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
                update_score(view, WAITS, request, 0.0 if view.request_waiting[request] > 0 else NOTHING)
    if count == UNLISTED:
        if has_scores(view):
            request = best_unlisted(view, node, w_memory, w_vcores, ties)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        return (
            put_first(
                view,
                candidates[choose_listed(view, node, candidates, listed, fitness, w_memory, w_vcores, ties)],
            )
            if listed > 0
            else LEAVE
        )
    return choose_listed(view, node, candidates, count, fitness, w_memory, w_vcores, ties)


def best_unlisted(view, node, w_memory, w_vcores, ties):
    """The choice by what is kept, NONE where nothing fits: a size is scored once, and the first of it stands
    for it.
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
            is_next = kind_of(first) == MAP and first == chosen + MAP - REDUCE and ties == MAPS_FIRST
            if (
                chosen == NONE
                or value > best
                or (value == best and (is_next or comes_before_equal(first, chosen, ties)))
            ):
                chosen, best = first, value
    return chosen


def comes_before_equal(request, other, ties):
    """Does a rival of equal fitness stand behind a request?"""
    is_map_of_same_job = kind_of(other) == MAP and request == other - MAP + REDUCE
    return request < other and not (is_map_of_same_job and ties == MAPS_FIRST)


def choose_listed(view, node, candidates, count, fitness, w_memory, w_vcores, ties):
    """The position of the choice among the candidates."""
    master = first_master(candidates, count)
    if master != NONE:
        return master
    best = 0
    for position in range(count):
        fitness[candidates[position]] = fitness_of(view, candidates[position], node, w_memory, w_vcores)
        if is_higher(fitness, candidates[position], candidates[best], ties):
            best = position
    return best


FFD_DP = Policy(
    "ffd-dp",
    "First fit decreasing, dot product",
    ORDER,
    choose,
    "haste, baseline FFD-DP; saf Eq. 1",
    (W_MEMORY, W_VCORES, TIES),
    rule="it fits the available resources best",
    masters_first=True,
    terms=(replace(FITNESS, direction=1),),
    memory=score_arrays(1),
    keeps_scores=True,
)

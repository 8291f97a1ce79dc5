"""First fit decreasing by dot product: the request whose shape suits what is free on the node best (HASTE-3).

Paper      haste (there the baseline FFD-DP); fitness alone, saf Eq. 1
Knows      what is free on the node, sizes of requests
Ties       job order; in a job the map before the reduce, or as `ties` says (the paper is silent). Masters
           come before all (ours: as haste has them)
Ours       priorities=yes: of a job only what Hadoop's own schedulers would offer, reduces (priority 10)
           before maps (20), whether or not they fit (RMContainerAllocator, AppSchedulingInfo)
Cost       the logarithm of the jobs for each whose requests changed, and for each size; one pass over the
           candidates where these are listed
"""

from dataclasses import replace

from engine.schedulers.policy import ORDER, Parameter, Policy
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
from engine.schedulers.view import (
    LEAVE,
    MAP,
    MASTER,
    NONE,
    PER_JOB,
    REDUCE,
    UNLISTED,
    job_of,
    kind_of,
    request_of,
)

WAITS = 0  # a kept score, which is 0 of all that waits
HIGHEST_ALONE = 1.0
PRIORITIES = Parameter(
    "priorities",
    "no",
    "whether of a job only the requests of the highest priority are offered, as Hadoop's own schedulers do: "
    "reduces (10) before maps (20)",
    "ours",
    choices=("no", "yes"),
)


def choose(view, node, candidates, count, fitness, w_memory, w_vcores, ties, priorities):
    is_first = not has_scores(view)
    if has_scores(view) or (count == UNLISTED and ensure_scores(view)):
        jobs = len(view.job_arrival) if is_first else view.changed[0]
        for place in range(jobs):
            job = place if is_first else view.changed[place + 1]
            for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
                update_score(view, WAITS, request, 0.0 if is_offered(view, request, priorities) else NOTHING)
    if count == UNLISTED:
        if has_scores(view):
            request = best_unlisted(view, node, w_memory, w_vcores, ties)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        place = choose_listed(view, node, candidates, listed, fitness, w_memory, w_vcores, ties, priorities)
        return LEAVE if place == LEAVE else put_first(view, candidates[place])
    return choose_listed(view, node, candidates, count, fitness, w_memory, w_vcores, ties, priorities)


def is_offered(view, request, priorities):
    """Does a request wait, and none of its job that stands before it?"""
    if view.request_waiting[request] == 0:
        return False
    is_behind = priorities == HIGHEST_ALONE and kind_of(request) == MAP
    return not is_behind or view.request_waiting[request_of(job_of(request), REDUCE)] == 0


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


def choose_listed(view, node, candidates, count, fitness, w_memory, w_vcores, ties, priorities):
    """The position of the choice among the candidates; LEAVE where none of them is offered."""
    master = first_master(candidates, count)
    if master != NONE:
        return master
    best = LEAVE
    for position in range(count):
        request = candidates[position]
        fitness[request] = fitness_of(view, request, node, w_memory, w_vcores)
        if is_offered(view, request, priorities) and (
            best == LEAVE or is_higher(fitness, request, candidates[best], ties)
        ):
            best = position
    return best


FFD_DP = Policy(
    "ffd-dp",
    "First fit decreasing, dot product",
    ORDER,
    choose,
    "haste, baseline FFD-DP; saf Eq. 1",
    (W_MEMORY, W_VCORES, TIES, PRIORITIES),
    rule="it fits the available resources best",
    masters_first=True,
    terms=(replace(FITNESS, direction=1),),
    memory=score_arrays(1),
    keeps_scores=True,
)

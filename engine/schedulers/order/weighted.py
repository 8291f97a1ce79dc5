"""Weighted: an order composed of known terms by weights.

Rule       P = sum of weight x norm(term), norm = (x - min) / (max - min) over the candidates, 0 without a
           range; the highest goes first
Terms      fitness, urgency and alignment as haste's; share: the smaller the job's dominant share for its
           weight, the better; waiting: the longer since it was asked for; remaining: the fewer tasks of its
           job are left; arrival: the earlier
Source     ours; a negative weight turns a term round
Ties       the order of candidates. Masters come before all
Cost       as haste
"""

from dataclasses import replace

from engine.schedulers.order.haste import PREFERENCE, rate
from engine.schedulers.order.haste_a import ALIGNMENT, align, alignment_of
from engine.schedulers.policy import ORDER, REQUEST, Parameter, Policy, Term
from engine.schedulers.terms.cached_preference import (
    PREFERENCE_MEMORY,
    TERMS,
    first_preferred,
    prepare_scores,
    update_term,
)
from engine.schedulers.terms.cached_scores import (
    NOTHING,
    has_scores,
    list_candidates,
    put_first,
    score_arrays,
)
from engine.schedulers.terms.fitness import FITNESS
from engine.schedulers.terms.masters import first_master
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.terms.urgency import URGENCY, urgency_on
from engine.schedulers.view import (
    LEAVE,
    MAP,
    MASTER,
    NONE,
    PER_JOB,
    REDUCE,
    UNDECIDED,
    UNLISTED,
    job_of,
    kind_of,
)

REDUCES_FIRST = 1.0  # of equal requests the first in their order


def choose(view, candidates, count, node, fitness, urgency, alignment, share, waiting, remaining, arrival):
    answer = UNDECIDED
    if count == UNLISTED or has_scores(view):
        view.cached_weight[0], view.cached_weight[1], view.cached_weight[2], view.cached_weight[3] = (
            fitness,
            urgency,
            alignment,
            share,
        )
        view.cached_weight[4], view.cached_weight[5], view.cached_weight[6] = waiting, remaining, arrival
        answer = prepare_scores(view, node)
        if has_scores(view):
            jobs = len(view.job_arrival) if answer == 1 else view.changed[0]
            for place in range(jobs):
                update_terms(view, place if answer == 1 else view.changed[place + 1])
    if count == UNLISTED:
        if answer != UNDECIDED:
            request = first_preferred(view, node, 1.0, 1.0, REDUCES_FIRST)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        if listed == 0:
            return LEAVE
        return put_first(
            view,
            candidates[
                choose_listed(
                    view,
                    candidates,
                    listed,
                    node,
                    fitness,
                    urgency,
                    alignment,
                    share,
                    waiting,
                    remaining,
                    arrival,
                )
            ],
        )
    return choose_listed(
        view, candidates, count, node, fitness, urgency, alignment, share, waiting, remaining, arrival
    )


def update_terms(view, job):
    """Those of a weight other than 0 are kept, the first one always."""
    map_urgency, reduce_urgency = 0.0, 0.0
    if view.cached_weight[1] != 0.0:
        map_urgency, reduce_urgency = urgency_on(
            view, job, view.cached_node_memory[0], view.cached_node_vcores[0], 1.0, 1.0
        )
    for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
        kind, is_waiting = kind_of(request), view.request_waiting[request] > 0
        value = reduce_urgency if kind == REDUCE else map_urgency if kind == MAP else 0.0
        update_term(view, 1, request, value if is_waiting else NOTHING)
        if kind != MASTER:
            rate_job(view, request)
            update_weighted(view, 2, request, alignment_of(view, job) if is_waiting else NOTHING)
            update_weighted(view, 3, request, view.share[request] if is_waiting else NOTHING)
            # the longer it waits: now less that
            update_weighted(
                view, 4, request, -float(view.request_asked_at[request]) if is_waiting else NOTHING
            )
            update_weighted(view, 5, request, view.remaining[request] if is_waiting else NOTHING)
            update_weighted(view, 6, request, view.arrival[request] if is_waiting else NOTHING)


def update_weighted(view, term, request, value):
    if view.cached_weight[term] != 0.0:
        update_term(view, term, request, value)


def choose_listed(
    view, candidates, count, node, fitness, urgency, alignment, share, waiting, remaining, arrival
):
    """The position of the choice among the candidates."""
    best = first_master(candidates, count)
    if best != NONE:
        return best
    rate(view, count, node, 1.0, 1.0)
    align(view, count)
    for position in range(count):
        rate_job(view, candidates[position])
        view.preference[candidates[position]] = 0.0
    add(view, count, fitness, view.fitness)
    add(view, count, urgency, view.urgency)
    add(view, count, alignment, view.alignment)
    add(view, count, share, view.share)
    add(view, count, waiting, view.waiting)
    add(view, count, remaining, view.remaining)
    add(view, count, arrival, view.arrival)
    for position in range(count):
        if best == NONE or view.preference[candidates[position]] > view.preference[candidates[best]]:
            best = position
    return best


def rate_job(view, request):
    """The terms that are not haste's, each the higher the better."""
    job = job_of(request)
    memory, vcores = (
        view.job_used_memory[job] / view.cluster_memory,
        view.job_used_vcores[job] / view.cluster_vcores,
    )
    tasks = view.job_maps[job] + view.job_reduces[job]
    left = (
        tasks
        - view.job_finished_maps[job]
        - view.job_finished_reduces[job]
        + (view.job_iterations[job] - view.job_iteration[job]) * tasks
    )
    view.share[request] = -(max(memory, vcores) / view.job_weight[job])
    view.waiting[request] = view.now - view.request_asked_at[request]
    view.remaining[request] = -left
    view.arrival[request] = -view.job_arrival[job]


def add(view, count, weight, term):
    """P + weight x norm(term) of every candidate; a weight of 0 asks for nothing."""
    if weight != 0.0:
        minimum, maximum = bounds(term, view.candidates, count)
        for position in range(count):
            request = view.candidates[position]
            view.preference[request] += weight * norm(term[request], minimum, maximum)


def weight(name, meaning, default=0.0):
    """One weight."""
    return Parameter(name, default, f"weight of {meaning}", "ours", low=-10, high=10)


SUM = "The terms, each from 0 to 1 over the candidates, times their weights, added up."
WEIGHTED = Policy(
    "weighted",
    "Weighted terms",
    ORDER,
    choose,
    "ours, of the papers' terms",
    (
        weight("fitness", "how well the request fits the available resources", 1.0),
        weight("urgency", "how much the job's other kind of task waits for it"),
        weight("alignment", "the progress of an iterative job"),
        weight("share", "how little the job holds"),
        weight("waiting", "how long the request has waited"),
        weight("remaining", "how few tasks of the job are left"),
        weight("arrival", "how early the job arrived"),
    ),
    rule="the weighted sum of its terms is the highest",
    masters_first=True,
    terms=(
        FITNESS,
        replace(URGENCY, strip=""),
        replace(ALIGNMENT, strip=""),
        Term(
            "share",
            "Dominant share, negative",
            REQUEST,
            "Minus the job's share of the cluster for its weight.",
        ),
        Term("waiting", "Waited", REQUEST, "Since the request was made.", "ms"),
        Term(
            "remaining",
            "Tasks left, negative",
            REQUEST,
            "Minus the number of unfinished tasks of its job.",
            "tasks",
        ),
        Term("arrival", "Arrival, negative", REQUEST, "Minus the arrival time of its job.", "ms"),
        replace(PREFERENCE, about=SUM),
    ),
    memory=(*PREFERENCE_MEMORY, *score_arrays(2 * TERMS)),
    keeps_scores=True,
)

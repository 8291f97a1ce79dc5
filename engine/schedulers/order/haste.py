"""HaSTE: first fill each node as a knapsack, then prefer what fits the node and what its job needs most
urgently.

Paper      haste §III; HASTE-1 to HASTE-10: fitness confirmed (terms/fitness.py), urgency and the sum
           reconstructed (terms/urgency.py)
           1  an ApplicationMaster has the highest preference
           2  initial assignment: an empty node is filled as a knapsack (terms/initial_assignment.py)
           3  real-time assignment: the highest preference P = norm(F) + norm(U), each normalised over the
              requests that fit
Knows      free memory and vcores, sizes, assigned and running maps and reduces of the jobs
Ours       a term without a range counts 0; assigned maps are map progress (by the tokens)
Ties       job order; in a job the map before the reduce, or as `ties` says (the paper is silent)
Cost       the logarithm of the jobs for each whose tasks changed, and for the choice
           (terms/cached_preference.py); two passes over the candidates where these are listed
"""

from engine.schedulers.policy import ORDER, REQUEST, Policy, Term
from engine.schedulers.terms.cached_preference import (
    PREFERENCE_MEMORY,
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
from engine.schedulers.terms.fitness import FITNESS, W_MEMORY, W_VCORES, fitness_of
from engine.schedulers.terms.initial_assignment import (
    FILL,
    FILL_MEMORY,
    INITIAL,
    add_to_fill,
    first_of_best_fill,
    is_first_fill,
)
from engine.schedulers.terms.masters import TIES, first_master, highest
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.terms.urgency import URGENCY, urgency_of, urgency_on
from engine.schedulers.view import (
    LEAVE,
    MAP,
    MASTER,
    NONE,
    REDUCE,
    UNDECIDED,
    UNLISTED,
    job_of,
    kind_of,
    request_of,
)


def choose(view, count, node, w_memory, w_vcores, ties):
    answer = UNDECIDED
    if count == UNLISTED or has_scores(view):
        answer = update_urgency(view, node, w_memory, w_vcores)
    if count == UNLISTED:
        if answer != UNDECIDED and view.filled[node] == 1:
            view.cached_weight[0] = view.cached_weight[1] = 1.0
            request = first_preferred(view, node, w_memory, w_vcores, ties)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        return (
            put_first(view, view.candidates[choose_listed(view, listed, node, w_memory, w_vcores, ties)])
            if listed > 0
            else LEAVE
        )
    return choose_listed(view, count, node, w_memory, w_vcores, ties)


def choose_listed(view, count, node, w_memory, w_vcores, ties):
    """The position of the choice among the candidates."""
    chosen = before_preference(view, count, node, w_memory, w_vcores)
    if chosen == NONE:
        chosen = most_preferred(view, count, node, w_memory, w_vcores, ties)
    return note_choice(view, node, chosen)


def update_urgency(view, node, w_memory, w_vcores):
    """Urgency is the first of the kept terms; UNDECIDED where it is not of this node."""
    answer = prepare_scores(view, node)
    if has_scores(view):
        jobs = len(view.job_arrival) if answer == 1 else view.changed[0]
        for place in range(jobs):
            update_job(view, place if answer == 1 else view.changed[place + 1], w_memory, w_vcores)
    return answer


def update_job(view, job, w_memory, w_vcores):
    """U of its requests that wait, 0 of its master."""
    map_urgency, reduce_urgency = 0.0, 0.0
    if view.request_waiting[request_of(job, MAP)] + view.request_waiting[request_of(job, REDUCE)] > 0:
        map_urgency, reduce_urgency = urgency_on(
            view, job, view.cached_node_memory[0], view.cached_node_vcores[0], w_memory, w_vcores
        )
    update_term(
        view,
        1,
        request_of(job, MASTER),
        0.0 if view.request_waiting[request_of(job, MASTER)] > 0 else NOTHING,
    )
    update_term(
        view,
        1,
        request_of(job, REDUCE),
        reduce_urgency if view.request_waiting[request_of(job, REDUCE)] > 0 else NOTHING,
    )
    update_term(
        view,
        1,
        request_of(job, MAP),
        map_urgency if view.request_waiting[request_of(job, MAP)] > 0 else NOTHING,
    )


def before_preference(view, count, node, w_memory, w_vcores):
    """Steps 1 and 2: the first master, else the best fill of a node that is filled for the first time; else
    NONE.
    """
    view.initial[0] = 0.0
    first_fill = is_first_fill(view, count, node)  # asked always: it notices when the node has been filled
    master = first_master(view.candidates, count)
    if master == NONE and first_fill:
        return first_of_best_fill(view, count, node, w_memory, w_vcores)
    return master


def most_preferred(view, count, node, w_memory, w_vcores, ties):
    """Step 3: the highest P."""
    rate(view, count, node, w_memory, w_vcores)
    prefer(view, count)
    return highest(view.preference, view.candidates, count, ties)


def rate(view, count, node, w_memory, w_vcores):
    """F and U of every candidate."""
    previous = NONE
    map_urgency, reduce_urgency = 0.0, 0.0
    for position in range(count):
        request = view.candidates[position]
        if job_of(request) != previous:
            previous = job_of(request)
            map_urgency, reduce_urgency = urgency_of(view, previous, node, w_memory, w_vcores)
        view.fitness[request] = fitness_of(view, request, node, w_memory, w_vcores)
        view.urgency[request] = reduce_urgency if kind_of(request) == REDUCE else map_urgency


def prefer(view, count):
    """P = norm(F) + norm(U) of every candidate."""
    min_f, max_f = bounds(view.fitness, view.candidates, count)
    min_u, max_u = bounds(view.urgency, view.candidates, count)
    for position in range(count):
        request = view.candidates[position]
        view.preference[request] = norm(view.fitness[request], min_f, max_f) + norm(
            view.urgency[request], min_u, max_u
        )


def note_choice(view, node, chosen):
    """The choice, remembered as long as its node is filled for the first time."""
    if view.filled[node] == 0:
        add_to_fill(view, node, view.candidates[chosen])
    return chosen


PREFERENCE = Term(
    "preference",
    "Preference",
    REQUEST,
    "The terms, each from 0 to 1 over the candidates, added up.",
    direction=1,
    strip="preference",
)
BEST_FILL = "it belongs to the best fill of the node, which is filled for the first time"
HASTE = Policy(
    "haste",
    "HaSTE",
    ORDER,
    choose,
    "haste §III; HASTE-1 to HASTE-10 (urgency reconstructed)",
    (W_MEMORY, W_VCORES, TIES),
    rule=("the sum of its fitness and urgency is the highest", BEST_FILL),
    ground="initial",
    masters_first=True,
    terms=(FITNESS, URGENCY, FILL, PREFERENCE),
    facts=(INITIAL,),
    memory=(*FILL_MEMORY, *PREFERENCE_MEMORY, *score_arrays(2)),
    keeps_scores=True,
)

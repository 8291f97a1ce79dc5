"""HaSTE: first fill each node as a knapsack, then prefer what fits the node and what its job needs most
urgently.

Paper      haste §III; HASTE-1 to HASTE-10: fitness confirmed (terms/fitness.py), urgency and the sum
           reconstructed (terms/urgency.py)
           1  an ApplicationMaster has the highest preference
           2  initial assignment: an empty node is filled as a knapsack (terms/initial_assignment.py)
           3  real-time assignment: the highest preference P = norm(F) + norm(U), each normalised over the
              requests that fit
Jobs       of MapReduce: urgency counts maps and reduces. Refuses applications of stages and demand
Knows      free memory and vcores, sizes, assigned and running maps and reduces of the jobs
Ours       a term without a range counts 0; assigned maps are map progress (by the tokens)
Ties       job order; in a job the map before the reduce, or as `ties` says (the paper is silent)
Cost       two passes over the candidates; by its index (indexes/preference.py) the logarithm of the jobs for
           each whose tasks changed, and for the choice
"""

from engine.schedulers.indexes.preference import HASTE_INDEX
from engine.schedulers.policy import ORDER, REQUEST, Assignment, Policy, Term
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
from engine.schedulers.terms.urgency import URGENCY, urgency_of
from engine.schedulers.view import NONE, REDUCE, job_of, kind_of


def choose(view, count, node, w_memory, w_vcores, ties):
    chosen = before_preference(view, count, node, w_memory, w_vcores)
    if chosen == NONE:
        chosen = most_preferred(view, count, node, w_memory, w_vcores, ties)
    return note_choice(view, node, chosen)


def before_preference(view, count, node, w_memory, w_vcores):
    """Steps 1 and 2: the first master, else the best fill of a node that is filled for the first time; else
    NONE.
    """
    view.initial[0] = 0.0
    first_fill = is_first_fill(view, count, node)  # asked always: it notices when the node has been filled
    master = first_master(view, count)
    if master == NONE and first_fill:
        return first_of_best_fill(view, count, node, w_memory, w_vcores)
    return master


def most_preferred(view, count, node, w_memory, w_vcores, ties):
    """Step 3: the highest P."""
    rate(view, count, node, w_memory, w_vcores)
    prefer(view, count)
    return highest(view, view.preference, count, ties)


def rate(view, count, node, w_memory, w_vcores):
    """F and U of every candidate."""
    previous = NONE
    map_urgency, reduce_urgency = 0.0, 0.0
    for position in range(count):
        request = view.candidates[position]
        if job_of(view, request) != previous:
            previous = job_of(view, request)
            map_urgency, reduce_urgency = urgency_of(view, previous, node, w_memory, w_vcores)
        view.fitness[request] = fitness_of(view, request, node, w_memory, w_vcores)
        view.urgency[request] = reduce_urgency if kind_of(view, request) == REDUCE else map_urgency


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
    memory=FILL_MEMORY,
    index=HASTE_INDEX,
    assignment=Assignment(weighs_tasks=True),
)

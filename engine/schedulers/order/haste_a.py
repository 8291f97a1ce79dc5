"""HaSTE-A: HaSTE with iterative jobs pulled forward the nearer they are to their end.

Paper      haste, alignment; HASTE-A-1 to HASTE-A-4. Confirmed: iterative jobs earlier, later iterations more
           so; the factor by the proportion of iterative jobs, none when they are the majority. Reconstructed:
           A = iteration / iterations, 0 for other jobs; P = norm(F) + norm(U) + factor x norm(A). Ours:
           factor auto = 1 - p while p, the share of iterative jobs among the running, is at most a half, else
           0
Knows      as haste, and the running iteration
Ties       as haste
Cost       as haste
"""

import math

from engine.schedulers.order.haste import (
    BEST_FILL,
    PREFERENCE,
    before_preference,
    note_choice,
    prefer,
    rate,
    update_job,
)
from engine.schedulers.policy import ORDER, REQUEST, RUN, Parameter, Policy, Term
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
from engine.schedulers.terms.fitness import FITNESS, STRIP, W_MEMORY, W_VCORES
from engine.schedulers.terms.initial_assignment import FILL, FILL_MEMORY, INITIAL
from engine.schedulers.terms.masters import TIES, highest
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.terms.urgency import URGENCY
from engine.schedulers.view import LEAVE, MAP, NONE, REDUCE, UNDECIDED, UNLISTED, job_of, request_of


def choose(view, count, node, w_memory, w_vcores, ties, factor):
    view.factor[0] = factor_of(factor, view.running_jobs[1], view.running_jobs[0])
    answer = UNDECIDED
    if count == UNLISTED or has_scores(view):
        answer = prepare_scores(view, node)
        if has_scores(view):
            jobs = len(view.job_arrival) if answer == 1 else view.changed[0]
            for place in range(jobs):
                update_aligned(view, place if answer == 1 else view.changed[place + 1], w_memory, w_vcores)
    if count == UNLISTED:
        if answer != UNDECIDED and view.filled[node] == 1:
            view.cached_weight[0] = view.cached_weight[1] = 1.0
            view.cached_weight[2] = view.factor[0]
            request = first_preferred(view, node, w_memory, w_vcores, ties)
            return LEAVE if request == NONE else put_first(view, request)
        listed = list_candidates(view, node)
        return (
            put_first(view, view.candidates[choose_listed(view, listed, node, w_memory, w_vcores, ties)])
            if listed > 0
            else LEAVE
        )
    return choose_listed(view, count, node, w_memory, w_vcores, ties)


def update_aligned(view, job, w_memory, w_vcores):
    """Alignment is the second of the kept terms."""
    update_job(view, job, w_memory, w_vcores)
    for kind in (REDUCE, MAP):
        request = request_of(job, kind)
        update_term(
            view, 2, request, alignment_of(view, job) if view.request_waiting[request] > 0 else NOTHING
        )


def choose_listed(view, count, node, w_memory, w_vcores, ties):
    """The position of the choice among the candidates."""
    chosen = before_preference(view, count, node, w_memory, w_vcores)
    if chosen == NONE:
        chosen = most_preferred_aligned(view, count, node, w_memory, w_vcores, ties)
    return note_choice(view, node, chosen)


def most_preferred_aligned(view, count, node, w_memory, w_vcores, ties):
    """The highest P, with A."""
    rate(view, count, node, w_memory, w_vcores)
    prefer(view, count)
    align(view, count)
    add_alignment(view, count)
    return highest(view.preference, view.candidates, count, ties)


def align(view, count):
    """A of every candidate."""
    for position in range(count):
        view.alignment[view.candidates[position]] = alignment_of(view, job_of(view.candidates[position]))


def alignment_of(view, job):
    """A of a job."""
    return view.job_iteration[job] / view.job_iterations[job] if view.job_iterations[job] > 1 else 0.0


def add_alignment(view, count):
    """P + factor x norm(A) of every candidate."""
    minimum, maximum = bounds(view.alignment, view.candidates, count)
    for position in range(count):
        request = view.candidates[position]
        view.preference[request] += view.factor[0] * norm(view.alignment[request], minimum, maximum)


def factor_of(note_choice, iterative, running):
    """The weight of alignment: as given, or by the share of iterative jobs."""
    if not math.isnan(note_choice):
        return note_choice
    share = iterative / running if running > 0 else 0.0
    return 1.0 - share if share <= 0.5 else 0.0


AUTO = "weight of alignment; auto: 1 less the share of iterative jobs, 0 when they are the majority"
FACTOR = Parameter("factor", None, AUTO, "ours", low=0, high=100, none_word="auto")
ALIGNMENT = Term(
    "alignment",
    "Alignment",
    REQUEST,
    "The running iteration over all of them; 0 for a job with one.",
    strip=STRIP,
)
HASTE_A = Policy(
    "haste-a",
    "HaSTE-A",
    ORDER,
    choose,
    "haste, alignment; HASTE-A-2, HASTE-A-3 (reconstructed)",
    (W_MEMORY, W_VCORES, TIES, FACTOR),
    rule=("the sum of its fitness, urgency and alignment is the highest", BEST_FILL),
    ground="initial",
    masters_first=True,
    terms=(FITNESS, URGENCY, FILL, ALIGNMENT, PREFERENCE),
    facts=(INITIAL, Term("factor", "Factor", RUN, "The weight of alignment.", strip="factor")),
    memory=(*FILL_MEMORY, *PREFERENCE_MEMORY, *score_arrays(4)),
    keeps_scores=True,
)

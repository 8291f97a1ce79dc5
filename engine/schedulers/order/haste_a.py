"""HaSTE-A: HaSTE with iterative jobs pulled forward the nearer they are to their end.

Paper      haste, alignment; HASTE-A-1 to HASTE-A-4. Confirmed: iterative jobs earlier, later iterations more
           so; the factor by the proportion of iterative jobs, none when they are the majority. Reconstructed:
           P = norm(F) + norm(U) + factor x norm(A), A and factor as in terms/alignment.py
Jobs       as haste
Knows      as haste, and the running iteration
Ties       as haste
Cost       as haste
"""

from engine.schedulers.indexes.preference import HASTE_A_INDEX
from engine.schedulers.order.haste import (
    BEST_FILL,
    PREFERENCE,
    before_preference,
    note_choice,
    prefer,
    rate,
)
from engine.schedulers.policy import ORDER, RUN, Assignment, Policy, Term
from engine.schedulers.terms.alignment import ALIGNMENT, FACTOR, alignment_of, factor_of
from engine.schedulers.terms.fitness import FITNESS, W_MEMORY, W_VCORES
from engine.schedulers.terms.initial_assignment import FILL, FILL_MEMORY, INITIAL
from engine.schedulers.terms.masters import TIES, highest
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.terms.urgency import URGENCY
from engine.schedulers.view import NONE, job_of


def choose(view, count, node, w_memory, w_vcores, ties, factor):
    view.factor[0] = factor_of(factor, view.running_jobs[1], view.running_jobs[0])
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
    return highest(view, view.preference, count, ties)


def align(view, count):
    """A of every candidate."""
    for position in range(count):
        request = view.candidates[position]
        view.alignment[request] = alignment_of(view, job_of(view, request))


def add_alignment(view, count):
    """P + factor x norm(A) of every candidate."""
    minimum, maximum = bounds(view.alignment, view.candidates, count)
    for position in range(count):
        request = view.candidates[position]
        view.preference[request] += view.factor[0] * norm(view.alignment[request], minimum, maximum)


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
    memory=FILL_MEMORY,
    index=HASTE_A_INDEX,
    assignment=Assignment(weighs_tasks=True),
)

"""Weighted: an order composed of known terms by weights.

Rule       P = sum of weight x norm(term), norm = (x - min) / (max - min) over the candidates, 0 without a
           range; the highest goes first
Terms      fitness, urgency and alignment as haste's; share: the smaller the job's dominant share for its
           weight, the better; waiting: the longer since it was asked for; remaining: the fewer tasks of its
           job are left; arrival: the earlier
Jobs       of MapReduce: urgency is of maps and reduces. Refuses applications of stages and demand
Source     ours; a negative weight turns a term round
Ties       the order of candidates. Masters come before all
Cost       as haste
"""

from dataclasses import replace

from engine.schedulers.indexes.preference import WEIGHTED_INDEX
from engine.schedulers.order.haste import PREFERENCE, rate
from engine.schedulers.order.haste_a import align
from engine.schedulers.policy import ORDER, Assignment, Parameter, Policy
from engine.schedulers.terms.alignment import ALIGNMENT
from engine.schedulers.terms.fitness import FITNESS
from engine.schedulers.terms.job_terms import JOB_TERMS, rate_job
from engine.schedulers.terms.masters import first_master
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.terms.urgency import URGENCY
from engine.schedulers.view import NONE


def choose(view, candidates, count, node, fitness, urgency, alignment, share, waiting, remaining, arrival):
    best = first_master(view, count)
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
        *JOB_TERMS,
        replace(PREFERENCE, about=SUM),
    ),
    index=WEIGHTED_INDEX,
    assignment=Assignment(weighs_tasks=True),
)

"""The scheduler that SAF's authors published, as they wrote it, where it departs from the paper's Algorithm 1.

Source     github mahsa71/hadoop3.1, commit ed90603, Policy1.java and variables.txt; described here, not copied
Departs    needy by the resource that the job's DEMAND is largest in; both needy: the smaller absolute minimum share goes first, whatever its unit.
           Neither needy, T > 0: the shares are usage / capacity x weight (the paper divides); the first having less, the other goes first; having
           more, it stays with exp(-(other's - its own) / T), whose exponent is positive, so always: who holds MORE goes first. T halves then.
           T at 0: it is computed anew and the smaller share of the DEMAND goes first. T = -K sum of p log10 p over equal whole fitness values, one a job
           that ever won a comparison, as of its last; counts are added at every computation and never cleared. Fitness = demand x room left in the
           cluster, MB and vcores as they are, in 32 bits
Ours       Hadoop puts the jobs into a sorted tree with this comparison, which is no order at all; here one pass keeps the winner of each pair. Ties in
           job order. Room for VALUES fitness values; later ones count as the last
Knows      memory and vcores held and asked for, minimum shares and weights of jobs
Cost       one pass over the candidates
"""

import math

from engine.policies.order.entropy import SHANNON, entropy
from engine.policies.policy import ORDER, Parameter, Policy
from engine.policies.random import next_uniform
from engine.view import KINDS

VALUES = 512
STARTED, HEATED, TEMPERATURE, COUNT, RANDOM = range(5)  # places in notes; two numbers of RANDOM
KEYS, TIMES, P = 6, 6 + VALUES, 6 + 2 * VALUES  # fitness values, how often each was counted, scratch
FITNESS, WON = range(2)  # rows of job_notes
WRAP = 2.0**32


def choose(view, count, parameters):
    notes = view.notes
    if notes[STARTED] == 0.0:
        notes[STARTED], notes[RANDOM], notes[RANDOM + 1] = 1.0, view.seed[0], view.seed[1]
    best = 0
    for position in range(1, count):
        one, other = view.candidates[best] // KINDS, view.candidates[position] // KINDS
        if one != other:
            first = stays(view, one, other, parameters)
            remember(view, one if first else other)
            if not first:
                best = position
    return best


def stays(view, one, other, parameters):
    """Does the first of two jobs go before the second? An equal pair: yes, job order."""
    by_vcores, other_by_vcores = dominant(view, one), dominant(view, other)
    needy = held(view, one, by_vcores) < least(view, one, by_vcores)
    other_needy = held(view, other, other_by_vcores) < least(view, other, other_by_vcores)
    if needy != other_needy:
        return needy
    if needy:
        first, second = least(view, one, by_vcores), least(view, other, other_by_vcores)
        if first == second:
            first, second = least(view, one, not by_vcores), least(view, other, not other_by_vcores)
        return first <= second
    notes = view.notes
    if notes[HEATED] == 0.0:
        notes[HEATED] = 1.0
        heat(view, parameters)
    if notes[TEMPERATURE] > parameters[0]:
        first = held(view, one, by_vcores) / capacity(view, by_vcores) * view.job_weight[one]
        second = held(view, other, other_by_vcores) / capacity(view, other_by_vcores) * view.job_weight[other]
        drawn = next_uniform(notes, RANDOM)
        if first <= second:
            return first == second
        chance = math.exp(min((first - second) / notes[TEMPERATURE], 700.0))
        notes[TEMPERATURE] *= parameters[1]
        return chance > drawn
    heat(view, parameters)
    first, second = demand_share(view, one, by_vcores), demand_share(view, other, other_by_vcores)
    if first == second:
        first, second = demand_share(view, one, not by_vcores), demand_share(view, other, not other_by_vcores)
    return first <= second


def dominant(view, job):
    """Is the job's demand larger in vcores than in memory, as shares of the cluster?"""
    return demand(view, job, True) / view.cluster_vcores[0] > demand(view, job, False) / view.cluster_memory[0]


def demand(view, job, vcores):
    """What a job holds and waits for."""
    size = view.request_vcores if vcores else view.request_memory
    total = held(view, job, vcores)
    for request in range(KINDS * job, KINDS * job + KINDS):
        total += view.request_waiting[request] * size[request]
    return total


def demand_share(view, job, vcores):
    return demand(view, job, vcores) / capacity(view, vcores) / view.job_weight[job]


def held(view, job, vcores):
    return view.job_used_vcores[job] if vcores else view.job_used_memory[job]


def least(view, job, vcores):
    return view.job_min_vcores[job] if vcores else view.job_min_memory[job]


def capacity(view, vcores):
    return view.cluster_vcores[0] if vcores else view.cluster_memory[0]


def remember(view, job):
    """The winner's fitness as of now."""
    free_memory = view.cluster_memory[0] - view.queue_used_memory[0]
    free_vcores = view.cluster_vcores[0] - view.queue_used_vcores[0]
    fitness = demand(view, job, False) * free_memory + demand(view, job, True) * free_vcores
    jobs = len(view.job_arrival)
    view.job_notes[FITNESS * jobs + job] = fitness - WRAP * math.floor(fitness / WRAP + 0.5)
    view.job_notes[WON * jobs + job] = 1.0


def heat(view, parameters):
    """The temperature of all that was ever counted, after the present fitness values have been counted once more."""
    notes, jobs, total = view.notes, len(view.job_arrival), 0.0
    for job in range(jobs):
        if view.job_notes[WON * jobs + job] == 1.0:
            notes[TIMES + place_of(notes, view.job_notes[FITNESS * jobs + job])] += 1.0
    count = int(notes[COUNT])
    for place in range(count):
        total += notes[TIMES + place]
    for place in range(count):
        notes[P + place] = notes[TIMES + place] / total
    notes[TEMPERATURE] = entropy(SHANNON, notes[P : P + VALUES], count, parameters[2], 0.5, 0.5) if count > 0 else 0.0


def place_of(notes, fitness):
    """Where a value is counted, a new place if it has none."""
    count = int(notes[COUNT])
    for place in range(count):
        if notes[KEYS + place] == fitness:
            return place
    if count == VALUES:
        return VALUES - 1
    notes[KEYS + count] = fitness
    notes[COUNT] = count + 1
    return count


PUBLISHED = Policy(
    "saf-published",
    "SAF as its authors published it",
    ORDER,
    choose,
    "github mahsa71/hadoop3.1, Policy1.java",
    (
        Parameter("cold", 0.0, "temperature at or below which it is computed anew", "variables.txt", low=0, high=1e9),
        Parameter("rate", 0.5, "what the temperature is multiplied by", "variables.txt", low=0.001, high=1),
        Parameter("k", 1000.0, "the constant K", "variables.txt", low=1e-6, high=1e9),
    ),
    rule="it won every comparison after it was met",
    notes=P + VALUES,
    job_notes=2,
)

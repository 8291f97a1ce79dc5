"""The scheduler that SAF's authors published, as they wrote it, where it departs from the paper's Algorithm
1.

Source     github mahsa71/hadoop3.1, commit ed90603, Policy1.java and variables.txt; described here, not
           copied
Departs    needy by the resource that the job's DEMAND is largest in; both needy: the smaller absolute minimum
           share goes first, whatever its unit. Neither needy, T > 0: the shares are usage / capacity x weight
           (the paper divides); the first having less, the other goes first; having more, it stays with
           exp(-(other's - its own) / T), whose exponent is positive, so always: who holds MORE goes first. T
           halves then. T at 0: it is computed anew and the smaller share of the DEMAND goes first. T = -K sum
           of p log10 p over equal whole fitness values, one a job that ever won a comparison, as of its last;
           counts are added at every computation and never cleared. Fitness = demand x room left in the
           cluster, MB and vcores as they are, in 32 bits
Ours       Hadoop puts the jobs into a sorted tree with this comparison, which is no order at all; here one
           pass keeps the winner of each pair. Ties in job order. Room for VALUES fitness values; later ones
           count as the last
Knows      memory and vcores held and asked for, minimum shares and weights of jobs
Cost       one pass over the candidates
"""

import math

from engine.schedulers.policy import JOB, ORDER, RUN, Parameter, Policy, StateArray
from engine.schedulers.terms.entropy import SHANNON, entropy_of
from engine.schedulers.terms.random_numbers import RANDOM, next_uniform
from engine.schedulers.view import job_of

VALUES = 512
WRAP = 2.0**32


def choose(view, count, cold, rate, k):
    if view.random_state[0] == 0:
        view.random_state[0], view.random_state[1] = view.seed[0], view.seed[1]
    best = 0
    for position in range(1, count):
        leader, challenger = job_of(view, view.candidates[best]), job_of(view, view.candidates[position])
        if leader != challenger:
            keeps_lead = goes_before(view, leader, challenger, cold, rate, k)
            record_win(view, leader if keeps_lead else challenger)
            if not keeps_lead:
                best = position
    return best


def goes_before(view, job, other, cold, rate, k):
    """Does the first of two jobs go before the second? An equal pair: yes, job order."""
    by_vcores, other_by_vcores = dominant(view, job), dominant(view, other)
    needy = usage(view, job, by_vcores) < min_share(view, job, by_vcores)
    other_needy = usage(view, other, other_by_vcores) < min_share(view, other, other_by_vcores)
    if needy != other_needy:
        return needy
    if needy:
        first, second = min_share(view, job, by_vcores), min_share(view, other, other_by_vcores)
        if first == second:
            first, second = min_share(view, job, not by_vcores), min_share(view, other, not other_by_vcores)
        return first <= second
    if view.heated[0] == 0:
        view.heated[0] = 1
        reheat(view, k)
    if view.temperature[0] > cold:
        first = usage(view, job, by_vcores) / capacity(view, by_vcores) * view.job_weight[job]
        second = (
            usage(view, other, other_by_vcores) / capacity(view, other_by_vcores) * view.job_weight[other]
        )
        drawn = next_uniform(view.random_state)
        if first <= second:
            return first == second
        chance = math.exp(min((first - second) / view.temperature[0], 700.0))
        view.temperature[0] *= rate
        return chance > drawn
    reheat(view, k)
    first, second = demand_share(view, job, by_vcores), demand_share(view, other, other_by_vcores)
    if first == second:
        first, second = demand_share(view, job, not by_vcores), demand_share(view, other, not other_by_vcores)
    return first <= second


def dominant(view, job):
    """Is the job's demand larger in vcores than in memory, as shares of the cluster?"""
    return demand(view, job, True) / view.cluster_vcores > demand(view, job, False) / view.cluster_memory


def demand(view, job, vcores):
    """What a job holds and waits for."""
    size = view.request_vcores if vcores else view.request_memory
    total = usage(view, job, vcores)
    for request in range(view.job_first_request[job], view.job_first_request[job + 1]):
        total += view.request_waiting[request] * size[request]
    return total


def demand_share(view, job, vcores):
    return demand(view, job, vcores) / capacity(view, vcores) / view.job_weight[job]


def usage(view, job, vcores):
    return view.job_used_vcores[job] if vcores else view.job_used_memory[job]


def min_share(view, job, vcores):
    return view.job_min_vcores[job] if vcores else view.job_min_memory[job]


def capacity(view, vcores):
    return view.cluster_vcores if vcores else view.cluster_memory


def record_win(view, job):
    """The winner's fitness as of now."""
    free_memory = view.cluster_memory - view.queue_used_memory[0]
    free_vcores = view.cluster_vcores - view.queue_used_vcores[0]
    fitness = demand(view, job, False) * free_memory + demand(view, job, True) * free_vcores
    view.job_fitness[job] = fitness - WRAP * math.floor(fitness / WRAP + 0.5)
    view.job_won[job] = 1


def reheat(view, k):
    """The temperature of all that was ever counted, after the present fitness values have been counted once
    more.
    """
    total = 0.0
    for job in range(len(view.job_arrival)):
        if view.job_won[job] == 1:
            view.fitness_times[value_index(view, view.job_fitness[job])] += 1.0
    count = view.fitness_values[0]
    for index in range(count):
        total += view.fitness_times[index]
    for index in range(count):
        view.fitness_share[index] = view.fitness_times[index] / total
    view.temperature[0] = entropy_of(SHANNON, view.fitness_share, count, k, 0.5, 0.5) if count > 0 else 0.0


def value_index(view, fitness):
    """Where a value is counted, a new place if it has none."""
    count = view.fitness_values[0]
    for index in range(count):
        if view.fitness_key[index] == fitness:
            return index
    if count == VALUES:
        return VALUES - 1
    view.fitness_key[count] = fitness
    view.fitness_values[0] = count + 1
    return count


PUBLISHED = Policy(
    "saf-published",
    "SAF as its authors published it",
    ORDER,
    choose,
    "github mahsa71/hadoop3.1, Policy1.java",
    (
        Parameter(
            "cold",
            0.0,
            "temperature at or below which it is computed again",
            "variables.txt",
            low=0,
            high=1e9,
        ),
        Parameter("rate", 0.5, "what the temperature is multiplied by", "variables.txt", low=0.001, high=1),
        Parameter("k", 1000.0, "the constant K", "variables.txt", low=1e-6, high=1e9),
    ),
    rule="it won every comparison after it was met",
    memory=(
        RANDOM,
        StateArray("heated", RUN, "int64"),
        StateArray("temperature", RUN),
        StateArray("fitness_values", RUN, "int64"),  # how many different ones were counted
        StateArray("fitness_key", RUN, size=VALUES),
        StateArray("fitness_times", RUN, size=VALUES),
        StateArray("fitness_share", RUN, size=VALUES),
        StateArray("job_fitness", JOB),  # of the last time it won
        StateArray("job_won", JOB, "int64"),
    ),
)

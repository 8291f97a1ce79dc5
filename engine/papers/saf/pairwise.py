"""Algorithm 1 as it is printed: two instances are compared, i and i + 1, along the list.

Paper      saf §5: "SAF, just like DRF and Fairshair model, compares two instances, i and i + 1, according to
           its policy". Here the one that is picked meets the next of the list. The catalogue's saf draws
           once, between the first two by DRF, of whom the second never has the smaller share, as lines 15 and
           16 of Algorithm 1 say it may
Shares     used: of what a job holds (Table 2). request: of what one more container of it asks for, as Fig. 2
           reads them, where an instance that holds nothing has a share; request / capacity, which orders one
           instant's tasks as request / residual does
Pick       annealed: Algorithm 1. least: DRF on the same shares. most: the largest first, what a packing order
           would do
Ours       the temperature is measured once a decision at most, for nothing starts within one; it cools at
           every draw, and at T = 0 the smaller share is picked. DRF's ties stay with the first in job order
Knows      memory and vcores held, asked for and running, minimum shares and weights of jobs
Cost       one pass over the candidates; at a measurement as terms/temperature.py
"""

import math

from engine.schedulers.hadoop.shares import compare, drf_rank
from engine.schedulers.order.saf import SAF, begin, job_at
from engine.schedulers.policy import ORDER, RUN, Parameter, Policy, StateArray
from engine.schedulers.terms.entropy import cooled
from engine.schedulers.terms.random_numbers import next_uniform
from engine.schedulers.terms.running_tasks import update_running_tasks
from engine.schedulers.terms.temperature import measure

USED, REQUEST = range(2)
ANNEALED, LEAST, MOST = range(3)


def choose(view, count, shares, pick, entropy, alpha, q, cooling, rate, cold, k):
    begin(view)
    if pick == ANNEALED:
        update_running_tasks(view)
        view.measured[0] = 0
    best = 0
    needy, share, second = rank(view, 0, shares)
    for position in range(1, count):
        if job_at(view, position) == job_at(view, best):
            continue
        other_needy, other_share, other_second = rank(view, position, shares)
        order = compare(other_needy, other_share, other_second, needy, share, second)
        if pick == MOST:
            wins = order > 0
        elif pick == LEAST or needy < 0.0 or other_needy < 0.0:
            wins = order < 0
        else:
            wins = wins_draw(view, other_share - share, entropy, alpha, q, cooling, rate, cold, k)
        if wins:
            best, needy, share, second = position, other_needy, other_share, other_second
    return best


def rank(view, position, shares):
    """The instance's DRF rank, by what it holds or by one more container of it."""
    request, job = view.candidates[position], job_at(view, position)
    cluster, min_shares, weight = view.cluster_resource, view.job_min_resource, view.job_weight[job]
    if shares == REQUEST:
        return drf_rank(cluster, view.request_resource, request, min_shares, job, weight)
    return drf_rank(cluster, view.job_used_resource, job, min_shares, job, weight)


def wins_draw(view, difference, entropy, alpha, q, cooling, rate, cold, k):
    """Lines 13 to 27 of Algorithm 1: is i + 1 picked?"""
    if view.hot[0] == 0 or view.temperature[0] <= 0.0:
        heat(view, entropy, alpha, q, k)
    if difference < 0 or view.temperature[0] <= 0.0:
        return difference < 0
    wins = math.exp(-difference / view.temperature[0]) > next_uniform(view.random_state)
    if view.temperature[0] > cold:
        view.cycle[0] += 1.0
        view.temperature[0] = cooled(int(cooling), view.entropy[0], rate, view.cycle[0])
    else:
        view.hot[0] = 0
    return wins


def heat(view, entropy, alpha, q, k):
    """A new temperature; what was measured in this decision still holds."""
    if view.measured[0] == 0:
        measure(view, int(entropy), alpha, q, k)
        view.measured[0] = 1
    view.hot[0], view.cycle[0], view.temperature[0] = 1, 0.0, view.entropy[0]


PAIRWISE = Policy(
    "saf-pairwise",
    "SAF, pair by pair",
    ORDER,
    choose,
    "saf §5, Algorithm 1",
    (
        Parameter("shares", "used", "what a share is of", "saf Table 2, Fig. 2", choices=("used", "request")),
        Parameter("pick", "annealed", "which of two goes on", "ours", choices=("annealed", "least", "most")),
        *SAF.parameters,
    ),
    rule="it was picked of every pair since it was met",
    terms=(),
    facts=SAF.facts,
    memory=(*SAF.memory, StateArray("measured", RUN, "int64")),
)

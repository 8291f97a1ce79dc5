"""Orders that test a reason: other readings of what the paper leaves open. They are no schedulers of the
catalogue.

by-request      Fig. 2 takes request / residual for a share, so a task that holds nothing has one; here
                request / capacity, which orders one instant's tasks alike. pick=least: drf's rule on it;
                annealed: Algorithm 1's draw between the two least, at the temperature of two equal fitness
                values of the worked example, which cools as there and is measured anew below 1; most: the
                largest first, what a packing order would do
head-of-line    first in, first out without overtaking: a node is left idle until the first task in line fits
                it
Cost            one pass over the candidates
"""

import math

from engine.schedulers.policy import ORDER, RUN, Parameter, Policy, StateArray
from engine.schedulers.terms.random_numbers import RANDOM, next_uniform
from engine.schedulers.view import LEAVE, job_of

SMALLEST, ANNEALED, LARGEST = range(3)
# saf's worked example, §4.5; cold is ours, as the catalogue's
HOT, RATE, COLD = (
    1000 * math.log10(2),
    0.9,
    1.0,
)


def by_request(view, count, pick):
    first, second = -1, -1
    for position in range(count):
        share = request_share(view, position)
        if pick == LARGEST:
            share = -share
        if first < 0 or share < signed_share(view, first, pick):
            first, second = position, first
        elif second < 0 or share < signed_share(view, second, pick):
            second = position
    if pick != ANNEALED or second < 0:
        return first
    return second if second_wins(view, request_share(view, second) - request_share(view, first)) else first


def signed_share(view, position, pick):
    share = request_share(view, position)
    return -share if pick == LARGEST else share


def request_share(view, position):
    """The larger share of the cluster that one container asks for, over its job's weight."""
    request = view.candidates[position]
    share = max(
        view.request_memory[request] / view.cluster_memory[0],
        view.request_vcores[request] / view.cluster_vcores[0],
    )
    return share / view.job_weight[job_of(request)]


def second_wins(view, difference):
    """One draw of Algorithm 1, and its cooling."""
    if view.random_state[0] == 0:
        view.temperature[0], view.random_state[0], view.random_state[1] = HOT, view.seed[0], view.seed[1]
    won = math.exp(-difference / view.temperature[0]) > next_uniform(view.random_state)
    view.temperature[0] = view.temperature[0] * RATE if view.temperature[0] > COLD else HOT
    return won


def head_of_line(waiting_requests, candidates):
    return 0 if candidates[0] == waiting_requests[0] else LEAVE


BY_REQUEST = Policy(
    "by-request",
    "Shares of the request",
    ORDER,
    by_request,
    "saf Fig. 2",
    (Parameter("pick", "least", "which share goes first", "ours", choices=("least", "annealed", "most")),),
    rule="the share of the cluster that it asks for",
    memory=(RANDOM, StateArray("temperature", RUN)),
)
HEAD_OF_LINE = Policy(
    "head-of-line",
    "First in line, no overtaking",
    ORDER,
    head_of_line,
    "ours",
    rule="it is the first in line",
)

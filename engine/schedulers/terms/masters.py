"""Masters before all other requests: what haste, ffd-dp, fresh and weighted have in common (haste §III,
HASTE-9: an ApplicationMaster has the highest preference); and how large a part of a queue they may hold."""

import math

from engine.schedulers.hadoop.resources import amount_of, componentwise_min
from engine.schedulers.policy import Parameter
from engine.schedulers.view import MASTER, NONE, job_of, kind_of, request_of

MAPS_FIRST = 0.0
TIES = Parameter(
    "ties",
    "maps",
    "of a job's equal requests the map first or, as with Hadoop's priorities (reduces 10, maps 20), the "
    "reduce",
    "ours",
    choices=("maps", "reduces"),
)


def first_master(view, count):
    """The position of the first master among the candidates, in job order; NONE without one. Cost: one
    pass.
    """
    for position in range(count):
        if kind_of(view, view.candidates[position]) == MASTER:
            return position
    return NONE


def am_resource(view, job):
    """A job's master against limits: rounded to no more than its queue's largest container (RMAppManager),
    as what it holds need not be.
    """
    size = amount_of(view.request_resource, request_of(view, job, MASTER))
    return componentwise_min(size, amount_of(view.queue_max_container_resource, view.job_queue[job]))


def am_share_of(view, queue, limit):
    """The queue's own largest part for its masters, or the one of all queues."""
    am_share = view.queue_am_share[queue]
    return limit if math.isnan(am_share) else am_share


def highest(view, values, count, ties):
    """The position of the highest value; of equals the first, but under ties=maps the map of a job whose
    reduce comes before it.
    """
    best = 0
    for position in range(1, count):
        if is_higher(view, values, view.candidates[position], view.candidates[best], ties):
            best = position
    return best


def is_higher(view, values, request, other, ties):
    """Is a request's value above that of a rival listed before it? Of equals the rival stays, but under
    ties=maps for a map of its job.
    """
    if values[request] != values[other]:
        return values[request] > values[other]
    return ties == MAPS_FIRST and job_of(view, request) == job_of(view, other)

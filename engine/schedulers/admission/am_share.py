"""AM share: a queue's masters may hold no more than a part of the queue's fair share (ADMISSION-3).

In Hadoop  FairScheduler queueMaxAMShareDefault (0.5) or the leaf's maxAMShare, FSLeafQueue.canRunAppAM: of
           the queue's instantaneous fair share, and of a resource that it has none of, of what is available;
           rounded up; who exceeds it is passed over, later jobs are tried; a master counts until its job has
           left
Ours       orders that know no queues have one, whose share is the cluster; under capacity a queue's share is
           its guarantee
Knows      what masters hold, the queue's fair share or guarantee and maximum, what is available
Cost       constant
"""

import math

import numpy as np

from engine.resource_types import MEMORY, VCORES
from engine.schedulers.amounts import THE_RUN, counted_resources
from engine.schedulers.policy import ADMISSION, QUEUE_SHARE, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.terms.masters import am_resource, am_share_of
from engine.schedulers.view import ADMIT, BY_CAPACITY, HOLD, MASTER, NO_AM_LIMIT, NO_QUEUES, request_of


def may_start(view, job, limit):
    queue, part = view.job_queue[job], limit
    if view.queue_scheme != NO_QUEUES:
        part = am_share_of(view, queue, limit)
    view.share_memory[0], view.share_vcores[0] = share_of(view, queue, MEMORY), share_of(view, queue, VCORES)
    view.masters_memory[0] = masters_of(view, queue, MEMORY)
    view.masters_vcores[0] = masters_of(view, queue, VCORES)
    if part == NO_AM_LIMIT:
        return ADMIT
    for resource in range(counted_resources(view)):
        share = np.float64(share_of(view, queue, resource))
        master = master_of(view, job, resource)
        if masters_of(view, queue, resource) + master > math.ceil(share * np.float32(part)):
            return HOLD
    return ADMIT


def master_of(view, job, resource):
    """How much the job's master counts."""
    if view.queue_scheme == NO_QUEUES:
        return view.request_resource[resource, request_of(view, job, MASTER)]
    return am_resource(view, job)[resource]


def masters_of(view, queue, resource):
    """How much masters of the queue hold; those of all queues where the order knows none."""
    if view.queue_scheme == NO_QUEUES:
        return view.held_resource[resource, MASTER]
    return view.queue_masters_resource[resource, queue]


def share_of(view, queue, resource):
    """How much the queue's share is under the order in use."""
    if view.queue_scheme == NO_QUEUES:
        return view.cluster_resource[resource, THE_RUN]
    if view.queue_scheme == BY_CAPACITY:
        return int(view.queue_capacity[queue] * view.cluster_resource[resource, THE_RUN])
    share = view.queue_fair_resource[resource, queue]
    if share == 0:
        share = min(view.available_resource[resource, THE_RUN], view.queue_max_resource[resource, queue])
    return share


AM_SHARE = Policy(
    "am-share",
    "AM share",
    ADMISSION,
    may_start,
    "Hadoop FairScheduler, maxAMShare",
    (
        Parameter(
            "limit",
            0.5,
            "maximum part of a queue's share for its ApplicationMasters",
            "Hadoop FairScheduler, maxAMShare",
            low=0,
            high=1,
        ),
    ),
    rule="with it the ApplicationMasters of its queue stay within their part of the queue's share",
    facts=(
        Term("share_memory", "Queue's share of memory", RUN, "Its fair share, or what is available.", "MB"),
        Term(
            "share_vcores", "Queue's share of vcores", RUN, "Its fair share, or what is available.", "vcores"
        ),
        Term(
            "masters_memory",
            "Masters' memory",
            RUN,
            "Of the queue's masters, before this one.",
            "MB",
            strip="memory",
        ),
        Term(
            "masters_vcores",
            "Masters' vcores",
            RUN,
            "Of the queue's masters, before this one.",
            "vcores",
            strip="vcores",
        ),
    ),
    masters=Masters(held_by=QUEUE_SHARE),
)

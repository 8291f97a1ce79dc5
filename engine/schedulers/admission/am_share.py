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

from engine.schedulers.policy import ADMISSION, QUEUE_SHARE, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.terms.masters import am_resource, am_share_of
from engine.schedulers.view import ADMIT, BY_CAPACITY, HOLD, MASTER, NO_AM_LIMIT, NO_QUEUES, request_of


def may_start(view, job, limit):
    queue, part = view.job_queue[job], limit
    memory, vcores = (
        view.request_memory[request_of(view, job, MASTER)],
        view.request_vcores[request_of(view, job, MASTER)],
    )
    if view.queue_scheme != NO_QUEUES:
        part = am_share_of(view, queue, limit)
        memory, vcores = am_resource(view, job)
    view.share_memory[0], view.share_vcores[0] = share_of(view, queue)
    view.masters_memory[0], view.masters_vcores[0] = masters_of(view, queue)
    memory_fits = view.masters_memory[0] + memory <= math.ceil(view.share_memory[0] * np.float32(part))
    vcores_fit = view.counts_vcores == 0 or view.masters_vcores[0] + vcores <= math.ceil(
        view.share_vcores[0] * np.float32(part)
    )
    return ADMIT if (memory_fits and vcores_fit) or part == NO_AM_LIMIT else HOLD


def masters_of(view, queue):
    """(memory, vcores) that masters of the queue hold; of all queues where the order knows none."""
    if view.queue_scheme == NO_QUEUES:
        return view.held_memory[MASTER], view.held_vcores[MASTER]
    return view.queue_masters_memory[queue], view.queue_masters_vcores[queue]


def share_of(view, queue):
    """(memory, vcores): the queue's share under the order in use."""
    if view.queue_scheme == NO_QUEUES:
        return view.cluster_memory, view.cluster_vcores
    if view.queue_scheme == BY_CAPACITY:
        return int(view.queue_capacity[queue] * view.cluster_memory), int(
            view.queue_capacity[queue] * view.cluster_vcores
        )
    memory, vcores = view.queue_fair_memory[queue], view.queue_fair_vcores[queue]
    if memory == 0:
        memory = min(view.available_memory, view.queue_max_memory[queue])
    if vcores == 0:
        vcores = min(view.available_vcores, view.queue_max_vcores[queue])
    return memory, vcores


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

"""AM share: a queue's masters may hold no more than a part of the queue's share of the cluster.

In Hadoop  FairScheduler maxAMShare (0.5 by default) of the queue's fair share; CapacityScheduler maximum-am-resource-percent (0.1) of its
           guaranteed capacity; rounded up; who exceeds it is passed over, later jobs are tried
Ours       the fair share by weights among queues with unfinished jobs, without minimum and maximum shares; orders that know no
           queues have one; both resources count (Hadoop's fair compares vcores with what is free); a queue's first master has no privilege
Knows      what masters hold, weights and capacities of queues
Cost       queues, for each level of the tree
"""

import math

from engine.schedulers.policy import ADMISSION, RUN, Parameter, Policy, Term
from engine.schedulers.view import ADMIT, BY_CAPACITY, HOLD, MASTER, NO_QUEUES, request_of


def may_start(view, job, limit):
    queue, own = view.job_queue[job], request_of(job, MASTER)
    view.queue_share[0] = share_of(view, queue)
    view.masters_memory[0], view.masters_vcores[0] = masters_of(view, queue)
    memory = view.masters_memory[0] + view.request_memory[own] <= most(view, limit, view.cluster_memory[0])
    vcores = view.counts_vcores[0] == 0 or view.masters_vcores[0] + view.request_vcores[own] <= most(view, limit, view.cluster_vcores[0])
    return ADMIT if memory and vcores else HOLD


def most(view, limit, cluster):
    """What masters may hold of one resource; a guarantee under capacity is whole MB and vcores."""
    if view.tree[0] == BY_CAPACITY:
        return math.ceil(limit * int(view.queue_share[0] * cluster))
    return math.ceil(limit * view.queue_share[0] * cluster)


def masters_of(view, queue):
    """(memory, vcores) that masters of the queue hold; of all queues where the order knows none."""
    if view.tree[0] == NO_QUEUES:
        return view.held_memory[MASTER], view.held_vcores[MASTER]
    return view.queue_masters_memory[queue], view.queue_masters_vcores[queue]


def share_of(view, queue):
    """A leaf's share of the cluster under the order in use."""
    if view.tree[0] == NO_QUEUES:
        return 1.0
    if view.tree[0] == BY_CAPACITY:
        return view.queue_capacity[queue]
    share = 1.0
    while view.queue_parent[queue] >= 0:
        weights = 0.0
        for sibling in range(len(view.queue_parent)):
            if view.queue_parent[sibling] == view.queue_parent[queue] and view.queue_jobs[sibling] > 0:
                weights += view.queue_weight[sibling]
        share = share * (view.queue_weight[queue] / weights)
        queue = view.queue_parent[queue]
    return share


AM_SHARE = Policy(
    "am-share",
    "AM share",
    ADMISSION,
    may_start,
    "Hadoop maxAMShare, maximum-am-resource-percent",
    (Parameter("limit", 0.5, "largest part of a queue's share for its masters", "Hadoop FairScheduler, maxAMShare", low=0, high=1),),
    rule="with it its queue's masters stay within their part of the queue's share",
    facts=(
        Term("queue_share", "Queue's share", RUN, "Of the cluster.", "share"),
        Term("masters_memory", "Masters' memory", RUN, "Of the queue's masters, before this one.", "MB", strip="memory"),
        Term("masters_vcores", "Masters' vcores", RUN, "Of the queue's masters, before this one.", "vcores", strip="vcores"),
    ),
)

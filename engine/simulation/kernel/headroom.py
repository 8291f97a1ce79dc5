"""Headroom: what a scheduler tells a master that its job could still have.

In Hadoop  FSAppAttempt.getHeadroom and SchedulingPolicy.getHeadroom; CapacityHeadroomProvider, AbstractLeafQueue.getHeadroom and
           UsersManager.computeUserLimit; FifoScheduler.updateAppHeadRoom
What has ended counts until the scheduler has seen it. An order that is no scheduler of Hadoop's tells what is free in the cluster.
"""

from __future__ import annotations

import math

import numpy as np

from engine.schedulers.policy import FAIR_SHARE, QUEUE_LIMIT
from engine.schedulers.terms.capacity_walk import used_by
from engine.schedulers.terms.queue_sharing import how_of
from engine.schedulers.terms.shares import is_less
from engine.schedulers.view import DRF
from engine.simulation.kernel.fair_shares import renew


def tell_headroom(v, s, job):
    """headroom_memory and headroom_vcores, for a job."""
    queue = v.job_queue[job]
    if s.headroom[0] == FAIR_SHARE:
        renew(v, s)
        memory, vcores = of_fair_share(v, s, queue)
    elif s.headroom[0] == QUEUE_LIMIT:
        memory, vcores = of_queue_limit(v, queue)
    else:
        memory, vcores = v.cluster_memory[0] - v.queue_used_memory[0], v.cluster_vcores[0] - v.queue_used_vcores[0]
    v.headroom_memory[0], v.headroom_vcores[0] = memory, vcores


def of_fair_share(v, s, queue):
    """What is free in the cluster, below the leaf's maximum share, and of its fair share; vcores of that under drf alone."""
    used_memory, used_vcores = v.queue_used_memory[queue], v.queue_used_vcores[queue]
    memory = min(v.cluster_memory[0] - v.queue_used_memory[0], v.queue_max_memory[queue] - used_memory)
    vcores = min(v.cluster_vcores[0] - v.queue_used_vcores[0], v.queue_max_vcores[queue] - used_vcores)
    memory = min(memory, max(s.queue_fair_memory[queue] - used_memory, 0))
    if how_of(s.own_policy[0], v.queue_policy[queue]) == DRF:
        vcores = min(vcores, max(s.queue_fair_vcores[queue] - used_vcores, 0))
    return memory, vcores


def of_queue_limit(v, queue):
    """What the leaf's limit, as the last walk handed it down, and its user's leave; no more than what is free in the cluster."""
    counts = v.counts_vcores[0] == 1
    used, of_all = used_by(v, queue), used_by(v, 0)
    of_user = user_limit(v, queue)
    memory = min(max(of_user[0] - used[0], 0), max(v.queue_limit_memory[queue] - used[0], 0))
    vcores = min(max(of_user[1] - used[1], 0), max(v.queue_limit_vcores[queue] - used[1], 0))
    free_memory, free_vcores = v.cluster_memory[0] - of_all[0], v.cluster_vcores[0] - of_all[1]
    if is_less(v, counts, memory, vcores, free_memory, free_vcores):
        return memory, vcores
    return free_memory, free_vcores


def user_limit(v, queue):
    """(memory, vcores) of one user, who is alone in the leaf: its guarantee, or what it uses and 1 MB and vcore more."""
    counts = v.counts_vcores[0] == 1
    used = used_by(v, queue)
    memory, vcores = int(v.cluster_memory[0] * v.queue_capacity[queue]), int(v.cluster_vcores[0] * v.queue_capacity[queue])
    if is_less(v, counts, memory, vcores, 1, 1):
        memory, vcores = 1, 1
    consumed = consumed_by(v, counts, used)
    if not is_less(v, counts, consumed[0], consumed[1], memory, vcores):
        memory, vcores = consumed[0] + 1, consumed[1] + 1
    if is_less(v, counts, memory, vcores, used[0] + 1, used[1] + 1):
        memory, vcores = used[0] + 1, used[1] + 1
    return memory, vcores


def consumed_by(v, counts, used):
    """What is used, as the cluster times the float that is its ratio to it."""
    ratio = np.float32(used[0]) / np.float32(v.cluster_memory[0])
    if not counts:
        return int(v.cluster_memory[0] * float(ratio) + 0.5), 0
    ratio = float(max(ratio, np.float32(used[1]) / np.float32(v.cluster_vcores[0])))
    return math.ceil(float(np.float32(v.cluster_memory[0] * ratio))), math.ceil(float(np.float32(v.cluster_vcores[0] * ratio)))

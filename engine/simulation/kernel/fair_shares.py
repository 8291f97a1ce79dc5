"""Fair shares of jobs, and which of them are starved (FairScheduler's ComputeFairShares, FSAppAttempt.isStarved, isReservable).

A share depends on who is active, on weights and on the queues' minimum and maximum shares, not on what is held or wanted: so they are
computed anew only after jobs have come or gone. `fair` shares memory alone, `drf` each resource, and under `fifo` the earliest job has all.
A job has no minimum share here.
"""

from __future__ import annotations

import math

import numpy as np

from engine.schedulers.policy import FAIR_SHARE, STARVED
from engine.schedulers.terms.queue_sharing import how_of
from engine.schedulers.terms.shares import is_less
from engine.schedulers.view import DRF, FIFO, MAP, PER_JOB
from engine.simulation.kernel.blocks import OFF_RACK, ON_NODE, how_far
from engine.simulation.kernel.usage import note_stale
from engine.simulation.queues import UNLIMITED

HUGE = 2.0**60  # more than any cluster has; sums of it stay whole numbers
ITERATIONS = 25  # ComputeFairShares.COMPUTE_FAIR_SHARES_ITERATIONS
INCREMENTS = 2  # of FairScheduler's: what is smaller than so many reserves nothing
INCREMENT_MB, INCREMENT_VCORES = 1024, 1  # by default
RESERVABLE_NODES = 0.05  # of the cluster, or of a rack whose blocks it is for, for one job: yarn.scheduler.fair.reservable-nodes


def is_reservable(v, s, node, request):
    """May a request that does not fit a node, and that may_reserve, reserve it? (FSAppAttempt.isReservable, reservationExceedsThreshold)"""
    job = request // PER_JOB
    how = how_of(s.own_policy[0], v.queue_policy[v.job_queue[job]])
    lacks = s.preempts[0] == 1 and (s.least_memory[job] > 0 or s.least_vcores[job] > 0)
    if not lacks and not is_starved(v, how, job):
        return False
    far = how_far(v, s, job, node) if request % PER_JOB == MAP and s.replication[0] > 0 else OFF_RACK
    if far == OFF_RACK:
        return nodes_reserved(v, job) < most_reserved(len(v.node_memory))
    rack = s.node_rack[node]
    return far == ON_NODE or reserved_on_rack(v, s, job, rack) < most_reserved(s.rack_begin[rack + 1] - s.rack_begin[rack])


def most_reserved(nodes):
    """Of so many nodes, for one job."""
    return math.ceil(float(np.float32(nodes) * np.float32(RESERVABLE_NODES)))


def reserved_on_rack(v, s, job, rack):
    count = 0
    for node in range(len(v.node_reserved)):
        count += v.node_reserved[node] // PER_JOB == job and s.node_rack[node] == rack
    return count


def beats_so_far(v, s):
    """How many beats of nodes there have been; without beats, the time."""
    return s.beat_round[0] * len(s.awake) + s.beat_node[0] if v.heartbeat[0] > 0 else v.now[0]


def renew(v, s):
    """The shares as of the last beat, where FairScheduler is updated at each."""
    if v.update_interval[0] == 0 and s.shares_are_stale[0] == 1 and beats_so_far(v, s) > s.stale_turn[0]:
        compute_shares(v, s)


def jobs_change(v, s):
    """Jobs are about to come or go."""
    if s.headroom[0] == FAIR_SHARE:
        renew(v, s)
        s.stale_turn[0] = beats_so_far(v, s)
    s.shares_are_stale[0] = 1


def nodes_reserved(v, job):
    """How many nodes are reserved for a job."""
    first = PER_JOB * job
    return v.request_reserved[first] + v.request_reserved[first + 1] + v.request_reserved[first + 2]


def is_large(v, s, request):
    """Is it at least the threshold: by memory, or under drf by dominant shares?"""
    how = how_of(s.own_policy[0], v.queue_policy[v.job_queue[request // PER_JOB]])
    return not is_less(v, how == DRF, v.request_memory[request], v.request_vcores[request], s.threshold_memory[0], s.threshold_vcores[0])


def is_starved(v, how, job):
    """Does the job hold less than its fair share: of memory, under drf by the larger share of the cluster alone?"""
    return held_share(v, how, job) < fair_share(v, how, job)


def held_share(v, how, job):
    """What the job holds: MB, under drf the larger share of the cluster."""
    if how != DRF:
        return float(v.job_used_memory[job])
    return max(v.job_used_memory[job] / v.cluster_memory[0], v.job_used_vcores[job] / v.cluster_vcores[0])


def fair_share(v, how, job):
    """What it may hold, in the same."""
    if how != DRF:
        return float(v.job_fair_memory[job])
    return max(v.job_fair_memory[job] / v.cluster_memory[0], v.job_fair_vcores[job] / v.cluster_vcores[0])


def compute_shares(v, s):
    """Down the tree: each queue shares its own among its active children, each leaf among its active jobs."""
    s.shares_are_stale[0] = 0
    v.queue_fair_memory[:] = 0
    v.queue_fair_vcores[:] = 0
    v.queue_fair_memory[0], v.queue_fair_vcores[0] = v.cluster_memory[0], v.cluster_vcores[0]
    for queue in range(len(v.queue_parent)):
        if s.queue_active_jobs[queue] > 0:
            how = how_of(s.own_policy[0], v.queue_policy[queue])
            children = list_children(v, s, queue)
            if children > 0:
                share_among_queues(v, s, children, v.queue_fair_memory[queue], v.queue_min_memory, v.queue_max_memory, v.queue_fair_memory)
                if how == DRF:
                    share_among_queues(v, s, children, v.queue_fair_vcores[queue], v.queue_min_vcores, v.queue_max_vcores, v.queue_fair_vcores)
            elif s.preempts[0] == 1 or s.reserves[0] == STARVED:  # nobody else asks for those of jobs
                share_among_jobs(v, s, queue, how)


def list_children(v, s, queue):
    """sharer: the queue's children; how many."""
    count = 0
    for child in range(queue + 1, len(v.queue_parent)):
        if v.queue_parent[child] == queue:
            s.sharer[count] = child
            count += 1
    return count


def share_among_queues(v, s, count, total, least, most, shares):
    """One resource among the first queues of `sharer`; what no job is active in gets nothing."""
    for i in range(count):
        child = s.sharer[i]
        s.sharer_weight[i], s.sharer_least[i] = v.queue_weight[child], least[child]
        s.sharer_most[i] = most[child] if s.queue_active_jobs[child] > 0 else 0
    join_alike(s, count)
    divide(s, count, total)
    give(s, count, shares)


def share_among_jobs(v, s, queue, how):
    count = list_jobs(v, s, queue)
    if how == FIFO:
        s.sharer[0], s.sharer_next[0] = s.sharer[:count].min(), 1
        v.job_fair_memory[s.sharer[0]], v.job_fair_vcores[s.sharer[0]] = v.queue_fair_memory[queue], v.queue_fair_vcores[queue]
        if s.ranks_by[0] > 0 and s.reserves[0] == STARVED:
            note_starved(v, s, how, 1)
        return
    divide(s, count, v.queue_fair_memory[queue])
    give(s, count, v.job_fair_memory)
    if how == DRF:
        divide(s, count, v.queue_fair_vcores[queue])
        give(s, count, v.job_fair_vcores)
    if s.ranks_by[0] > 0 and s.reserves[0] == STARVED:
        note_starved(v, s, how, count)


def list_jobs(v, s, queue):
    """sharer: the leaf's active jobs, of which those of one weight, one after another, are joined; how many. Those that have left are forgotten."""
    staying = count = first = 0
    for place in range(s.active_count[0]):
        job = s.active_jobs[place]
        if v.job_is_active[job] == 0:
            continue
        s.active_jobs[staying] = job
        staying += 1
        if v.job_queue[job] != queue:
            continue
        s.sharer[count] = job
        if count == 0 or v.job_weight[job] != s.sharer_weight[first]:
            s.sharer_next[first] = count
            s.sharer_weight[count], s.sharer_least[count], s.sharer_most[count] = v.job_weight[job], 0, UNLIMITED
            first = count
        count += 1
    s.sharer_next[first] = count
    s.active_count[0] = staying
    return count


def note_starved(v, s, how, count):
    """Of the first `sharer`, those that were above their share, or below it, and are so no more. Who is to find its place anew finds that out by itself."""
    i = 0
    while i < count:
        share = fair_share(v, how, s.sharer[i])
        for alike in range(i, s.sharer_next[i]):
            job = s.sharer[alike]
            if (s.held_share[job] < share) != s.is_starving[job] and s.is_stale[job] == 0:
                note_stale(s, job)
        i = s.sharer_next[i]


def divide(s, count, total):
    """sharer_part: by weight, from its least to its most, so that together they come to the total (ComputeFairShares.computeSharesInternal).

    Of those that are joined the first has it.
    """
    most, i = 0, 0
    while i < count and most < total:
        most = min(most + (s.sharer_next[i] - i) * min(s.sharer_most[i], total), total)
        i = s.sharer_next[i]
    total = most
    high = 1.0
    while taken(s, count, high) < total:
        high *= 2.0
    low = 0.0
    for _ in range(ITERATIONS):
        middle = (low + high) / 2.0
        planned = taken(s, count, middle)
        if planned < total:
            low = middle
        else:
            high = middle
        if planned == total:
            break
    i = 0
    while i < count:
        s.sharer_part[i] = part(s, i, high)
        i = s.sharer_next[i]


def give(s, count, shares):
    """shares: what each of the first `sharer` was given."""
    i = 0
    while i < count:
        for alike in range(i, s.sharer_next[i]):
            shares[s.sharer[alike]] = s.sharer_part[i]
        i = s.sharer_next[i]


def join_alike(s, count):
    """sharer_next: of the first of some that are alike, one after another, who comes after them."""
    after = count
    for i in range(count - 1, -1, -1):
        if i + 1 < count and not are_alike(s, i, i + 1):
            after = i + 1
        s.sharer_next[i] = after


def are_alike(s, i, other):
    same_limits = s.sharer_least[i] == s.sharer_least[other] and s.sharer_most[i] == s.sharer_most[other]
    return same_limits and s.sharer_weight[i] == s.sharer_weight[other]


def taken(s, count, ratio):
    found, i = 0.0, 0
    while i < count:
        found = min(found + float(s.sharer_next[i] - i) * part(s, i, ratio), HUGE)
        i = s.sharer_next[i]
    return found


def part(s, i, ratio):
    return int(min(HUGE, max(s.sharer_weight[i] * ratio, s.sharer_least[i]), s.sharer_most[i]))

"""Which jobs are starved, at each of FairScheduler's updates: of their fair share, or of what their leaf's minimum share leaves them.

In Hadoop  FairScheduler.shouldAttemptPreemption, FSLeafQueue.updateStarvedApps, FSAppAttempt.fairShareStarvation, FSStarvedApps
A leaf is looked at in the order of its jobs' ranks, and no further than the first job that is not starved of its fair share.
"""

from __future__ import annotations

import numpy as np

from engine.schedulers.terms.queue_sharing import how_of, job_rank, waits_for
from engine.schedulers.terms.shares import compare, is_less
from engine.schedulers.view import DRF, FIFO
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.requests import first_unfinished


def find_starved(v, s, now):
    """starved[:starved_count]: a heap of those to be helped, where the cluster is used beyond the threshold."""
    used = max(np.float32(v.queue_used_memory[0]) / np.float32(v.cluster_memory[0]), np.float32(v.queue_used_vcores[0]) / np.float32(v.cluster_vcores[0]))
    if np.float32(s.preemption_threshold[0]) < used:
        for place in range(len(s.leaf_order)):
            look_at_leaf(v, s, s.leaf_order[place], now)


def look_at_leaf(v, s, queue, now):
    count = rank_wanting(v, s, queue, now)
    memory, vcores = 0, 0
    for place in range(count):
        job = s.by_rank[place]
        starve(v, s, job, queue, now)
        if s.starved_memory[job] == 0 and s.starved_vcores[job] == 0:
            break
        add_starved(s, job)
        memory += s.starved_memory[job]
        vcores += s.starved_vcores[job]
    lacking_memory, lacking_vcores = lacks(v, s, queue, now)
    lacking_memory, lacking_vcores = max(lacking_memory - memory, 0), max(lacking_vcores - vcores, 0)
    how = how_of(s.own_policy[0], v.queue_policy[queue])
    for place in range(count):
        job = s.by_rank[place]
        own_memory, own_vcores = 0, 0
        if lacking_memory > 0 or lacking_vcores > 0:
            pending_memory, pending_vcores = waits_for(v, job)
            own_memory, own_vcores = max(pending_memory - s.starved_memory[job], 0), max(pending_vcores - s.starved_vcores[job], 0)
            if is_less(v, how == DRF, lacking_memory, lacking_vcores, own_memory, own_vcores):
                own_memory, own_vcores = max(own_memory - lacking_memory, 0), max(own_vcores - lacking_vcores, 0)
                lacking_memory, lacking_vcores = 0, 0
            else:
                lacking_memory, lacking_vcores = max(lacking_memory - own_memory, 0), max(lacking_vcores - own_vcores, 0)
            add_starved_as(v, s, job, own_memory, own_vcores)
            add_starved(s, job)
        else:
            add_starved_as(v, s, job, 0, 0)


def add_starved_as(v, s, job, memory, vcores):
    """What it lacks of its leaf's minimum share; that may let it reserve nodes, or no longer."""
    if s.least_memory[job] != memory or s.least_vcores[job] != vcores:
        s.least_memory[job], s.least_vcores[job] = memory, vcores
        s.event_count[0] += 1
        wake_parked(s)


def rank_wanting(v, s, queue, now):
    """by_rank: the leaf's jobs that want more and are to be looked at again by now, as its policy orders them; how many."""
    how = how_of(s.own_policy[0], v.queue_policy[queue])
    count = 0
    for job in range(first_unfinished(v, s), s.arrived_jobs[0]):
        if v.job_queue[job] != queue or v.job_is_active[job] == 0 or v.job_runs_since[job] < 0 or now < s.next_check[job] or waits_for(v, job)[0] == 0:
            continue
        place = count
        while place > 0 and how != FIFO and before(v, how, job, s.by_rank[place - 1]):
            s.by_rank[place] = s.by_rank[place - 1]
            place -= 1
        s.by_rank[place] = job
        count += 1
    return count


def before(v, how, job, rival):
    """Does a job stand before one that is earlier in job order?"""
    needy, first, second = job_rank(v, how, job)
    other_needy, other_first, other_second = job_rank(v, how, rival)
    return compare(needy, first, second, other_needy, other_first, other_second) < 0


def starve(v, s, job, queue, now):
    """How far it is below the threshold of its fair share, once it has been for the timeout."""
    part = float(np.float32(s.share_threshold[queue]))
    memory, vcores = waits_for(v, job)
    used_memory, used_vcores = v.job_used_memory[job], v.job_used_vcores[job]
    fair_memory, fair_vcores = int(v.job_fair_memory[job] * part), int(v.job_fair_vcores[job] * part)
    wanted_memory, wanted_vcores = min(fair_memory, used_memory + memory), min(fair_vcores, used_vcores + vcores)
    if not is_below(v, how_of(s.own_policy[0], v.queue_policy[queue]), used_memory, used_vcores, wanted_memory, wanted_vcores):
        s.at_share_since[job] = now
        wanted_memory, wanted_vcores = 0, 0
    elif now - s.at_share_since[job] < s.share_timeout[queue]:
        wanted_memory, wanted_vcores = 0, 0
    found_memory, found_vcores = max(wanted_memory - used_memory, 0), max(wanted_vcores - used_vcores, 0)
    if wanted_memory == 0 and wanted_vcores == 0:
        found_memory, found_vcores = 0, 0
    if s.starved_memory[job] != found_memory or s.starved_vcores[job] != found_vcores:
        s.starved_memory[job], s.starved_vcores[job] = found_memory, found_vcores
        s.event_count[0] += 1
        wake_parked(s)


def lacks(v, s, queue, now):
    """How far a leaf is below its minimum share, or its demand if that is less, once it has been for the timeout."""
    used_memory, used_vcores = v.queue_used_memory[queue], v.queue_used_vcores[queue]
    demand_memory = min(used_memory + v.queue_waiting_memory[queue], v.queue_max_memory[queue])
    demand_vcores = min(used_vcores + v.queue_waiting_vcores[queue], v.queue_max_vcores[queue])
    memory = max(min(v.queue_min_memory[queue], demand_memory) - used_memory, 0)
    vcores = max(min(v.queue_min_vcores[queue], demand_vcores) - used_vcores, 0)
    if memory == 0 and vcores == 0:
        s.at_least_since[queue] = now
    if now - s.at_least_since[queue] < s.least_timeout[queue]:
        return 0, 0
    return memory, vcores


def is_below(v, how, memory, vcores, than_memory, than_vcores):
    """By memory, under drf by the larger share of the cluster alone (FSAppAttempt.isUsageBelowShare)."""
    if how != DRF:
        return memory < than_memory
    share = max(memory / v.cluster_memory[0], vcores / v.cluster_vcores[0])
    return share < max(than_memory / v.cluster_memory[0], than_vcores / v.cluster_vcores[0])


def goes_first(s, job, rival):
    """Is what it lacks no more than what the other does? (FSStarvedApps' comparator: of equals each goes first)"""
    memory, vcores = s.starved_memory[job] + s.least_memory[job], s.starved_vcores[job] + s.least_vcores[job]
    return memory <= s.starved_memory[rival] + s.least_memory[rival] and vcores <= s.starved_vcores[rival] + s.least_vcores[rival]


def add_starved(s, job):
    """Into the heap, if it is not there (java.util.concurrent.PriorityBlockingQueue.offer)."""
    place = s.starved_count[0]
    for i in range(place):
        if s.starved[i] == job:
            return
    s.starved_count[0] += 1
    while place > 0 and goes_first(s, job, s.starved[(place - 1) // 2]):
        s.starved[place] = s.starved[(place - 1) // 2]
        place = (place - 1) // 2
    s.starved[place] = job


def take_starved(s):
    """The first of the heap leaves it."""
    found = s.starved[0]
    s.starved_count[0] -= 1
    count = s.starved_count[0]
    job = s.starved[count]
    place = 0
    while place < count // 2:
        child = 2 * place + 1
        if child + 1 < count and not goes_first(s, s.starved[child], s.starved[child + 1]):
            child += 1
        if goes_first(s, job, s.starved[child]):
            break
        s.starved[place] = s.starved[child]
        place = child
    s.starved[place] = job
    return found

"""How much CapacityScheduler's monitor would have each leaf give back (PreemptableResourceCalculator, TempQueuePerPartition).

Down the tree each queue's children share what it should have: first what they hold of their guarantees, then the rest by guarantee among
those that want more, the one furthest below its guarantee first. A leaf gets no more so than its guarantee or what it holds. What it holds
beyond is to be given back, less where all together may give no more on one round.
Arrays of amounts hold two entries a queue, MB and vcores.
"""

from __future__ import annotations

import math

import numpy as np

from engine.schedulers.terms.amounts import (
    NOTHING,
    compare,
    divided,
    each_least,
    each_most,
    has_any,
    larger_of,
    minus,
    plus,
    smaller_of,
    times,
)
from engine.schedulers.terms.user_limits import limit_user
from engine.schedulers.view import BY_PRIORITY, PER_JOB

LAST = 2.0**31 - 1.0  # a queue without any guarantee comes last


def of(amounts, queue):
    return amounts[2 * queue], amounts[2 * queue + 1]


def put(amounts, queue, amount):
    amounts[2 * queue], amounts[2 * queue + 1] = amount[0], amount[1]


def compute_ideal(v, s, allowed):
    """queue_ideal and queue_to_give of all queues; allowed: what may be given back in all on one round."""
    note_queues(v, s)
    note_wanted(v, s)
    note_extras(v, s)
    s.queue_ideal[:] = 0
    s.queue_to_give[:] = 0
    put(s.queue_ideal, 0, of(s.queue_guaranteed, 0))
    for queue in range(len(v.queue_parent)):
        if s.queue_is_leaf[queue] == 0:
            share_among_children(v, s, queue, allowed)


def note_queues(v, s):
    """What they hold, reserved or not, are guaranteed and may hold at most."""
    for queue in range(len(v.queue_parent)):
        used = v.queue_used_memory[queue] + v.queue_reserved_memory[queue], v.queue_used_vcores[queue] + v.queue_reserved_vcores[queue]
        put(s.queue_holds, queue, used)
        cluster = v.cluster_memory[0], v.cluster_vcores[0]
        put(s.queue_guaranteed, queue, times(cluster, v.queue_capacity[queue]))
        put(s.queue_most, queue, times(cluster, v.queue_max_capacity[queue]))


def note_wanted(v, s):
    """What waits in each queue as far as its users' limits let it be served; and that less what nodes are reserved for."""
    s.queue_wants[:] = 0
    s.queue_lacks[:] = 0
    s.user_wants[:] = 0
    s.user_lacks[:] = 0
    for job in range(s.arrived_jobs[0]):
        if v.job_is_active[job] == 1:
            user = v.job_user[job]
            if s.limits_users[0] == 1:
                limit_user(v, v.job_queue[job])
            waits, reserved = NOTHING, NOTHING
            for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
                size = v.request_memory[request], v.request_vcores[request]
                waits = plus(waits, times(size, v.request_waiting[request]))
                reserved = plus(reserved, times(size, v.request_reserved[request]))
            put(s.user_wants, user, plus(of(s.user_wants, user), waits))
            put(s.user_lacks, user, plus(of(s.user_lacks, user), each_most(minus(waits, reserved), NOTHING)))
    for user in range(len(v.job_user)):
        wants, lacks = of(s.user_wants, user), of(s.user_lacks, user)
        queue = v.job_queue[user]
        if s.limits_users[0] == 1:
            limit = v.queue_user_memory[queue], v.queue_user_vcores[queue]
            room = each_most(minus(limit, (v.user_used_memory[user], v.user_used_vcores[user])), NOTHING)
            wants, lacks = each_least(wants, room), each_least(lacks, room)
        while queue >= 0:
            put(s.queue_wants, queue, plus(of(s.queue_wants, queue), wants))
            put(s.queue_lacks, queue, plus(of(s.queue_lacks, queue), lacks))
            queue = v.queue_parent[queue]


def note_extras(v, s):
    """queue_untouchable: what is held beyond guarantees and must not be taken back, as in leaves that are not to be pre-empted."""
    counts, cluster = v.counts_vcores[0], of(s.queue_guaranteed, 0)
    s.queue_taken[:] = 0  # what may be taken back, of its children
    for queue in v.queue_bottom_up:
        extra = minus(of(s.queue_holds, queue), of(s.queue_guaranteed, queue))
        if compare(counts, cluster, extra, NOTHING) < 0:
            extra = NOTHING
        can_give, kept = extra, NOTHING
        if s.queue_is_leaf[queue] == 1:
            if s.queue_is_spared[queue] == 1:
                can_give, kept = NOTHING, extra
        else:
            below = of(s.queue_taken, queue)
            if compare(counts, cluster, below, extra) < 0:
                kept = minus(extra, below)
            can_give = smaller_of(counts, cluster, below, extra)
        put(s.queue_untouchable, queue, kept)
        parent = v.queue_parent[queue]
        if parent >= 0:
            put(s.queue_taken, parent, plus(of(s.queue_taken, parent), can_give))


def share_among_children(v, s, parent, allowed):
    """Their ideal amounts, and what they are to give back."""
    counts, within = v.counts_vcores[0], of(s.queue_ideal, parent)
    left, has_more = share_out(v, s, parent, within, True)
    if has_more and compare(counts, within, left, NOTHING) > 0:
        share_out(v, s, parent, left, False)
    needed = NOTHING
    for child in s.queues_in_file:
        if v.queue_parent[child] == parent and compare(counts, within, of(s.queue_holds, child), of(s.queue_ideal, child)) > 0:
            needed = plus(needed, minus(of(s.queue_holds, child), of(s.queue_ideal, child)))
    part = 1.0
    if compare(counts, within, needed, allowed) > 0:
        part = divided(counts, within, allowed, needed)
    for child in s.queues_in_file:
        if v.queue_parent[child] == parent:
            put(s.queue_to_give, child, to_give(v, s, child, within, part))


def to_give(v, s, queue, within, part):
    """TempQueuePerPartition.assignPreemption."""
    counts = v.counts_vcores[0]
    held = of(s.queue_holds, queue)
    own = smaller_of(counts, within, plus(held, of(s.queue_wants, queue)), of(s.queue_guaranteed, queue))
    kept = larger_of(counts, within, own, of(s.queue_ideal, queue))
    if compare(counts, within, held, kept) > 0:
        return times(minus(held, kept), part)
    return NOTHING


def share_out(v, s, parent, left, is_guaranteed):
    """computeFixpointAllocation among the children with a guarantee, or those without, of `left`.

    Returns what Hadoop believes to be left, which is not all that it has given, and whether there are others.
    """
    counts, within = v.counts_vcores[0], of(s.queue_ideal, parent)
    s.heap_count[0] = 0
    has_others = False
    for child in s.queues_in_file:
        if v.queue_parent[child] != parent:
            continue
        guaranteed, held = of(s.queue_guaranteed, child), of(s.queue_holds, child)
        if (compare(counts, within, guaranteed, NOTHING) > 0) != is_guaranteed:
            has_others = True
            continue
        ideal = held
        if compare(counts, within, held, guaranteed) > 0:
            ideal = plus(each_least(guaranteed, held), of(s.queue_untouchable, child))
        put(s.queue_ideal, child, ideal)
        left = minus(left, ideal)
        if compare(counts, within, ideal, plus(held, of(s.queue_wants, child))) < 0:
            push(v, s, child, within)
    believed = left
    is_first = True
    while s.heap_count[0] > 0 and compare(counts, within, left, NOTHING) > 0:
        weigh(v, s, is_guaranteed)
        needy = pop_neediest(v, s)
        round_left = left
        for place in range(needy):
            if not has_any(counts, left):
                break
            child = s.neediest[place]
            offered = each_least(weighed(v, s, child, round_left), left)
            taken = offer(v, s, child, offered, within)
            if compare(counts, within, taken, NOTHING) > 0:
                push(v, s, child, within)
            left = minus(left, taken)
            if is_first:
                believed, is_first = left, False
            left = each_most(left, NOTHING)
    return believed, has_others


def weigh(v, s, is_guaranteed):
    """queue_part of those in the heap: by their guarantees, by capacity where one of those is cut to 0, or evenly (resetCapacity)."""
    active, capacity = NOTHING, np.float32(0.0)
    for place in range(s.heap_count[0]):
        active = plus(active, of(s.queue_guaranteed, s.heap[place]))
        capacity = np.float32(capacity + np.float32(v.queue_capacity[s.heap[place]]))
    for resource in range(2):
        by_capacity, evenly = False, not is_guaranteed or capacity == 0.0
        for place in range(s.heap_count[0]):
            queue = s.heap[place]
            if is_guaranteed and s.queue_guaranteed[2 * queue + resource] == 0 and v.queue_capacity[queue] != 0 and active[resource] != 0:
                by_capacity = True
                break
            evenly = evenly or active[resource] == 0
        for place in range(s.heap_count[0]):
            queue = s.heap[place]
            if by_capacity:
                part = np.float32(v.queue_capacity[queue]) / capacity
            elif evenly:
                part = np.float32(1.0) / np.float32(s.heap_count[0])
            else:
                part = np.float32(s.queue_guaranteed[2 * queue + resource]) / np.float32(active[resource])
            s.queue_part[2 * queue + resource] = float(part)


def weighed(v, s, queue, amount):
    """A queue's part of an amount, as the calculator in use rounds it (multiplyAndNormalizeUp)."""
    if v.counts_vcores[0] == 0:
        return int(amount[0] * s.queue_part[2 * queue] + 0.5), 0
    return math.ceil(amount[0] * s.queue_part[2 * queue]), math.ceil(amount[1] * s.queue_part[2 * queue + 1])


def offer(v, s, queue, offered, within):
    """What the queue takes of it (TempQueuePerPartition.offer)."""
    counts = v.counts_vcores[0]
    ideal, held, guaranteed = of(s.queue_ideal, queue), of(s.queue_holds, queue), of(s.queue_guaranteed, queue)
    wanted = minus(plus(held, of(s.queue_lacks, queue)), ideal)
    taken = each_least(each_most(minus(of(s.queue_most, queue), ideal), NOTHING), smaller_of(counts, within, offered, wanted))
    if s.queue_is_leaf[queue] == 1:
        own = larger_of(counts, within, minus(larger_of(counts, within, held, guaranteed), ideal), NOTHING)
        taken = smaller_of(counts, within, taken, own)
    taken = each_least(each_most(taken, NOTHING), offered)
    put(s.queue_ideal, queue, plus(ideal, taken))
    return taken


def needs(v, s, queue, within):
    """Its ideal amount over its guarantee (TQComparator)."""
    guaranteed = of(s.queue_guaranteed, queue)
    if compare(v.counts_vcores[0], within, guaranteed, NOTHING) <= 0:
        return LAST
    return divided(v.counts_vcores[0], within, of(s.queue_ideal, queue), guaranteed)


def compare_needs(v, s, queue, rival):
    """Below 0 where a queue goes before its sibling (PriorityUtilizationQueueOrderingPolicy.compare)."""
    need, other = s.queue_need[queue], s.queue_need[rival]
    by_priority = v.queue_ordering[v.queue_parent[queue]] == BY_PRIORITY and v.queue_priority[queue] != v.queue_priority[rival]
    if by_priority and (need < 1.0) == (other < 1.0):
        return -1 if v.queue_priority[queue] > v.queue_priority[rival] else 1
    return int(need > other) - int(need < other)


def pop_neediest(v, s):
    """Those that need most, in `neediest`, out of the heap; how many there are."""
    count = 0
    while s.heap_count[0] > 0:
        queue = pop(v, s)
        s.neediest[count] = queue
        count += 1
        if s.heap_count[0] > 0 and compare_needs(v, s, queue, s.heap[0]) < 0:
            break
    return count


def push(v, s, queue, within):
    """Into the heap, as java.util.PriorityQueue orders equal ones."""
    s.queue_need[queue] = needs(v, s, queue, within)
    place = s.heap_count[0]
    s.heap_count[0] += 1
    while place > 0 and compare_needs(v, s, queue, s.heap[(place - 1) // 2]) < 0:
        s.heap[place] = s.heap[(place - 1) // 2]
        place = (place - 1) // 2
    s.heap[place] = queue


def pop(v, s):
    first = s.heap[0]
    s.heap_count[0] -= 1
    count = s.heap_count[0]
    moved = s.heap[count]
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and compare_needs(v, s, s.heap[child], s.heap[child + 1]) > 0:
            child += 1
        if compare_needs(v, s, moved, s.heap[child]) <= 0:
            break
        s.heap[place] = s.heap[child]
        place = child
    s.heap[place] = moved
    return first

"""How much CapacityScheduler's monitor would have each leaf give back (PreemptableResourceCalculator,
TempQueuePerPartition; PREEMPT-7).

Down the tree each queue's children share what it should have: first what they hold of their guarantees, then
the rest by guarantee among those that want more, the one furthest below its guarantee first. A leaf gets no
more so than its guarantee or what it holds. What it holds beyond is to be given back, less where all together
may give no more on one round.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.codes import BY_PRIORITY
from engine.resource_types import MEMORY, RESOURCE_COUNT, Amount, put
from engine.run_records import (
    JOB,
    LEAF,
    MONITORS,
    QUEUE,
    RUN,
    Amounts,
    Flags,
    Floats,
    Ints,
    Record,
    Size,
    amounts,
    array,
    given,
    number,
)
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.resources import (
    NOTHING,
    add_amount,
    amount_of,
    compare,
    componentwise_max,
    componentwise_min,
    divide,
    is_any_above_zero,
    max_of,
    min_of,
    minus,
    plus,
    set_amount,
    times,
)
from engine.schedulers.hadoop.user_limits import compute_user_limit

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class IdealAllocation(Record):
    """CapacityScheduler's ideal allocation."""

    queue_is_leaf: Flags = given(QUEUE, "", "1: it has no children")
    queues_in_file: Ints = given(QUEUE, "", "queues in the order of the file")
    leaves_in_hash_order: Ints = given(LEAF, "", "leaves in the order of a java.util.HashSet of their names")
    queue_current_resource: Amounts = amounts(QUEUE, "what it holds", when=MONITORS)
    queue_guaranteed_resource: Amounts = amounts(QUEUE, "its guarantee", when=MONITORS)
    queue_maximum_resource: Amounts = amounts(QUEUE, "its maximum capacity", when=MONITORS)
    queue_pending_resource: Amounts = amounts(QUEUE, "beyond what it holds", when=MONITORS)
    queue_pending_unreserved_resource: Amounts = amounts(
        QUEUE, "that less what nodes are reserved for", when=MONITORS
    )
    queue_untouchable_resource: Amounts = amounts(
        QUEUE,
        "of a parent, what children whose containers are spared hold above their guarantees",
        when=MONITORS,
    )
    queue_preemptable_extra_resource: Amounts = amounts(
        QUEUE,
        "of a parent, what its children hold above their guarantees and may be preempted",
        when=MONITORS,
    )
    queue_ideal_resource: Amounts = amounts(QUEUE, "its ideal allocation", when=MONITORS)
    queue_to_preempt_resource: Amounts = amounts(QUEUE, "what is to be preempted of it", when=MONITORS)
    queue_normalized_guarantee: Floats = array(
        Size(QUEUE, RESOURCE_COUNT),
        "",
        "its guarantee's part of those of the queues that want more",
        when=MONITORS,
    )
    queue_ideal_ratio: Floats = array(
        QUEUE, "", "its ideal allocation's part of its guarantee", when=MONITORS
    )
    user_pending_resource: Amounts = amounts(JOB, "what the user's jobs wait for", when=MONITORS)
    user_pending_unreserved_resource: Amounts = amounts(
        JOB, "that less what nodes are reserved for", when=MONITORS
    )
    heap: Ints = array(QUEUE, "", "queues that want more", when=MONITORS)
    heap_count: int = number("", "of `heap`")
    underserved_queues: Ints = array(
        QUEUE, "", "queues that have the least of their guarantees", when=MONITORS
    )
    monitor_parameters: Floats = given(
        Size(RUN, 5),
        "",
        "of the cluster that one round may choose, the dead zone, of what is to be given, of a queue "
        "for masters or -1",
    )
    queue_disables_preemption: Flags = given(QUEUE, "", "1: its containers are not killed for other queues")


LAST = 2.0**31 - 1.0  # a queue without any guarantee comes last


def compute_ideal(v: View, s: State, allowed: Amount) -> None:
    """queue_ideal and queue_to_preempt of all queues; allowed: what may be given back in all on one round."""
    set_queue_amounts(v, s)
    set_pending(v, s)
    set_untouchable(v, s)
    s.queue_ideal_resource[:] = 0
    s.queue_to_preempt_resource[:] = 0
    set_amount(s.queue_ideal_resource, 0, amount_of(s.queue_guaranteed_resource, 0))
    for queue in range(len(v.queue_parent)):
        if s.queue_is_leaf[queue] == 0:
            share_among_children(v, s, queue, allowed)


def set_queue_amounts(v: View, s: State) -> None:
    """What they hold, reserved or not, are guaranteed and may hold at most."""
    for queue in range(len(v.queue_parent)):
        set_amount(s.queue_current_resource, queue, used_and_reserved(v, queue))
        cluster = amount_of(v.cluster_resource, THE_RUN)
        set_amount(s.queue_guaranteed_resource, queue, times(cluster, v.queue_capacity[queue]))
        set_amount(s.queue_maximum_resource, queue, times(cluster, v.queue_max_capacity[queue]))


def set_pending(v: View, s: State) -> None:
    """What waits in each queue as far as its users' limits let it be served; and that less what nodes are
    reserved for.
    """
    s.queue_pending_resource[:] = 0
    s.queue_pending_unreserved_resource[:] = 0
    s.user_pending_resource[:] = 0
    s.user_pending_unreserved_resource[:] = 0
    for job in range(s.arrived_jobs):
        if v.job_is_active[job] == 1:
            user = v.job_user[job]
            if s.limits_users == 1:
                compute_user_limit(v, v.job_queue[job])
            waiting, reserved = NOTHING, NOTHING
            for request in range(v.job_first_request[job], v.job_first_request[job + 1]):
                size = amount_of(v.request_resource, request)
                waiting = plus(waiting, times(size, v.request_waiting[request]))
                reserved = plus(reserved, times(size, v.request_reserved[request]))
            unreserved = componentwise_max(minus(waiting, reserved), NOTHING)
            add_amount(s.user_pending_resource, user, waiting)
            add_amount(s.user_pending_unreserved_resource, user, unreserved)
    for user in range(len(v.job_user)):
        pending = amount_of(s.user_pending_resource, user)
        unreserved = amount_of(s.user_pending_unreserved_resource, user)
        queue = v.job_queue[user]
        if s.limits_users == 1:
            limit, used = amount_of(v.queue_user_resource, queue), amount_of(v.user_used_resource, user)
            headroom = componentwise_max(minus(limit, used), NOTHING)
            pending = componentwise_min(pending, headroom)
            unreserved = componentwise_min(unreserved, headroom)
        while queue >= 0:
            add_amount(s.queue_pending_resource, queue, pending)
            add_amount(s.queue_pending_unreserved_resource, queue, unreserved)
            queue = v.queue_parent[queue]


def set_untouchable(v: View, s: State) -> None:
    """queue_untouchable: what is held beyond guarantees and must not be taken back, as in leaves that are not
    to be preempted.
    """
    counts, cluster = v.counts_vcores, amount_of(s.queue_guaranteed_resource, 0)
    s.queue_preemptable_extra_resource[:] = 0  # what may be taken back, of its children
    for queue in v.queue_bottom_up:
        extra = minus(
            amount_of(s.queue_current_resource, queue), amount_of(s.queue_guaranteed_resource, queue)
        )
        if compare(counts, cluster, extra, NOTHING) < 0:
            extra = NOTHING
        preemptable, untouchable = extra, NOTHING
        if s.queue_is_leaf[queue] == 1:
            if s.queue_disables_preemption[queue] == 1:
                preemptable, untouchable = NOTHING, extra
        else:
            below = amount_of(s.queue_preemptable_extra_resource, queue)
            if compare(counts, cluster, below, extra) < 0:
                untouchable = minus(extra, below)
            preemptable = min_of(counts, cluster, below, extra)
        set_amount(s.queue_untouchable_resource, queue, untouchable)
        parent = v.queue_parent[queue]
        if parent >= 0:
            add_amount(s.queue_preemptable_extra_resource, parent, preemptable)


def share_among_children(v: View, s: State, parent: int, allowed: Amount) -> None:
    """Their ideal amounts, and what is to be preempted of each."""
    counts, total = v.counts_vcores, amount_of(s.queue_ideal_resource, parent)
    left, has_more = allocate_fixpoint(v, s, parent, total, True)
    if has_more and compare(counts, total, left, NOTHING) > 0:
        allocate_fixpoint(v, s, parent, left, False)
    to_preempt_in_all = NOTHING
    for child in s.queues_in_file:
        current, ideal = amount_of(s.queue_current_resource, child), amount_of(s.queue_ideal_resource, child)
        if v.queue_parent[child] == parent and compare(counts, total, current, ideal) > 0:
            to_preempt_in_all = plus(to_preempt_in_all, minus(current, ideal))
    scale = 1.0
    if compare(counts, total, to_preempt_in_all, allowed) > 0:
        scale = divide(counts, total, allowed, to_preempt_in_all)
    for child in s.queues_in_file:
        if v.queue_parent[child] == parent:
            set_amount(s.queue_to_preempt_resource, child, to_preempt(v, s, child, total, scale))


def to_preempt(v: View, s: State, queue: int, total: Amount, part: float) -> Amount:
    """TempQueuePerPartition.assignPreemption."""
    counts = v.counts_vcores
    current = amount_of(s.queue_current_resource, queue)
    guaranteed = min_of(
        counts,
        total,
        plus(current, amount_of(s.queue_pending_resource, queue)),
        amount_of(s.queue_guaranteed_resource, queue),
    )
    entitled = max_of(counts, total, guaranteed, amount_of(s.queue_ideal_resource, queue))
    if compare(counts, total, current, entitled) > 0:
        return times(minus(current, entitled), part)
    return NOTHING


def allocate_fixpoint(
    v: View, s: State, parent: int, left: Amount, is_guaranteed: bool
) -> tuple[Amount, bool]:
    """computeFixpointAllocation among the children with a guarantee, or those without, of `left`.

    Returns what Hadoop believes to be left, which is not all that it has given, and whether there are others.
    """
    counts, total = v.counts_vcores, amount_of(s.queue_ideal_resource, parent)
    s.heap_count = 0
    has_others = False
    for child in s.queues_in_file:
        if v.queue_parent[child] != parent:
            continue
        guaranteed, current = (
            amount_of(s.queue_guaranteed_resource, child),
            amount_of(s.queue_current_resource, child),
        )
        if (compare(counts, total, guaranteed, NOTHING) > 0) != is_guaranteed:
            has_others = True
            continue
        ideal = current
        if compare(counts, total, current, guaranteed) > 0:
            ideal = plus(
                componentwise_min(guaranteed, current), amount_of(s.queue_untouchable_resource, child)
            )
        set_amount(s.queue_ideal_resource, child, ideal)
        left = minus(left, ideal)
        if compare(counts, total, ideal, plus(current, amount_of(s.queue_pending_resource, child))) < 0:
            push(v, s, child, total)
    left_by_hadoop = left
    is_first = True
    while s.heap_count > 0 and compare(counts, total, left, NOTHING) > 0:
        normalize_guarantees(v, s, is_guaranteed)
        underserved = pop_most_underserved(v, s)
        round_left = left
        for place in range(underserved):
            if not is_any_above_zero(counts, left):
                break
            child = s.underserved_queues[place]
            offered = componentwise_min(normalized_share(v, s, child, round_left), left)
            taken = offer(v, s, child, offered, total)
            if compare(counts, total, taken, NOTHING) > 0:
                push(v, s, child, total)
            left = minus(left, taken)
            if is_first:
                left_by_hadoop, is_first = left, False
            left = componentwise_max(left, NOTHING)
    return left_by_hadoop, has_others


def normalize_guarantees(v: View, s: State, is_guaranteed: bool) -> None:
    """queue_normalized_guarantee of those in the heap: by their guarantees, by capacity where one of those is
    cut to 0, or evenly (resetCapacity).
    """
    active, capacity = NOTHING, np.float32(0.0)
    for place in range(s.heap_count):
        active = plus(active, amount_of(s.queue_guaranteed_resource, s.heap[place]))
        capacity = np.float32(capacity + np.float32(v.queue_capacity[s.heap[place]]))
    for resource in range(RESOURCE_COUNT):
        by_capacity, evenly = False, not is_guaranteed or capacity == 0.0
        for place in range(s.heap_count):
            queue = s.heap[place]
            if (
                is_guaranteed
                and s.queue_guaranteed_resource[resource, queue] == 0
                and v.queue_capacity[queue] != 0
                and active[resource] != 0
            ):
                by_capacity = True
                break
            evenly = evenly or active[resource] == 0
        for place in range(s.heap_count):
            queue = s.heap[place]
            if by_capacity:
                part = np.float32(v.queue_capacity[queue]) / capacity
            elif evenly:
                part = np.float32(1.0) / np.float32(s.heap_count)
            else:
                part = np.float32(s.queue_guaranteed_resource[resource, queue]) / np.float32(active[resource])
            s.queue_normalized_guarantee[RESOURCE_COUNT * queue + resource] = float(part)


def normalized_share(v: View, s: State, queue: int, amount: Amount) -> Amount:
    """A queue's part of an amount, as the calculator in use rounds it (multiplyAndNormalizeUp)."""
    if v.counts_vcores == 0:
        part = s.queue_normalized_guarantee[RESOURCE_COUNT * queue + MEMORY]
        return put(NOTHING, MEMORY, int(amount[MEMORY] * part + 0.5))
    share = NOTHING
    for resource in range(RESOURCE_COUNT):
        part = s.queue_normalized_guarantee[RESOURCE_COUNT * queue + resource]
        share = put(share, resource, math.ceil(amount[resource] * part))
    return share


def offer(v: View, s: State, queue: int, offered: Amount, total: Amount) -> Amount:
    """What the queue takes of it (TempQueuePerPartition.offer)."""
    counts = v.counts_vcores
    ideal, current, guaranteed = (
        amount_of(s.queue_ideal_resource, queue),
        amount_of(s.queue_current_resource, queue),
        amount_of(s.queue_guaranteed_resource, queue),
    )
    wanted = minus(plus(current, amount_of(s.queue_pending_unreserved_resource, queue)), ideal)
    taken = componentwise_min(
        componentwise_max(minus(amount_of(s.queue_maximum_resource, queue), ideal), NOTHING),
        min_of(counts, total, offered, wanted),
    )
    if s.queue_is_leaf[queue] == 1:
        leaf_limit = max_of(counts, total, minus(max_of(counts, total, current, guaranteed), ideal), NOTHING)
        taken = min_of(counts, total, taken, leaf_limit)
    taken = componentwise_min(componentwise_max(taken, NOTHING), offered)
    set_amount(s.queue_ideal_resource, queue, plus(ideal, taken))
    return taken


def ideal_ratio(v: View, s: State, queue: int, total: Amount) -> float:
    """Its ideal amount over its guarantee (TQComparator)."""
    guaranteed = amount_of(s.queue_guaranteed_resource, queue)
    if compare(v.counts_vcores, total, guaranteed, NOTHING) <= 0:
        return LAST
    return divide(v.counts_vcores, total, amount_of(s.queue_ideal_resource, queue), guaranteed)


def compare_ratios(v: View, s: State, queue: int, sibling: int) -> int:
    """Below 0 where a queue goes before its sibling (PriorityUtilizationQueueOrderingPolicy.compare)."""
    ratio, other_ratio = s.queue_ideal_ratio[queue], s.queue_ideal_ratio[sibling]
    by_priority = (
        v.queue_ordering[v.queue_parent[queue]] == BY_PRIORITY
        and v.queue_priority[queue] != v.queue_priority[sibling]
    )
    if by_priority and (ratio < 1.0) == (other_ratio < 1.0):
        return -1 if v.queue_priority[queue] > v.queue_priority[sibling] else 1
    return int(ratio > other_ratio) - int(ratio < other_ratio)


def pop_most_underserved(v: View, s: State) -> int:
    """Moves the most underserved queues out of the heap into `underserved_queues`; how many there are."""
    count = 0
    while s.heap_count > 0:
        queue = pop(v, s)
        s.underserved_queues[count] = queue
        count += 1
        if s.heap_count > 0 and compare_ratios(v, s, queue, s.heap[0]) < 0:
            break
    return count


def push(v: View, s: State, queue: int, total: Amount) -> None:
    """Into the heap, as java.util.PriorityQueue orders equal ones."""
    s.queue_ideal_ratio[queue] = ideal_ratio(v, s, queue, total)
    place = s.heap_count
    s.heap_count += 1
    while place > 0 and compare_ratios(v, s, queue, s.heap[(place - 1) // 2]) < 0:
        s.heap[place] = s.heap[(place - 1) // 2]
        place = (place - 1) // 2
    s.heap[place] = queue


def pop(v: View, s: State) -> int:
    first = s.heap[0]
    s.heap_count -= 1
    count = s.heap_count
    moved = s.heap[count]
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and compare_ratios(v, s, s.heap[child], s.heap[child + 1]) > 0:
            child += 1
        if compare_ratios(v, s, moved, s.heap[child]) <= 0:
            break
        s.heap[place] = s.heap[child]
        place = child
    s.heap[place] = moved
    return first

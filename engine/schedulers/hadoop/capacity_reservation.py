"""What CapacityScheduler does with the request of a job that comes first: a container, a reservation, an
exchange of one for the other, or nothing (RESERVE-2).

In Hadoop  RegularContainerAllocator.checkHeadroom, assignContainer, shouldAllocOrReserveNewContainer;
           FiCaSchedulerApp.findNodeToUnreserve; AbstractCSQueue.accept
Ours       without a maximum allocation the one that large containers are held against is 2^30 MB and vcores
"""

import numpy as np

from engine.java_hash import table_size
from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.capacity_delay import allowed_locality, note_allocation
from engine.schedulers.hadoop.resources import (
    NOTHING,
    amount_of,
    is_any_above_zero,
    is_within,
    larger,
    minus,
    plus,
)
from engine.schedulers.hadoop.user_limits import max_capacity_of
from engine.schedulers.policy import REQUEST, StateArray
from engine.schedulers.view import DELAYED, MASTER, job_of, kind_of

# a container or a reservation; the next job is asked; its leaf can't go on; nothing on this heartbeat
GIVEN, PASSED, LIMIT, REFUSED = range(4)
RESERVE_MEMORY = (
    StateArray(
        "rereserved", REQUEST, "int64"
    ),  # heartbeats of nodes reserved for a request on which it did not fit
    StateArray("rereserved_since", REQUEST, "int64"),  # counted from this heartbeat, 0 for none
    StateArray("rereserved_until", REQUEST, "int64"),
)


def try_job(view, node, request, position, available, reserved, excess):
    """available: below the leaf's limit; reserved: what is reserved for the job, which may be exchanged;
    excess: beyond its user's limit.

    Writes node_to_unreserve.
    """
    size, counts = amount_of(view.request_resource, request), view.counts_vcores
    if not is_within(counts, size, plus(available, reserved)):
        return LIMIT
    locality = allowed_locality(view, request)
    if locality == DELAYED:
        return PASSED
    is_held_back = position < 0 and kind_of(view, request) == MASTER and view.holds_masters == 1
    if is_held_back or not is_within(counts, size, amount_of(view.node_resource, node)):
        return PASSED
    shortage = larger(view, minus(size, available), excess)
    is_short = is_any_above_zero(counts, shortage)
    may_reserve = should_reserve(view, node, request)
    released = -1
    if not is_within(counts, size, amount_of(view.node_free_resource, node)):
        if not may_reserve or is_short:
            if not may_reserve and view.heartbeat > 0:
                view.may_choose_later = 1
            return PASSED
    elif not may_reserve or is_short:
        covers_shortage = not is_short or is_within(counts, shortage, size)
        if view.request_reserved[request] == 0 or not covers_shortage:
            return PASSED
        released = first_reserved(view, request)
    note_allocation(view, request, locality)
    if position < 0 or not is_accepted(view, request, released):
        return REFUSED
    view.node_to_unreserve = released
    return GIVEN


def should_reserve(view, node, request):
    """Does it want more containers than nodes are reserved for it?"""
    return (
        view.request_waiting[request] > view.request_reserved[request]
        or max_reservations(view, request) > view.request_reserved[request]
    )


def max_reservations(view, request):
    """Nodes that may be reserved for it: what it waits for and, the more often it did not fit those reserved,
    the more beside.
    """
    reserved, queue = view.request_reserved[request], view.job_queue[job_of(view, request)]
    if reserved == 0:
        return view.request_waiting[request]
    part = min(
        ratio_to_largest(view, queue, amount_of(view.request_resource, request)),
        max_ratio_to_largest(view, queue),
    )
    return view.request_waiting[request] + int(
        np.float32(rereservations(view, request)) / np.float32(reserved) * (np.float32(1.0) - part)
    )


def ratio_to_largest(view, queue, amount):
    """What part of the queue's largest container an amount is (ResourceCalculator.ratio)."""
    part = np.float32(amount[MEMORY]) / np.float32(view.queue_max_container_memory[queue])
    if view.counts_vcores == 1:
        for resource in range(RESOURCE_COUNT):
            largest = view.queue_max_container_resource[resource, queue]
            part = max(part, np.float32(amount[resource]) / np.float32(largest))
    return part


def max_ratio_to_largest(view, queue):
    """More than this no container counts as (AbstractLeafQueue.getMinimumAllocationFactor)."""
    largest = amount_of(view.queue_max_container_resource, queue)
    smallest = amount_of(view.min_allocation_resource, THE_RUN)
    return ratio_to_largest(view, queue, minus(largest, smallest))


def rereservations(view, request):
    """Beats of the nodes reserved for it on which it did not fit, since one was last reserved or given up,
    until this heartbeat.

    Those out of band are counted as they come; of the others, which nodes those are is the same until then,
    so what was counted before holds.
    """
    if view.heartbeat == 0:
        return 0
    nodes = len(view.node_reserved)
    since, until = view.request_reserved_since[request], view.heartbeat_count
    if view.rereserved_since[request] != since:
        view.rereserved_since[request], view.rereserved_until[request], view.rereserved[request] = (
            since,
            since,
            0,
        )
    rounds = (until - view.rereserved_until[request]) // nodes
    view.rereserved[request] += rounds * view.request_reserved[request]
    for beat in range(view.rereserved_until[request] + rounds * nodes + 1, until + 1):
        view.rereserved[request] += view.node_reserved[(beat - 1) % nodes] == request
    view.rereserved_until[request] = until
    return view.rereserved[request] + view.request_reserved_extra[request]


def first_reserved(view, request):
    """Of the nodes reserved for a request the one that a java.util.HashMap of NodeId names first."""
    best = -1
    for node in range(len(view.node_reserved)):
        if view.node_reserved[node] == request and (best < 0 or is_listed_before(view, node, best, request)):
            best = node
    return best


def is_listed_before(view, node, other, request):
    """Does such a map name a node before another, both reserved for a request?"""
    table = table_size(view.request_max_reserved[request])
    bucket, other_bucket = view.node_hash[node] % table, view.node_hash[other] % table
    return bucket < other_bucket or (
        bucket == other_bucket and view.node_reservation_number[node] < view.node_reservation_number[other]
    )


def is_accepted(view, request, released):
    """Do the request's queue and all above it stay below their maximum, of each resource, with what is given
    up for it?
    """
    size = amount_of(view.request_resource, request) if released < 0 else NOTHING
    queue = view.job_queue[job_of(view, request)]
    while queue >= 0:
        held = plus(
            amount_of(view.queue_used_resource, queue), amount_of(view.queue_reserved_resource, queue)
        )
        if not is_within(view.counts_vcores, plus(held, size), max_capacity_of(view, queue)):
            return False
        queue = view.queue_parent[queue]
    return True

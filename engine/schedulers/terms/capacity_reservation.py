"""What CapacityScheduler does with the request of a job that stands first: a container, a reservation, an exchange of one for the other, or nothing.

In Hadoop  RegularContainerAllocator.checkHeadroom, assignContainer, shouldAllocOrReserveNewContainer; FiCaSchedulerApp.findNodeToUnreserve;
           AbstractCSQueue.accept
Ours       without a maximum allocation the one that large containers are held against is 2^30 MB and vcores
"""

import numpy as np

from engine.schedulers.policy import REQUEST, Memory
from engine.schedulers.terms.capacity_delay import TOO_FAR, note_given, taken_as
from engine.schedulers.terms.java_hash import table_size
from engine.schedulers.terms.shares import larger
from engine.schedulers.view import MASTER, job_of, kind_of

GIVEN, PASSED, LIMIT, REFUSED = range(4)  # a container or a reservation; the next job is asked; its leaf can't go on; nothing on this beat
RESERVE_MEMORY = (
    Memory("rereserved", REQUEST, "int64"),  # beats of nodes reserved for a request on which it did not fit
    Memory("rereserved_since", REQUEST, "int64"),  # counted from this beat, 0 for none
    Memory("rereserved_until", REQUEST, "int64"),
)


def try_job(view, node, request, position, left, own, over):
    """(memory, vcores) each; left: below the leaf's limit; own: what is reserved for the job, which may be exchanged; over: beyond its user's limit.

    Writes give_up_node.
    """
    memory, vcores = view.request_memory[request], view.request_vcores[request]
    if exceeds(view, memory, vcores, left[0] + own[0], left[1] + own[1]):
        return LIMIT
    taken = taken_as(view, request)
    if taken == TOO_FAR:
        return PASSED
    is_held_back = position < 0 and kind_of(request) == MASTER and view.holds_masters[0] == 1
    if is_held_back or exceeds(view, memory, vcores, view.node_memory[node], view.node_vcores[node]):
        return PASSED
    lacking = larger(view, memory - left[0], vcores - left[1], over[0], over[1])
    is_short = exceeds(view, lacking[0], lacking[1], 0, 0)
    should = should_reserve(view, node, request)
    released = -1
    if exceeds(view, memory, vcores, view.node_free_memory[node], view.node_free_vcores[node]):
        if not should or is_short:
            if not should and view.heartbeat[0] > 0:
                view.waits_for_time[0] = 1
            return PASSED
    elif not should or is_short:
        is_enough = not is_short or not exceeds(view, lacking[0], lacking[1], memory, vcores)
        if view.request_reserved[request] == 0 or not is_enough:
            return PASSED
        released = first_reserved(view, request)
    note_given(view, request, taken)
    if position < 0 or not is_accepted(view, request, released):
        return REFUSED
    view.give_up_node[0] = released
    return GIVEN


def exceeds(view, memory, vcores, than_memory, than_vcores):
    """Does an amount not fit in another?"""
    return memory > than_memory or (view.counts_vcores[0] == 1 and vcores > than_vcores)


def should_reserve(view, node, request):
    """Does it want more containers than nodes are reserved for it?"""
    return view.request_waiting[request] > view.request_reserved[request] or most_reserved(view, request) > view.request_reserved[request]


def most_reserved(view, request):
    """Nodes that may be reserved for it: what it waits for and, the more often it did not fit those reserved, the more beside."""
    reserved, queue = view.request_reserved[request], view.job_queue[job_of(request)]
    if reserved == 0:
        return view.request_waiting[request]
    part = min(part_of_largest(view, queue, view.request_memory[request], view.request_vcores[request]), largest_part(view, queue))
    return view.request_waiting[request] + int(np.float32(rereservations(view, request)) / np.float32(reserved) * (np.float32(1.0) - part))


def part_of_largest(view, queue, memory, vcores):
    """What part of the queue's largest container an amount is (ResourceCalculator.ratio)."""
    part = np.float32(memory) / np.float32(view.queue_container_memory[queue])
    if view.counts_vcores[0] == 1:
        part = max(part, np.float32(vcores) / np.float32(view.queue_container_vcores[queue]))
    return part


def largest_part(view, queue):
    """More than this no container counts as (AbstractLeafQueue.getMinimumAllocationFactor)."""
    memory, vcores = view.queue_container_memory[queue] - view.least_memory[0], view.queue_container_vcores[queue] - view.least_vcores[0]
    return part_of_largest(view, queue, memory, vcores)


def rereservations(view, request):
    """Beats of the nodes reserved for it on which it did not fit, since one was last reserved or given up, until this beat.

    Those out of band are counted as they come; of the others, which nodes those are is the same until then, so what was counted before holds.
    """
    if view.heartbeat[0] == 0:
        return 0
    nodes = len(view.node_reserved)
    since, until = view.request_reserved_since[request], view.beats[0]
    if view.rereserved_since[request] != since:
        view.rereserved_since[request], view.rereserved_until[request], view.rereserved[request] = since, since, 0
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
        if view.node_reserved[node] == request and (best < 0 or is_named_before(view, node, best, request)):
            best = node
    return best


def is_named_before(view, node, rival, request):
    """Does such a map name a node before another, both reserved for a request?"""
    table = table_size(view.request_reserved_most[request])
    bucket, rivals = view.node_hash[node] % table, view.node_hash[rival] % table
    return bucket < rivals or (bucket == rivals and view.node_reserved_place[node] < view.node_reserved_place[rival])


def is_accepted(view, request, released):
    """Do the request's queue and all above it stay below their maximum, of each resource, with what is given up for it?"""
    memory = view.request_memory[request] if released < 0 else 0
    vcores = view.request_vcores[request] if released < 0 else 0
    queue = view.job_queue[job_of(request)]
    while queue >= 0:
        most_memory = int(view.cluster_memory[0] * view.queue_max_capacity[queue])
        most_vcores = int(view.cluster_vcores[0] * view.queue_max_capacity[queue])
        used_memory = view.queue_used_memory[queue] + view.queue_reserved_memory[queue] + memory
        used_vcores = view.queue_used_vcores[queue] + view.queue_reserved_vcores[queue] + vcores
        if exceeds(view, used_memory, used_vcores, most_memory, most_vcores):
            return False
        queue = view.queue_parent[queue]
    return True

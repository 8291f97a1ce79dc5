"""What may be placed on a node: requests that fit it, within their queues' limits, of masters that are
admitted (PLACE-1).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import (
    ALWAYS,
    FITTING,
    INFINITE,
    MAX_CAPACITIES,
    NEVER,
    NO_LIMITS,
    RELAXED,
    UNSERVED,
    WALKED,
    container_request,
)
from engine.jit import PolicyFunction, inlined
from engine.schedulers.amounts import THE_RUN, counted_resources, fits
from engine.schedulers.view import JOBS_IN_BLOCK
from engine.simulation.applications.seam import gives_way, prefers_nodes
from engine.simulation.hadoop.fair.fair_updates import has_known_demand
from engine.simulation.hadoop.fair.preemption_claims import has_claim
from engine.simulation.hadoop.fair.reservable_nodes import is_reservable
from engine.simulation.kernel.admission import is_held_back_master
from engine.simulation.kernel.node_rows import KIND_COUNT, slot_of
from engine.simulation.kernel.waiting_requests import first_waiting_job, refresh_waiting_list

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def within_limits(v: View, request: int, limits: int) -> int:
    """May the request's queue and all above it have one container more? (FSQueue.fitsInMaxShare,
    RegularContainerAllocator.checkHeadroom)
    """
    queue = v.job_queue[v.request_job[request]]
    allowed = True
    while queue >= 0 and allowed:
        for resource in range(counted_resources(v)):
            limit = v.queue_max_resource[resource, queue]
            if limits == MAX_CAPACITIES:
                limit = int(v.cluster_resource[resource, THE_RUN] * v.queue_max_capacity[queue])
            used = v.queue_used_resource[resource, queue] + v.request_resource[resource, request]
            allowed = allowed and used <= limit
        queue = v.queue_parent[queue]
    return allowed


@inlined
def exceeds_limits(v: View, request: int, limits: int) -> bool:
    """Would one container more exceed a limit of a queue, where limits hold?"""
    return limits != NO_LIMITS and not within_limits(v, request, limits)


@inlined
def is_last_of_job(v: View, request: int) -> bool:
    """Has its job no later request, which it could keep from a node?"""
    return request + 1 == v.job_first_request[v.request_job[request] + 1]


@inlined
def counts_misses(v: View, s: State, request: int) -> bool:
    """Is a request that waits for nearer nodes to be asked at each heartbeat, whether it fits or not?"""
    return s.delays == RELAXED and prefers_nodes(v, request)


@inlined
def stops_its_job(v: View, s: State, node: int, request: int, now: int) -> bool:
    """Does a request that does not fit the node now keep the later ones of its job from it?"""
    if s.stops_job == UNSERVED:
        return not was_served(v, s, node, request, now)
    return s.stops_job == ALWAYS or (s.stops_job == FITTING and fits_empty_node(v, s, node, request))


@inlined
def fits_empty_node(v: View, s: State, node: int, request: int) -> bool:
    """Does it fit the empty node, and do its queues' limits allow it?"""
    fits_empty = fits(s.fit_resource, request, v.node_resource, node)
    return fits_empty and not exceeds_limits(v, request, s.limits)


@inlined
def can_reserve_node(v: View, s: State, node: int, request: int) -> bool:
    """Is a request that does not fit now, and that may reserve, one that an order may choose to reserve the
    node?
    """
    if s.reserves == WALKED:
        return fits_empty_node(v, s, node, request)
    return is_reservable(v, s, node, request) and not has_claim(s, node, v.request_job[request])


def was_served(v: View, s: State, node: int, request: int, now: int) -> bool:
    """Was a container of the request placed on this node at this instant?"""
    last = s.container_count - 1
    while last >= 0 and s.container_start[last] == now:
        if s.container_node[last] == node and container_request(v, s, last) == request:
            return True
        last -= 1
    return False


def list_fitting(v: View, s: State, node: int, now: int) -> tuple[int, bool]:
    """As list_candidates, where room alone decides; an order that serves the first has no need of the
    others.
    """
    stops, only_first = s.stops_job != NEVER, s.serves_first == 1
    count = 0
    held_back = False
    after = 0  # requests below it are kept from the node
    for i in range(v.waiting_count):
        request = v.waiting_requests[i]
        if fits(s.waiting_resource, i, v.node_free_resource, node):
            if request >= after:
                v.candidates[count] = request
                count += 1
                if only_first:
                    break
        elif (
            stops
            and request >= after
            and not is_last_of_job(v, request)
            and stops_its_job(v, s, node, request, now)
        ):
            after = v.job_first_request[v.request_job[request] + 1]
            held_back = True
    return count, held_back


def first_fitting(v: View, s: State, node: int, now: int) -> tuple[int, bool]:
    """As list_fitting, where the order serves the first and nothing is listed."""
    stops = s.stops_job != NEVER
    held_back = False
    job = first_waiting_job(v, s)
    while job < s.arrived_jobs:
        if v.waiting_in_block[job // JOBS_IN_BLOCK] == 0:
            job = (job // JOBS_IN_BLOCK + 1) * JOBS_IN_BLOCK
            continue
        for request in range(v.job_first_request[job], v.job_first_request[job + 1]):
            if v.request_waiting[request] == 0:
                continue
            if fits(s.fit_resource, request, v.node_free_resource, node):
                v.candidates[0] = request
                return 1, held_back
            if stops and not is_last_of_job(v, request) and stops_its_job(v, s, node, request, now):
                held_back = True
                break
        job += 1
    return 0, held_back


def has_slot_for(v: View, s: State, node: int, kind: int) -> bool:
    """Has the node a free slot for containers of a kind and, under an order that spreads the load, fewer of
    them than its part of those there are? (CapBasedLoadManager.getCap)
    """
    slots, used = s.slots[slot_of(node, kind)], s.used_slots[slot_of(node, kind)]
    if used >= slots:
        return False
    if s.spreads_load == 0 or slots == INFINITE:
        return True
    runnable = v.held_count[kind]
    for i in range(v.waiting_count):
        if v.request_kind[v.waiting_requests[i]] == kind:
            runnable += v.request_waiting[v.waiting_requests[i]]
    return used < math.ceil(slots * min(1.0, runnable / s.total_slots[kind]))


def find_slots(v: View, s: State, node: int) -> bool:
    """kind_has_slot, as has_slot_for says; is there one for each kind?"""
    has_all = True
    for kind in range(KIND_COUNT):
        s.kind_has_slot[kind] = has_slot_for(v, s, node, kind)
        has_all = has_all and s.kind_has_slot[kind] == 1
    return has_all


@inlined
def fits_any(v: View, s: State, node: int) -> bool:
    """Has the node free the least of every resource that anything that waits asks for?"""
    return fits(s.min_waiting_resource, THE_RUN, v.node_free_resource, node)


@inlined
def only_room_decides(v: View, s: State) -> bool:
    """Is every waiting request a candidate where it fits?"""
    return (
        s.limits == NO_LIMITS
        and s.unadmitted_count == 0
        and s.non_runnable_count == 0
        and v.update_interval == 0
        and s.may_mark_reduces_first == 0
    )


def list_candidates(
    v: View, s: State, node: int, now: int, admission: PolicyFunction, table: int
) -> tuple[int, bool]:
    """Fill v.candidates with what fits the node, or may reserve it, or is to be asked as it is delayed; (how
    many, was anything held back).
    """
    looks_at_full_nodes = s.reserving_count > 0 or s.delays == RELAXED
    if not looks_at_full_nodes and not fits_any(v, s, node):
        return 0, False
    lists_first_only = s.serves_first == 1 and s.lists_lazily == 1
    if not lists_first_only:
        refresh_waiting_list(v, s)
    if find_slots(v, s, node) and only_room_decides(v, s):
        all_fit = fits(s.max_waiting_resource, THE_RUN, v.node_free_resource, node)
        if all_fit and not lists_first_only:  # nothing then stops the rest of its job either
            count = min(v.waiting_count, 1) if s.serves_first == 1 else v.waiting_count
            v.candidates[:count] = v.waiting_requests[:count]
            return count, False
        if not looks_at_full_nodes and lists_first_only:
            return first_fitting(v, s, node, now)
        if not looks_at_full_nodes:
            return list_fitting(v, s, node, now)
    refresh_waiting_list(v, s)
    return list_allowed(v, s, node, now, admission, table)


@inlined
def is_not_runnable(v: View, s: State, job: int) -> bool:
    """Is a job's demand not known yet, or is it beyond a limit of running jobs?"""
    if v.update_interval > 0 and not has_known_demand(v, job):
        return True
    return s.non_runnable_count > 0 and v.job_runnable_since[job] < 0


@inlined
def is_reserving(
    v: View, s: State, node: int, i: int, admission: PolicyFunction, table: int, now: int
) -> bool:
    """May a request that does not fit now, at a place of the waiting list, be chosen to reserve the node?"""
    request = v.waiting_requests[i]
    return (
        s.waiting_reserves[i] == 1
        and not is_held_back_master(v, s, request, admission, table, now)
        and can_reserve_node(v, s, node, request)
    )


def list_allowed(
    v: View, s: State, node: int, now: int, admission: PolicyFunction, table: int
) -> tuple[int, bool]:
    """As list_candidates, where more than room decides; kind_has_slot is that of the node."""
    stops = s.stops_job != NEVER
    count = 0
    held_back = False
    after = 0  # requests below it are kept from the node
    for i in range(v.waiting_count):
        request = v.waiting_requests[i]
        job, kind = v.request_job[request], v.request_kind[request]
        if is_not_runnable(v, s, job):
            held_back = True
            continue
        if request < after:
            continue
        if fits(s.waiting_resource, i, v.node_free_resource, node):
            if exceeds_limits(v, request, s.limits):
                held_back = True
                if s.stops_job == ALWAYS:
                    after = v.job_first_request[job + 1]
            elif s.kind_has_slot[kind] == 0:
                held_back = held_back or s.spreads_load == 1
            elif is_held_back_master(v, s, request, admission, table, now):
                held_back = True
            elif count == 0 or not gives_way(v, s, request, v.candidates[count - 1]):
                v.candidates[count] = request
                count += 1
        elif stops:
            is_asked = counts_misses(v, s, request)
            if is_last_of_job(v, request) and s.waiting_reserves[i] == 0 and not is_asked:
                continue
            if not stops_its_job(v, s, node, request, now):
                continue
            after = v.job_first_request[job + 1]
            held_back = True
            if is_asked or is_reserving(v, s, node, i, admission, table, now):
                v.candidates[count] = request
                count += 1
    return count, held_back

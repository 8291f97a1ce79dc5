"""What may be placed on a node: requests that fit it, within their queues' limits, of masters that are
admitted (PLACE-1).
"""

from __future__ import annotations

import math

from engine.jit import inlined
from engine.schedulers.policy import ALWAYS, FITTING, NEVER, RELAXED, UNSERVED, WALKED
from engine.schedulers.view import JOBS_IN_BLOCK, MAP, MASTER, PER_JOB, REDUCE
from engine.simulation.kernel.admission import may_run
from engine.simulation.kernel.fair_shares import is_reservable
from engine.simulation.kernel.fair_updates import has_known_demand
from engine.simulation.kernel.preemption_claims import has_claim
from engine.simulation.kernel.waiting_requests import first_waiting_job, refresh_waiting_list
from engine.simulation.workload import NO_LIMIT

NO_LIMITS, MAX_SHARES, MAX_CAPACITIES = range(3)  # which limits of queues hold


def within_limits(v, request, limits):
    """May the request's queue and all above it have one container more? (FSQueue.fitsInMaxShare,
    RegularContainerAllocator.checkHeadroom)
    """
    queue = v.job_queue[request // PER_JOB]
    allowed = True
    while queue >= 0 and allowed:
        max_memory, max_vcores = v.queue_max_memory[queue], v.queue_max_vcores[queue]
        if limits == MAX_CAPACITIES:
            max_memory = int(v.cluster_memory[0] * v.queue_max_capacity[queue])
            max_vcores = int(v.cluster_vcores[0] * v.queue_max_capacity[queue])
        allowed = v.queue_used_memory[queue] + v.request_memory[request] <= max_memory and (
            v.counts_vcores[0] == 0 or v.queue_used_vcores[queue] + v.request_vcores[request] <= max_vcores
        )
        queue = v.queue_parent[queue]
    return allowed


@inlined
def stops_its_job(v, s, node, request, limits, now):
    """Does a request that does not fit the node now keep the later ones of its job from it?"""
    if s.stops_job[0] == UNSERVED:
        return not was_served(s, node, request, now)
    return s.stops_job[0] == ALWAYS or (
        s.stops_job[0] == FITTING and fits_empty_node(v, s, node, request, limits)
    )


@inlined
def fits_empty_node(v, s, node, request, limits):
    """Does it fit the empty node, and do its queues' limits allow it?"""
    fits_empty = (
        v.request_memory[request] <= v.node_memory[node] and s.fit_vcores[request] <= v.node_vcores[node]
    )
    return fits_empty and (limits == NO_LIMITS or within_limits(v, request, limits))


@inlined
def can_reserve_node(v, s, node, request, limits):
    """Is a request that does not fit now, and that may reserve, one that an order may choose to reserve the
    node?
    """
    if s.reserves[0] == WALKED:
        return fits_empty_node(v, s, node, request, limits)
    return is_reservable(v, s, node, request) and not has_claim(s, node, request // PER_JOB)


def was_served(s, node, request, now):
    """Was a container of the request placed on this node at this instant?"""
    last = s.container_count[0] - 1
    while last >= 0 and s.container_start[last] == now:
        if (
            s.container_node[last] == node
            and s.container_job[last] == request // PER_JOB
            and s.container_kind[last] == request % PER_JOB
        ):
            return True
        last -= 1
    return False


def list_fitting(v, s, node, now, memory, vcores):
    """As list_candidates, where room alone decides; an order that serves the first has no need of the
    others.
    """
    stops, only_first = s.stops_job[0] != NEVER, s.serves_first[0] == 1
    count = 0
    held_back = False
    after = 0  # requests below it are kept from the node
    for i in range(v.waiting_count[0]):
        request = v.waiting_requests[i]
        if s.waiting_memory[i] <= memory and s.waiting_vcores[i] <= vcores:
            if request >= after:
                v.candidates[count] = request
                count += 1
                if only_first:
                    break
        elif (
            stops
            and request >= after
            and request % PER_JOB != MAP
            and stops_its_job(v, s, node, request, NO_LIMITS, now)
        ):
            after = request - request % PER_JOB + PER_JOB
            held_back = True
    return count, held_back


def first_fitting(v, s, node, now, memory, vcores):
    """As list_fitting, where the order serves the first and nothing is listed."""
    stops = s.stops_job[0] != NEVER
    held_back = False
    job = first_waiting_job(v, s)
    while job < s.arrived_jobs[0]:
        if v.waiting_in_block[job // JOBS_IN_BLOCK] == 0:
            job = (job // JOBS_IN_BLOCK + 1) * JOBS_IN_BLOCK
            continue
        for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
            if v.request_waiting[request] == 0:
                continue
            if v.request_memory[request] <= memory and s.fit_vcores[request] <= vcores:
                v.candidates[0] = request
                return 1, held_back
            if stops and request % PER_JOB != MAP and stops_its_job(v, s, node, request, NO_LIMITS, now):
                held_back = True
                break
        job += 1
    return 0, held_back


def can_take_more(v, s, node, kind):
    """Under an order that spreads the load: has the node fewer tasks of a kind than its part of those there
    are? (CapBasedLoadManager.getCap)
    """
    slots, used, total = s.map_slots[node], s.used_map_slots[node], s.total_map_slots[0]
    if kind == REDUCE:
        slots, used, total = s.reduce_slots[node], s.used_reduce_slots[node], s.total_reduce_slots[0]
    if slots == NO_LIMIT:
        return True
    runnable = v.held_count[kind]
    for i in range(v.waiting_count[0]):
        if v.waiting_requests[i] % PER_JOB == kind:
            runnable += v.request_waiting[v.waiting_requests[i]]
    return used < math.ceil(slots * min(1.0, runnable / total))


def list_candidates(v, s, node, now, limits, overtaking, admission, table):
    """Fill v.candidates with what fits the node, or may reserve it, or is to be asked as it is delayed; (how
    many, was anything held back).
    """
    memory = v.node_free_memory[node]
    vcores = v.node_free_vcores[node]
    count = 0
    held_back = False
    reserves = s.reserving_count[0] > 0
    demand_is_dated = v.update_interval[0] > 0
    delays = s.delays[0] == RELAXED
    if reserves or delays or (memory >= s.min_waiting_memory[0] and vcores >= s.min_waiting_vcores[0]):
        is_first_of_all = s.serves_first[0] == 1 and s.lists_lazily[0] == 1
        if not is_first_of_all:
            refresh_waiting_list(v, s)
        maps = s.used_map_slots[node] < s.map_slots[node]
        reduces = s.used_reduce_slots[node] < s.reduce_slots[node]
        spreads = s.spreads_load[0] == 1
        if spreads:
            maps, reduces = (
                maps and can_take_more(v, s, node, MAP),
                reduces and can_take_more(v, s, node, REDUCE),
            )
        all_fit = (
            memory >= s.max_waiting_memory[0] and vcores >= s.max_waiting_vcores[0]
        )  # nothing then stops the rest of its job either
        limits_running = s.non_runnable_count[0] > 0
        everything = (
            all_fit
            and not (demand_is_dated or limits_running)
            and s.unadmitted_count[0] == 0
            and s.may_mark_reduces_first[0] == 0
        )
        if everything and maps and reduces and limits == NO_LIMITS and not is_first_of_all:
            count = min(v.waiting_count[0], 1) if s.serves_first[0] == 1 else v.waiting_count[0]
            v.candidates[:count] = v.waiting_requests[:count]
            return count, held_back
        may_put_reduces_first = s.may_mark_reduces_first[0] == 1
        if (
            maps
            and reduces
            and limits == NO_LIMITS
            and s.unadmitted_count[0] == 0
            and not (demand_is_dated or limits_running or reserves or may_put_reduces_first or delays)
        ):
            return (
                first_fitting(v, s, node, now, memory, vcores)
                if is_first_of_all
                else list_fitting(v, s, node, now, memory, vcores)
            )
        refresh_waiting_list(v, s)
        stops = s.stops_job[0] != NEVER
        after = 0  # requests below it are kept from the node
        for i in range(v.waiting_count[0]):
            if demand_is_dated and not has_known_demand(v, v.waiting_requests[i] // PER_JOB):
                held_back = True
                continue
            if limits_running and v.job_runnable_since[v.waiting_requests[i] // PER_JOB] < 0:
                held_back = True
                continue
            if s.waiting_memory[i] <= memory and s.waiting_vcores[i] <= vcores:
                request = v.waiting_requests[i]
                kind = request % PER_JOB
                if request < after:
                    continue
                if limits != NO_LIMITS and not within_limits(v, request, limits):
                    held_back = True
                    if s.stops_job[0] == ALWAYS:
                        after = request - kind + PER_JOB
                    continue
                if (kind == MAP and not maps) or (kind == REDUCE and not reduces):
                    held_back = held_back or spreads
                    continue
                if kind == MASTER and not may_run(s, request // PER_JOB, overtaking, admission, table, now):
                    held_back = True
                    continue
                if (
                    may_put_reduces_first
                    and kind == MAP
                    and s.reduces_first[request // PER_JOB] == 1
                    and count > 0
                    and v.candidates[count - 1] == request - MAP + REDUCE
                ):
                    continue
                v.candidates[count] = request
                count += 1
            elif stops:
                request = v.waiting_requests[i]
                kind = request % PER_JOB
                is_asked = delays and kind == MAP
                reserves_it = s.waiting_reserves[i] == 1
                if (
                    request < after
                    or (kind == MAP and not reserves_it and not is_asked)
                    or not stops_its_job(v, s, node, request, limits, now)
                ):
                    continue
                after = request - kind + PER_JOB
                held_back = True
                may_ask = reserves_it and (
                    kind != MASTER or may_run(s, request // PER_JOB, overtaking, admission, table, now)
                )
                if is_asked or (may_ask and can_reserve_node(v, s, node, request, limits)):
                    v.candidates[count] = request
                    count += 1
    return count, held_back

"""Heartbeats: when the next one is due, and what happens at one (HEARTBEAT-1, HEARTBEAT-2, PLACE-1).

Node i of N beats at i * heartbeat // N and every heartbeat after. The walk over the nodes stands at
`heartbeat_node` of round `heartbeat_round`; with a heartbeat of 0 all rounds belong to one instant, until one
of them places nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import (
    ACTIVATE,
    BAD_ANSWER,
    BY_MEMORY_SIZE_WEIGHTED,
    COUNTED,
    EXCLUDED,
    INFINITE,
    LEAVE,
    MASTER,
    MAX_CAPACITIES,
    NO_ALTERNATIVE,
    NO_DELAYS,
    NO_RESERVATIONS,
    OUT_OF_CONTAINERS,
    OUT_OF_WIDTH,
    PASS_OVER,
    PLACED,
    RELAXED,
    REORDER,
    REORDER_LATER,
    STARVED,
    UNDECIDED,
    UNLISTED,
    WALKED,
)
from engine.jit import Functions, PolicyFunction, Tables, call, inlined
from engine.run_records import Amounts, Record, amount, number
from engine.schedulers.amounts import THE_RUN, clear, counted_resources, fits
from engine.schedulers.hadoop.capacity_delay import count_missed_opportunity
from engine.schedulers.hadoop.capacity_walk import is_full
from engine.schedulers.hadoop.user_limits import compute_user_limit
from engine.schedulers.policy import ADMISSION_AT, ORDER_AT, ORDER_JOBS, ORDER_UNLISTED
from engine.simulation.applications.seam import next_speculation, prefers_nodes, wake_masters
from engine.simulation.hadoop.capacity.capacity_monitor import next_monitor_round
from engine.simulation.hadoop.fair.fair_shares import heartbeats_so_far
from engine.simulation.hadoop.fair.fair_updates import next_update, update_at_heartbeat
from engine.simulation.hadoop.fair.preemption_claims import drop_claims
from engine.simulation.hadoop.queues.delay_scheduling import (
    note_distances,
    note_missed,
    passes_over,
    skips_node,
)
from engine.simulation.hadoop.queues.preemption import next_kill
from engine.simulation.hadoop.queues.reservations import (
    fits_now,
    has_slot,
    is_still_needed,
    jobs_leave,
    reserve,
    unreserve,
)
from engine.simulation.kernel.admission import admit_queued_masters, is_held_back_master
from engine.simulation.kernel.candidates import fits_any, fits_empty_node, list_candidates, within_limits
from engine.simulation.kernel.clock import next_awake, park, sleep, wake_parked
from engine.simulation.kernel.out_of_band_heartbeats import first_due
from engine.simulation.kernel.outages import next_outage
from engine.simulation.kernel.running import place_container, report_ended
from engine.simulation.kernel.shortlist import shortlist
from engine.simulation.kernel.windows import next_window

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class RunPlan(Record):
    """What the scheduler's parts ask of the run."""

    is_watched: int = number("", "1: somebody sees each answer of a part, so none is left out")
    order_follows_jobs: int = number("", "1: the order learns when jobs begin and finish")
    stops_job: int = number("", "NEVER, UNSERVED, FITTING or ALWAYS (codes.py)")
    spreads_load: int = number("", "1: a node takes no more tasks of a kind than its part of those there are")
    serves_first: int = number("", "1: the order serves the first candidate whatever the others are")
    walks_always: int = number(
        "", "1: the order is asked though nothing fits, for another rule reads what it leaves behind"
    )
    uses_index: int = number(
        "",
        "1: the order's index finds its choice without a list, for nothing but room and the order decides "
        "what may be placed",
    )
    keeps_scores: int = number(
        "", "1: an index that keeps scores is to be told of every job whose tasks or requests have changed"
    )
    uses_dynamic_max_assign: int = number(
        "", "1: a node is given containers until half of what it had free is exceeded"
    )
    half_free_resource: Amounts = amount(
        "what is then to stay free of the node that containers are being assigned to"
    )
    limits_users: int = number("", "1: users of queues are limited")
    headroom: int = number(
        "", "FREE, FAIR_SHARE or QUEUE_LIMIT (codes.py), where the reduce-start rule asks for it"
    )
    hands_down_limits: int = number("", "1: queues have limits as CapacityScheduler hands them down")
    excluded_container: int = number(
        "",
        "the container whose choice is changed, by how many there were before it, EXCLUDED or NO_ALTERNATIVE",
    )
    limits: int = number("", "NO_LIMITS, MAX_SHARES or MAX_CAPACITIES (codes.py)")
    overtaking: int = number("", "of the admission rule: PASS_OVER to ACTIVATE (codes.py)")
    max_per_heartbeat: int = number("", "containers a node is given on a heartbeat, 0: no limit")
    contention: float = number("", "how much each further task on a node slows the others there")
    launch_contention: float = number("", "how much each further executor that launches there does")
    has_contention: int = number("", "1: one of the two does at all")
    excluded_node: int = number("", "the node it was chosen for")
    excluded_job: int = number("", "its job, which is then left out")


@inlined
def next_instant(v: View, s: State, heartbeat: int) -> int:
    """The earliest end, timer, window, arrival or heartbeat after the instant that is over; INFINITE when
    there is none.
    """
    if s.dormant_count > 0:
        wake_masters(v, s, v.now + 1)
    upcoming = min(
        s.timer_tree[1],
        next_window(s, v.now),
        next_update(v, s, v.now),
        next_outage(s),
        next_speculation(s, v.now),
        next_monitor_round(v, s, v.now),
    )
    arrived = s.arrived_jobs
    if arrived < len(v.job_arrival):
        upcoming = min(upcoming, v.job_arrival[arrived])
    if s.preempts == 1:
        upcoming = min(upcoming, next_kill(s))
        # starvation grows with time: where anything is still to come, no update is left out
        if upcoming < INFINITE:
            upcoming = min(upcoming, (v.now // v.update_interval + 1) * v.update_interval)
    if heartbeat > 0 and (
        upcoming < INFINITE or s.idle_heartbeats <= len(s.awake) or s.event_count != s.idle_event_count
    ):
        node = next_awake(s, s.heartbeat_node)
        round_number = s.heartbeat_round
        if node < 0:
            node = next_awake(s, 0)
            round_number += 1
        if node >= 0:
            upcoming = min(upcoming, node * heartbeat // len(s.awake) + round_number * heartbeat)
    return upcoming


def advance_to(s: State, now: int, heartbeat: int) -> None:
    """The walk over the nodes goes on to the first one that sends a heartbeat at `now` or later."""
    if heartbeat > 0:
        round_number = now // heartbeat
        due_node = (now % heartbeat * len(s.awake) + heartbeat - 1) // heartbeat
        if round_number > s.heartbeat_round or (
            round_number == s.heartbeat_round and due_node > s.heartbeat_node
        ):
            s.heartbeat_round = round_number
            s.heartbeat_node = due_node
    else:
        s.heartbeat_node = 0


@inlined
def next_heartbeat_node(s: State, now: int, heartbeat: int) -> int:
    """The next node that sends a heartbeat at this instant and is awake, or that is due out of band; -1 when
    there is none, or no job is left.
    """
    if s.unfinished_jobs == 0:
        return -1
    node = next_awake(s, s.heartbeat_node)
    round_number = s.heartbeat_round
    if node < 0:
        node = next_awake(s, 0)
        round_number += 1
    if heartbeat > 0:
        is_regular = node >= 0 and node * heartbeat // len(s.awake) + round_number * heartbeat == now
        if s.due_count > 0:
            due_node = first_due(s, node if is_regular else len(s.awake), now, heartbeat)
            if due_node >= 0:
                return due_node
        if not is_regular:
            return -1
        s.heartbeat_round = round_number
        s.is_out_of_band = 0
    s.heartbeat_node = node + 1
    return node


@inlined
def process_heartbeat(v: View, s: State, node: int, now: int, functions: Functions, tables: Tables) -> int:
    """A node's heartbeat: the scheduler sees what ended there, then places what its order chooses. Returns
    PLACED or why it can't go on.
    """
    if s.reserves == WALKED and v.heartbeat > 0:
        v.heartbeat_count = heartbeats_so_far(v, s)
    if s.unreported[node] > 0:
        report_ended(v, s, node, now)
        wake_parked(s)
    update_at_heartbeat(v, s)
    status = PLACED
    before, containers = s.event_count, s.container_count
    if s.preempts == 1 and s.node_claims[node] > 0:
        status = assign_preempted(v, s, node, now, functions, tables)
        if status != PLACED:
            return status
    if v.node_reserved[node] < 0 or unreserve_if_unneeded(
        v, s, node, now, functions[ADMISSION_AT], tables[ADMISSION_AT]
    ):
        status = assign_containers(v, s, node, now, functions, tables)
    elif v.node_reserved[node] >= 0 and can_start_reserved(v, s, node, v.node_reserved[node]):
        status = start_reserved(v, s, node, now, functions, tables)
    elif v.node_reserved[node] >= 0:
        v.request_reserved_extra[v.node_reserved[node]] += s.is_out_of_band
        if s.event_count == before:
            park(s, node)
    if s.hands_down_limits == 1 and v.limits_users == 1:
        tell_masters(v, s, containers)
    if s.leaving_count > 0 and status == PLACED:
        jobs_leave(v, s, functions[ADMISSION_AT], tables[ADMISSION_AT], now)
    s.idle_heartbeats = s.idle_heartbeats + 1 if s.event_count == s.idle_event_count else 0
    s.idle_event_count = s.event_count
    return status


def tell_masters(v: View, s: State, first: int) -> None:
    """Masters fetch their containers from the `first` on, and are told their headroom, for which the limit of
    users is computed (CapacityHeadroomProvider.getHeadroom).
    """
    for container in range(first, s.container_count):
        compute_user_limit(v, v.job_queue[s.container_job[container]])


def can_start_reserved(v: View, s: State, node: int, request: int) -> bool:
    """Does the request that a node is reserved for get it on this heartbeat?"""
    if s.delays == COUNTED and prefers_nodes(v, request):
        count_missed_opportunity(v, v.request_job[request])
        note_missed(v, s)
    if not fits_now(v, s, node, request) or not has_slot(v, s, node, request):
        return False
    return s.delays != RELAXED or not prefers_nodes(v, request) or not skips_node(v, s, node, request)


def unreserve_if_unneeded(
    v: View, s: State, node: int, now: int, admission: PolicyFunction, table: int
) -> bool:
    """Is the node free for others on this heartbeat? A job that can't use it any more gives it up, under
    capacity with effect from the next heartbeat.
    """
    if is_still_needed(v, s, node, now, admission, table):
        return False
    unreserve(v, s, node)
    return s.reserves == STARVED


@inlined
def assign_containers(v: View, s: State, node: int, now: int, functions: Functions, tables: Tables) -> int:
    """What the order chooses is placed, or reserves the node, until it leaves it. Returns PLACED or why it
    can't go on.
    """
    placed = off_switch = 0
    if s.uses_dynamic_max_assign == 1:
        note_half_free(v, s, node)
    can_sleep = may_sleep(s, node)
    while may_assign_more(v, s, node, placed) and (s.max_off_switch == 0 or off_switch < s.max_off_switch):
        if s.queued_masters > 0 and s.overtaking != ACTIVATE:
            admit_queued_masters(v, s, node, functions[ADMISSION_AT], tables[ADMISSION_AT], now)
        before, excludes_job = s.event_count, is_job_excluded(s, node)
        choice, count, held_back = choose_candidate(v, s, node, now, placed == 0, functions, tables)
        if not LEAVE <= choice < max(count, 1):
            return BAD_ANSWER
        if choice == LEAVE:
            is_asked_again = s.event_count != before or excludes_job
            leave_node(v, s, node, is_asked_again, can_sleep and not held_back and count <= 0)
            return PLACED
        request = v.candidates[choice]
        if v.node_to_unreserve >= 0:
            unreserve(v, s, v.node_to_unreserve)
            v.node_to_unreserve = -1
        if s.reserves != NO_RESERVATIONS and not fits_now(v, s, node, request):
            reserve(v, s, node, request)
            return PLACED
        status = start_container(v, s, request, node, now, functions, tables)
        if status != PLACED:
            return status
        placed += 1
        off_switch += v.is_off_switch
    if can_sleep and not fits_any(v, s, node):
        sleep(s, node)
    return PLACED


@inlined
def choose_candidate(
    v: View, s: State, node: int, now: int, is_first: bool, functions: Functions, tables: Tables
) -> tuple[int, int, bool]:
    """What the order chooses for the node: (position in v.candidates or LEAVE, how many candidates there are,
    was anything held back). is_first: nothing was placed on this heartbeat yet.
    """
    count, held_back = UNDECIDED, True
    excludes_job = is_job_excluded(s, node)
    is_indexed = s.uses_index == 1 and not excludes_job and are_all_candidates(v, s, node)
    if is_indexed and s.reserves == WALKED and is_full(v, node):
        v.may_choose_later = 0
        return LEAVE, UNLISTED, True
    if is_indexed:
        choice = find_unlisted(v, s, node, now, functions, tables)
        if choice != UNDECIDED:
            clear_changed(v, s)
            return choice, UNLISTED, False
    elif excludes_job:
        count, is_active, runnable_since = exclude_job(
            v, s, node, now, functions[ADMISSION_AT], tables[ADMISSION_AT]
        )
    elif s.ranks_by > 0:
        count = shortlist(v, s, node, now, functions[ADMISSION_AT], tables[ADMISSION_AT])
    if count == UNDECIDED:
        count, held_back = list_candidates(v, s, node, now, functions[ADMISSION_AT], tables[ADMISSION_AT])
    choice = LEAVE
    if count > 0 or s.walks_always == 1:
        if s.delays == COUNTED:
            note_distances(v, s, node, is_first)
        if s.keeps_scores == 1 and not is_indexed:  # the index is told what has changed all the same
            call(functions[ORDER_UNLISTED], tables[ORDER_AT], node, now)
        choice = call(functions[ORDER_AT], tables[ORDER_AT], node, count)
        clear_changed(v, s)
        note_missed(v, s)
    choice, count = pass_over_delayed(v, s, node, choice, count, functions[ORDER_AT], tables[ORDER_AT])
    if excludes_job:
        v.job_is_active[s.excluded_job], v.job_runnable_since[s.excluded_job] = (is_active, runnable_since)
    return choice, count, held_back


@inlined
def find_unlisted(v: View, s: State, node: int, now: int, functions: Functions, tables: Tables) -> int:
    """What the order's index finds: 0 with the request in v.candidates[0], LEAVE, or UNDECIDED where
    candidates are to be listed.
    """
    request = call(functions[ORDER_UNLISTED], tables[ORDER_AT], node, now)
    if not 0 <= request < len(v.request_waiting):
        return request
    if is_held_back_master(v, s, request, functions[ADMISSION_AT], tables[ADMISSION_AT], now):
        return UNDECIDED
    v.candidates[0] = request
    return 0


@inlined
def pass_over_delayed(
    v: View, s: State, node: int, choice: int, count: int, order: PolicyFunction, order_table: int
) -> tuple[int, int]:
    """A choice that waits for a nearer node is no candidate here, and the order is asked again: (choice,
    count).
    """
    while 0 <= choice < count and passes_over(v, s, node, v.candidates[choice]):
        count -= 1
        v.candidates[choice:count] = v.candidates[choice + 1 : count + 1]
        choice = call(order, order_table, node, count) if count > 0 else LEAVE
    return choice, count


@inlined
def may_sleep(s: State, node: int) -> bool:
    """Is a node that gets nothing, where nothing was held back, only to be asked again when it could fit
    what waits?
    """
    is_unclaimed = s.preempts == 0 or s.node_claims[node] == 0
    asks_at_every_change = s.reserving_count > 0 or s.walks_always == 1 or s.delays != NO_DELAYS
    return is_unclaimed and not asks_at_every_change


@inlined
def leave_node(v: View, s: State, node: int, is_asked_again: bool, can_sleep: int) -> None:
    """The order gives the node nothing: it is asked again on the next heartbeat, or after the next change, or
    after a change that lets the node fit more.
    """
    if v.may_choose_later == 1 or is_asked_again:
        v.may_choose_later = 0
    elif can_sleep:
        sleep(s, node)
    else:
        park(s, node)


@inlined
def is_job_excluded(s: State, node: int) -> bool:
    """Is the next choice for the node the one that is changed?"""
    return s.excluded_container == s.container_count and s.excluded_node == node


def exclude_job(
    v: View, s: State, node: int, now: int, admission: PolicyFunction, table: int
) -> tuple[int, int, int]:
    """One choice of a run is changed: the job that was served is no candidate of it, if another one is; a
    walk down the queues does not meet it either.

    Returns (how many candidates there are, job_is_active, job_runnable_since), the latter two to be put back
    once the order was asked; fair shares, whose list would forget the job, are not computed in between.
    """
    job, only_first = s.excluded_job, s.serves_first
    is_active, runnable_since = v.job_is_active[job], v.job_runnable_since[job]
    s.serves_first = 0
    count, _ = list_candidates(v, s, node, now, admission, table)
    s.serves_first = only_first
    own = others = 0
    for i in range(count):
        request = v.candidates[i]
        own += v.request_job[request] == job
        # a walk down the queues ends at what the whole cluster has no room for
        is_reached = s.reserves != WALKED or within_limits(v, request, MAX_CAPACITIES)
        others += v.request_job[request] != job and is_reached
    if others == 0 and (own > 0 or count == 0):
        s.excluded_container = NO_ALTERNATIVE
    elif own > 0:  # otherwise the node was asked for this container before without success
        s.excluded_container = EXCLUDED
        v.job_is_active[job], v.job_runnable_since[job] = 0, -1
        remaining = 0
        for i in range(count):
            if v.request_job[v.candidates[i]] != job:
                v.candidates[remaining] = v.candidates[i]
                remaining += 1
        count = remaining
    return count, is_active, runnable_since


@inlined
def are_all_candidates(v: View, s: State, node: int) -> bool:
    """May every waiting request be placed if it fits? To an order that reserves, all are candidates, whether
    they fit or not.
    """
    if s.reserves == WALKED:
        return s.reserving_count > 0
    are_masters_admitted = s.overtaking == PASS_OVER or s.unadmitted_count == 0
    return fits_any(v, s, node) and are_masters_admitted and s.non_runnable_count == 0


@inlined
def may_assign_more(v: View, s: State, node: int, placed: int) -> bool:
    """May the node be given one container more on this heartbeat (FairScheduler.shouldContinueAssigning)?"""
    if s.uses_dynamic_max_assign == 0:
        return s.max_per_heartbeat == 0 or placed < s.max_per_heartbeat
    return placed == 0 or fits(s.half_free_resource, THE_RUN, v.node_free_resource, node)


def note_half_free(v: View, s: State, node: int) -> None:
    """Half of what a node has free is to stay so (FairScheduler.getDynamicMaxAssign)."""
    clear(s.half_free_resource, THE_RUN)
    for resource in range(counted_resources(v)):
        free = v.node_free_resource[resource, node]
        s.half_free_resource[resource, THE_RUN] = free - free // 2


def start_container(
    v: View, s: State, request: int, node: int, now: int, functions: Functions, tables: Tables
) -> int:
    """A container of the request starts on the node. Returns PLACED or why it can't."""
    if s.container_count == len(s.container_job):
        return OUT_OF_CONTAINERS
    if s.row_count[node] == s.row_width:
        return OUT_OF_WIDTH
    job = v.request_job[request]
    is_first = v.job_start[job] < 0
    place_container(v, s, request, node, now)
    if is_first and s.order_follows_jobs == 1:
        call(functions[ORDER_JOBS], tables[ORDER_AT], job, now)
    wake_parked(s)
    return PLACED


def take_reserved_hash(v: View, s: State, node: int) -> None:
    """What a node was reserved for was a container already, and keeps its number."""
    if s.preempts == 1:
        s.container_hash[s.container_count - 1] = s.reserved_hash[node]
        s.containers_created[v.request_job[v.node_reserved[node]]] -= 1


def assign_preempted(v: View, s: State, node: int, now: int, functions: Functions, tables: Tables) -> int:
    """Jobs for which containers were preempted on the node come before all others. Returns PLACED or why it
    can't go on.
    """
    drop_claims(v, s, node, False)
    claim = 0
    while claim < s.claim_count:
        job = s.claim_job[claim]
        request = -1
        if s.claim_node[claim] == node:
            request = first_placeable_request(
                v, s, node, job, now, functions[ADMISSION_AT], tables[ADMISSION_AT]
            )
        if request < 0:
            claim += 1
            continue
        status = start_container(v, s, request, node, now, functions, tables)
        if status != PLACED:
            return status
        if claim < s.claim_count and (s.claim_job[claim] != job or s.claim_node[claim] != node):
            continue  # it had all it claimed, and the next stands in its place
    return PLACED


def first_placeable_request(
    v: View, s: State, node: int, job: int, now: int, admission: PolicyFunction, table: int
) -> int:
    """The job's first request that could be placed on the node, if it fits now; -1 otherwise
    (FSAppAttempt.assignContainer).
    """
    for request in range(v.job_first_request[job], v.job_first_request[job + 1]):
        if v.request_waiting[request] > 0 and fits_empty_node(v, s, node, request):
            may_start = not is_held_back_master(v, s, request, admission, table, now)
            return (
                request
                if may_start and fits_now(v, s, node, request) and has_slot(v, s, node, request)
                else -1
            )
    return -1


def start_reserved(v: View, s: State, node: int, now: int, functions: Functions, tables: Tables) -> int:
    """The container that a node is reserved for; a leaf is not told of it (AbstractLeafQueue.apply)."""
    request = v.node_reserved[node]
    job = v.request_job[request]
    reorder = v.job_reorder[job]
    status = start_container(v, s, request, node, now, functions, tables)
    if status == PLACED:
        take_reserved_hash(v, s, node)
        unreserve(v, s, node)
    if (
        reorder != REORDER
        and v.request_kind[request] != MASTER
        and v.queue_ordering[v.job_queue[job]] == BY_MEMORY_SIZE_WEIGHTED
    ):
        reorder = REORDER_LATER
    v.job_reorder[job] = reorder
    return status


def clear_changed(v: View, s: State) -> None:
    """The order has been asked: it knows what every job holds."""
    for entry in range(1, v.changed[0] + 1):
        s.is_changed[v.changed[entry]] = 0
    v.changed[0] = 0

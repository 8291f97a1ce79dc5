"""CapacityScheduler's monitor: what it kills in queues beyond their guarantees, for others
(ProportionalCapacityPreemptionPolicy.editSchedule; PREEMPT-6).

Every `monitor_ms`, after the ends of an instant and before its arrivals. Each leaf that is to give something
back is asked for its reservations and containers, those of its last jobs first (FifoCandidatesSelector). A
container is marked, which its master hears and ignores, and killed by the first round `kill_wait_ms` later on
which it is chosen again; a reservation is given up at once. Rounds that would change nothing are left out:
with nothing having happened since the last, the next that matters is the one that kills what that one chose.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.codes import (
    AS_POLICY,
    BY_MEMORY_SIZE_WEIGHTED,
    CAPACITY,
    ENDED,
    FIFO,
    INFINITE,
    MAP,
    MASTER,
    RETURNED,
    container_request,
)
from engine.resource_types import MEMORY, RESOURCE_COUNT, Amount, put
from engine.run_records import CONTAINER, MONITORS, NODE, ROW, Ints, Record, array, number
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.capacity_reservation import is_listed_before
from engine.schedulers.hadoop.leaf_order import has_higher_priority, is_by_memory, size_weighted
from engine.schedulers.hadoop.queue_sharing import job_rank, leaf_policy, pending_of
from engine.schedulers.hadoop.resources import (
    NOTHING,
    amount_of,
    compare,
    componentwise_max,
    is_any_above_zero,
    is_within,
    minus,
    plus,
    times,
)
from engine.schedulers.hadoop.shares import compare as compare_ranks
from engine.simulation.hadoop.capacity.ideal_allocation import compute_ideal
from engine.simulation.hadoop.queues.preemption import preempt, release_usage
from engine.simulation.hadoop.queues.reservations import jobs_leave, unreserve
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.node_rows import row_entry

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Monitor(Record):
    """CapacityScheduler's preemption monitor."""

    monitor_ms: int = number("ms", "between rounds of CapacityScheduler's monitor, 0: it does not kill")
    kill_wait_ms: int = number("ms", "from the choice of a container to its kill")
    monitor_event_count: int = number("", "`event_count` at its last round")
    monitor_due: int = number("ms", "when what that chose may be killed")
    listed_containers: Ints = array(ROW, "", "numbers of a job's containers", when=MONITORS)
    selected_containers: Ints = array(ROW, "", "containers", when=MONITORS)
    selected_count: int = number("", "of `selected_containers`")
    skipped_masters: Ints = array(ROW, "", "masters that are preempted last", when=MONITORS)
    skipped_count: int = number("", "of `skipped_masters`")
    dropped_reservations: Ints = array(NODE, "", "reserved nodes", when=MONITORS)
    dropped_count: int = number("", "of `dropped_reservations`")
    node_reserved_sequence: Ints = array(
        NODE, "", "how many containers and reservations had been made before", when=MONITORS
    )
    container_sequence: Ints = array(
        CONTAINER, "", "the same of a container, or of the reservation it came from", when=MONITORS
    )
    container_marked: Ints = array(
        CONTAINER, "", "when the monitor first chose it, -1 before", initial=-1, when=MONITORS
    )


PRIORITY_BUCKETS = (8, 6, 12)  # of SchedulerRequestKey in such a map: of masters, reduces and maps
CONTAINER_BITS = 30  # of a number that containers are sorted by


def next_monitor_round(v: View, s: State, now: int) -> int:
    """When the next round may change something, after the instant `now`; INFINITE when none does."""
    interval = s.monitor_ms
    if interval == 0:
        return INFINITE
    if s.monitor_event_count != s.event_count:
        return (now // interval + 1) * interval
    if s.monitor_due >= INFINITE:
        return INFINITE
    return (max(s.monitor_due, now + 1) + interval - 1) // interval * interval


def monitor_if_due(v: View, s: State, admission: PolicyFunction, table: int, now: int) -> None:
    if s.monitor_ms == 0 or now % s.monitor_ms != 0:
        return
    s.monitor_event_count = s.event_count
    s.selected_count = s.dropped_count = 0
    if v.cluster_nodes > 0:
        select(v, s)
    for place in range(s.dropped_count):
        unreserve(v, s, s.dropped_reservations[place])
    kill_selected(v, s, now)
    if s.leaving_count > 0:
        jobs_leave(v, s, admission, table, now)


def select(v: View, s: State) -> None:
    """What is to be given back: `dropped_reservations` and `selected_containers`."""
    cluster = amount_of(v.cluster_resource, THE_RUN)
    allowed = times(cluster, s.monitor_parameters[0])
    compute_ideal(v, s, allowed)
    for leaf in s.leaves_in_hash_order:
        if s.queue_disables_preemption[leaf] == 0:
            allowed = select_from_leaf(v, s, leaf, to_obtain(v, s, leaf, cluster), allowed, cluster)


def to_obtain(v: View, s: State, leaf: int, cluster: Amount) -> Amount:
    """A part of what is to be preempted, if the leaf holds more than its guarantee and what is ignored
    (calculateResToObtainByPartitionForLeafQueues).
    """
    counts = v.counts_vcores
    amount = amount_of(s.queue_to_preempt_resource, leaf)
    if (
        compare(
            counts,
            cluster,
            amount_of(s.queue_current_resource, leaf),
            times(amount_of(s.queue_guaranteed_resource, leaf), 1.0 + s.monitor_parameters[1]),
        )
        <= 0
    ):
        return NOTHING
    if compare(counts, cluster, amount, NOTHING) > 0:
        part = s.monitor_parameters[2]
        if counts == 0:
            return put(NOTHING, MEMORY, int(amount[MEMORY] * part + 0.5))
        for resource in range(RESOURCE_COUNT):
            amount = put(amount, resource, math.ceil(np.float32(amount[resource] * part)))
    return amount


def select_from_leaf(
    v: View, s: State, leaf: int, to_obtain_left: Amount, allowed: Amount, cluster: Amount
) -> Amount:
    """Reservations and containers of the leaf for what is wanted, into `dropped_reservations` and
    `selected_containers`; what is still allowed on this round.
    """
    counts = v.counts_vcores
    masters = NOTHING
    next_master = s.skipped_count = 0
    job = last_job(v, s, leaf, -1)
    while job >= 0 and compare(counts, cluster, to_obtain_left, NOTHING) > 0:
        to_obtain_left, allowed = select_reservations(v, s, job, to_obtain_left, allowed, cluster)
        count = list_containers(v, s, job)
        place = count - 1
        while place >= 0 and compare(counts, cluster, to_obtain_left, NOTHING) > 0:
            container = s.listed_containers[place]
            place -= 1
            size = size_of(v, s, container)
            if s.container_kind[container] == MASTER:
                s.skipped_masters[s.skipped_count] = container
                s.skipped_count += 1
                masters = plus(masters, size)
            else:
                is_selected, to_obtain_left, allowed = try_preempt(v, size, to_obtain_left, allowed, cluster)
                if is_selected:
                    select_container(s, container)
        job = last_job(v, s, leaf, job)
    am_limit = (
        s.monitor_parameters[3]
        if math.isnan(v.queue_am_share[leaf])
        else float(np.float32(v.queue_am_share[leaf]))
    )
    if am_limit < 0.0 or s.monitor_parameters[3] < 0.0:
        return allowed
    max_masters = times(amount_of(s.queue_guaranteed_resource, leaf), am_limit)
    while (
        next_master < s.skipped_count
        and compare(counts, cluster, to_obtain_left, NOTHING) > 0
        and compare(counts, cluster, masters, max_masters) > 0
    ):
        container = s.skipped_masters[next_master]
        next_master += 1
        size = size_of(v, s, container)
        is_selected, to_obtain_left, allowed = try_preempt(v, size, to_obtain_left, allowed, cluster)
        if is_selected:
            select_container(s, container)
            masters = minus(masters, size)
    return allowed


def try_preempt(
    v: View, size: Amount, to_obtain_left: Amount, allowed: Amount, cluster: Amount
) -> tuple[bool, Amount, Amount]:
    """Is something of a size taken back, what is then still wanted, and still allowed
    (tryPreemptContainerAndDeductResToObtain)?
    """
    counts = v.counts_vcores
    for resource in range(RESOURCE_COUNT):
        if to_obtain_left[resource] == 0:
            to_obtain_left = put(to_obtain_left, resource, -1)
    after = minus(to_obtain_left, size)
    helps = (
        compare(
            counts, cluster, componentwise_max(after, NOTHING), componentwise_max(to_obtain_left, NOTHING)
        )
        < 0
    )
    if is_any_above_zero(counts, to_obtain_left) and is_within(counts, size, allowed) and helps:
        return True, after, minus(allowed, size)
    return False, to_obtain_left, allowed


def size_of(v: View, s: State, container: int) -> Amount:
    return amount_of(v.request_resource, container_request(v, s, container))


def select_container(s: State, container: int) -> None:
    s.selected_containers[s.selected_count] = container
    s.selected_count += 1


def last_job(v: View, s: State, leaf: int, before: int) -> int:
    """The leaf's active job that stands last of those before another, -1: of all; -1 when there is none."""
    last = -1
    for job in range(s.arrived_jobs):
        is_active = v.job_queue[job] == leaf and v.job_is_active[job] == 1 and job != before
        if (
            is_active
            and (before < 0 or ranks_before(v, leaf, job, before))
            and (last < 0 or ranks_before(v, leaf, last, job))
        ):
            last = job
    return last


def ranks_before(v: View, leaf: int, job: int, other_job: int) -> bool:
    """Does a job stand before another in its leaf, by what they hold now?"""
    ordering, policy = v.queue_ordering[leaf], leaf_policy(CAPACITY, v.queue_policy[leaf])
    if is_by_memory(ordering):
        own_memory, other_memory = magnitude(v, job, ordering), magnitude(v, other_job, ordering)
        if own_memory != other_memory:
            return own_memory < other_memory
    elif ordering == AS_POLICY and policy != FIFO:
        rank, other_rank = job_rank(v, policy, job), job_rank(v, policy, other_job)
        order = compare_ranks(rank[0], rank[1], rank[2], other_rank[0], other_rank[1], other_rank[2])
        if order != 0.0:
            return order < 0.0
    else:
        return has_higher_priority(v, job, other_job)
    return job < other_job


def magnitude(v: View, job: int, ordering: int) -> float:
    """FairOrderingPolicy.getMagnitude."""
    memory = float(v.job_used_memory[job])
    return (
        size_weighted(memory, memory + pending_of(v, job, MEMORY))
        if ordering == BY_MEMORY_SIZE_WEIGHTED
        else memory
    )


def list_containers(v: View, s: State, job: int) -> int:
    """What the job holds into `listed_containers`, by request, then as the containers were made; how many
    there are.
    """
    count = 0
    for node in range(len(s.row_count)):
        first = node * s.row_width
        for entry in range(first, first + s.row_count[node]):
            if v.request_job[s.row_request[entry]] == job and s.row_end[entry] != RETURNED:
                container = s.row_container[entry]
                s.listed_containers[count] = (s.container_sequence[container] << CONTAINER_BITS) + container
                count += 1
    s.listed_containers[:count].sort()
    made = s.listed_containers[:count] & ((1 << CONTAINER_BITS) - 1)
    for place in range(count):
        number = container_request(v, s, made[place]) - v.job_first_request[job]
        s.listed_containers[place] = (number << CONTAINER_BITS) + place
    s.listed_containers[:count].sort()
    for place in range(count):
        s.listed_containers[place] = made[s.listed_containers[place] & ((1 << CONTAINER_BITS) - 1)]
    return count


def select_reservations(
    v: View, s: State, job: int, to_obtain_left: Amount, allowed: Amount, cluster: Amount
) -> tuple[Amount, Amount]:
    """The job's reserved nodes into `dropped_reservations`, as long as anything is wanted, in the order of
    Hadoop's maps.
    """
    first, end = v.job_first_request[job], v.job_first_request[job + 1]
    count = 0
    for request in range(first, end):
        count += v.request_reserved[request]
    last = -1
    while count > 0 and compare(v.counts_vcores, cluster, to_obtain_left, NOTHING) > 0:
        count -= 1
        best = -1
        for node in range(len(v.node_reserved)):
            if (
                first <= v.node_reserved[node] < end
                and (last < 0 or reserved_before(v, last, node))
                and (best < 0 or reserved_before(v, node, best))
            ):
                best = node
        last = best
        request = v.node_reserved[best]
        _, to_obtain_left, allowed = try_preempt(
            v, amount_of(v.request_resource, request), to_obtain_left, allowed, cluster
        )
        s.dropped_reservations[s.dropped_count] = best
        s.dropped_count += 1
    return to_obtain_left, allowed


def reserved_before(v: View, node: int, other_node: int) -> bool:
    """Of two nodes reserved for a job: in java.util.HashMaps, of its priorities, then of NodeIds."""
    request, other_request = v.node_reserved[node], v.node_reserved[other_node]
    if request != other_request:
        return priority_bucket(v, request) < priority_bucket(v, other_request)
    return is_listed_before(v, node, other_node, request)


def priority_bucket(v: View, request: int) -> int:
    """Where such a map has a request: MapReduce's by their priorities, others in the job's order."""
    number = request - v.job_first_request[v.request_job[request]]
    return PRIORITY_BUCKETS[number] if number < len(PRIORITY_BUCKETS) else PRIORITY_BUCKETS[MAP] + number


def kill_selected(v: View, s: State, now: int) -> None:
    """What was marked long enough ago is killed, the rest marked; `monitor_due`: when the first of it may
    be.
    """
    wait = s.kill_wait_ms
    s.monitor_due = INFINITE
    for place in range(s.selected_count):
        container = s.selected_containers[place]
        marked = s.container_marked[container]
        if marked >= 0 and marked + 2 * wait < now - s.monitor_ms:  # forgotten on the round before
            marked = -1
        if marked >= 0 and marked + wait <= now:
            s.container_marked[container] = -1
            kill(v, s, container, now)
        else:
            s.container_marked[container] = marked if marked >= 0 else now
            s.monitor_due = min(s.monitor_due, s.container_marked[container] + wait)


def kill(v: View, s: State, container: int, now: int) -> None:
    """One whose end its node has not yet reported is no longer counted; one that went with its master is gone
    already.
    """
    entry = row_entry(s, container)
    if s.row_end[entry] < ENDED:
        preempt(v, s, container, now)
    elif s.row_end[entry] != RETURNED:
        job = s.container_job[container]
        release_usage(v, s, entry, now)
        s.event_count += 1
        wake_parked(s)
        if v.job_finish[job] >= 0 and v.job_used_memory[job] == 0:
            s.leaving_jobs[s.leaving_count] = job
            s.leaving_count += 1

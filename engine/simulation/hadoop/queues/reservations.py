"""Reserved nodes: a request that was chosen and did not fit keeps a node until it fits, or until its job
can't use it any more (RESERVE-1 to RESERVE-3).

In Hadoop  FSAppAttempt.reserve, unreserve, assignReservedContainer;
           CapacityScheduler.allocateFromReservedContainer, FiCaSchedulerApp.reserve, unreserve;
           AbstractYarnScheduler.doneApplicationAttempt
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ACTIVATE, STARVED, WALKED
from engine.run_records import NODE, PREEMPTS, Amounts, Ints, Record, amount, array, number
from engine.schedulers.amounts import fits
from engine.simulation.hadoop.capacity.activation import activate
from engine.simulation.hadoop.capacity.reserved_usage import count_reserved_usage
from engine.simulation.hadoop.capacity.users import count_jobs, count_masters, forget_user
from engine.simulation.hadoop.fair.fair_shares import note_jobs_changing, reserved_nodes
from engine.simulation.hadoop.fair.reserved_container import may_be_assigned
from engine.simulation.hadoop.fair.victims import next_container_hash
from engine.simulation.hadoop.queues.arrivals import run_waiting_jobs
from engine.simulation.hadoop.queues.usage import count_in_queues, note_stale
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.node_rows import slot_of
from engine.simulation.kernel.waiting_requests import set_active

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Reservations(Record):
    """Nodes that are reserved."""

    reserves: int = number("", "NO_RESERVATIONS, STARVED or WALKED (codes.py)")
    reservation_count: int = number("", "made so far")
    threshold_resource: Amounts = amount("what is less reserves no node under STARVED")
    reserved_hash: Ints = array(NODE, "", "of the container a node is reserved for", when=PREEMPTS)


def reserve(v: View, s: State, node: int, request: int) -> None:
    v.node_reserved[node] = request
    v.node_reservation_number[node] = s.reservation_count
    if s.monitor_ms > 0:
        s.node_reserved_sequence[node] = s.container_count + s.reservation_count
    s.reservation_count += 1
    if s.preempts == 1:
        s.reserved_hash[node] = next_container_hash(s, v.request_job[request])
    count_reserved(v, s, request, 1)


def unreserve(v: View, s: State, node: int) -> None:
    request = v.node_reserved[node]
    v.node_reserved[node] = -1
    count_reserved(v, s, request, -1)


def count_reserved(v: View, s: State, request: int, change: int) -> None:
    v.request_reserved[request] += change
    v.request_max_reserved[request] = (
        max(v.request_max_reserved[request], v.request_reserved[request])
        if v.request_reserved[request] > 0
        else 0
    )
    v.request_reserved_since[request], v.request_reserved_extra[request] = v.heartbeat_count, 0
    if s.reserves == WALKED:
        count_reserved_usage(v, request, change)
    note_stale(s, v.request_job[request])
    s.event_count += 1
    wake_parked(s)


def fits_now(v: View, s: State, node: int, request: int) -> bool:
    return fits(s.fit_resource, request, v.node_free_resource, node)


def has_slot(v: View, s: State, node: int, request: int) -> bool:
    slot = slot_of(node, v.request_kind[request])
    return s.used_slots[slot] < s.slots[slot]


def is_still_needed(v: View, s: State, node: int, now: int, admission: PolicyFunction, table: int) -> int:
    """Can the job that a node is reserved for still use it?"""
    if v.request_waiting[v.node_reserved[node]] == 0 or s.reserves != STARVED:
        return v.request_waiting[v.node_reserved[node]] > 0
    return may_be_assigned(v, s, v.node_reserved[node], now, admission, table)


def jobs_leave(v: View, s: State, admission: PolicyFunction, table: int, now: int) -> None:
    """The end of a heartbeat: jobs whose last container's end was seen on it are gone, and so is what was
    reserved for them.
    """
    note_jobs_changing(v, s)
    for i in range(s.leaving_count):
        job = s.leaving_jobs[i]
        set_active(v, s, job, 0)
        count_masters(v, job, -1)
        count_jobs(v, job, 0, -1)
        forget_user(v, job)
        if s.refuses == 1:
            count_in_queues(v, s.queue_applications, job, -1)
        if reserved_nodes(v, job) > 0:
            first, end = v.job_first_request[job], v.job_first_request[job + 1]
            for node in range(len(v.node_reserved)):
                if first <= v.node_reserved[node] < end:
                    unreserve(v, s, node)
        if s.overtaking == ACTIVATE:
            activate(v, s, v.job_queue[job], admission, table, now)
        if s.limits_running == 1:
            run_waiting_jobs(v, s, job, admission, table, now)
    s.leaving_count = 0
    wake_parked(s)

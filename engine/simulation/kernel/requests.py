"""Requests as they appear and vanish (REQUEST-1, REQUEST-2, REDUCE-1, JOB-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import BY_MEMORY_SIZE_WEIGHTED, MASTER, NO_DELAYS, REORDER
from engine.run_records import JOB, REQUEST, Amounts, Flags, Record, array, given_amounts
from engine.schedulers.amounts import add, fits
from engine.simulation.hadoop.capacity.users import note_not_pending, note_pending
from engine.simulation.hadoop.queues.usage import note_demand, note_progress, note_reduces, note_stale
from engine.simulation.kernel.clock import next_asleep, wake, wake_parked
from engine.simulation.kernel.waiting_requests import (
    add_to_waiting_list,
    may_reserve,
    no_idle_node_fits,
    remove_from_waiting_list,
)

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Requests(Record):
    """What jobs ask for."""

    fit_resource: Amounts = given_amounts(REQUEST, "request_resource, but 0 of what need not fit")
    is_changed: Flags = array(JOB, "", "a job is in View.changed", initial=1)


def count_waiting(v: View, s: State, request: int, change: int) -> None:
    """`change` more containers of `request` wait (fewer when negative)."""
    v.request_waiting[request] += change
    note_demand(v, s, v.request_job[request])
    note_reduces(s, v.request_job[request])
    queue = v.job_queue[v.request_job[request]]
    add(v.queue_waiting_resource, queue, v.request_resource, request, change)


def mark_for_reorder(v: View, request: int) -> None:
    """A job that has asked for tasks: a leaf that weighs its jobs by size is to reorder it
    (CapacityScheduler.allocate, demandUpdated).
    """
    job = v.request_job[request]
    if v.request_kind[request] != MASTER and v.queue_ordering[v.job_queue[job]] == BY_MEMORY_SIZE_WEIGHTED:
        v.job_reorder[job] = REORDER


def request_containers(v: View, s: State, request: int, count: int, now: int) -> None:
    """`count` (more) containers are requested; nodes with room for one wake, all nodes for one that may
    reserve.
    """
    reserves = may_reserve(v, s, request)
    if v.request_waiting[request] == 0:
        add_to_waiting_list(v, s, request)
        note_pending(v, v.request_job[request])
        note_stale(s, v.request_job[request])
    count_waiting(v, s, request, count)
    note_progress(v, s, v.request_job[request])
    mark_for_reorder(v, request)
    v.request_asked_at[request] = now
    s.event_count += 1
    wake_parked(s)
    everywhere = s.walks_always == 1 or s.delays != NO_DELAYS or reserves
    if everywhere or not no_idle_node_fits(s, request):
        node = next_asleep(s, 0)
        while node >= 0:
            if everywhere or fits(s.fit_resource, request, v.node_free_resource, node):
                wake(s, node)
            node = next_asleep(s, node + 1)


def drop_request(v: View, s: State, request: int) -> None:
    """No container of the request waits any longer."""
    remove_from_waiting_list(v, s, request)
    note_not_pending(v, v.request_job[request])
    note_stale(s, v.request_job[request])


def withdraw(v: View, s: State, request: int, count: int) -> None:
    """So many waiting containers of a request are cancelled."""
    if count > 0:
        count_waiting(v, s, request, -count)
        note_progress(v, s, v.request_job[request])
        mark_for_reorder(v, request)
        s.event_count += 1
        if v.request_waiting[request] == 0:
            drop_request(v, s, request)
        wake_parked(s)


def first_unfinished(v: View, s: State) -> int:
    """No job before it has still to finish."""
    job = s.first_unfinished_job
    while job < s.arrived_jobs and v.job_finish[job] >= 0:
        job += 1
    s.first_unfinished_job = job
    return job

"""Containers from their placement to the heartbeat at which the scheduler sees their end (HEARTBEAT-3,
DRAW-2, ADMISSION-1, SHUFFLE-1, JOB-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ENDED, FINISHED, INFINITE, MASTER, RUNNING
from engine.jit import Functions, call
from engine.run_records import CONTAINER, FETCHES, JOB, LAUNCHES, Flags, Ints, Ints32, Record, array, number
from engine.schedulers.amounts import THE_RUN, add, clear
from engine.schedulers.policy import ORDER_JOBS
from engine.simulation.applications.seam import container_due, container_placed, fail_jobs
from engine.simulation.hadoop.fair.preemption_claims import reduce_claim, unmark
from engine.simulation.hadoop.fair.victims import next_container_hash
from engine.simulation.hadoop.queues.usage import count_admitted, count_running, count_used
from engine.simulation.kernel.clock import earliest
from engine.simulation.kernel.node_rows import refresh_time, slot_of
from engine.simulation.kernel.requests import count_waiting, drop_request

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class ContainerLog(Record):
    """Every container that was placed, in order, and what a run tells of each job."""

    container_job: Ints32 = array(CONTAINER, "", "its job")
    container_stage: Ints32 = array(CONTAINER, "", "the iteration of its job, from 0")
    container_kind: Flags = array(CONTAINER, "", "MASTER, REDUCE or MAP")
    container_index: Ints32 = array(CONTAINER, "", "which task of its job and kind")
    container_attempt: Ints32 = array(CONTAINER, "", "which attempt of that task")
    container_node: Ints32 = array(CONTAINER, "", "its node")
    container_requested: Ints = array(CONTAINER, "ms", "when it was asked for")
    container_start: Ints = array(CONTAINER, "ms", "when it was placed")
    container_shuffle_end: Ints = array(CONTAINER, "ms", "of a reduce, when it had fetched all")
    container_end: Ints = array(CONTAINER, "ms", "when it ended")
    container_outcome: Flags = array(CONTAINER, "", "how it ended")
    container_begin: Ints = array(
        CONTAINER, "ms", "when its task begins; empty where that is its start", when=LAUNCHES
    )
    container_map_outputs: Ints32 = array(
        CONTAINER,
        "",
        "maps whose output a reduce has fetched or is fetching; empty where fetching counts for "
        "nothing, as is the next",
        when=FETCHES,
    )
    container_count: int = number("", "written so far")
    job_maps_end: Ints = array(JOB, "ms", "when its last map ended, -1 before", initial=-1)
    job_shuffle_end: Ints = array(JOB, "ms", "when its last shuffle ended, -1 before", initial=-1)
    job_failed: Flags = array(JOB, "", "1: it failed")
    master_container: Ints = array(JOB, "", "of the job's running master, -1 without", initial=-1)
    job_ready: Ints = array(JOB, "ms", "when its master has started up, -1 before it is placed", initial=-1)
    leaving_jobs: Ints = array(JOB, "", "jobs whose last end was seen on this heartbeat")
    leaving_count: int = number("", "of `leaving_jobs`")
    unfinished_jobs: int = number("", "jobs that have not finished")
    arrived_jobs: int = number("", "jobs that have arrived")
    first_unfinished_job: int = number("", "no job before it has still to finish")


def place_container(v: View, s: State, request: int, node: int, now: int) -> None:
    """One container of `request` starts on `node`; the caller has made sure that it fits and that there is
    room to write it.
    """
    job = v.request_job[request]
    kind = v.request_kind[request]
    container = s.container_count
    s.container_count += 1
    entry = node * s.row_width + s.row_count[node]
    s.row_count[node] += 1

    s.container_job[container] = job
    s.container_kind[container] = kind
    s.container_stage[container] = max(1, v.job_iteration[job])
    s.container_index[container] = 0
    s.container_attempt[container] = 1
    s.container_node[container] = node
    s.container_requested[container] = v.request_asked_at[request]
    s.container_start[container] = now
    s.container_shuffle_end[container] = -1
    s.container_end[container] = -1
    s.container_outcome[container] = RUNNING
    if s.preempts == 1:
        s.container_hash[container] = next_container_hash(s, job)
        s.is_marked[container] = 0
        s.max_on_node[node] = max(s.max_on_node[node], s.row_count[node])
        reduce_claim(v, s, node, request, job)
    s.row_container[entry] = container
    s.row_request[entry] = request
    s.row_end[entry] = INFINITE
    s.row_remaining_ms[entry] = -1.0
    s.row_updated_at[entry] = now
    if s.monitor_ms > 0:
        s.container_sequence[container] = (
            s.node_reserved_sequence[node]
            if v.node_reserved[node] == request
            else container + s.reservation_count
        )
    s.last_event_ms = now
    s.event_count += 1
    if v.job_start[job] < 0:
        v.job_start[job] = now
        count_running(v, s, job, 1)

    add(v.node_free_resource, node, s.fit_resource, request, -1)
    add(v.idle_resource, THE_RUN, v.request_resource, request, -1)
    s.used_slots[slot_of(node, kind)] += 1
    count_used(v, s, request, 1)
    count_waiting(v, s, request, -1)
    if v.request_waiting[request] == 0:
        drop_request(v, s, request)
    if kind != MASTER:
        v.job_container_time[job] -= now

    container_placed(v, s, entry, node, now)


def end_on_node(v: View, s: State, node: int, now: int) -> None:
    """Whatever ends on the node now, or comes to its next phase now; then the node's next end."""
    first = node * s.row_width
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] == now:
            container_due(v, s, entry, node, now)
    refresh_time(s, node)


def containers_end(v: View, s: State, functions: Functions, order_table: int, now: int) -> None:
    """Whatever ends at this instant, node by node; an order that follows jobs learns when some have
    finished.
    """
    running = v.running_jobs[0]
    while s.timer_tree[1] == now:
        leaf = earliest(s)
        if leaf >= len(s.awake):
            break
        end_on_node(v, s, leaf, now)
    if s.failing_count > 0:
        fail_jobs(v, s, now)
    if s.order_follows_jobs == 1 and v.running_jobs[0] != running:
        call(functions[ORDER_JOBS], order_table, -1, now)


def count_reported(v: View, s: State, request: int, now: int) -> None:
    """One container less for its job and queues; the last one of a job that has finished lets it leave."""
    job = v.request_job[request]
    count_used(v, s, request, -1)
    if v.job_finish[job] >= 0 and v.job_used_memory[job] == 0:
        s.leaving_jobs[s.leaving_count] = job
        s.leaving_count += 1
    if v.request_kind[request] == MASTER:
        count_admitted(v, job, -1)
    else:
        v.job_container_time[job] += now


def report_ended(v: View, s: State, node: int, now: int) -> None:
    """The node's heartbeat tells the scheduler what has ended on it: room and usage are given back."""
    s.event_count += 1
    first = node * s.row_width
    entry = first
    last = first + s.row_count[node] - 1
    while entry <= last:
        if s.row_end[entry] >= ENDED:
            request = s.row_request[entry]
            add(v.node_free_resource, node, s.fit_resource, request, 1)
            s.used_slots[slot_of(node, v.request_kind[request])] -= 1
            if s.row_end[entry] == ENDED:
                unmark(v, s, s.row_container[entry])
                count_reported(v, s, request, now)
            if v.request_kind[request] != MASTER and s.container_outcome[s.row_container[entry]] == FINISHED:
                v.released_containers += 1
            s.row_container[entry] = s.row_container[last]
            s.row_request[entry] = s.row_request[last]
            s.row_end[entry] = s.row_end[last]
            s.row_remaining_ms[entry] = s.row_remaining_ms[last]
            s.row_updated_at[entry] = s.row_updated_at[last]
            last -= 1
        else:
            entry += 1
    s.row_count[node] = last - first + 1
    clear(s.unreported_resource, node)
    s.unreported_slots[slot_of(node, 0) : slot_of(node + 1, 0)] = 0
    s.unreported[node] = 0

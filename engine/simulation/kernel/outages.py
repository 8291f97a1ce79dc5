"""Nodes that join, are lost and come back (NodesListManager, RMNodeImpl, JobImpl.actOnUnusableNode): after an
instant's ends, before its arrivals.

The containers of a lost node are lost (OUTAGE-1 to OUTAGE-3), and the scheduler knows it at once. Maps that
finished there run again where reduces of their iteration are unfinished. A job whose master is lost starts it
again, RESTARTS times at most, and keeps what has finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ENDED, INFINITE, LOST, MASTER
from engine.jit import Functions, PolicyFunction, call
from engine.run_records import ABSENT_NODE, OUTAGE, Flags, Ints, Record, given, number
from engine.schedulers.amounts import THE_RUN, add, assign, clear
from engine.schedulers.policy import ORDER_JOBS
from engine.simulation.applications.seam import fail_job, master_lost, outputs_lost, stop_attempt, task_lost
from engine.simulation.hadoop.fair.fair_shares import note_jobs_changing
from engine.simulation.hadoop.fair.preemption_claims import drop_claims
from engine.simulation.hadoop.queues.cluster_resource import update_cluster_resource
from engine.simulation.hadoop.queues.reservations import jobs_leave, unreserve
from engine.simulation.hadoop.queues.usage import note_changed, note_stale
from engine.simulation.kernel.clock import sleep, wake, wake_parked
from engine.simulation.kernel.node_rows import refresh_time, release, row_entry
from engine.simulation.kernel.requests import first_unfinished
from engine.simulation.kernel.running import report_ended

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Outages(Record):
    """Nodes that are lost and come back."""

    absent_nodes: Ints = given(ABSENT_NODE, "", "at first")
    outage_at: Ints = given(OUTAGE, "ms", "when nodes are lost or come; in the order of time, then of nodes")
    outage_node: Ints = given(OUTAGE, "", "the node that is lost or comes")
    outage_is_back: Flags = given(OUTAGE, "", "1: the node comes, 0: it is lost")
    next_outage: int = number("", "the next entry of outage_at")


RESTARTS = 2  # of a master: yarn.resourcemanager.am.max-attempts counts its attempts


def next_outage(s: State) -> int:
    """When the next node is lost or comes; INFINITE when none does."""
    following = s.next_outage
    return s.outage_at[following] if following < len(s.outage_at) else INFINITE


def process_outages(
    v: View, s: State, functions: Functions, order_table: int, admission: PolicyFunction, table: int, now: int
) -> None:
    """Nodes that are lost, or come, at this instant."""
    running = v.running_jobs[0]
    invalidate_shares(v, s)
    while next_outage(s) == now:
        node, is_back = s.outage_node[s.next_outage], s.outage_is_back[s.next_outage]
        s.next_outage += 1
        note_jobs_changing(v, s)
        s.event_count += 1
        if is_back == 1:
            restore_node(v, s, node)
        else:
            lose_node(v, s, node, now)
            if s.leaving_count > 0:
                jobs_leave(v, s, admission, table, now)
        update_cluster_resource(v, s, admission, table, now)
        wake_parked(s)
    if s.order_follows_jobs == 1 and v.running_jobs[0] != running:
        call(functions[ORDER_JOBS], order_table, -1, now)


def invalidate_shares(v: View, s: State) -> None:
    """Of another cluster all that is held is another share, and what the kill rule has found no longer
    holds.
    """
    s.end_count += 1
    for job in range(s.arrived_jobs):
        note_stale(s, job)
        note_changed(v, s, job)


def count_node(v: View, node: int, sign: int) -> None:
    v.cluster_nodes += sign
    add(v.cluster_resource, THE_RUN, v.node_resource, node, sign)
    add(v.idle_resource, THE_RUN, v.node_resource, node, sign)


def restore_node(v: View, s: State, node: int) -> None:
    s.is_down[node] = 0
    assign(v.node_free_resource, node, v.node_resource, node)
    count_node(v, node, 1)
    wake(s, node)


def lose_node(v: View, s: State, node: int, now: int) -> None:
    first = node * s.row_width
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] < ENDED and v.request_kind[s.row_request[entry]] != MASTER:
            stop_attempt(v, s, s.row_container[entry], LOST, now)
            task_lost(v, s, s.row_container[entry], now)
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] < ENDED:
            lose_master(v, s, s.row_container[entry], now)
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        if v.job_finish[job] < 0:
            outputs_lost(v, s, job, node, now)
    report_ended(v, s, node, now)
    if v.node_reserved[node] >= 0:
        unreserve(v, s, node)
    if s.preempts == 1:
        drop_claims(v, s, node, True)
        s.max_on_node[node] = 0
    clear(v.node_free_resource, node)
    count_node(v, node, -1)
    sleep(s, node)
    s.is_down[node] = 1


def lose_master(v: View, s: State, container: int, now: int) -> None:
    """The job ends that has lost its master too often."""
    job, node = s.container_job[container], s.container_node[container]
    release(v, s, row_entry(s, container), node, LOST, now)
    refresh_time(s, node)
    if v.job_finish[job] >= 0:
        return
    s.master_losses[job] += 1
    s.is_master_down[job] = 1
    if s.master_losses[job] > RESTARTS:
        fail_job(v, s, job, now)
        return
    master_lost(v, s, job, now)

"""Nodes that are lost and come back (NodesListManager, RMNodeImpl, JobImpl.actOnUnusableNode): after an instant's ends, before its arrivals.

The containers of a lost node are lost, and the scheduler knows it at once. Maps that finished there run again where reduces of their iteration are
unfinished. A job whose master is lost starts it again, RESTARTS times at most, and keeps what has finished.
"""

from __future__ import annotations

from engine.jit import call
from engine.schedulers.policy import ORDER_JOBS
from engine.schedulers.view import MAP, MASTER, PER_JOB
from engine.simulation.kernel.claimed_room import drop_claims
from engine.simulation.kernel.clock import sleep, wake, wake_parked
from engine.simulation.kernel.fair_shares import jobs_change
from engine.simulation.kernel.fetches import map_lost
from engine.simulation.kernel.node_rows import entry_of, refresh_time, release
from engine.simulation.kernel.requests import first_unfinished, touch, watch
from engine.simulation.kernel.reservations import give_up, jobs_leave
from engine.simulation.kernel.running import see
from engine.simulation.kernel.state import ENDED, FAR
from engine.simulation.kernel.tries import fail_job, forget_attempt, note_again, stop, stop_tasks, unplace, wants_again
from engine.simulation.kernel.usage import note_changed, note_stale
from engine.simulation.run import KILLED, LOST

RESTARTS = 2  # of a master: yarn.resourcemanager.am.max-attempts counts its attempts


def next_outage(s):
    """When the next node is lost or comes back; FAR when none does."""
    following = s.next_outage[0]
    return s.outage_at[following] if following < len(s.outage_at) else FAR


def outages(v, s, functions, order_table, line, admission, table, now, slowed):
    """Nodes that are lost, or come back, at this instant."""
    running = v.running_jobs[0]
    while next_outage(s) == now:
        node, is_back = s.outage_node[s.next_outage[0]], s.outage_is_back[s.next_outage[0]]
        s.next_outage[0] += 1
        jobs_change(v, s)
        s.event_count[0] += 1
        shares_change(v, s)
        if is_back == 1:
            come_back(v, s, node)
        else:
            lose(v, s, node, now, slowed)
            if s.leaving_count[0] > 0:
                jobs_leave(v, s, line, admission, table, now)
        wake_parked(s)
    if s.order_follows_jobs[0] == 1 and v.running_jobs[0] != running:
        call(functions[ORDER_JOBS], order_table, -1, now)


def shares_change(v, s):
    """Of another cluster all that is held is another share, and what the kill rule has found no longer holds."""
    s.end_count[0] += 1
    v.queue_user_is_stale[:] = 1
    for job in range(s.arrived_jobs[0]):
        note_stale(s, job)
        note_changed(v, s, job)


def count_node(v, node, sign):
    v.cluster_memory[0] += sign * v.node_memory[node]
    v.cluster_vcores[0] += sign * v.node_vcores[node]
    v.idle_memory[0] += sign * v.node_memory[node]
    v.idle_vcores[0] += sign * v.node_vcores[node]


def come_back(v, s, node):
    s.is_down[node] = 0
    v.node_free_memory[node], v.node_free_vcores[node] = v.node_memory[node], v.node_vcores[node]
    count_node(v, node, 1)
    wake(s, node)


def lose(v, s, node, now, slowed):
    first = node * s.row_width[0]
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] < ENDED and s.row_request[entry] % PER_JOB != MASTER:
            lose_task(v, s, s.row_container[entry], now, slowed)
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] < ENDED:
            lose_master(v, s, s.row_container[entry], now, slowed)
    for job in range(first_unfinished(v, s), s.arrived_jobs[0]):
        if v.job_finish[job] < 0 and v.job_finished_reduces[job] < v.job_reduces[job]:
            lose_outputs(v, s, job, node, slowed, now)
    see(v, s, node, now)
    if v.node_reserved[node] >= 0:
        give_up(v, s, node)
    if s.preempts[0] == 1:
        drop_claims(v, s, node, True)
        s.most_on_node[node] = 0
    v.node_free_memory[node] = v.node_free_vcores[node] = 0
    count_node(v, node, -1)
    sleep(s, node)
    s.is_down[node] = 1


def lose_task(v, s, container, now, slowed):
    job, kind = s.container_job[container], s.container_kind[container]
    stop(v, s, container, LOST, now, slowed)
    if forget_attempt(v, s, container):
        wants_again(v, s, job, kind)
    touch(s, job)
    watch(v, s, job)


def lose_master(v, s, container, now, slowed):
    """The job's tasks die with it; a new one takes the work up again."""
    job, node = s.container_job[container], s.container_node[container]
    release(v, s, entry_of(s, container), node, LOST, now)
    refresh_time(s, node)
    if v.job_finish[job] >= 0:
        return
    s.master_losses[job] += 1
    s.master_away[job] = 1
    if s.master_losses[job] > RESTARTS:
        fail_job(v, s, job, now, slowed)
        return
    stop_tasks(v, s, job, KILLED, now, slowed)
    s.asked_reduces[job] = s.reduces_blocked[job] = s.reduces_first[job] = 0
    note_again(s, PER_JOB * job + MASTER)


def lose_outputs(v, s, job, node, slowed, now):
    """Finished maps of the job's iteration whose output lay on the node run again; reduces that lack it wait for them."""
    lost = 0
    were_over = v.job_finished_maps[job] == v.job_maps[job]
    for index in range(v.job_maps[job]):
        at = s.map_base[job] + index
        if s.map_done[at] == 1 and s.container_node[s.map_container[at]] == node:
            s.map_done[at] = 0
            unplace(v, s, job, MAP, index)
            v.job_finished_maps[job] -= 1
            lost += 1
            if s.master_away[job] == 0:
                wants_again(v, s, job, MAP)
    if lost == 0:
        return
    s.job_maps_end[job] = -1
    if were_over:
        v.available_containers[0] -= v.job_running_reduces[job]
    map_lost(v, s, job, now, slowed)
    touch(s, job)
    watch(v, s, job)

"""Containers from their placement to the heartbeat at which the scheduler sees their end (HEARTBEAT-3,
DRAW-2, ADMISSION-1, SHUFFLE-1, JOB-2).
"""

from __future__ import annotations

from engine.codes import (
    ENDED,
    FAILED,
    FINISHED,
    INFINITE,
    MAP,
    MASTER,
    ON_CHANGES,
    PER_JOB,
    REDUCE,
    RELAXED,
    RUNNING,
)
from engine.jit import call
from engine.run_records import (
    CONTAINER,
    FETCHES,
    JOB,
    LAUNCHES,
    Flags,
    Ints,
    Ints32,
    Record,
    array,
    number,
)
from engine.schedulers.policy import ORDER_JOBS
from engine.simulation.hadoop.capacity.users import count_masters
from engine.simulation.hadoop.fair.preemption_claims import reduce_claim, unmark
from engine.simulation.hadoop.fair.victims import next_container_hash
from engine.simulation.hadoop.queues.usage import (
    count_admitted,
    count_running,
    count_slots,
    count_used,
    note_progress,
)
from engine.simulation.kernel.attempt_durations import fails, startup_ms, task_start
from engine.simulation.kernel.blocks import distance, take_map
from engine.simulation.kernel.clock import earliest, set_time
from engine.simulation.kernel.fetches import (
    is_fetching,
    map_ended,
    next_phase,
    reduce_placed,
    start_remaining_fetches,
)
from engine.simulation.kernel.master_heartbeats import next_heartbeat
from engine.simulation.kernel.node_rows import (
    mark_dirty,
    refresh_time,
    release,
    set_row_end,
    start_computing,
    task_begin,
)
from engine.simulation.kernel.requests import count_waiting, drop_request, touch, update_kill_candidate
from engine.simulation.kernel.task_lifecycle import (
    attempt_fails,
    fail_jobs,
    finish_job,
    stop_attempt,
    take_reduce,
    take_task,
    task_finished,
)


class ContainerLog(Record):
    """Every container that was placed, in order, and what a run tells of each job."""

    container_job: Ints32 = array(CONTAINER, "", "its job")
    container_stage: Ints32 = array(CONTAINER, "", "the iteration of its job, from 0")
    container_kind: Flags = array(CONTAINER, "", "MASTER, REDUCE or MAP")
    container_index: Ints32 = array(CONTAINER, "", "which task of its job and kind")
    container_attempt: Ints32 = array(CONTAINER, "", "which attempt of that task")
    container_node: Ints32 = array(CONTAINER, "", "its node")
    container_requested: Ints = array(CONTAINER, "", "when it was asked for")
    container_start: Ints = array(CONTAINER, "ms", "when it was placed")
    container_shuffle_end: Ints = array(CONTAINER, "ms", "of a reduce, when it had fetched all")
    container_end: Ints = array(CONTAINER, "ms", "when it ended")
    container_outcome: Flags = array(CONTAINER, "", "how it ended")
    container_begin: Ints = array(
        CONTAINER,
        "",
        "when its task begins; empty where that is its start",
        when=LAUNCHES,
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
    job_ready: Ints = array(JOB, "", "when its master has started up, -1 before it is placed", initial=-1)
    leaving_jobs: Ints = array(JOB, "", "jobs whose last end was seen on this heartbeat")
    leaving_count: int = number("", "of `leaving_jobs`")
    unfinished_jobs: int = number("", "jobs that have not finished")
    arrived_jobs: int = number("", "jobs that have arrived")
    first_unfinished_job: int = number("", "no job before it has still to finish")


def place_container(v, s, request, node, now, has_contention):
    """One container of `request` starts on `node`; the caller has made sure that it fits and that there is
    room to write it.
    """
    job = request // PER_JOB
    kind = request % PER_JOB
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

    v.node_free_memory[node] -= v.request_memory[request]
    v.node_free_vcores[node] -= s.fit_vcores[request]
    v.idle_memory -= v.request_memory[request]
    v.idle_vcores -= v.request_vcores[request]
    count_slots(s, node, kind, 1)
    count_used(v, s, request, 1)
    count_waiting(v, s, request, -1)
    if v.request_waiting[request] == 0:
        drop_request(v, s, request)
    if kind != MASTER:
        v.job_container_time[job] -= now

    if kind == MASTER:
        start_master(v, s, job, container, now)
    elif kind == MAP:
        start_map(v, s, request, entry, container, node, now, has_contention)
    else:
        start_reduce(v, s, request, entry, container, node, now, has_contention)


def start_master(v, s, job, container, now):
    """It asks for the job's tasks when it has started up."""
    if s.launches == 1:
        s.container_begin[container] = now
    s.master_container[job] = container
    if s.admitted[job] == 0:
        s.admitted[job] = 1
        count_admitted(v, job, 1)
        count_masters(v, job, 1)
    s.container_attempt[container] += s.master_losses[job] + s.master_kills[job]
    s.job_ready[job] = now + startup_ms(v, s, job, s.container_attempt[container])
    set_time(s, len(s.awake) + job, s.job_ready[job])


def start_map(v, s, request, entry, container, node, now, has_contention):
    """It takes a task of its job, and computes when it has been launched."""
    job = request // PER_JOB
    if s.retries == 1:
        take_task(v, s, job, MAP, container, node)
    else:
        take_map(v, s, job, container, node)
    if s.delays == RELAXED:
        s.allowed_distance[job] = min(
            s.allowed_distance[job], distance(s, job, s.container_index[container], node)
        )
    if s.launches == 1:
        s.container_begin[container] = task_start(s, container, now)
    v.job_running_maps[job] += 1
    v.available_containers += 1
    begin = task_begin(s, container)
    if has_contention and begin > now:
        set_row_end(s, entry, node, begin)
    else:
        s.running_tasks[node] += has_contention
        start_computing(v, s, entry, container, node, begin, has_contention)
    unblocks_reduces = s.reduces_blocked[job] == 1 and v.request_waiting[request] == 0
    if unblocks_reduces or s.reduce_start_trigger == ON_CHANGES:
        touch(s, job)
    update_kill_candidate(v, s, job)


def start_reduce(v, s, request, entry, container, node, now, has_contention):
    """It takes a task of its job, and fetches when it has been launched."""
    job = request // PER_JOB
    if s.retries == 1:
        take_task(v, s, job, REDUCE, container, node)
    else:
        take_reduce(v, s, job, container)
    if s.launches == 1:
        s.container_begin[container] = task_start(s, container, now)
    v.job_running_reduces[job] += 1
    if v.job_finished_maps[job] == v.job_maps[job]:
        v.available_containers += 1
    reduce_placed(v, s, entry, container, node, now, has_contention)
    s.kill_candidate_checked[job] = -1
    update_kill_candidate(v, s, job)


def end_iteration(v, s, job, now):
    """The last task of an iteration has ended; after the last iteration the job and its master end too."""
    if v.job_iteration[job] < v.job_iterations[job]:
        set_time(s, len(s.awake) + job, next_heartbeat(s, job, now))
    else:
        for task in range(v.job_reduces[job]):
            container = s.reduce_container[s.reduce_base[job] + task]
            s.job_shuffle_end[job] = max(s.job_shuffle_end[job], s.container_shuffle_end[container])
        finish_job(v, s, job, now)


def end_map(v, s, job, container, node, now, has_contention):
    v.job_finished_maps[job] += 1
    v.job_running_maps[job] -= 1
    v.job_maps_done[job] += 1
    v.job_maps_time[job] += now - s.container_start[container]
    note_progress(v, s, job)
    v.available_containers -= 1
    if has_contention:
        s.running_tasks[node] -= 1
        mark_dirty(s, node)
    map_ended(v, s, job, now)
    touch(s, job)
    update_kill_candidate(v, s, job)
    if v.job_finished_maps[job] == v.job_maps[job]:
        if v.job_iteration[job] == v.job_iterations[job]:
            s.job_maps_end[job] = now
        v.available_containers += v.job_running_reduces[job]
        start_remaining_fetches(v, s, job, now, has_contention)
        if v.job_finished_reduces[job] == v.job_reduces[job]:
            end_iteration(v, s, job, now)


def end_reduce(v, s, job, container, node, now, has_contention):
    v.job_finished_reduces[job] += 1
    v.job_running_reduces[job] -= 1
    v.job_reduces_done[job] += 1
    v.job_reduces_time[job] += now - s.container_start[container]
    note_progress(v, s, job)
    v.available_containers -= 1
    if has_contention:
        s.running_tasks[node] -= 1
        mark_dirty(s, node)
    update_kill_candidate(v, s, job)
    if v.job_finished_reduces[job] == v.job_reduces[job] and v.job_finished_maps[job] == v.job_maps[job]:
        end_iteration(v, s, job, now)


def end_on_node(v, s, node, now, has_contention):
    """Whatever ends on the node now, or has fetched its input now; then the node's next end."""
    first = node * s.row_width
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] == now:
            job = s.row_request[entry] // PER_JOB
            kind = s.row_request[entry] % PER_JOB
            if (
                has_contention
                and kind != MASTER
                and (s.row_remaining_ms[entry] < 0.0 or is_fetching(s, entry, kind))
            ):
                next_phase(v, s, entry, node, now)
            elif s.fails == 1 and kind != MASTER and fails(s, s.row_container[entry]):
                stop_attempt(v, s, s.row_container[entry], FAILED, now, has_contention)
                attempt_fails(v, s, s.row_container[entry], now)
            else:
                release(v, s, entry, node, FINISHED, now)
                if s.retries == 1 and kind != MASTER:
                    task_finished(v, s, s.row_container[entry], now, has_contention)
                if kind == MAP:
                    end_map(v, s, job, s.row_container[entry], node, now, has_contention)
                elif kind == REDUCE:
                    end_reduce(v, s, job, s.row_container[entry], node, now, has_contention)
    refresh_time(s, node)


def containers_end(v, s, functions, order_table, now, has_contention):
    """Whatever ends at this instant, node by node; an order that follows jobs learns when some have
    finished.
    """
    running = v.running_jobs[0]
    while s.timer_tree[1] == now:
        leaf = earliest(s)
        if leaf >= len(s.awake):
            break
        end_on_node(v, s, leaf, now, has_contention)
    if s.failing_count > 0:
        fail_jobs(v, s, now, has_contention)
    if s.order_follows_jobs == 1 and v.running_jobs[0] != running:
        call(functions[ORDER_JOBS], order_table, -1, now)


def count_reported(v, s, request, now):
    """One container less for its job and queues; the last one of a job that has finished lets it leave."""
    job = request // PER_JOB
    count_used(v, s, request, -1)
    if v.job_finish[job] >= 0 and v.job_used_memory[job] == 0:
        s.leaving_jobs[s.leaving_count] = job
        s.leaving_count += 1
    if request % PER_JOB == MASTER:
        count_admitted(v, job, -1)
    else:
        v.job_container_time[job] += now


def report_ended(v, s, node, now):
    """The node's heartbeat tells the scheduler what has ended on it: room and usage are given back."""
    s.event_count += 1
    first = node * s.row_width
    entry = first
    last = first + s.row_count[node] - 1
    while entry <= last:
        if s.row_end[entry] >= ENDED:
            request = s.row_request[entry]
            v.node_free_memory[node] += v.request_memory[request]
            v.node_free_vcores[node] += s.fit_vcores[request]
            count_slots(s, node, request % PER_JOB, -1)
            if s.row_end[entry] == ENDED:
                unmark(v, s, s.row_container[entry])
                count_reported(v, s, request, now)
            if request % PER_JOB != MASTER and s.container_outcome[s.row_container[entry]] == FINISHED:
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
    s.unreported_memory[node] = 0
    s.unreported_vcores[node] = 0
    s.unreported_map_slots[node] = 0
    s.unreported_reduce_slots[node] = 0
    s.unreported[node] = 0

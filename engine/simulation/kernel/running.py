"""Containers from their placement to the beat at which the scheduler sees their end (model 5, 8, 11, 14, 16)."""

from __future__ import annotations

from engine.jit import call
from engine.schedulers.policy import ORDER_JOBS, RELAXED
from engine.schedulers.view import MAP, MASTER, PER_JOB, REDUCE
from engine.simulation.kernel.attempts import begins, fails, startup_ms
from engine.simulation.kernel.blocks import distance, take_map
from engine.simulation.kernel.claimed_room import note_given, unmark
from engine.simulation.kernel.clock import earliest, set_time
from engine.simulation.kernel.fetches import fetch_the_rest, is_fetching, map_ended, next_phase, reduce_placed
from engine.simulation.kernel.master_beats import next_beat
from engine.simulation.kernel.node_rows import begin_of, mark_dirty, refresh_time, release, set_row_end, start_computing
from engine.simulation.kernel.requests import count_waiting, drop, touch, watch
from engine.simulation.kernel.state import ENDED, FAR, ON_CHANGES
from engine.simulation.kernel.tries import attempt_fails, fail_jobs, finish_job, stop, take_reduce, take_task, task_done
from engine.simulation.kernel.usage import count_admitted, count_running, count_slots, count_used, note_progress
from engine.simulation.kernel.users import count_masters
from engine.simulation.kernel.victims import code_of
from engine.simulation.run import FAILED, FINISHED, RUNNING


def place(v, s, request, node, now, slowed):
    """One container of `request` starts on `node`; the caller has made sure that it fits and that there is room to write it."""
    job = request // PER_JOB
    kind = request % PER_JOB
    container = s.container_count[0]
    s.container_count[0] += 1
    entry = node * s.row_width[0] + s.row_count[node]
    s.row_count[node] += 1

    s.container_job[container] = job
    s.container_kind[container] = kind
    s.container_stage[container] = max(1, v.job_iteration[job])
    s.container_index[container] = 0
    s.container_attempt[container] = 1
    s.container_node[container] = node
    s.container_requested[container] = v.request_asked[request]
    s.container_start[container] = now
    s.container_shuffle_end[container] = -1
    s.container_end[container] = -1
    s.container_outcome[container] = RUNNING
    if s.preempts[0] == 1:
        s.container_code[container] = code_of(s, job)
        s.is_marked[container] = 0
        s.most_on_node[node] = max(s.most_on_node[node], s.row_count[node])
        note_given(v, s, node, request, job)
    s.row_container[entry] = container
    s.row_request[entry] = request
    s.row_end[entry] = FAR
    s.row_left[entry] = -1.0
    s.row_since[entry] = now
    if s.monitor_ms[0] > 0:
        s.container_made[container] = s.node_reserved_made[node] if v.node_reserved[node] == request else container + s.reservation_count[0]
    s.last_event_ms[0] = now
    s.event_count[0] += 1
    if v.job_start[job] < 0:
        v.job_start[job] = now
        count_running(v, s, job, 1)

    v.node_free_memory[node] -= v.request_memory[request]
    v.node_free_vcores[node] -= s.fit_vcores[request]
    v.idle_memory[0] -= v.request_memory[request]
    v.idle_vcores[0] -= v.request_vcores[request]
    count_slots(s, node, kind, 1)
    count_used(v, s, request, 1)
    count_waiting(v, s, request, -1)
    if v.request_waiting[request] == 0:
        drop(v, s, request)
    if kind != MASTER:
        v.job_served[job] -= now

    if kind == MASTER:
        if s.launches[0] == 1:
            s.container_begin[container] = now
        s.master_container[job] = container
        if s.admitted[job] == 0:
            s.admitted[job] = 1
            count_admitted(v, job, 1)
            count_masters(v, job, 1)
        s.container_attempt[container] += s.master_losses[job] + s.master_kills[job]
        s.job_ready[job] = now + startup_ms(v, s, job, s.container_attempt[container])
        set_time(s, len(s.awake) + job, s.job_ready[job])
    elif kind == MAP:
        if s.retries[0] == 1:
            take_task(v, s, job, MAP, container, node)
        else:
            take_map(v, s, job, container, node)
        if s.delays[0] == RELAXED:
            s.allowed_distance[job] = min(s.allowed_distance[job], distance(s, job, s.container_index[container], node))
        if s.launches[0] == 1:
            s.container_begin[container] = begins(s, container, now)
        v.job_running_maps[job] += 1
        v.available_containers[0] += 1
        begin = begin_of(s, container)
        if slowed and begin > now:
            set_row_end(s, entry, node, begin)
        else:
            s.tasks[node] += slowed
            start_computing(v, s, entry, container, node, begin, slowed)
        if (s.reduces_blocked[job] == 1 and v.request_waiting[request] == 0) or s.reduce_start_trigger[0] == ON_CHANGES:
            touch(s, job)
        watch(v, s, job)
    else:
        if s.retries[0] == 1:
            take_task(v, s, job, REDUCE, container, node)
        else:
            take_reduce(v, s, job, container)
        if s.launches[0] == 1:
            s.container_begin[container] = begins(s, container, now)
        v.job_running_reduces[job] += 1
        if v.job_finished_maps[job] == v.job_maps[job]:
            v.available_containers[0] += 1
        reduce_placed(v, s, entry, container, node, now, slowed)
        s.kill_candidate_checked[job] = -1
        watch(v, s, job)


def end_iteration(v, s, job, now):
    """The last task of an iteration has ended; after the last iteration the job and its master end too."""
    if v.job_iteration[job] < v.job_iterations[job]:
        set_time(s, len(s.awake) + job, next_beat(s, job, now))
    else:
        for task in range(v.job_reduces[job]):
            container = s.reduce_container[s.reduce_base[job] + task]
            s.job_shuffle_end[job] = max(s.job_shuffle_end[job], s.container_shuffle_end[container])
        finish_job(v, s, job, now)


def end_map(v, s, job, container, node, now, slowed):
    v.job_finished_maps[job] += 1
    v.job_running_maps[job] -= 1
    v.job_maps_done[job] += 1
    v.job_maps_time[job] += now - s.container_start[container]
    note_progress(v, s, job)
    v.available_containers[0] -= 1
    if slowed:
        s.tasks[node] -= 1
        mark_dirty(s, node)
    map_ended(v, s, job, now)
    touch(s, job)
    watch(v, s, job)
    if v.job_finished_maps[job] == v.job_maps[job]:
        if v.job_iteration[job] == v.job_iterations[job]:
            s.job_maps_end[job] = now
        v.available_containers[0] += v.job_running_reduces[job]
        fetch_the_rest(v, s, job, now, slowed)
        if v.job_finished_reduces[job] == v.job_reduces[job]:
            end_iteration(v, s, job, now)


def end_reduce(v, s, job, container, node, now, slowed):
    v.job_finished_reduces[job] += 1
    v.job_running_reduces[job] -= 1
    v.job_reduces_done[job] += 1
    v.job_reduces_time[job] += now - s.container_start[container]
    note_progress(v, s, job)
    v.available_containers[0] -= 1
    if slowed:
        s.tasks[node] -= 1
        mark_dirty(s, node)
    watch(v, s, job)
    if v.job_finished_reduces[job] == v.job_reduces[job] and v.job_finished_maps[job] == v.job_maps[job]:
        end_iteration(v, s, job, now)


def node_ends(v, s, node, now, slowed):
    """Whatever ends on the node now, or has fetched its input now; then the node's next end."""
    first = node * s.row_width[0]
    for entry in range(first, first + s.row_count[node]):
        if s.row_end[entry] == now:
            job = s.row_request[entry] // PER_JOB
            kind = s.row_request[entry] % PER_JOB
            if slowed and kind != MASTER and (s.row_left[entry] < 0.0 or is_fetching(s, entry, kind)):
                next_phase(v, s, entry, node, now)
            elif s.fails[0] == 1 and kind != MASTER and fails(s, s.row_container[entry]):
                stop(v, s, s.row_container[entry], FAILED, now, slowed)
                attempt_fails(v, s, s.row_container[entry], now)
            else:
                release(v, s, entry, node, FINISHED, now)
                if s.retries[0] == 1 and kind != MASTER:
                    task_done(v, s, s.row_container[entry], now, slowed)
                if kind == MAP:
                    end_map(v, s, job, s.row_container[entry], node, now, slowed)
                elif kind == REDUCE:
                    end_reduce(v, s, job, s.row_container[entry], node, now, slowed)
    refresh_time(s, node)


def containers_end(v, s, functions, order_table, now, slowed):
    """Whatever ends at this instant, node by node; an order that follows jobs learns when some have finished."""
    running = v.running_jobs[0]
    while s.times[1] == now:
        leaf = earliest(s)
        if leaf >= len(s.awake):
            break
        node_ends(v, s, leaf, now, slowed)
    if s.failing_count[0] > 0:
        fail_jobs(v, s, now, slowed)
    if s.order_follows_jobs[0] == 1 and v.running_jobs[0] != running:
        call(functions[ORDER_JOBS], order_table, -1, now)


def count_seen(v, s, request, now):
    """One container less for its job and queues; the last one of a job that has finished lets it leave."""
    job = request // PER_JOB
    count_used(v, s, request, -1)
    if v.job_finish[job] >= 0 and v.job_used_memory[job] == 0:
        s.leaving[s.leaving_count[0]] = job
        s.leaving_count[0] += 1
    if request % PER_JOB == MASTER:
        count_admitted(v, job, -1)
    else:
        v.job_served[job] += now


def see(v, s, node, now):
    """The node's beat tells the scheduler what has ended on it: room and usage are given back."""
    s.event_count[0] += 1
    first = node * s.row_width[0]
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
                count_seen(v, s, request, now)
            if request % PER_JOB != MASTER and s.container_outcome[s.row_container[entry]] == FINISHED:
                v.released_containers[0] += 1
            s.row_container[entry] = s.row_container[last]
            s.row_request[entry] = s.row_request[last]
            s.row_end[entry] = s.row_end[last]
            s.row_left[entry] = s.row_left[last]
            s.row_since[entry] = s.row_since[last]
            last -= 1
        else:
            entry += 1
    s.row_count[node] = last - first + 1
    s.unseen_memory[node] = 0
    s.unseen_vcores[node] = 0
    s.unseen_map_slots[node] = 0
    s.unseen_reduce_slots[node] = 0
    s.unseen[node] = 0

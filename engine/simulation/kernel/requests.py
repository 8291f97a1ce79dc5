"""Requests as they appear and vanish (REQUEST-1, REQUEST-2, REDUCE-1, JOB-2)."""

from __future__ import annotations

from engine.codes import (
    BY_MEMORY_SIZE_WEIGHTED,
    INFINITE,
    MAP,
    MASTER,
    NO_DELAYS,
    NOT_YET,
    ON_WINDOWS,
    PER_JOB,
    REDUCE,
    REORDER,
    REORDER_LATER,
)
from engine.jit import call
from engine.run_records import (
    DRAW,
    JOB,
    REDUCE_TASK,
    REQUEST,
    Flags,
    Floats,
    Ints,
    Record,
    array,
    given,
    number,
)
from engine.simulation.hadoop.capacity.users import note_not_pending, note_pending
from engine.simulation.hadoop.queues.usage import (
    count_admitted,
    note_demand,
    note_progress,
    note_reduces,
    note_stale,
)
from engine.simulation.kernel.blocks import all_maps_wait
from engine.simulation.kernel.clock import earliest, next_asleep, set_time, wake, wake_parked
from engine.simulation.kernel.master_heartbeats import begins_iteration, may_ask, next_heartbeat
from engine.simulation.kernel.task_arrays import clear_tasks
from engine.simulation.kernel.waiting_requests import (
    add_to_waiting_list,
    may_reserve,
    no_idle_node_fits,
    remove_from_waiting_list,
)


class Requests(Record):
    """What jobs ask for."""

    fit_vcores: Ints = given(REQUEST, "vcores", "request_vcores, or zeros when only memory must fit")
    is_changed: Flags = array(JOB, "", "a job is in View.changed", initial=1)
    touched: Ints = array(JOB, "", "jobs that may have something to ask for")
    is_touched: Flags = array(JOB, "", "1: it is in `touched`")
    touched_count: int = number("", "of `touched`")
    touch_all: int = number("", "1: any job may have something to ask for")
    asked_reduces: Flags = array(JOB, "", "asked for in this iteration")
    reduces_blocked: Flags = array(
        JOB,
        "",
        "killed reduces: none again until all maps are placed; not under a rule that preempts",
    )
    reduces_first: Flags = array(JOB, "", "its waiting reduces go before its maps")
    reduce_start_trigger: int = number("", "ON_ENDS, ON_CHANGES or ON_WINDOWS")
    may_mark_reduces_first: int = number("", "1: under a rule whose reduces go before their job's maps")
    map_base: Ints = given(JOB, "", "where a job's maps begin in what is kept of maps")
    reduce_base: Ints = given(JOB, "", "where a job's reduces begin in the next three")
    reduce_container: Ints = array(REDUCE_TASK, "", "-1 while not placed", initial=-1)
    reduce_attempt: Ints = array(REDUCE_TASK, "", "its next attempt")
    first_reduce: Ints = array(JOB, "", "no unplaced reduce below this")
    draws: Floats = given(DRAW, "", "durations of tasks at speed 1, as drawn")
    draw_base: Ints = given(JOB, "", "where a job's draws begin")


def touch(s, job):
    """The job may have reduces to ask for at this instant, or at its next window's end."""
    if s.reduce_start_trigger == ON_WINDOWS:
        s.is_touched[job] = 1
    elif s.is_touched[job] == 0:
        s.is_touched[job] = 1
        s.touched[s.touched_count] = job
        s.touched_count += 1


def count_waiting(v, s, request, change):
    """`change` more containers of `request` wait (fewer when negative)."""
    v.request_waiting[request] += change
    note_demand(v, s, request // PER_JOB)
    note_reduces(s, request // PER_JOB)
    queue = v.job_queue[request // PER_JOB]
    v.queue_waiting_memory[queue] += change * v.request_memory[request]
    v.queue_waiting_vcores[queue] += change * v.request_vcores[request]


def mark_for_reorder(v, request):
    """A job that has asked for tasks: a leaf that weighs its jobs by size is to reorder it
    (CapacityScheduler.allocate, demandUpdated).
    """
    job = request // PER_JOB
    if request % PER_JOB != MASTER and v.queue_ordering[v.job_queue[job]] == BY_MEMORY_SIZE_WEIGHTED:
        v.job_reorder[job] = REORDER


def apply_late_reorder(v, s, job):
    """A master's heartbeat: it asks anew for what is left when it has been given a reserved container
    (RMContainerRequestor.decContainerReq).
    """
    if v.job_reorder[job] == REORDER_LATER:
        v.job_reorder[job] = REORDER
        s.event_count += 1
        wake_parked(s)


def request_containers(v, s, request, count, now):
    """`count` (more) containers are requested; nodes with room for one wake, all nodes for one that may
    reserve.
    """
    reserves = may_reserve(v, s, request)
    if v.request_waiting[request] == 0:
        add_to_waiting_list(v, s, request)
        note_pending(v, request // PER_JOB)
        note_stale(s, request // PER_JOB)
    count_waiting(v, s, request, count)
    note_progress(v, s, request // PER_JOB)
    mark_for_reorder(v, request)
    v.request_asked_at[request] = now
    s.event_count += 1
    wake_parked(s)
    everywhere = s.walks_always == 1 or s.delays != NO_DELAYS or reserves
    if everywhere or not no_idle_node_fits(s, request):
        memory, vcores = v.request_memory[request], s.fit_vcores[request]
        node = next_asleep(s, 0)
        while node >= 0:
            if everywhere or (v.node_free_memory[node] >= memory and v.node_free_vcores[node] >= vcores):
                wake(s, node)
            node = next_asleep(s, node + 1)


def drop_request(v, s, request):
    """No container of the request waits any longer."""
    remove_from_waiting_list(v, s, request)
    note_not_pending(v, request // PER_JOB)
    note_stale(s, request // PER_JOB)


def withdraw(v, s, request, count):
    """So many waiting containers of a request are cancelled."""
    if count > 0:
        count_waiting(v, s, request, -count)
        note_progress(v, s, request // PER_JOB)
        mark_for_reorder(v, request)
        s.event_count += 1
        if v.request_waiting[request] == 0:
            if v.request_speculative[request] == 1:
                s.backup[request] = -1
                v.request_speculative[request] = 0
            drop_request(v, s, request)
        wake_parked(s)


def update_kill_candidate(v, s, job):
    """Keep the list of jobs the kill rule has to look at (KILL-1): waiting maps, no running map, running
    reduces.
    """
    is_candidate = (
        v.request_waiting[PER_JOB * job + MAP] > 0
        and v.job_running_maps[job] == 0
        and v.job_running_reduces[job] > 0
    )
    if is_candidate and s.is_kill_candidate[job] == 0:
        i = s.kill_candidate_count
        while i > 0 and s.kill_candidates[i - 1] > job:
            s.kill_candidates[i] = s.kill_candidates[i - 1]
            i -= 1
        s.kill_candidates[i] = job
        s.kill_candidate_count += 1
        s.is_kill_candidate[job] = 1
        s.kill_candidate_node[job] = -1
        s.kill_candidate_checked[job] = -1
    elif not is_candidate and s.is_kill_candidate[job] == 1:
        i = 0
        while s.kill_candidates[i] != job:
            i += 1
        s.kill_candidate_count -= 1
        while i < s.kill_candidate_count:
            s.kill_candidates[i] = s.kill_candidates[i + 1]
            i += 1
        s.is_kill_candidate[job] = 0


def request_retries(v, s, now):
    """Requests for what was noted by note_retry: tasks whose attempt was stopped, speculative attempts,
    masters that were lost.
    """
    remaining = 0
    for i in range(s.retry_job_count):
        job = s.retry_jobs[i]
        heartbeat = next_heartbeat(s, job, now)
        for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
            if s.retry_count[request] > 0 and (heartbeat == now or request % PER_JOB == MASTER):
                if request % PER_JOB == MASTER and s.admitted[job] == 1:
                    count_admitted(v, job, 1)
                v.request_speculative[request] = s.backup[request] >= 0
                request_containers(v, s, request, s.retry_count[request], now)
                s.retry_count[request] = 0
        update_kill_candidate(v, s, job)
        s.has_retries[job] = s.retry_count[PER_JOB * job + MAP] + s.retry_count[PER_JOB * job + REDUCE] > 0
        if s.has_retries[job] == 1:
            s.retry_jobs[remaining] = job
            remaining += 1
            leaf = len(s.awake) + job
            if s.timer_tree[s.tree_leaves + leaf] > heartbeat:
                set_time(s, leaf, heartbeat)
    s.retry_job_count = remaining


def resume_job(v, s, job, now):
    """A new master has started up: the next iteration if all of this one has finished, else its unfinished
    maps, and reduces by their rule.
    """
    s.is_master_down[job] = 0
    all_maps, all_reduces = (
        v.job_finished_maps[job] == v.job_maps[job],
        v.job_finished_reduces[job] == v.job_reduces[job],
    )
    if v.job_iteration[job] == 0 or (all_maps and all_reduces):
        begin_iteration(v, s, job, now)
        return
    if v.job_placed_maps[job] < v.job_maps[job]:
        request_containers(v, s, PER_JOB * job + MAP, v.job_maps[job] - v.job_placed_maps[job], now)
    touch(s, job)


def begin_iteration(v, s, job, now):
    v.job_iteration[job] += 1
    v.job_placed_maps[job] = 0
    v.job_finished_maps[job] = 0
    v.job_placed_reduces[job] = 0
    v.job_finished_reduces[job] = 0
    s.fetch_latest[job] = 0.0
    s.asked_reduces[job] = 0
    s.reduces_blocked[job] = 0
    s.reduces_first[job] = 0
    s.first_reduce[job] = 0
    for task in range(v.job_reduces[job]):
        s.reduce_container[s.reduce_base[job] + task] = -1
        s.reduce_attempt[s.reduce_base[job] + task] = 0
    all_maps_wait(v, s, job)
    if s.retries == 1:
        clear_tasks(v, s, job)
    request_containers(v, s, PER_JOB * job + MAP, v.job_maps[job], now)
    touch(s, job)


def request_reduces(v, s, job, reduce_start, table, now):
    """The job's unplaced reduces, when its reduce-start rule says so, or after a kill when all its maps are
    placed.
    """
    if (
        v.job_reduces[job] > 0
        and v.job_iteration[job] > 0
        and v.job_finish[job] < 0
        and s.is_master_down[job] == 0
    ):
        unplaced = v.job_reduces[job] - v.job_placed_reduces[job]
        if s.reduces_blocked[job] == 1 and v.request_waiting[PER_JOB * job + MAP] == 0:
            s.reduces_blocked[job] = 0
            s.reduces_first[job] = 0
            request_containers(v, s, PER_JOB * job + REDUCE, unplaced, now)
        elif s.asked_reduces[job] == 0:
            answer = call(reduce_start, table, job, now)
            if answer != NOT_YET:
                s.asked_reduces[job] = 1
                s.reduces_first[job] = s.may_mark_reduces_first
                if min(answer, unplaced) > 0:
                    request_containers(v, s, PER_JOB * job + REDUCE, min(answer, unplaced), now)


def first_unfinished(v, s):
    """No job before it has still to finish."""
    job = s.first_unfinished_job
    while job < s.arrived_jobs and v.job_finish[job] >= 0:
        job += 1
    s.first_unfinished_job = job
    return job


def touch_all(v, s):
    """Something changed that a reduce-start rule may read for any job."""
    s.touch_all = 0
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        if v.job_iteration[job] > 0 and v.job_finish[job] < 0 and s.asked_reduces[job] == 0:
            touch(s, job)


def make_requests(v, s, reduce_start, table, now):
    """All requests that appear at this instant: begun iterations, then reduces. A master with heartbeats asks
    at them only.
    """
    nodes = len(s.awake)
    if s.retry_job_count > 0:
        request_retries(v, s, now)
    while s.timer_tree[1] == now:
        leaf = earliest(s)
        set_time(s, leaf, INFINITE)
        job = leaf - nodes
        if s.is_master_down[job] == 1:
            resume_job(v, s, job, now)
        elif s.job_heartbeat_ms[job] > 0 and not begins_iteration(v, job):
            touch(s, job)
            continue
        else:
            begin_iteration(v, s, job, now)
        if s.job_heartbeat_ms[job] > 0 and s.reduce_start_trigger == ON_WINDOWS and v.job_reduces[job] > 0:
            set_time(s, leaf, next_heartbeat(s, job, now + 1))
    if s.reduce_start_trigger == ON_WINDOWS:
        return
    if s.touch_all > 0:
        touch_all(v, s)
    for i in range(s.touched_count):
        job = s.touched[i]
        s.is_touched[job] = 0
        if s.has_master_heartbeats == 0 or next_heartbeat(s, job, now) == now:
            request_reduces(v, s, job, reduce_start, table, now)
        elif may_ask(v, s, job):
            set_time(s, nodes + job, next_heartbeat(s, job, now))
    s.touched_count = 0

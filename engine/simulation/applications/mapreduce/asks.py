"""What a job's master asks for at an instant: the maps of an iteration, what is to run again, its reduces
(REQUEST-1, REQUEST-2, MASTER-2, JOB-2).

In Hadoop  MRAppMaster, RMContainerAllocator.heartbeat
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MAP, MASTER, ON_WINDOWS, REDUCE
from engine.simulation.applications.application_masters import next_heartbeat
from engine.simulation.applications.mapreduce.kill_candidates import update_kill_candidate
from engine.simulation.applications.mapreduce.map_choice import all_maps_wait
from engine.simulation.applications.mapreduce.master_heartbeats import begins_iteration, may_ask
from engine.simulation.applications.mapreduce.slow_start import request_reduces, touch, touch_all
from engine.simulation.applications.mapreduce.task_arrays import clear_tasks
from engine.simulation.hadoop.queues.usage import count_admitted
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.requests import request_containers

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def timer_rings(v: View, s: State, job: int, now: int) -> None:
    """The time has come that the job waited for: its master has started up, or its next heartbeat."""
    leaf = len(s.awake) + job
    if s.is_master_down[job] == 1:
        resume_job(v, s, job, now)
    elif s.job_heartbeat_ms[job] > 0 and not begins_iteration(v, job):
        touch(s, job)
        return
    else:
        begin_iteration(v, s, job, now)
    if s.job_heartbeat_ms[job] > 0 and s.reduce_start_trigger == ON_WINDOWS and v.job_reduces[job] > 0:
        set_time(s, leaf, next_heartbeat(s, job, now + 1))


def ask_for_reduces(v: View, s: State, reduce_start: PolicyFunction, table: int, now: int) -> None:
    """Reduces of the jobs that may have some to ask for; a master with heartbeats asks at them only."""
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
            set_time(s, len(s.awake) + job, next_heartbeat(s, job, now))
    s.touched_count = 0


def begin_iteration(v: View, s: State, job: int, now: int) -> None:
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
    request_containers(v, s, v.job_first_request[job] + MAP, v.job_maps[job], now)
    touch(s, job)


def resume_job(v: View, s: State, job: int, now: int) -> None:
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
        request_containers(
            v, s, v.job_first_request[job] + MAP, v.job_maps[job] - v.job_placed_maps[job], now
        )
    touch(s, job)


def request_retries(v: View, s: State, now: int) -> None:
    """Requests for what was noted by note_retry: tasks whose attempt was stopped, speculative attempts,
    masters that were lost.
    """
    remaining = 0
    for i in range(s.retry_job_count):
        job = s.retry_jobs[i]
        heartbeat = next_heartbeat(s, job, now)
        for request in range(v.job_first_request[job], v.job_first_request[job + 1]):
            if s.retry_count[request] > 0 and (heartbeat == now or v.request_kind[request] == MASTER):
                if v.request_kind[request] == MASTER and s.admitted[job] == 1:
                    count_admitted(v, job, 1)
                v.request_speculative[request] = s.backup[request] >= 0
                request_containers(v, s, request, s.retry_count[request], now)
                s.retry_count[request] = 0
        update_kill_candidate(v, s, job)
        first = v.job_first_request[job]
        s.has_retries[job] = s.retry_count[first + MAP] + s.retry_count[first + REDUCE] > 0
        if s.has_retries[job] == 1:
            s.retry_jobs[remaining] = job
            remaining += 1
            leaf = len(s.awake) + job
            if s.timer_tree[s.tree_leaves + leaf] > heartbeat:
                set_time(s, leaf, heartbeat)
    s.retry_job_count = remaining

"""What a job's containers do: its master starts up, a map computes, a reduce fetches and computes; and what
follows from their ends (DRAW-2, SHUFFLE-1, JOB-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import FAILED, FINISHED, MAP, MASTER, ON_CHANGES, REDUCE, RELAXED
from engine.simulation.applications.application_masters import next_heartbeat, start_master
from engine.simulation.applications.mapreduce.attempt_durations import (
    fails,
    start_computing,
    task_begin,
    task_start,
)
from engine.simulation.applications.mapreduce.fetches import (
    is_fetching,
    map_ended,
    next_phase,
    reduce_placed,
    start_remaining_fetches,
)
from engine.simulation.applications.mapreduce.kill_candidates import update_kill_candidate
from engine.simulation.applications.mapreduce.map_blocks import distance
from engine.simulation.applications.mapreduce.map_choice import take_map
from engine.simulation.applications.mapreduce.slow_start import touch
from engine.simulation.applications.mapreduce.task_lifecycle import (
    attempt_fails,
    release_attempt,
    stop_task,
    take_reduce,
    take_task,
    task_finished,
)
from engine.simulation.hadoop.queues.usage import note_progress
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.job_end import finish_job
from engine.simulation.kernel.node_rows import remove_running_task, set_row_end

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def task_placed(v: View, s: State, entry: int, node: int, now: int) -> None:
    """A container that was asked for has come: it stands in an entry of its node's row."""
    container, request = s.row_container[entry], s.row_request[entry]
    kind = v.request_kind[request]
    if kind == MASTER:
        start_master(v, s, v.request_job[request], container, now)
    elif kind == MAP:
        start_map(v, s, request, entry, node, now)
    else:
        start_reduce(v, s, request, entry, node, now)


def task_due(v: View, s: State, entry: int, node: int, now: int) -> None:
    """The time of an entry of a node's row has come: its container ends, or goes on to what it does next."""
    container, request = s.row_container[entry], s.row_request[entry]
    job, kind = v.request_job[request], v.request_kind[request]
    if (
        s.has_contention == 1
        and kind != MASTER
        and (s.row_remaining_ms[entry] < 0.0 or is_fetching(s, entry, kind))
    ):
        next_phase(v, s, entry, node, now)
    elif s.fails == 1 and kind != MASTER and fails(s, container):
        stop_task(v, s, container, FAILED, now)
        attempt_fails(v, s, container, now)
    else:
        release_attempt(v, s, entry, node, FINISHED, now)
        if s.retries == 1 and kind != MASTER:
            task_finished(v, s, container, now)
        if kind == MAP:
            end_map(v, s, job, container, node, now)
        elif kind == REDUCE:
            end_reduce(v, s, job, container, node, now)


def start_map(v: View, s: State, request: int, entry: int, node: int, now: int) -> None:
    """It takes a task of its job, and computes when it has been launched."""
    job, container = v.request_job[request], s.row_container[entry]
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
    if s.has_contention == 1 and begin > now:
        set_row_end(s, entry, node, begin)
    else:
        s.running_tasks[node] += s.has_contention
        start_computing(v, s, entry, container, node, begin)
    unblocks_reduces = s.reduces_blocked[job] == 1 and v.request_waiting[request] == 0
    if unblocks_reduces or s.reduce_start_trigger == ON_CHANGES:
        touch(s, job)
    update_kill_candidate(v, s, job)


def start_reduce(v: View, s: State, request: int, entry: int, node: int, now: int) -> None:
    """It takes a task of its job, and fetches when it has been launched."""
    job, container = v.request_job[request], s.row_container[entry]
    if s.retries == 1:
        take_task(v, s, job, REDUCE, container, node)
    else:
        take_reduce(v, s, job, container)
    if s.launches == 1:
        s.container_begin[container] = task_start(s, container, now)
    v.job_running_reduces[job] += 1
    if v.job_finished_maps[job] == v.job_maps[job]:
        v.available_containers += 1
    reduce_placed(v, s, entry, container, node, now)
    s.kill_candidate_checked[job] = -1
    update_kill_candidate(v, s, job)


def count_task_ended(v: View, s: State, node: int) -> None:
    """One task less that runs on the node and can give its container back."""
    v.available_containers -= 1
    if s.has_contention == 1:
        remove_running_task(s, node)


def end_map(v: View, s: State, job: int, container: int, node: int, now: int) -> None:
    v.job_finished_maps[job] += 1
    v.job_running_maps[job] -= 1
    v.job_maps_done[job] += 1
    v.job_maps_time[job] += now - s.container_start[container]
    note_progress(v, s, job)
    count_task_ended(v, s, node)
    map_ended(v, s, job, now)
    touch(s, job)
    update_kill_candidate(v, s, job)
    if v.job_finished_maps[job] == v.job_maps[job]:
        if v.job_iteration[job] == v.job_iterations[job]:
            s.job_maps_end[job] = now
        v.available_containers += v.job_running_reduces[job]
        start_remaining_fetches(v, s, job, now)
        if v.job_finished_reduces[job] == v.job_reduces[job]:
            end_iteration(v, s, job, now)


def end_reduce(v: View, s: State, job: int, container: int, node: int, now: int) -> None:
    v.job_finished_reduces[job] += 1
    v.job_running_reduces[job] -= 1
    v.job_reduces_done[job] += 1
    v.job_reduces_time[job] += now - s.container_start[container]
    note_progress(v, s, job)
    count_task_ended(v, s, node)
    update_kill_candidate(v, s, job)
    if v.job_finished_reduces[job] == v.job_reduces[job] and v.job_finished_maps[job] == v.job_maps[job]:
        end_iteration(v, s, job, now)


def end_iteration(v: View, s: State, job: int, now: int) -> None:
    """The last task of an iteration has ended; after the last iteration the job and its master end too."""
    if v.job_iteration[job] < v.job_iterations[job]:
        set_time(s, len(s.awake) + job, next_heartbeat(s, job, now))
    else:
        for task in range(v.job_reduces[job]):
            container = s.reduce_container[s.reduce_base[job] + task]
            s.job_shuffle_end[job] = max(s.job_shuffle_end[job], s.container_shuffle_end[container])
        finish_job(v, s, job, now)

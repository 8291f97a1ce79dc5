"""Attempts of tasks: which task a container takes, and what follows where one attempt is not enough: kills,
failures, lost nodes, speculative attempts.

What is to be asked for again is noted in `retry_count`, and asked for where an instant's requests appear
(TIME-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, KILLED, MAP, ON_WINDOWS, REDUCE
from engine.simulation.applications.mapreduce.attempt_durations import task_begin
from engine.simulation.applications.mapreduce.fetch_spans import end_span
from engine.simulation.applications.mapreduce.kill_candidates import update_kill_candidate
from engine.simulation.applications.mapreduce.map_choice import first_unplaced, restore_map, take_map
from engine.simulation.applications.mapreduce.slow_start import touch
from engine.simulation.applications.mapreduce.task_arrays import attempt_of, count_of, set_attempt, task_at
from engine.simulation.hadoop.queues.usage import note_progress, note_reduces
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.job_end import finish_job
from engine.simulation.kernel.node_rows import (
    is_running,
    mark_dirty,
    refresh_time,
    release,
    remove_running_task,
    row_entry,
)
from engine.simulation.kernel.requests import withdraw

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def take_task(v: View, s: State, job: int, kind: int, container: int, node: int) -> None:
    """The next task of the kind without an attempt gets the container; without one, the task that is to have
    a second.
    """
    request = v.job_first_request[job] + kind
    placed = v.job_placed_maps[job] if kind == MAP else v.job_placed_reduces[job]
    if placed == count_of(v, job, kind):
        index = s.backup[request]
        s.backup[request] = -1
        v.request_speculative[request] = 0
        s.second_attempt[task_at(v, s, job, kind, index)] = container
    elif kind == MAP:
        take_map(v, s, job, container, node)
        index = s.container_index[container]
    else:
        take_reduce(v, s, job, container)
        index = s.container_index[container]
    at = task_at(v, s, job, kind, index)
    s.task_attempts[at] += 1
    s.container_index[container] = index
    s.container_attempt[container] = s.task_attempts[at]


def take_reduce(v: View, s: State, job: int, container: int) -> None:
    """The lowest unplaced reduce gets the container."""
    index = first_unplaced(s.first_reduce, s.reduce_container, s.reduce_base[job], job)
    s.reduce_container[s.reduce_base[job] + index] = container
    s.reduce_attempt[s.reduce_base[job] + index] += 1
    s.container_index[container] = index
    s.container_attempt[container] = s.reduce_attempt[s.reduce_base[job] + index]
    v.job_placed_reduces[job] += 1


def unplace(v: View, s: State, job: int, kind: int, index: int) -> bool:
    """No attempt of the task runs any more, and it has not finished; one that is to have a second then waits
    for its first.
    """
    set_attempt(v, s, job, kind, index, -1)
    note_progress(v, s, job)
    request = v.job_first_request[job] + kind
    if kind == MAP:
        v.job_placed_maps[job] -= 1
        s.first_map[job] = min(s.first_map[job], index)
        if s.replication > 0:
            restore_map(v, s, job, index)
    else:
        v.job_placed_reduces[job] -= 1
        note_reduces(s, job)
        s.first_reduce[job] = min(s.first_reduce[job], index)
    if s.backup[request] == index:
        s.backup[request] = -1
        v.request_speculative[request] = 0
        return False
    return True


def is_counted(s: State, entry: int, kind: int, container: int) -> bool:
    """Does it count in k of its node? A launched map; a reduce that computes, or that fetches and has been
    launched, where no weight says what that counts.
    """
    if kind == REDUCE and s.weighs_fetching == 1:
        return s.row_remaining_ms[entry] >= 0.0 and s.container_shuffle_end[container] >= 0
    fetches = (
        kind == REDUCE
        and s.container_shuffle_end[container] >= 0
        and s.row_end[entry] != task_begin(s, container)
    )
    return s.row_remaining_ms[entry] >= 0.0 or fetches


def stop_task(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """A running attempt stops; its work is lost."""
    node, entry = s.container_node[container], row_entry(s, container)
    request = s.row_request[entry]
    job, kind = v.request_job[request], v.request_kind[request]
    if s.has_contention == 1 and is_counted(s, entry, kind, container):
        remove_running_task(s, node)
    release_attempt(v, s, entry, node, outcome, now)
    refresh_time(s, node)
    note_progress(v, s, job)
    if kind == MAP:
        v.job_running_maps[job] -= 1
        v.available_containers -= 1
    else:
        v.job_running_reduces[job] -= 1
        if v.job_finished_maps[job] == v.job_maps[job]:
            v.available_containers -= 1


def release_attempt(v: View, s: State, entry: int, node: int, outcome: int, now: int) -> None:
    """A container of the job ends; a reduce fetches no more."""
    release(v, s, entry, node, outcome, now)
    if v.request_kind[s.row_request[entry]] == REDUCE and s.weighs_fetching == 1:
        end_span(s, s.row_container[entry], now)
        mark_dirty(s, node)


def drop_attempt(v: View, s: State, container: int) -> bool:
    """A task's attempt has been stopped: the other one goes on alone, if there is one. Is the task to be
    requested again?
    """
    job, kind, index = s.container_job[container], s.container_kind[container], s.container_index[container]
    at = task_at(v, s, job, kind, index)
    other = s.second_attempt[at]
    if other >= 0:
        s.second_attempt[at] = -1
        if attempt_of(v, s, job, kind, index) == container:
            set_attempt(v, s, job, kind, index, other)
        return False
    return unplace(v, s, job, kind, index)


def retry_task(v: View, s: State, job: int, kind: int) -> None:
    """A task is to be requested again; reduces under a rule that preempts, or that has not asked yet, are
    asked for by the rule.
    """
    by_rule = kind == REDUCE and (
        s.reduce_start_trigger == ON_WINDOWS or s.asked_reduces[job] == 0 or s.reduces_blocked[job] == 1
    )
    if not by_rule:
        note_retry(v, s, v.job_first_request[job] + kind)


def note_retry(v: View, s: State, request: int) -> None:
    """One more of the request is to be asked for when this instant's requests appear."""
    job = v.request_job[request]
    s.retry_count[request] += 1
    if s.has_retries[job] == 0:
        s.has_retries[job] = 1
        s.retry_jobs[s.retry_job_count] = job
        s.retry_job_count += 1


def attempt_fails(v: View, s: State, container: int, now: int) -> None:
    """An attempt, released already, has failed; a task that has failed too often fails its job when the
    instant's ends are over.
    """
    job, kind, index = s.container_job[container], s.container_kind[container], s.container_index[container]
    at = task_at(v, s, job, kind, index)
    s.task_failures[at] += 1
    if s.task_failures[at] >= s.failures[2] and s.is_failing[job] == 0:
        s.is_failing[job] = 1
        s.failing_jobs[s.failing_count] = job
        s.failing_count += 1
    if drop_attempt(v, s, container):
        retry_task(v, s, job, kind)
    touch(s, job)
    update_kill_candidate(v, s, job)


def task_finished(v: View, s: State, container: int, now: int) -> None:
    """An attempt has finished: the other attempt of its task is killed, or its request withdrawn."""
    job, kind, index = s.container_job[container], s.container_kind[container], s.container_index[container]
    at = task_at(v, s, job, kind, index)
    first, other = attempt_of(v, s, job, kind, index), s.second_attempt[at]
    loser = other if first == container else first
    s.second_attempt[at] = -1
    set_attempt(v, s, job, kind, index, container)
    request = v.job_first_request[job] + kind
    s.done_count[request] += 1
    s.done_time[request] += now - task_begin(s, container)
    if kind == MAP:
        s.map_done[s.map_base[job] + index] = 1
    if loser >= 0:
        stop_task(v, s, loser, KILLED, now)
    if s.backup[request] == index:
        drop_backup(v, s, request)


def drop_backup(v: View, s: State, request: int) -> None:
    """The speculative attempt that waits is not needed any more."""
    is_asked = v.request_speculative[request] == 1
    s.backup[request] = -1
    v.request_speculative[request] = 0
    if is_asked:
        withdraw(v, s, request, 1)
    else:
        s.retry_count[request] -= 1


def stop_tasks(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All tasks of the job that run are stopped, and nothing of it waits any more; what has finished stays
    so.
    """
    for kind in (REDUCE, MAP):
        request = v.job_first_request[job] + kind
        s.retry_count[request] = 0
        s.backup[request] = -1
        v.request_speculative[request] = 0
        withdraw(v, s, request, v.request_waiting[request])
        for index in range(count_of(v, job, kind)):
            at = task_at(v, s, job, kind, index)
            second_attempt, container = s.second_attempt[at], attempt_of(v, s, job, kind, index)
            s.second_attempt[at] = -1
            if is_running(s, second_attempt):
                stop_task(v, s, second_attempt, outcome, now)
            if is_running(s, container):
                stop_task(v, s, container, outcome, now)
                unplace(v, s, job, kind, index)
    set_time(s, len(s.awake) + job, INFINITE)
    update_kill_candidate(v, s, job)


def end_failed_job(v: View, s: State, job: int, now: int) -> None:
    stop_tasks(v, s, job, KILLED, now)
    s.job_failed[job] = 1
    finish_job(v, s, job, now)


def fail_jobs(v: View, s: State, now: int) -> None:
    """The instant's ends are over: jobs fail of which a task has failed too often."""
    for i in range(s.failing_count):
        end_failed_job(v, s, s.failing_jobs[i], now)
    s.failing_count = 0

"""Held containers from their placement to their end (TEZ-3 to TEZ-6).

In Tez  DagAwareYarnTaskScheduler
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import EXECUTOR, FINISHED, INFINITE, MAP, NONE
from engine.simulation.applications.application_masters import wake_at
from engine.simulation.applications.attempt_draws import IDLING, LAUNCH, attempt_draw, attempt_draw_ms
from engine.simulation.applications.dag.single_tasks import begin_task, finish_task
from engine.simulation.applications.dag.stage_progress import take_task, task_waits_again
from engine.simulation.applications.dag.task_log import log_end, log_input, log_task
from engine.simulation.applications.dag.task_speed import go_on, has_phase_left, stop_counting
from engine.simulation.applications.tez.held_lists import (
    append_held,
    insert_idle,
    take_out_held,
    take_out_idle,
)
from engine.simulation.applications.tez.tez_records import BUSY, IDLE, LAUNCHES, NEW, RELEASED, STARTS
from engine.simulation.applications.tez.vertices import vertex_request, waiting_of
from engine.simulation.hadoop.queues.returned_usage import release_usage
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.node_rows import refresh_time, release, row_entry, set_row_end

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def held_placed(v: View, s: State, entry: int, now: int) -> None:
    """The master learns of it at a heartbeat."""
    container, request = s.row_container[entry], s.row_request[entry]
    job = v.request_job[request]
    number = request - v.job_first_request[job] - EXECUTOR
    stage = s.job_first_stage[job] + number
    s.container_stage[container] = number + 1
    s.container_index[container] = s.stage_containers[stage]
    s.stage_containers[stage] += 1
    s.container_begin[container] = NONE
    s.held_state[container] = NEW
    s.tasks_run[container] = 0
    s.new_held[job] += 1
    s.stage_new[stage] += 1
    append_held(s, job, container)
    wake_at(s, job, now)


def asked_for(s: State, container: int) -> int:
    """The vertex that a container was asked for."""
    return s.job_first_stage[s.container_job[container]] + s.container_stage[container] - 1


def launch_held(s: State, job: int, container: int, now: int) -> None:
    """The master has learnt of it."""
    stage = asked_for(s, container)
    s.new_held[job] -= 1
    s.stage_new[stage] -= 1
    s.stage_launching[stage] += 1
    number, index = s.container_stage[container], s.container_index[container]
    launch = attempt_draw_ms(s.launch_law, s.job_key[job], 1, LAUNCH, number, MAP, index)
    s.held_state[container] = STARTS if launch == 0 else LAUNCHES
    if launch > 0:
        set_row_end(s, row_entry(s, container), s.container_node[container], now + launch)


def end_launches(s: State, job: int, now: int) -> None:
    """Those that take no time end when the heartbeat has asked for what was missing."""
    container = s.first_held[job]
    while container >= 0:
        if s.held_state[container] == STARTS:
            held_launched(s, job, container, now)
        container = s.next_held[container]


def held_launched(s: State, job: int, container: int, now: int) -> None:
    """It is ready for tasks."""
    s.stage_launching[asked_for(s, container)] -= 1
    s.container_begin[container] = now
    be_idle(s, job, container, now)


def be_idle(s: State, job: int, container: int, now: int) -> None:
    """It runs nothing; how long it does so at most is drawn each time."""
    s.held_state[container] = IDLE
    s.idle_since[container] = now
    number, index = s.container_stage[container], s.container_index[container]
    share = attempt_draw(s.job_key[job], s.tasks_run[container] + 1, IDLING, number, MAP, index)
    least, most = s.idle_minimum_ms[job], s.idle_maximum_ms[job]
    s.idle_end[container] = now + int(math.floor(least + share * (most - least) + 0.5))
    s.row_end[row_entry(s, container)] = INFINITE
    insert_idle(s, job, container)
    wake_at(s, job, now)


def held_due(s: State, entry: int, now: int) -> bool:
    """It has been launched, or its task goes on or has finished. Has the application finished with it?"""
    container = s.row_container[entry]
    job = s.container_job[container]
    if s.held_state[container] == LAUNCHES:
        held_launched(s, job, container, now)
        return False
    if has_phase_left(s, job, entry):
        go_on(s, job, container, now)
        return False
    stop_counting(s, job, container)
    log_end(s, s.held_run[container], FINISHED, now)
    log_input(s, s.held_run[container], s.container_shuffle_end[container], now)
    finish_task(s, job, container, now)
    s.container_shuffle_end[container] = -1
    be_idle(s, job, container, now)
    if s.unfinished_stages[job] == 0:
        return True
    if s.reuses[job] == 0:
        release_held(s, job, container, now)
    return False


def start_held_task(s: State, job: int, stage: int, container: int, now: int) -> None:
    """An idle container takes the lowest task of a vertex that waits."""
    take_out_idle(s, job, container)
    s.held_state[container] = BUSY
    s.tasks_run[container] += 1
    index = take_task(s, stage, container)
    task = s.stage_draw[stage] + index
    s.held_run[container] = log_task(s, job, container, 0, stage, task, now)
    begin_task(s, job, stage, index, container, now, now)


def assign_idle(v: View, s: State, job: int, now: int) -> None:
    """Tasks that wait take idle containers."""
    waits = False
    for stage in range(s.job_first_stage[job], s.begun_end[job]):
        s.stage_is_blocked[stage] = 0
        for place in range(s.stage_first_source[stage], s.stage_first_source[stage + 1]):
            source = s.stage_source[place]
            if s.stage_is_blocked[source] == 1 or waiting_of(s, source) > 0:
                s.stage_is_blocked[stage] = 1
        assign_to_vertex(v, s, job, stage, now)
        waits = waits or waiting_of(s, stage) > 0
    if not waits:
        s.waiting_since[job] = INFINITE
    elif s.waiting_since[job] == INFINITE:
        s.waiting_since[job] = now


def assign_to_vertex(v: View, s: State, job: int, stage: int, now: int) -> None:
    """One that is blocked gets those that were asked for it and have run nothing."""
    container = s.first_idle[job]
    while container >= 0 and waiting_of(s, stage) > 0:
        following = s.next_idle[container]
        is_own = s.tasks_run[container] == 0 and asked_for(s, container) == stage
        if is_own or (s.stage_is_blocked[stage] == 0 and is_large_enough(v, s, job, container, stage)):
            start_held_task(s, job, stage, container, now)
        container = following


def is_large_enough(v: View, s: State, job: int, container: int, stage: int) -> bool:
    """Has a container at least what the vertex asks for?"""
    has = v.job_first_request[job] + EXECUTOR + s.container_stage[container] - 1
    wants = vertex_request(v, s, job, stage)
    return (
        v.request_asked_memory[has] >= v.request_asked_memory[wants]
        and v.request_asked_vcores[has] >= v.request_asked_vcores[wants]
    )


def release_idle(s: State, job: int, now: int) -> int:
    """Containers that have been idle for too long are released; when the next one would be."""
    following = INFINITE
    container = s.first_idle[job]
    while container >= 0:
        after = s.next_idle[container]
        if s.reuses[job] == 0:
            time = now
        elif s.waiting_since[job] < INFINITE:
            time = max(s.idle_since[container], s.waiting_since[job]) + s.reuse_delay_ms[job]
        else:
            time = s.idle_end[container]
        if time <= now:
            release_held(s, job, container, now)
        else:
            following = min(following, time)
        container = after
    return following


def release_held(s: State, job: int, container: int, now: int) -> None:
    """An idle container takes no more tasks, and ends at a heartbeat."""
    take_out_idle(s, job, container)
    s.held_state[container] = RELEASED
    s.released_at[container] = now
    s.released_held[job] += 1


def stop_held(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """It ends, and its task with it; the scheduler knows when its node tells."""
    job, state = s.container_job[container], s.held_state[container]
    if state == NEW:
        s.new_held[job] -= 1
        s.stage_new[asked_for(s, container)] -= 1
    elif state == LAUNCHES:
        s.stage_launching[asked_for(s, container)] -= 1
        if s.row_end[row_entry(s, container)] == now:
            s.container_begin[container] = now
    elif state == IDLE:
        take_out_idle(s, job, container)
    elif state == BUSY:
        stop_counting(s, job, container)
        log_end(s, s.held_run[container], outcome, now)
        log_input(s, s.held_run[container], s.container_shuffle_end[container], now)
        task_waits_again(s, job, s.running_stage[container], s.running_task[container])
        s.container_shuffle_end[container] = -1
    else:
        s.released_held[job] -= 1
    take_out_held(s, job, container)
    node = s.container_node[container]
    release(v, s, row_entry(s, container), node, outcome, now)
    refresh_time(s, node)


def give_held_back(v: View, s: State, container: int, now: int) -> None:
    """The ResourceManager takes it back: its use at once, its room when its node tells."""
    stop_held(v, s, container, FINISHED, now)
    release_usage(v, s, row_entry(s, container), now)
    wake_parked(s)


def kill_held(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """It is lost with its node, or killed for another job."""
    stop_held(v, s, container, outcome, now)
    wake_at(s, s.container_job[container], now)


def stop_all_held(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All containers of an application end."""
    while s.first_held[job] >= 0:
        stop_held(v, s, s.first_held[job], outcome, now)

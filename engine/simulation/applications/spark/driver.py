"""What a driver does when it looks: stages, slots, the target, its heartbeat (SPARK-3, SPARK-7).

In Spark  SparkContext, YarnAllocator.allocateResources
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import EXECUTOR, FINISHED, INFINITE
from engine.simulation.applications.dag.stage_progress import reset_stages
from engine.simulation.applications.spark.driver_heartbeats import (
    has_effect,
    missing_executors,
    set_driver_timer,
    set_next_beat,
    skip_beats,
)
from engine.simulation.applications.spark.executors import launch_executor, stop_executor, stop_executors
from engine.simulation.applications.spark.slots import fill_slots
from engine.simulation.applications.spark.slow_tasks import mark_slow_tasks, reset_speculation, speculates
from engine.simulation.applications.spark.stages import finish_stages, note_backlog, submit_first_stages
from engine.simulation.applications.spark.states import (
    DOWN,
    FIRST_BEAT_MS,
    IN_ORDER,
    NEW,
    OTHERS,
    WAITS,
    WORKS,
)
from engine.simulation.applications.spark.target import log_target, look_at_target
from engine.simulation.applications.spark.task_locality import fill_slots_near_blocks, place_inputs
from engine.simulation.hadoop.queues.returned_usage import release_usage
from engine.simulation.kernel.clock import set_time, wake_parked
from engine.simulation.kernel.job_end import finish_job
from engine.simulation.kernel.node_rows import row_entry
from engine.simulation.kernel.requests import request_containers, withdraw

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def driver_looks(v: View, s: State, job: int, now: int) -> None:
    """Everything that the driver does at an instant."""
    if v.job_finish[job] >= 0:
        return
    if s.driver_state[job] == DOWN:
        start_application(s, job, now)
    skip_beats(v, s, job, now)
    if mark_slow_tasks(s, job, now):
        note_backlog(s, job, now)
    run_stages(v, s, job, now)
    if v.job_finish[job] >= 0:
        return
    interval = s.job_heartbeat_ms[job]
    if look_at_target(s, job, now) and interval > 0:
        s.beat_interval[job] = min(interval, FIRST_BEAT_MS)
        s.next_beat[job] = now
    if interval > 0:
        if s.next_beat[job] == now:
            send_heartbeat(v, s, job, now)
            run_stages(v, s, job, now)
    else:
        while v.job_finish[job] < 0 and has_effect(v, s, job):
            send_heartbeat(v, s, job, now)
            run_stages(v, s, job, now)
    if v.job_finish[job] < 0:
        set_driver_timer(v, s, job, now)


def start_application(s: State, job: int, now: int) -> None:
    """The driver has registered with the ResourceManager."""
    s.driver_state[job] = WAITS
    s.target[job] = s.first_target[job]
    s.target_step[job] = 1
    s.step_at[job] = now
    s.target_may_change[job] = 0
    s.target_checked_at[job] = now
    s.lost_executors[job] = 0
    s.next_beat[job] = now
    s.beat_interval[job] = FIRST_BEAT_MS
    s.is_master_down[job] = 0
    reset_stages(s, job)
    if s.replication > 0:
        place_inputs(s, job)
    if speculates(s, job):
        reset_speculation(s, job)
    log_target(s, job, now)


def run_stages(v: View, s: State, job: int, now: int) -> None:
    """The application begins, stages finish and begin, free slots are filled; it ends with its last stage."""
    if s.driver_state[job] == WAITS and (
        s.registered_executors[job] >= s.needed_to_begin[job]
        or now >= s.job_ready[job] + s.registered_wait_ms[job]
    ):
        s.driver_state[job] = WORKS
        submit_first_stages(s, job, now)
    if s.may_finish_stage[job] == 1:
        finish_stages(s, job, now)
        if s.unfinished_stages[job] == 0:
            finish_application(v, s, job, FINISHED, now)
            return
    if s.replication > 0:
        fill_slots_near_blocks(s, job, now)
    else:
        fill_slots(s, job, now)


def send_heartbeat(v: View, s: State, job: int, now: int) -> None:
    """The driver asks for executors or withdraws some, learns of those that came, and gives back."""
    request = v.job_first_request[job] + EXECUTOR
    missing = missing_executors(v, s, job)
    surplus = 0
    if missing > 0:
        request_containers(v, s, request, missing, now)
    elif missing < 0:
        withdrawn = min(v.request_waiting[request], -missing)
        withdraw(v, s, request, withdrawn)
        surplus = -missing - withdrawn
    learn_of_executors(v, s, job, surplus, now)
    end_removed(v, s, job, now)
    s.lost_executors[job] = 0
    if s.job_heartbeat_ms[job] > 0:
        set_next_beat(v, s, job, now)


def learn_of_executors(v: View, s: State, job: int, surplus: int, now: int) -> None:
    """Those that came before this instant are launched, the last `surplus` of them given back."""
    known = 0
    container = s.first_executor[2 * job + OTHERS]
    while container >= 0:
        known += is_learnt_now(s, job, container, now)
        container = s.next_executor[container]
    launched = max(0, known - surplus)
    container = s.first_executor[2 * job + OTHERS]
    while container >= 0:
        following = s.next_executor[container]
        if is_learnt_now(s, job, container, now):
            if launched > 0:
                launch_executor(s, job, container, now)
                launched -= 1
            else:
                give_back(v, s, container, now)
        container = following


def is_learnt_now(s: State, job: int, container: int, now: int) -> bool:
    return s.executor_state[container] == NEW and (
        s.container_start[container] < now or s.job_heartbeat_ms[job] == 0
    )


def end_removed(v: View, s: State, job: int, now: int) -> None:
    """Executors end that the driver removed before this instant."""
    container = s.first_executor[2 * job + IN_ORDER] if s.removed_executors[job] > 0 else -1
    while container >= 0:
        following = s.next_executor[container]
        removed_at = s.executor_removed_at[container]
        if removed_at < now or (removed_at == now and s.job_heartbeat_ms[job] == 0):
            give_back(v, s, container, now)
        container = following


def give_back(v: View, s: State, container: int, now: int) -> None:
    """The ResourceManager takes a container back: its use at once, its room when its node tells."""
    stop_executor(v, s, container, FINISHED, now)
    release_usage(v, s, row_entry(s, container), now)
    wake_parked(s)


def finish_application(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """The application is over, and its executors with it."""
    stop_application(v, s, job, outcome, now)
    finish_job(v, s, job, now)


def stop_application(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All that the driver has asked for and been given goes, and it looks no more."""
    request = v.job_first_request[job] + EXECUTOR
    withdraw(v, s, request, v.request_waiting[request])
    stop_executors(v, s, job, outcome, now)
    set_time(s, len(s.awake) + job, INFINITE)
    s.driver_state[job] = DOWN
    s.may_finish_stage[job] = 0
    s.waiting_tasks[job] = s.marked_tasks[job] = 0
    s.running_tasks_of_job[job] = 0
    if s.target[job] > 0:
        s.target[job] = 0
        log_target(s, job, now)

"""Masters under a rule that preempts: at the windows' ends or at their own heartbeats they raise or withdraw
the reduces they ask for, or kill some that run (WINDOW-2, RAMPUP-1).

In Hadoop  RMContainerAllocator.scheduleReduces, preemptReducesIfNeeded, rampDownReduces
The second heartbeat in a row of a master that changes nothing, with nothing having happened between them, is
the last until something does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import (
    INFINITE,
    MAP,
    NO_CHANGE,
    NOT_YET,
    ON_WINDOWS,
    QUEUE_LIMIT,
    REDUCE,
    REORDER,
    REORDER_LATER,
)
from engine.jit import Functions, Tables, call
from engine.schedulers.policy import ORDER_WINDOW, PREEMPT, REDUCE_START_AT
from engine.schedulers.terms.remaining_reduces import is_past_slowstart, unrequested_reduces
from engine.simulation.applications.application_masters import next_heartbeat
from engine.simulation.applications.mapreduce.master_heartbeats import begins_iteration
from engine.simulation.applications.mapreduce.reduce_preemption import kill_latest
from engine.simulation.hadoop.queues.headroom import set_headroom
from engine.simulation.kernel.clock import earliest, set_time, wake_parked
from engine.simulation.kernel.requests import first_unfinished, request_containers, withdraw
from engine.simulation.kernel.waiting_requests import refresh_waiting_list

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def reduce_start_window_ended(v: View, s: State, functions: Functions, table: int, now: int) -> None:
    """A window of the reduce-start rule has ended: it is asked of jobs whose masters have no heartbeats of
    their own.
    """
    if s.reduce_start_trigger == ON_WINDOWS:
        for job in range(first_unfinished(v, s), s.arrived_jobs):
            if s.job_heartbeat_ms[job] == 0 and (s.is_touched[job] == 1 or is_asked_of_all(s)):
                ramp_reduces(v, s, job, functions, table, now)
    else:
        s.touch_all = 1


def send_master_heartbeats(v: View, s: State, functions: Functions, tables: Tables, now: int) -> None:
    """Under a rule that preempts: masters that have heartbeats of their own look at their reduces at them, in
    place of the windows' ends.
    """
    wake_masters(v, s, now)
    nodes = len(s.awake)
    count = 0
    while s.timer_tree[1] == now:
        leaf = earliest(s)
        set_time(s, leaf, INFINITE)
        s.heartbeat_jobs[count] = leaf - nodes
        count += 1
    for i in range(count):
        job = s.heartbeat_jobs[i]
        if begins_iteration(v, job) or s.is_master_down[job] == 1:
            set_time(s, nodes + job, now)
        else:
            send_master_heartbeat(v, s, job, functions, tables[REDUCE_START_AT], now)


def send_master_heartbeat(v: View, s: State, job: int, functions: Functions, table: int, now: int) -> None:
    """One master's heartbeat, and when the next one matters."""
    leaf = len(s.awake) + job
    is_quiet = s.heartbeat_event_count[job] == s.event_count
    s.heartbeat_event_count[job] = s.event_count
    ramp_reduces(v, s, job, functions, table, now)
    if not is_quiet or s.heartbeat_event_count[job] != s.event_count:
        set_time(s, leaf, next_heartbeat(s, job, now + 1))
        return
    refresh_waiting_list(v, s)
    due = call(functions[ORDER_WINDOW + REDUCE_START_AT], table, s.job_heartbeat_ms[job], now)
    set_time(s, leaf, next_heartbeat(s, job, due) if due > now else INFINITE)
    if s.dormant_count == 0:
        s.dormant_event_count = s.event_count
    if s.is_dormant[job] == 0:
        s.is_dormant[job] = 1
        s.dormant_jobs[s.dormant_count] = job
        s.dormant_count += 1


def wake_masters(v: View, s: State, first: int) -> None:
    """Something happened while heartbeats of masters rested: those at `first` or later matter again."""
    if s.dormant_count == 0 or s.dormant_event_count == s.event_count:
        return
    for i in range(s.dormant_count):
        job = s.dormant_jobs[i]
        s.is_dormant[job] = 0
        if v.job_finish[job] < 0 and s.is_master_down[job] == 0:
            set_time(s, len(s.awake) + job, next_heartbeat(s, job, first))
    s.dormant_count = 0


def ramp_reduces(v: View, s: State, job: int, functions: Functions, table: int, now: int) -> None:
    """A rule that preempts: the job's reduces that wait are raised or withdrawn, or some that run are
    killed.
    """
    apply_late_reorder(v, s, job)
    s.is_touched[job] = 0
    if (
        v.job_reduces[job] > 0
        and v.job_iteration[job] > 0
        and v.job_finish[job] < 0
        and s.is_master_down[job] == 0
    ):
        request = v.job_first_request[job] + REDUCE
        waiting = v.request_waiting[request]
        asks = s.is_watched == 1 or can_change_reduces(v, job)
        if asks or s.headroom == QUEUE_LIMIT:
            set_headroom(v, s, job)
        if not asks:
            return
        s.is_touched[job] = 1
        kills = call(functions[PREEMPT], table, job, now)
        if kills != NO_CHANGE:
            withdraw_reduces(v, s, request, waiting)
            for _ in range(kills):
                kill_latest(v, s, job, -1, now)
            return
        target = call(functions[REDUCE_START_AT], table, job, now)
        if target != NOT_YET:
            change = min(target, v.job_reduces[job] - v.job_placed_reduces[job]) - (
                waiting - v.request_speculative[request]
            )
            if change > 0:
                request_containers(v, s, request, change, now)
            else:
                withdraw_reduces(v, s, request, -change)


def withdraw_reduces(v: View, s: State, request: int, count: int) -> None:
    """As withdraw; where none waits any longer, no speculative attempt is to be."""
    withdraw(v, s, request, count)
    if count > 0 and v.request_waiting[request] == 0 and v.request_speculative[request] == 1:
        s.backup[request] = -1
        v.request_speculative[request] = 0


def can_change_reduces(v: View, job: int) -> bool:
    """Could a rule that preempts change anything: are there reduces while a map waits and none runs, or some
    to ask for after slowstart?
    """
    as_map = v.job_first_request[job] + MAP
    is_blocked = v.request_waiting[as_map] > 0 and v.request_held[as_map] == 0
    has_reduces = v.job_running_reduces[job] > 0 or v.request_waiting[v.job_first_request[job] + REDUCE] > 0
    return (is_blocked and has_reduces) or (unrequested_reduces(v, job) != 0 and is_past_slowstart(v, job))


def is_asked_of_all(s: State) -> bool:
    """Is a rule that preempts asked of jobs of which nothing has changed: is it watched, or is each job's
    user limited anew when it is told its headroom?
    """
    return s.is_watched == 1 or s.headroom == QUEUE_LIMIT


def apply_late_reorder(v: View, s: State, job: int) -> None:
    """A master's heartbeat: it asks anew for what is left when it has been given a reserved container
    (RMContainerRequestor.decContainerReq).
    """
    if v.job_reorder[job] == REORDER_LATER:
        v.job_reorder[job] = REORDER
        s.event_count += 1
        wake_parked(s)

"""Parts that look at the clock: the ends of their windows are instants of their own (WINDOW-1, WINDOW-2).

The end of a window that changed nothing, with nothing having happened in it, will not change anything the
next time
either: then the windows rest until something happens. So they cost nothing in an idle cluster, and end no
deadlock. Heartbeats of masters take the place of the windows under a rule that preempts, each for its own
job, and rest likewise.
"""

from __future__ import annotations

from engine.codes import INFINITE, MAP, NO_CHANGE, NOT_YET, ON_WINDOWS, PER_JOB, QUEUE_LIMIT, REDUCE
from engine.jit import call
from engine.run_records import JOB, RUN, Flags, Ints, Record, Size, array, given, number
from engine.schedulers.policy import ORDER_WINDOW, PREEMPT, REDUCE_START_AT
from engine.schedulers.terms.remaining_reduces import is_past_slowstart, unrequested_reduces
from engine.simulation.hadoop.queues.headroom import set_headroom
from engine.simulation.kernel.clock import earliest, set_time
from engine.simulation.kernel.master_heartbeats import begins_iteration, next_heartbeat
from engine.simulation.kernel.reduce_preemption import kill_latest
from engine.simulation.kernel.requests import (
    apply_late_reorder,
    first_unfinished,
    request_containers,
    withdraw,
)
from engine.simulation.kernel.waiting_requests import refresh_waiting_list


class Windows(Record):
    """The windows of parts, and the heartbeats of masters."""

    window_ms: Ints = array(
        Size(RUN, 2),
        "ms",
        "of the order's windows and the reduce-start rule's, 0 without",
    )
    window_end: Ints = array(Size(RUN, 2), "ms", "of the one that runs")
    window_unchanged: Flags = array(
        Size(RUN, 2),
        "",
        "its last end changed nothing: the next matters after something has happened",
    )
    window_due: Ints = array(
        Size(RUN, 2),
        "",
        "then it matters from this time on, even if nothing has",
        initial=INFINITE,
    )
    window_event_count: Ints = array(Size(RUN, 2), "", "`event_count` at its last end")
    heartbeat_event_count: Ints = array(JOB, "", "`event_count` at the master's last heartbeat", initial=-1)
    heartbeat_jobs: Ints = array(JOB, "", "scratch of send_master_heartbeats")
    dormant_jobs: Ints = array(JOB, "", "whose heartbeats change nothing until something happens")
    is_dormant: Flags = array(JOB, "", "1: it is in `dormant_jobs`")
    dormant_count: int = number("", "of `dormant_jobs`")
    dormant_event_count: int = number("", "`event_count` when the first of them began to rest")
    has_master_heartbeats: int = number("", "1: some masters have heartbeats of their own")
    job_heartbeat_ms: Ints = given(
        JOB,
        "ms",
        "between heartbeats of the master, 0: it asks and learns at once",
    )
    job_linger: Ints = given(JOB, "ms", "that a master outlives its job")


def wake_windows(s, part, first):
    """Something happened while a part's windows rested, or its time has come: the first end that matters is
    at `first` or the next multiple.
    """
    if s.window_unchanged[part] == 1 and (
        s.window_event_count[part] != s.event_count or s.window_due[part] <= first
    ):
        s.window_unchanged[part] = 0
        s.window_end[part] = next_multiple(first, s.window_ms[part])


def next_multiple(time, window):
    """The first end of a window at `time` or later."""
    return (time + window - 1) // window * window


def next_window(s, now):
    """When the next window ends that may change anything, after the instant `now`; INFINITE when none
    does.
    """
    soonest = INFINITE
    for part in range(len(s.window_ms)):
        if s.window_ms[part] > 0:
            wake_windows(s, part, now + 1)
            if s.window_unchanged[part] == 0:
                soonest = min(soonest, s.window_end[part])
            elif s.window_due[part] < INFINITE:
                soonest = min(soonest, next_multiple(s.window_due[part], s.window_ms[part]))
    return soonest


def end_windows(v, s, functions, tables, now, has_contention):
    """The windows that end at this instant."""
    for part in range(len(s.window_ms)):
        if s.window_ms[part] > 0:
            wake_windows(s, part, now)
            if s.window_unchanged[part] == 0 and s.window_end[part] == now:
                response = NO_CHANGE
                if (
                    part != REDUCE_START_AT
                    or s.reduce_start_trigger != ON_WINDOWS
                    or s.window_event_count[part] == s.event_count
                    or s.is_watched
                ):
                    refresh_waiting_list(v, s)
                    response = call(functions[ORDER_WINDOW + part], tables[part], s.window_ms[part], now)
                s.window_due[part] = response if response > now else INFINITE
                s.window_unchanged[part] = (response == NO_CHANGE or response > now) and s.window_event_count[
                    part
                ] == s.event_count
                s.window_event_count[part] = s.event_count
                s.window_end[part] = now + s.window_ms[part]
                if part == REDUCE_START_AT:
                    if s.reduce_start_trigger == ON_WINDOWS:
                        for job in range(first_unfinished(v, s), s.arrived_jobs):
                            if s.job_heartbeat_ms[job] == 0 and (
                                s.is_touched[job] == 1 or is_asked_of_all(s)
                            ):
                                ramp_reduces(v, s, job, functions, tables[part], now, has_contention)
                    else:
                        s.touch_all = 1
    if s.has_master_heartbeats == 1 and s.reduce_start_trigger == ON_WINDOWS:
        send_master_heartbeats(v, s, functions, tables, now, has_contention)


def send_master_heartbeats(v, s, functions, tables, now, has_contention):
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
            send_master_heartbeat(v, s, job, functions, tables[REDUCE_START_AT], now, has_contention)


def send_master_heartbeat(v, s, job, functions, table, now, has_contention):
    """One master's heartbeat. The second in a row that changes nothing, with nothing having happened between
    them, is the last until something does.
    """
    leaf = len(s.awake) + job
    is_quiet = s.heartbeat_event_count[job] == s.event_count
    s.heartbeat_event_count[job] = s.event_count
    ramp_reduces(v, s, job, functions, table, now, has_contention)
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


def wake_masters(v, s, first):
    """Something happened while heartbeats of masters rested: those at `first` or later matter again."""
    if s.dormant_count == 0 or s.dormant_event_count == s.event_count:
        return
    for i in range(s.dormant_count):
        job = s.dormant_jobs[i]
        s.is_dormant[job] = 0
        if v.job_finish[job] < 0 and s.is_master_down[job] == 0:
            set_time(s, len(s.awake) + job, next_heartbeat(s, job, first))
    s.dormant_count = 0


def is_asked_of_all(s):
    """Is a rule that preempts asked of jobs of which nothing has changed: is it watched, or is each job's
    user limited anew when it is told its headroom?
    """
    return s.is_watched == 1 or s.headroom == QUEUE_LIMIT


def can_change_reduces(v, job):
    """Could a rule that preempts change anything: are there reduces while a map waits and none runs, or some
    to ask for after slowstart?
    """
    as_map = PER_JOB * job + MAP
    is_blocked = v.request_waiting[as_map] > 0 and v.request_held[as_map] == 0
    has_reduces = v.job_running_reduces[job] > 0 or v.request_waiting[PER_JOB * job + REDUCE] > 0
    return (is_blocked and has_reduces) or (unrequested_reduces(v, job) != 0 and is_past_slowstart(v, job))


def ramp_reduces(v, s, job, functions, table, now, has_contention):
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
        request = PER_JOB * job + REDUCE
        waiting = v.request_waiting[request]
        asks = s.is_watched == 1 or can_change_reduces(v, job)
        if asks or s.headroom == QUEUE_LIMIT:
            set_headroom(v, s, job)
        if not asks:
            return
        s.is_touched[job] = 1
        kills = call(functions[PREEMPT], table, job, now)
        if kills != NO_CHANGE:
            withdraw(v, s, request, waiting)
            for _ in range(kills):
                kill_latest(v, s, job, -1, now, has_contention)
            return
        target = call(functions[REDUCE_START_AT], table, job, now)
        if target != NOT_YET:
            change = min(target, v.job_reduces[job] - v.job_placed_reduces[job]) - (
                waiting - v.request_speculative[request]
            )
            if change > 0:
                request_containers(v, s, request, change, now)
            else:
                withdraw(v, s, request, -change)

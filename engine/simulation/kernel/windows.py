"""Parts that look at the clock: the ends of their windows are instants of their own (model 6).

The end of a window that changed nothing, with nothing having happened in it, will not change anything the next time
either: then the windows rest until something happens. So they cost nothing in an idle cluster, and end no deadlock.
Heartbeats of masters take the place of the windows under a rule that pre-empts, each for its own job, and rest likewise.
"""

from __future__ import annotations

from engine.jit import call
from engine.schedulers.policy import ORDER_WINDOW, PREEMPT, QUEUE_LIMIT, REDUCE_START_AT
from engine.schedulers.terms.reduces_left import is_past_slowstart, left_to_ask
from engine.schedulers.view import MAP, NO_CHANGE, NOT_YET, PER_JOB, REDUCE
from engine.simulation.kernel.clock import earliest, set_time
from engine.simulation.kernel.headroom import tell_headroom
from engine.simulation.kernel.kills import kill_latest
from engine.simulation.kernel.master_beats import begins_iteration, next_beat
from engine.simulation.kernel.requests import ask, first_unfinished, mark_later, withdraw
from engine.simulation.kernel.state import FAR, ON_WINDOWS
from engine.simulation.kernel.waiting import bring_up_to_date


def wake_windows(s, part, first):
    """Something happened while a part's windows rested, or its time has come: the first end that matters is at `first` or the next multiple."""
    if s.window_unchanged[part] == 1 and (s.window_event_count[part] != s.event_count[0] or s.window_due[part] <= first):
        s.window_unchanged[part] = 0
        s.window_end[part] = multiple(first, s.window_ms[part])


def multiple(time, window):
    """The first end of a window at `time` or later."""
    return (time + window - 1) // window * window


def next_window(s, now):
    """When the next window ends that may change something, after the instant `now`; FAR when none does."""
    soonest = FAR
    for part in range(len(s.window_ms)):
        if s.window_ms[part] > 0:
            wake_windows(s, part, now + 1)
            if s.window_unchanged[part] == 0:
                soonest = min(soonest, s.window_end[part])
            elif s.window_due[part] < FAR:
                soonest = min(soonest, multiple(s.window_due[part], s.window_ms[part]))
    return soonest


def end_windows(v, s, functions, tables, now, slowed):
    """The windows that end at this instant."""
    for part in range(len(s.window_ms)):
        if s.window_ms[part] > 0:
            wake_windows(s, part, now)
            if s.window_unchanged[part] == 0 and s.window_end[part] == now:
                answer = NO_CHANGE
                if part != REDUCE_START_AT or s.reduce_start_trigger[0] != ON_WINDOWS or s.window_event_count[part] == s.event_count[0] or s.is_watched[0]:
                    bring_up_to_date(v, s)
                    answer = call(functions[ORDER_WINDOW + part], tables[part], s.window_ms[part], now)
                s.window_due[part] = answer if answer > now else FAR
                s.window_unchanged[part] = (answer == NO_CHANGE or answer > now) and s.window_event_count[part] == s.event_count[0]
                s.window_event_count[part] = s.event_count[0]
                s.window_end[part] = now + s.window_ms[part]
                if part == REDUCE_START_AT:
                    if s.reduce_start_trigger[0] == ON_WINDOWS:
                        for job in range(first_unfinished(v, s), s.arrived_jobs[0]):
                            if s.job_beat[job] == 0 and (s.is_touched[job] == 1 or asks_all(s)):
                                ramp(v, s, job, functions, tables[part], now, slowed)
                    else:
                        s.touch_all[0] = 1
    if s.masters_beat[0] == 1 and s.reduce_start_trigger[0] == ON_WINDOWS:
        masters_beat(v, s, functions, tables, now, slowed)


def masters_beat(v, s, functions, tables, now, slowed):
    """Under a rule that pre-empts: masters that have heartbeats of their own look at their reduces at them, in place of the windows' ends."""
    wake_masters(v, s, now)
    nodes = len(s.awake)
    count = 0
    while s.times[1] == now:
        leaf = earliest(s)
        set_time(s, leaf, FAR)
        s.beating_jobs[count] = leaf - nodes
        count += 1
    for i in range(count):
        job = s.beating_jobs[i]
        if begins_iteration(v, job) or s.master_away[job] == 1:
            set_time(s, nodes + job, now)
        else:
            master_beats(v, s, job, functions, tables[REDUCE_START_AT], now, slowed)


def master_beats(v, s, job, functions, table, now, slowed):
    """One master's heartbeat. The second in a row that changes nothing, with nothing having happened between them, is the last until something does."""
    leaf = len(s.awake) + job
    is_quiet = s.beat_event_count[job] == s.event_count[0]
    s.beat_event_count[job] = s.event_count[0]
    ramp(v, s, job, functions, table, now, slowed)
    if not is_quiet or s.beat_event_count[job] != s.event_count[0]:
        set_time(s, leaf, next_beat(s, job, now + 1))
        return
    bring_up_to_date(v, s)
    due = call(functions[ORDER_WINDOW + REDUCE_START_AT], table, s.job_beat[job], now)
    set_time(s, leaf, next_beat(s, job, due) if due > now else FAR)
    if s.resting_count[0] == 0:
        s.resting_event_count[0] = s.event_count[0]
    if s.is_resting[job] == 0:
        s.is_resting[job] = 1
        s.resting_jobs[s.resting_count[0]] = job
        s.resting_count[0] += 1


def wake_masters(v, s, first):
    """Something happened while heartbeats of masters rested: those at `first` or later matter again."""
    if s.resting_count[0] == 0 or s.resting_event_count[0] == s.event_count[0]:
        return
    for i in range(s.resting_count[0]):
        job = s.resting_jobs[i]
        s.is_resting[job] = 0
        if v.job_finish[job] < 0 and s.master_away[job] == 0:
            set_time(s, len(s.awake) + job, next_beat(s, job, first))
    s.resting_count[0] = 0


def asks_all(s):
    """Is a rule that pre-empts asked of jobs of which nothing has changed: is it watched, or is each job's user limited anew when it is told its headroom?"""
    return s.is_watched[0] == 1 or s.headroom[0] == QUEUE_LIMIT


def may_answer(v, job):
    """Could a rule that pre-empts change anything: are there reduces while a map waits and none runs, or some to ask for after slowstart?"""
    as_map = PER_JOB * job + MAP
    is_blocked = v.request_waiting[as_map] > 0 and v.request_held[as_map] == 0
    has_reduces = v.job_running_reduces[job] > 0 or v.request_waiting[PER_JOB * job + REDUCE] > 0
    return (is_blocked and has_reduces) or (left_to_ask(v, job) != 0 and is_past_slowstart(v, job))


def ramp(v, s, job, functions, table, now, slowed):
    """A rule that pre-empts: the job's reduces that wait are raised or withdrawn, or some that run are killed."""
    mark_later(v, s, job)
    s.is_touched[job] = 0
    if v.job_reduces[job] > 0 and v.job_iteration[job] > 0 and v.job_finish[job] < 0 and s.master_away[job] == 0:
        request = PER_JOB * job + REDUCE
        waiting = v.request_waiting[request]
        asks = s.is_watched[0] == 1 or may_answer(v, job)
        if asks or s.headroom[0] == QUEUE_LIMIT:
            tell_headroom(v, s, job)
        if not asks:
            return
        s.is_touched[job] = 1
        kills = call(functions[PREEMPT], table, job, now)
        if kills != NO_CHANGE:
            withdraw(v, s, request, waiting)
            for _ in range(kills):
                kill_latest(v, s, job, -1, now, slowed)
            return
        wanted = call(functions[REDUCE_START_AT], table, job, now)
        if wanted != NOT_YET:
            change = min(wanted, v.job_reduces[job] - v.job_placed_reduces[job]) - (waiting - v.request_backups[request])
            if change > 0:
                ask(v, s, request, change, now)
            else:
                withdraw(v, s, request, -change)

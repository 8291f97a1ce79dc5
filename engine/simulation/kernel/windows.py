"""Parts that look at the clock: the ends of their windows are instants of their own (WINDOW-1, WINDOW-2).

The end of a window that changed nothing, with nothing having happened in it, will not change anything the
next time either: then the windows rest until something happens. So they cost nothing in an idle cluster, and
end no deadlock. Heartbeats of masters take the place of the windows under a rule that preempts, each for its
own job, and rest likewise (applications/mapreduce/ramping.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, NO_CHANGE, ON_WINDOWS
from engine.jit import Functions, Tables, call
from engine.run_records import JOB, RUN, Flags, Ints, Record, Size, array, given, number
from engine.schedulers.policy import ORDER_WINDOW, REDUCE_START_AT
from engine.simulation.applications.seam import reduce_start_window_ended, send_master_heartbeats
from engine.simulation.kernel.waiting_requests import refresh_waiting_list

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Windows(Record):
    """The windows of parts, and the heartbeats of masters."""

    window_ms: Ints = array(
        Size(RUN, 2), "ms", "of the order's windows and the reduce-start rule's, 0 without"
    )
    window_end: Ints = array(Size(RUN, 2), "ms", "of the one that runs")
    window_unchanged: Flags = array(
        Size(RUN, 2), "", "its last end changed nothing: the next matters after something has happened"
    )
    window_due: Ints = array(
        Size(RUN, 2), "", "then it matters from this time on, even if nothing has", initial=INFINITE
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
        JOB, "ms", "between heartbeats of the master, 0: it asks and learns at once"
    )
    job_linger: Ints = given(JOB, "ms", "that a master outlives its job")


def wake_windows(s: State, part: int, first: int) -> None:
    """Something happened while a part's windows rested, or its time has come: the first end that matters is
    at `first` or the next multiple.
    """
    if s.window_unchanged[part] == 1 and (
        s.window_event_count[part] != s.event_count or s.window_due[part] <= first
    ):
        s.window_unchanged[part] = 0
        s.window_end[part] = next_multiple(first, s.window_ms[part])


def next_multiple(time: int, window: int) -> int:
    """The first end of a window at `time` or later."""
    return (time + window - 1) // window * window


def next_window(s: State, now: int) -> int:
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


def end_windows(v: View, s: State, functions: Functions, tables: Tables, now: int) -> None:
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
                    reduce_start_window_ended(v, s, functions, tables[part], now)
    if s.has_master_heartbeats == 1 and s.reduce_start_trigger == ON_WINDOWS:
        send_master_heartbeats(v, s, functions, tables, now)

"""When a driver sends heartbeats to the ResourceManager, and when it next looks (SPARK-2).

In Spark  ApplicationMaster.allocationThreadImpl
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import EXECUTOR
from engine.simulation.applications.spark.slow_tasks import next_check
from engine.simulation.applications.spark.states import DOWN, FIRST_BEAT_MS, WAITS
from engine.simulation.applications.spark.target import next_look
from engine.simulation.kernel.clock import set_time

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def wake_driver(s: State, job: int, now: int) -> None:
    """It looks at what has happened when this instant's requests appear."""
    if s.driver_state[job] != DOWN:
        set_time(s, len(s.awake) + job, now)


def missing_executors(v: View, s: State, job: int) -> int:
    """That the driver has still to ask for; fewer than none are too many."""
    waiting = v.request_waiting[v.job_first_request[job] + EXECUTOR]
    live = s.live_executors[job] - s.removed_executors[job]
    return s.target[job] - waiting - live - s.lost_executors[job]


def has_effect(v: View, s: State, job: int) -> bool:
    """Would a heartbeat ask for, withdraw, learn of or end anything?"""
    missing = missing_executors(v, s, job)
    waiting = v.request_waiting[v.job_first_request[job] + EXECUTOR]
    return (
        missing > 0
        or (missing < 0 and waiting > 0)
        or s.new_executors[job] + s.removed_executors[job] + s.lost_executors[job] > 0
    )


def pending_containers(v: View, s: State, job: int) -> int:
    """Asked for, and not learnt of."""
    return v.request_waiting[v.job_first_request[job] + EXECUTOR] + s.new_executors[job]


def set_next_beat(v: View, s: State, job: int, now: int) -> None:
    """After one at `now`: soon while containers are pending, later each time; else at its interval."""
    interval = s.job_heartbeat_ms[job]
    if pending_containers(v, s, job) > 0:
        s.next_beat[job] = now + min(interval, s.beat_interval[job])
        s.beat_interval[job] = min(interval, 2 * s.beat_interval[job])
    else:
        s.next_beat[job] = now + interval
        s.beat_interval[job] = min(interval, FIRST_BEAT_MS)


def skip_beats(v: View, s: State, job: int, time: int) -> None:
    """Heartbeats before `time` that had no effect."""
    interval = s.job_heartbeat_ms[job]
    if interval == 0 or s.driver_state[job] == DOWN:
        return
    while s.next_beat[job] < time:
        beat = s.next_beat[job]
        set_next_beat(v, s, job, beat)
        if s.next_beat[job] - beat == interval and s.next_beat[job] < time:
            s.next_beat[job] += (time - s.next_beat[job] + interval - 1) // interval * interval


def set_driver_timer(v: View, s: State, job: int, now: int) -> None:
    """When the driver next looks, unless it does so at this instant."""
    leaf = len(s.awake) + job
    if s.driver_state[job] == DOWN or s.timer_tree[s.tree_leaves + leaf] == now:
        return
    time = min(next_look(s, job, now), next_check(s, job, now), s.level_opens[job])
    if s.driver_state[job] == WAITS:
        time = min(time, s.job_ready[job] + s.registered_wait_ms[job])
    if has_effect(v, s, job):
        time = min(time, now if s.job_heartbeat_ms[job] == 0 else s.next_beat[job])
    set_time(s, leaf, time)

"""How many executors an application is to have, under dynamic allocation (SPARK-5, SPARK-6).

In Spark  ExecutorAllocationManager.updateAndSyncNumExecutorsTarget, addExecutors, removeExecutors
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.simulation.applications.spark.executor_lists import take_out_free
from engine.simulation.applications.spark.states import IN_ORDER, TICK_MS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def log_target(s: State, job: int, now: int) -> None:
    """The target has changed."""
    line = s.target_count
    s.target_count += 1
    if line < len(s.target_time):
        s.target_job[line] = job
        s.target_time[line] = now
        s.target_executors[line] = s.target[job]
        s.target_waiting[line] = s.waiting_tasks[job] + s.marked_tasks[job]
        s.target_running[line] = s.running_tasks_of_job[job]


def needed_executors(s: State, job: int) -> int:
    """That all tasks at once would need, times the ratio; a second attempt runs beside another executor."""
    tasks = s.waiting_tasks[job] + s.marked_tasks[job] + s.running_tasks_of_job[job]
    needed = int(math.ceil(tasks * s.executor_ratio[job] / s.executor_slots[job]))
    return 2 if needed == 1 and s.marked_tasks[job] > 0 and s.executor_slots[job] > 1 else needed


def next_look(s: State, job: int, now: int) -> int:
    """When the target is next looked at with effect; INFINITE while nothing would change."""
    if s.is_dynamic[job] == 0:
        return INFINITE
    ready = s.job_ready[job]
    following = ready + ((now - ready) // TICK_MS + 1) * TICK_MS
    lowest = max(s.min_executors[job], s.target[job])
    may_remove = s.registered_executors[job] - s.removed_executors[job] - 1 >= lowest
    if s.timed_out_executors[job] > 0 and (may_remove or s.target_may_change[job] == 0):
        return following
    if s.target_may_change[job] == 0:
        return INFINITE
    needed, target = needed_executors(s, job), s.target[job]
    if needed < target and target > s.min_executors[job]:
        return following
    grows = needed > target and target < s.max_executors[job]
    if s.step_at[job] < INFINITE and (s.target_step[job] > 1 or grows):
        return max(following, ready + (s.step_at[job] - ready + TICK_MS - 1) // TICK_MS * TICK_MS)
    return INFINITE


def look_at_target(s: State, job: int, now: int) -> bool:
    """The target, then the executors that are idle for too long, where it is time to look at them. Has the
    target changed?
    """
    since = now - s.job_ready[job]
    if s.is_dynamic[job] == 0 or since == 0 or since % TICK_MS != 0 or s.target_checked_at[job] == now:
        return False
    s.target_checked_at[job] = now
    before = s.target[job]
    if s.timed_out_executors[job] > 0:
        s.target_may_change[job] = 1
    if s.target_may_change[job] == 1:
        update_target(s, job, now)
    if s.target[job] != before:
        log_target(s, job, now)
    if s.timed_out_executors[job] > 0:
        remove_idle(s, job, now)
    return s.target[job] != before


def update_target(s: State, job: int, now: int) -> None:
    needed, target, step = needed_executors(s, job), s.target[job], s.target_step[job]
    if needed < target:
        s.target[job] = max(needed, s.min_executors[job])
        s.target_step[job] = 1
    elif s.step_at[job] <= now:
        grown = min(max(target, s.registered_executors[job]) + step, needed, s.max_executors[job])
        grown = max(grown, s.min_executors[job])
        if target >= s.max_executors[job] or grown == target:
            s.target_step[job] = 1
        else:
            s.target[job] = grown
            s.target_step[job] = 2 * step if grown - target == step else 1
            s.step_at[job] = now + s.sustained_backlog_ms[job]


def remove_idle(s: State, job: int, now: int) -> None:
    """Executors that are idle for too long, as long as enough remain: they get no task, and end at a
    heartbeat of the driver.
    """
    lowest = max(s.min_executors[job], s.target[job])
    container = s.first_executor[2 * job + IN_ORDER]
    while container >= 0 and s.registered_executors[job] - s.removed_executors[job] > lowest:
        if s.is_timed_out[container] == 1:
            s.is_timed_out[container] = 0
            s.timed_out_executors[job] -= 1
            s.executor_removed_at[container] = now
            s.removed_executors[job] += 1
            take_out_free(s, job, container)
        container = s.next_executor[container]

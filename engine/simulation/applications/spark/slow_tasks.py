"""Tasks that run for long get a second attempt (SPARK-12).

In Spark  TaskSetManager.checkSpeculatableTasks
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.simulation.applications.linked_lists import put_after, take_out
from engine.simulation.applications.spark.finished_durations import median_ms
from engine.simulation.kernel.clock import MAX_DURATION_MS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State

IN_NO_LIST = -1
WATCHED, MARKED = range(2)  # lists of a stage's tasks: that run once, that wait for a second attempt


def speculates(s: State, job: int) -> bool:
    return s.speculation_interval_ms[job] > 0


def reset_speculation(s: State, job: int) -> None:
    """No task of the application has run, or what has run is lost."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        for place in range(2 * stage, 2 * stage + 2):
            s.first_of_list[place] = s.last_of_list[place] = -1
        s.stage_marked[stage] = 0
        s.shorter_half[stage] = s.longer_half[stage] = 0
        for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
            s.list_of_task[task] = IN_NO_LIST
            s.second_container[task] = -1
    s.slow_checked_at[job] = s.job_ready[job]


def append(s: State, stage: int, which: int, task: int) -> None:
    """It becomes the last of a list."""
    _put_after(s, stage, which, s.last_of_list[2 * stage + which], task)


def _put_after(s: State, stage: int, which: int, before: int, task: int) -> None:
    """Into a list, behind another, or as the first behind -1."""
    s.list_of_task[task] = which
    first, last = s.first_of_list, s.last_of_list
    put_after(first, last, s.next_in_list, s.previous_in_list, 2 * stage + which, before, task)


def unlist(s: State, job: int, stage: int, task: int) -> None:
    """It leaves the list in which it is, if any."""
    which = s.list_of_task[task]
    if which == IN_NO_LIST:
        return
    first, last = s.first_of_list, s.last_of_list
    take_out(first, last, s.next_in_list, s.previous_in_list, 2 * stage + which, task)
    s.list_of_task[task] = IN_NO_LIST
    if which == MARKED:
        s.stage_marked[stage] -= 1
        if s.stage_missing[stage] == 0:
            s.marked_tasks[job] -= 1


def watch(s: State, stage: int, task: int, now: int, run: int) -> None:
    """A task begins, alone."""
    s.attempt_start[task] = now
    s.attempt_run[task] = run
    append(s, stage, WATCHED, task)


def watch_again(s: State, stage: int, task: int) -> None:
    """One of its two attempts is lost: it stands where the other's begin puts it."""
    before = s.last_of_list[2 * stage + WATCHED]
    while before >= 0 and s.attempt_run[before] > s.attempt_run[task]:
        before = s.previous_in_list[before]
    _put_after(s, stage, WATCHED, before, task)


def begin_second(s: State, task: int, container: int, now: int, run: int) -> None:
    """A task that was marked begins once more, beside its first attempt."""
    s.second_container[task] = container
    s.second_start[task] = now
    s.second_run[task] = run


def second_goes_on(s: State, task: int) -> None:
    """The first of its two attempts is lost, or loses: the other is now the only one."""
    s.task_container[task] = s.second_container[task]
    s.attempt_start[task] = s.second_start[task]
    s.attempt_run[task] = s.second_run[task]


def goes_on_elsewhere(s: State, job: int, stage: int, task: int, container: int) -> bool:
    """An attempt is lost with its executor: has the task another one?"""
    if s.second_container[task] < 0:
        unlist(s, job, stage, task)
        return False
    if s.task_container[task] == container:
        second_goes_on(s, task)
    s.second_container[task] = -1
    watch_again(s, stage, task)
    return True


def first_marked(s: State, stage: int, node: int) -> int:
    """The first marked task of a stage that does not run on a node, -1 where there is none."""
    task = s.first_of_list[2 * stage + MARKED]
    while task >= 0 and s.container_node[s.task_container[task]] == node:
        task = s.next_in_list[task]
    return task


def may_speculate(s: State, job: int, stage: int) -> bool:
    """Is it known how long its tasks take?"""
    tasks = s.stage_tasks[stage]
    needed = max(1, int(math.floor(s.speculation_quantile[job] * tasks)))
    return tasks > 1 and s.stage_missing[stage] == 0 and s.stage_done[stage] >= needed


def threshold_ms(s: State, job: int, stage: int) -> float:
    """A task that has run for longer is slow."""
    return max(s.speculation_multiplier[job] * median_ms(s, stage), float(s.speculation_minimum_ms[job]))


def next_check(s: State, job: int, now: int) -> int:
    """When the next task will be found slow; INFINITE while none is on its way there."""
    earliest = INFINITE
    if speculates(s, job):
        for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
            task = s.first_of_list[2 * stage + WATCHED]
            if task >= 0 and may_speculate(s, job, stage):
                limit = int(math.floor(min(threshold_ms(s, job, stage), MAX_DURATION_MS)))
                earliest = min(earliest, max(now, s.attempt_start[task] + limit) + 1)
    if earliest == INFINITE:
        return INFINITE
    ready, interval = s.job_ready[job], s.speculation_interval_ms[job]
    return ready + (earliest - ready + interval - 1) // interval * interval


def mark_slow_tasks(s: State, job: int, now: int) -> bool:
    """Tasks that have run for too long wait for a second attempt, where it is time to look. Was there one?"""
    interval, since = s.speculation_interval_ms[job], now - s.job_ready[job]
    if interval == 0 or since == 0 or since % interval != 0 or s.slow_checked_at[job] == now:
        return False
    s.slow_checked_at[job] = now
    is_found = False
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        task = s.first_of_list[2 * stage + WATCHED]
        if task < 0 or not may_speculate(s, job, stage):
            continue
        limit = threshold_ms(s, job, stage)
        while task >= 0 and now - s.attempt_start[task] > limit:
            following = s.next_in_list[task]
            unlist(s, job, stage, task)
            append(s, stage, MARKED, task)
            s.stage_marked[stage] += 1
            s.marked_tasks[job] += 1
            is_found = True
            task = following
    return is_found

"""How long the tasks of a stage took that have finished, and the median of it: two heaps that meet in the
middle.

In Spark  PercentileHeap
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.simulation.applications.dag.stage_progress import NOT_DONE

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def median_ms(s: State, stage: int) -> int:
    """Of an even number the upper one; one task has finished at least."""
    return s.finished_ms[s.stage_draw[stage] + s.stage_tasks[stage] - 1]


def insert_duration(s: State, stage: int, duration: int) -> None:
    front = s.stage_draw[stage]
    back = front + s.stage_tasks[stage] - 1
    shorter, longer = s.shorter_half[stage], s.longer_half[stage]
    if longer == 0 or duration >= s.finished_ms[back]:
        push(s, back, -1, longer, duration)
        longer += 1
    else:
        push(s, front, 1, shorter, -duration)
        shorter += 1
    half = (shorter + longer) // 2
    if shorter > half:
        shorter -= 1
        push(s, back, -1, longer, -pop(s, front, 1, shorter))
        longer += 1
    elif shorter < half:
        longer -= 1
        push(s, front, 1, shorter, -pop(s, back, -1, longer))
        shorter += 1
    s.shorter_half[stage], s.longer_half[stage] = shorter, longer


def forget_lost_durations(s: State, job: int) -> None:
    """Finished tasks are to run again: their durations count no more."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.shorter_half[stage] + s.longer_half[stage] == s.stage_done[stage]:
            continue
        s.shorter_half[stage] = s.longer_half[stage] = 0
        for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
            if s.task_state[task] != NOT_DONE:
                insert_duration(s, stage, s.task_end[task] - s.attempt_start[task])


def push(s: State, root: int, step: int, count: int, value: int) -> None:
    """Onto a heap of so many, the smallest at its root."""
    place = count
    while place > 0:
        above = (place - 1) // 2
        if s.finished_ms[root + step * above] <= value:
            break
        s.finished_ms[root + step * place] = s.finished_ms[root + step * above]
        place = above
    s.finished_ms[root + step * place] = value


def pop(s: State, root: int, step: int, left: int) -> int:
    """The smallest goes, and so many are left."""
    smallest, value = s.finished_ms[root], s.finished_ms[root + step * left]
    place = 0
    while 2 * place + 1 < left:
        below = 2 * place + 1
        if below + 1 < left and s.finished_ms[root + step * (below + 1)] < s.finished_ms[root + step * below]:
            below += 1
        if value <= s.finished_ms[root + step * below]:
            break
        s.finished_ms[root + step * place] = s.finished_ms[root + step * below]
        place = below
    s.finished_ms[root + step * place] = value
    return smallest

"""The stages of an application as they go on: which task is next, when a stage has finished, what runs again
after a loss.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.codes import MAP
from engine.simulation.applications.blocks import block_distance, unpass_task
from engine.simulation.applications.stragglers import straggler_factor
from engine.simulation.kernel.clock import MAX_DURATION_MS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State

NOT_DONE, DONE, GONE = range(3)  # a task: GONE, it has finished, and its output is lost


def reset_stages(s: State, job: int) -> None:
    """No task of the application has run, or what has run is lost."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        s.stage_waiting[stage] = s.stage_tasks[stage]
        s.stage_next[stage] = 0
        s.stage_done[stage] = 0
        s.stage_is_finished[stage] = 0
        s.stage_missing[stage] = s.stage_first_source[stage + 1] - s.stage_first_source[stage]
        for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
            s.task_container[task] = -1
            s.task_state[task] = NOT_DONE
    s.unfinished_stages[job] = s.job_first_stage[job + 1] - s.job_first_stage[job]
    s.first_open_stage[job] = s.job_first_stage[job]


def take_task(s: State, stage: int, container: int) -> int:
    """The lowest task of a stage that waits goes into a container, as its next attempt: its index."""
    index = lowest_waiting(s, stage)
    give_container(s, stage, index, container)
    return index


def lowest_waiting(s: State, stage: int) -> int:
    """The lowest task of a stage that waits; there is one."""
    index = s.stage_next[stage]
    while s.task_container[s.stage_draw[stage] + index] >= 0:
        index += 1
    s.stage_next[stage] = index
    return index


def give_container(s: State, stage: int, index: int, container: int) -> None:
    """A task that waits goes into a container, as its next attempt."""
    s.stage_waiting[stage] -= 1
    task = s.stage_draw[stage] + index
    s.task_container[task] = container
    s.task_attempt[task] += 1


def task_ms(s: State, job: int, stage: int, index: int, container: int) -> int:
    """What a task computes there, in ms, at least 1."""
    task = s.stage_draw[stage] + index
    exact = s.draws[task]
    if s.stretches == 1:
        number = stage - s.job_first_stage[job] + 1
        exact = exact * straggler_factor(s, job, s.task_attempt[task], number, MAP, index)
        if s.replication > 0 and s.stage_block_base[stage] >= 0:
            base, node = s.stage_block_base[stage], s.container_node[container]
            exact = exact * s.distance_factor[block_distance(s, base + index, node)]
    exact = exact / s.node_speed[s.container_node[container]]
    return int(max(1.0, math.floor(min(exact, MAX_DURATION_MS) + 0.5)))


def finish_stage(s: State, job: int, stage: int) -> None:
    """All its tasks have finished: stages that it was the last source of may begin."""
    s.stage_is_finished[stage] = 1
    s.unfinished_stages[job] -= 1
    for reader in range(stage + 1, s.job_first_stage[job + 1]):
        if reads(s, reader, stage):
            s.stage_missing[reader] -= 1


def reads(s: State, reader: int, stage: int) -> bool:
    """Does a stage read another's output?"""
    for place in range(s.stage_first_source[reader], s.stage_first_source[reader + 1]):
        if s.stage_source[place] == stage:
            return True
    return False


def task_waits_again(s: State, job: int, stage: int, task: int) -> None:
    """A task that ran, or had finished, is to run again."""
    s.task_container[task] = -1
    s.stage_waiting[stage] += 1
    s.stage_next[stage] = min(s.stage_next[stage], task - s.stage_draw[stage])
    s.first_open_stage[job] = min(s.first_open_stage[job], stage)
    if s.replication > 0 and s.stage_block_base[stage] >= 0:
        unpass_task(s, s.stage_block_base[stage], s.stage_tasks[stage], task - s.stage_draw[stage])


def outputs_are_lost(s: State, job: int, container: int, node: int) -> None:
    """Output is gone that lay with an executor, or on a node (container -1). What is needed of all that is
    gone waits again: from the last stage to the first, for one that is to run again needs its sources.
    """
    first, end = s.job_first_stage[job], s.job_first_stage[job + 1]
    for task in range(s.stage_draw[first], s.stage_draw[end - 1] + s.stage_tasks[end - 1]):
        place = s.task_container[task]
        if s.task_state[task] == DONE and (
            place == container or (container < 0 and s.container_node[place] == node)
        ):
            s.task_state[task] = GONE
    for stage in range(end - 1, first - 1, -1):
        if is_needed(s, job, stage):
            run_again(s, job, stage)


def run_again(s: State, job: int, stage: int) -> None:
    """Tasks of a stage whose output is gone."""
    for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
        if s.task_state[task] == GONE:
            s.task_state[task] = NOT_DONE
            s.stage_done[stage] -= 1
            reopen_stage(s, job, stage)
            task_waits_again(s, job, stage, task)


def is_needed(s: State, job: int, stage: int) -> bool:
    """Does a stage that has not finished read its output?"""
    if s.stage_is_read[stage] == 0:
        return False
    for reader in range(stage + 1, s.job_first_stage[job + 1]):
        if s.stage_is_finished[reader] == 0 and reads(s, reader, stage):
            return True
    return False


def reopen_stage(s: State, job: int, stage: int) -> None:
    """A stage has not finished after all: those that read it begin no task."""
    if s.stage_is_finished[stage] == 1:
        s.stage_is_finished[stage] = 0
        s.unfinished_stages[job] += 1
        for reader in range(stage + 1, s.job_first_stage[job + 1]):
            if reads(s, reader, stage):
                s.stage_missing[reader] += 1

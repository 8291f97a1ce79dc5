"""Tasks of containers that run one at a time: they fetch the output of the stages that theirs comes after,
and compute (STAGES-3).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.codes import INFINITE, NOISE_MS
from engine.simulation.applications.dag.stage_progress import DONE, NOT_DONE, finish_stage, reads, task_ms
from engine.simulation.applications.dag.task_speed import go_on, is_slowed, stop_counting
from engine.simulation.kernel.clock import MAX_DURATION_MS
from engine.simulation.kernel.node_rows import refresh_time, row_entry, set_row_end

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def start_readers(s: State, job: int, stage: int, now: int) -> None:
    """A stage has finished: running tasks of those that it was the last source of fetch all there is."""
    for reader in range(stage + 1, s.job_first_stage[job + 1]):
        if s.stage_missing[reader] == 0 and reads(s, reader, stage):
            s.stage_latest_output[reader] = latest_output(s, reader)
            for task in range(s.stage_draw[reader], s.stage_draw[reader] + s.stage_tasks[reader]):
                container = s.task_container[task]
                if (
                    container >= 0
                    and s.task_state[task] == NOT_DONE
                    and s.container_shuffle_end[container] < 0
                ):
                    start_fetching(s, job, container, now)


def start_fetching(s: State, job: int, container: int, now: int) -> None:
    """All its input is there, or will have come: when it has it, and has computed."""
    stage = s.running_stage[container]
    total = 0.0
    for place in range(s.stage_first_source[stage], s.stage_first_source[stage + 1]):
        total += s.stage_tasks[s.stage_source[place]] * s.source_fetch_ms[place]
    latest = min(s.stage_latest_output[stage], MAX_DURATION_MS)
    fetched = max(s.running_since[container] + min(total, MAX_DURATION_MS), latest)
    shuffle_end = int(math.ceil(fetched - NOISE_MS)) + s.shuffle_latency
    s.container_shuffle_end[container] = shuffle_end
    compute(s, job, container, shuffle_end, now)


def begin_task(s: State, job: int, stage: int, index: int, container: int, begin: int, now: int) -> None:
    """A task that has got its container begins: it computes, fetches what there is, or waits for output."""
    s.running_task[container] = s.stage_draw[stage] + index
    s.running_stage[container] = stage
    s.running_since[container] = begin
    s.container_shuffle_end[container] = -1
    if s.stage_first_source[stage] == s.stage_first_source[stage + 1]:
        compute(s, job, container, begin, now)
    elif s.stage_missing[stage] == 0:
        start_fetching(s, job, container, now)


def finish_task(s: State, job: int, container: int, now: int) -> None:
    """The task that a container runs has finished, and its stage perhaps with it."""
    stage, task = s.running_stage[container], s.running_task[container]
    s.task_state[task] = DONE
    s.task_end[task] = now
    s.stage_done[stage] += 1
    if s.stage_done[stage] == s.stage_tasks[stage]:
        finish_stage(s, job, stage)
        start_readers(s, job, stage, now)


def compute(s: State, job: int, container: int, begin: int, now: int) -> None:
    """Its task computes from `begin` on."""
    if is_slowed(s, job):
        go_on(s, job, container, now)
        return
    stage = s.running_stage[container]
    end = begin + task_ms(s, job, stage, s.running_task[container] - s.stage_draw[stage], container)
    set_row_end(s, row_entry(s, container), s.container_node[container], end)


def latest_output(s: State, stage: int) -> float:
    """The latest of "a task's end plus what is to be fetched from it on", over all that the stage reads: the
    ends of each source in ascending order, merged from the last to the first.
    """
    first, end = s.stage_first_source[stage], s.stage_first_source[stage + 1]
    count = 0
    for place in range(first, end):
        count += s.stage_tasks[s.stage_source[place]]
    ends = np.empty(count, np.int64)
    begins = np.empty(end - first, np.int64)
    left = np.empty(end - first, np.int64)
    count = 0
    for place in range(first, end):
        source = s.stage_source[place]
        begins[place - first], left[place - first] = count, s.stage_tasks[source]
        for task in range(s.stage_draw[source], s.stage_draw[source] + s.stage_tasks[source]):
            ends[count] = s.task_end[task]
            count += 1
        ends[begins[place - first] : count].sort()
    return latest_of_merged(s, first, ends, begins, left)


def latest_of_merged(s: State, first: int, ends: np.ndarray, begins: np.ndarray, left: np.ndarray) -> float:
    """ends: of each source from its place in begins on; left: how many it has."""
    latest = 0.0
    taken = np.zeros(len(left), np.int64)
    while True:
        last = -1
        for source in range(len(left)):
            if left[source] > 0 and (
                last < 0 or ends[begins[source] + left[source] - 1] > ends[begins[last] + left[last] - 1]
            ):
                last = source
        if last < 0:
            return latest
        left[last] -= 1
        taken[last] += 1
        to_fetch = 0.0
        for source in range(len(left)):
            to_fetch += taken[source] * s.source_fetch_ms[first + source]
        latest = max(latest, ends[begins[last] + left[last]] + to_fetch)


def wait_for_output(s: State, job: int, now: int) -> None:
    """Output is gone: running tasks that lack some do not know any more when they will have all."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_missing[stage] == 0:
            continue
        for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
            container = s.task_container[task]
            if container >= 0 and s.task_state[task] == NOT_DONE and s.container_shuffle_end[container] > now:
                stop_counting(s, job, container)
                s.container_shuffle_end[container] = -1
                s.row_end[row_entry(s, container)] = INFINITE
                refresh_time(s, s.container_node[container])

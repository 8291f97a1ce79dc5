"""The log of tasks in containers that run several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import NONE, RUNNING
from engine.run_records import RUNS_TASKS, RUNS_TEZ, TASK_RUN, Flags, Ints, Ints32, Record, array, number

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


class TaskLog(Record):
    """Every attempt of a task in a slot, in the order of their starts."""

    run_container: Ints32 = array(TASK_RUN, "", "its container", when=RUNS_TASKS)
    run_slot: Ints32 = array(TASK_RUN, "", "of the container", when=RUNS_TASKS)
    run_stage: Ints32 = array(TASK_RUN, "", "from 1", when=RUNS_TASKS)
    run_index: Ints32 = array(TASK_RUN, "", "which task of the stage", when=RUNS_TASKS)
    run_attempt: Ints32 = array(TASK_RUN, "", "from 1", when=RUNS_TASKS)
    run_start: Ints = array(TASK_RUN, "ms", "when it began", when=RUNS_TASKS)
    run_end: Ints = array(TASK_RUN, "ms", "when it ended", when=RUNS_TASKS)
    run_outcome: Flags = array(TASK_RUN, "", "how it ended", when=RUNS_TASKS)
    run_shuffle_end: Ints = array(
        TASK_RUN, "ms", "of Tez, when it had fetched what it reads", initial=NONE, when=RUNS_TEZ
    )
    run_count: int = number("", "written so far, and what found no room")


def log_task(s: State, job: int, container: int, slot: int, stage: int, task: int, now: int) -> int:
    """A task begins: its place in the log."""
    run = s.run_count
    s.run_count += 1
    if run < len(s.run_container):
        s.run_container[run] = container
        s.run_slot[run] = slot
        s.run_stage[run] = stage - s.job_first_stage[job] + 1
        s.run_index[run] = task - s.stage_draw[stage]
        s.run_attempt[run] = s.task_attempt[task]
        s.run_start[run] = now
        s.run_end[run] = NONE
        s.run_outcome[run] = RUNNING
    return run


def log_end(s: State, run: int, outcome: int, now: int) -> None:
    """It has ended, one way or the other."""
    if run < len(s.run_container):
        s.run_end[run] = now
        s.run_outcome[run] = outcome


def log_input(s: State, run: int, shuffle_end: int, now: int) -> None:
    """A task of Tez ends that had what it reads, if by then it had; shuffle_end: when, -1 for never."""
    if run < len(s.run_shuffle_end) and shuffle_end <= now:
        s.run_shuffle_end[run] = shuffle_end

"""What the Spark applications of a run made of their executors: pure functions of a Run.

An executor is *held* from its container's start to its end, of which it *launches* until it registers. From
then on it is *idle* while no slot of it runs a task; the slots of one that is not which run none are *free*.
Times are whole ms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import EXECUTOR, NONE
from engine.simulation.run import Run


class SlotUse(NamedTuple):
    """How many slots of an executor run tasks: `busy` from `at` ms until its next entry. An entry a change,
    by executor and then time; none where a task follows another within the same instant.
    """

    container: np.ndarray  # int64, index into run.containers
    at: np.ndarray
    busy: np.ndarray
    before: np.ndarray  # what `busy` was until then


class Steps(NamedTuple):
    """A number over time: `count` from `at` ms on; 0 before the first."""

    at: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # hides tuple.count


class ExecutorUse(NamedTuple):
    """One application. registered, running: executors over time that have registered and have not ended, and
    those of them that run a task.

    held_ms: from start to end, summed over its executors; registered_ms: of that, from registration on;
    idle_ms: of that, without a task; task_ms: time in which slots ran tasks, summed over slots, of whatever
    outcome; slots: of an executor.
    """

    registered: Steps
    running: Steps
    held_ms: int
    registered_ms: int
    idle_ms: int
    task_ms: int
    slots: int

    @property
    def idle_share(self) -> float | None:
        """Of the time from registration on, that in which executors had no task; None: none registered."""
        return self.idle_ms / self.registered_ms if self.registered_ms else None

    @property
    def free_share(self) -> float | None:
        """Of the slots' time from registration on, that which slots were free in executors that ran other
        tasks. With the idle share and that of tasks it sums to 1.
        """
        free_ms = self.slots * (self.registered_ms - self.idle_ms) - self.task_ms
        return free_ms / (self.slots * self.registered_ms) if self.registered_ms else None


def slots_of_jobs(run: Run) -> np.ndarray:
    """int64[jobs]: slots of an executor; 0 of a job without."""
    return np.array([job.slots for job in run.scenario.jobs], np.int64)[run.workload.job_group]


def slot_use(run: Run) -> SlotUse:
    """When the executors' busy slots change. Cost: that of sorting the tasks."""
    if run.tasks is None:
        return SlotUse(*np.empty((4, 0), np.int64))
    end = np.where(run.tasks.end == NONE, run.until_ms, run.tasks.end)
    container = np.tile(run.tasks.container.astype(np.int64), 2)
    at, change = np.concatenate([run.tasks.start, end]), np.repeat([1, -1], len(end))
    order = np.lexsort((at, container))
    container, at = container[order], at[order]
    is_last = (np.diff(container, append=NONE) != 0) | (np.diff(at, append=NONE) != 0)  # of its instant
    container, at = container[is_last], at[is_last]
    busy = np.cumsum(change[order])[is_last]  # every executor's sum is 0 at its end
    before = np.concatenate([[0], busy[:-1]])
    changes = busy != before
    return SlotUse(container[changes], at[changes], busy[changes], before[changes])


def registered_until(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """int64[containers] each: when each executor registered and when it ended, the same moment for one that
    ended before, and for what is no executor.
    """
    c = run.containers
    end = np.where(c.end == NONE, run.until_ms, c.end)
    begin = np.where((c.kind == EXECUTOR) & (c.begin != NONE), np.minimum(c.begin, end), end)
    return begin, end


def executor_use(run: Run, job: int) -> ExecutorUse:
    """Of one application; job: its index. Of a MapReduce job all is 0.

    Cost: linear in the run's containers and tasks.
    """
    slots = int(slots_of_jobs(run)[job])
    begin, end = registered_until(run)
    own = np.flatnonzero((run.containers.job == job) & (run.containers.kind == EXECUTOR))
    present = own[begin[own] < end[own]]
    use = slot_use(run)
    is_own = run.containers.job[use.container] == job
    starts, stops = is_own & (use.before == 0), is_own & (use.busy == 0)
    task_ms = int((use.at * (use.before - use.busy))[is_own].sum())
    running_ms = int(use.at[stops].sum() - use.at[starts].sum())
    registered_ms = int((end - begin)[present].sum())
    return ExecutorUse(
        registered=steps(begin[present], end[present]),
        running=steps(use.at[starts], use.at[stops]),
        held_ms=int((end - run.containers.start)[own].sum()),
        registered_ms=registered_ms,
        idle_ms=registered_ms - running_ms,
        task_ms=task_ms,
        slots=slots,
    )


def steps(starts: np.ndarray, ends: np.ndarray) -> Steps:
    """How many of these times have begun and not ended."""
    at, place = np.unique(np.concatenate([starts, ends]), return_inverse=True)
    change = np.zeros(len(at), np.int64)
    np.add.at(change, place, np.repeat([1, -1], [len(starts), len(ends)]))
    return Steps(at[change != 0], np.cumsum(change)[change != 0])

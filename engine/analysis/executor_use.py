"""What the Spark applications of a run made of their executors, and their stages: pure functions of a Run.

An executor is *held* from its container's start to its end, of which it *launches* until it registers. From
then on it is *idle* while no slot of it runs a task; the slots of one that is not which run none are *free*.
Times are whole ms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import EXECUTOR, FINISHED, NONE
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


class StageTimes(NamedTuple):
    """A stage of an application. start: of its first task; end: of its last, NONE while one is unfinished;
    ms. is_critical: the application, or the next critical stage, waited for its end.
    """

    name: str
    start: int
    end: int
    is_critical: bool


def slots_of_jobs(run: Run) -> np.ndarray:
    """int64[jobs]: slots of an executor; 0 of a MapReduce job."""
    groups = [job.executors.tasks_at_once if job.executors else 0 for job in run.scenario.jobs]
    return np.array(groups, np.int64)[run.workload.job_group]


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
        registered=_steps(begin[present], end[present]),
        running=_steps(use.at[starts], use.at[stops]),
        held_ms=int((end - run.containers.start)[own].sum()),
        registered_ms=registered_ms,
        idle_ms=registered_ms - running_ms,
        task_ms=task_ms,
        slots=slots,
    )


def stage_times(run: Run, job: int) -> list[StageTimes]:
    """The stages of an application in their order; none of a MapReduce job. job: its index.

    The critical path goes back from the stage that ended last, from each stage to the source that ended last,
    the first of several: Kelley and Walker 1959, by what happened. Cost: linear in the run's tasks.
    """
    group = run.scenario.jobs[run.workload.job_group[job]]
    stages = group.stages
    if not stages or run.tasks is None:
        return []
    own = run.containers.job[run.tasks.container] == job
    numbers, starts = run.tasks.stage[own] - 1, run.tasks.start[own]
    done = run.tasks.outcome[own] == FINISHED
    first = np.full(len(stages), run.until_ms + 1)
    np.minimum.at(first, numbers, starts)
    last = np.full(len(stages), NONE)
    np.maximum.at(last, numbers[done], run.tasks.end[own][done])
    finished = np.unique(np.stack([numbers[done], run.tasks.index[own][done]]), axis=1)[0]
    is_over = np.bincount(finished, minlength=len(stages)) == [stage.tasks for stage in stages]
    end = np.where(is_over, last, NONE).tolist()
    critical = _critical_path(group.stage_sources, end)
    return [
        StageTimes(name, NONE if begun > run.until_ms else begun, over, number in critical)
        for number, (name, begun, over) in enumerate(zip(group.stage_names, first.tolist(), end))
    ]


def longest_path_ms(run: Run) -> np.ndarray:
    """int64[jobs]: the longest way through an application's stages, each as long as its longest task that
    finished; 0 of a MapReduce job. No schedule of these tasks is shorter (Graham 1969).
    """
    total = np.zeros(len(run.workload.job_names), np.int64)
    if run.tasks is None:
        return total
    done = run.tasks.outcome == FINISHED
    job = run.containers.job[run.tasks.container[done]]
    lasts = (run.tasks.end - run.tasks.start)[done]
    longest = np.zeros((len(total), int(run.tasks.stage.max(initial=0))), np.int64)
    np.maximum.at(longest, (job, run.tasks.stage[done] - 1), lasts)
    for group, one in enumerate(run.scenario.jobs):
        jobs = np.flatnonzero(run.workload.job_group == group)
        reached = np.zeros((len(one.stages), len(jobs)), np.int64)
        for number, sources in enumerate(one.stage_sources):
            own = longest[jobs, number] if number < longest.shape[1] else 0
            reached[number] = reached[sources].max(axis=0, initial=0) + own
        total[jobs] = reached.max(axis=0, initial=0)
    return total


def _steps(starts: np.ndarray, ends: np.ndarray) -> Steps:
    at, place = np.unique(np.concatenate([starts, ends]), return_inverse=True)
    change = np.zeros(len(at), np.int64)
    np.add.at(change, place, np.repeat([1, -1], [len(starts), len(ends)]))
    return Steps(at[change != 0], np.cumsum(change)[change != 0])


def _critical_path(sources: list[list[int]], end: list[int]) -> set[int]:
    candidates, path = list(range(len(end))), set()
    while candidates:
        latest = max(candidates, key=lambda stage: end[stage])
        if end[latest] == NONE:
            break
        path.add(latest)
        candidates = sources[latest]
    return path

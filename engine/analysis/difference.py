"""What changed between two runs of one scenario: each job's finish, and each container's start, end and node.

Containers are matched by what they do: the same task of the same iteration of the same job; executors by the
order in which their job was given them. Of a task's attempts the one that finished counts; one that never
finished in either run has no counterpart. Cost: linear in containers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from engine.analysis.stage_times import stage_values
from engine.codes import EXECUTOR, FINISHED, MAP, MASTER, NONE, SPARK, TASK, TEZ
from engine.messages import msg
from engine.scenario.model import Job
from engine.simulation.run import Containers, Run

# of the two sums of a digest; odd, so that a product loses nothing
ODD_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
# what of a container, where and when
PLACEMENT_FIELDS = (
    "job",
    "stage",
    "kind",
    "index",
    "outcome",
    "node",
    "start",
    "end",
)


@dataclass(frozen=True)
class Difference:
    """From the run `a` to the run `b`. in_a, in_b: int64[matched], indices of the matched containers, in the
    order of jobs, iterations and tasks.

    finish_ms: int64[jobs], finish under b minus under a, 0 where one of them is none; compared: bool[jobs],
    both finish and neither fails. only_a, only_b: how many containers of each, killed attempts included, have
    no counterpart.
    """

    a: Run
    b: Run
    in_a: np.ndarray
    in_b: np.ndarray
    finish_ms: np.ndarray
    compared: np.ndarray

    @cached_property
    def start_ms(self) -> np.ndarray:
        """int64[matched]: start under b minus under a; below 0 it starts earlier."""
        return self.b.containers.start[self.in_b] - self.a.containers.start[self.in_a]

    @cached_property
    def end_ms(self) -> np.ndarray:
        """int64[matched]: end under b minus under a."""
        return self.b.containers.end[self.in_b] - self.a.containers.end[self.in_a]

    @cached_property
    def moved(self) -> np.ndarray:
        """bool[matched]: it runs on another node."""
        return self.b.containers.node[self.in_b] != self.a.containers.node[self.in_a]

    @property
    def only_a(self) -> int:
        """Containers of a without a counterpart."""
        return len(self.a.containers.job) - len(self.in_a)

    @property
    def only_b(self) -> int:
        """Containers of b without a counterpart."""
        return len(self.b.containers.job) - len(self.in_b)

    @property
    def alike(self) -> bool:
        """Every container, those killed and those still running too, is where and when it was in the other
        run.
        """
        if self.only_a != self.only_b or self.start_ms.any() or self.end_ms.any() or self.moved.any():
            return False
        return bool(
            (_unmatched_containers(self.a, self.in_a) == _unmatched_containers(self.b, self.in_b)).all()
        )


def difference(a: Run, b: Run) -> Difference:
    """Both of one scenario; ValueError if not."""
    if a.scenario.digest != b.scenario.digest:
        raise ValueError(msg("analysis.difference.both_runs_must_be_same_scenario"))
    first = _first_task(a, b)
    in_a, in_b = (_finishing_container(run, first) for run in (a, b))
    both = np.flatnonzero((in_a != NONE) & (in_b != NONE))
    compared = np.all([(run.jobs.finish != NONE) & (run.jobs.failed == 0) for run in (a, b)], axis=0)
    return Difference(
        a, b, in_a[both], in_b[both], np.where(compared, b.jobs.finish - a.jobs.finish, 0), compared
    )


def placement_digest(run: Run) -> tuple[int, int]:
    """128 bits of what every container is, where and when it ran, in whatever order they were placed; the
    same for equal runs. Cost: linear.
    """
    mixed = np.repeat(ODD_MULTIPLIERS[:, None], len(run.containers.job), axis=1)
    for field in (*PLACEMENT_FIELDS, "shuffle_end"):
        mixed ^= getattr(run.containers, field).astype(np.int64).view(np.uint64)
        mixed *= ODD_MULTIPLIERS[:, None]
        mixed ^= mixed >> np.uint64(29)
    first, second = (int(lane) for lane in mixed.sum(axis=1, dtype=np.uint64))
    return first, second


def _unmatched_containers(run: Run, matched: np.ndarray) -> np.ndarray:
    """int64[PLACEMENT_FIELDS, containers]: the placements of the containers without a counterpart, sorted."""
    is_unmatched = np.ones(len(run.containers.job), bool)
    is_unmatched[matched] = False
    table = np.stack(
        [getattr(run.containers, field)[is_unmatched].astype(np.int64) for field in PLACEMENT_FIELDS]
    )
    return table[:, np.lexsort(table)]


def _first_task(*runs: Run) -> np.ndarray:
    """int64[jobs + 1]: where the tasks of each job begin in a list of all: its master, then for each
    iteration its maps and its reduces, or those of its stages, or as many executors as it has in any of the
    runs.
    """
    work = runs[0].workload
    executors = np.zeros(len(work.job_names), np.int64)
    for c in (run.containers for run in runs):
        executors = np.maximum(executors, np.bincount(c.job[c.kind == EXECUTOR], minlength=len(executors)))
    tasks = np.where(np.isin(work.job_framework, (SPARK, TEZ)), executors, work.job_tasks)
    return np.concatenate([[0], np.cumsum(1 + tasks)])


def _finishing_container(run: Run, first: np.ndarray) -> np.ndarray:
    """int64[tasks]: the container that finished each task, NONE where none did."""
    c, work = run.containers, run.workload
    done = np.flatnonzero(c.outcome == FINISHED)
    job, kind = c.job[done], c.kind[done]
    maps = work.job_maps[job]
    offset = (
        1
        + (c.stage[done] - 1) * (maps + work.job_reduces[job])
        + c.index[done]
        + np.where(kind == MAP, 0, maps)
    )
    is_task = kind == TASK
    of_stages = done[is_task]
    before = stage_values(run, c.job[of_stages], c.stage[of_stages], _tasks_before)
    offset[is_task] = 1 + before + c.index[of_stages]
    offset[kind == EXECUTOR] = 1 + _executor_ranks(c)[done[kind == EXECUTOR]]
    finishers = np.full(first[-1], NONE, np.int64)
    finishers[first[job] + np.where(kind == MASTER, 0, offset)] = done
    return finishers


def _executor_ranks(c: Containers) -> np.ndarray:
    """int64[containers]: of each executor how many of its job come before it, by stage and index."""
    executors = np.flatnonzero(c.kind == EXECUTOR)
    executors = executors[np.lexsort((c.index[executors], c.stage[executors], c.job[executors]))]
    first = np.searchsorted(c.job[executors], c.job[executors])
    ranks = np.zeros(len(c.kind), np.int64)
    ranks[executors] = np.arange(len(executors)) - first
    return ranks


def _tasks_before(job: Job) -> list[int]:
    """Of each stage: how many tasks those before it in the list have."""
    return list(accumulate([0, *(stage.tasks for stage in job.stages)]))[:-1]

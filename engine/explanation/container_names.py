"""JOB/STAGE/KIND/INDEX[/ATTEMPT]: the name of a container, placed or not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import EXECUTOR, KINDS, MAP, MASTER, REDUCE, SPARK, TASK, TEZ
from engine.errors import GantryError
from engine.messages import msg
from engine.simulation.run import Run
from engine.simulation.workload import Workload


class NoSuchContainer(GantryError):
    """A container that the run does not have, or a name that is not JOB/STAGE/KIND/INDEX[/ATTEMPT]."""


class ContainerName(NamedTuple):
    """A container of a run by its job's index, iteration or stage from 1, kind (an index of KINDS), task from
    0 and attempt from 1; attempt 0: the last one.
    """

    text: str
    job: int
    stage: int
    kind: int
    task: int
    attempt: int

    @classmethod
    def of(cls, run: Run, text: str) -> ContainerName:
        """NoSuchContainer where the text names no task of the run's jobs."""
        parts = text.split("/")
        is_valid = (
            len(parts) in (4, 5)
            and parts[2] in KINDS
            and all(part.isascii() and part.isdigit() for part in (parts[1], *parts[3:]))
        )
        if not is_valid:
            raise NoSuchContainer(
                msg(
                    "explanation.container_names.no_container_write_job_stage_kind",
                    container=text,
                    kinds=", ".join(KINDS[:-1]) + f" or {KINDS[-1]}",
                )
            )
        work = run.workload
        if parts[0] not in work.job_names:
            raise NoSuchContainer(
                msg(
                    "explanation.container_names.there_no_job_first",
                    parts=parts[0],
                    job_names=work.job_names[0],
                )
            )
        job, kind = work.job_names.index(parts[0]), KINDS.index(parts[2])
        name = cls(text, job, int(parts[1]), kind, int(parts[3]), int(parts[4]) if len(parts) == 5 else 0)
        stages = _stages(run, job, kind)
        tasks = _count(run, job, kind, min(max(name.stage, 1), stages))
        if kind == TASK and work.job_framework[job] == SPARK:
            raise NoSuchContainer(
                msg(
                    "explanation.container_names.tasks_run_in_executors",
                    container=text,
                    job=work.job_names[job],
                )
            )
        if not tasks and name.stage <= 1:
            raise NoSuchContainer(
                msg(
                    "explanation.container_names.has_none_of_kind",
                    container=text,
                    job=work.job_names[job],
                    kind=KINDS[kind],
                )
            )
        if not (1 <= name.stage <= stages and name.task < tasks):
            raise NoSuchContainer(
                msg(
                    "explanation.container_names.job_has_no_such_task",
                    container=text,
                    job=work.job_names[job],
                    tasks=f"{tasks:,}",
                    kind=KINDS[kind],
                    stages=f"{stages:,}",
                )
            )
        return name

    def request(self, work: Workload) -> int:
        """The request that it is asked for by."""
        stage = self.stage - 1 if self.kind >= EXECUTOR else 0
        return int(work.job_first_request[self.job]) + self.kind + stage

    def number(self, run: Run) -> int | None:
        """Its index in run.containers, None where it was never placed."""
        c = run.containers
        is_match = (
            (c.job == self.job) & (c.stage == self.stage) & (c.kind == self.kind) & (c.index == self.task)
        )
        is_match &= c.attempt == self.attempt if self.attempt else c.attempt >= 1
        matches = np.flatnonzero(is_match)
        return int(matches[-1]) if len(matches) else None


def _stages(run: Run, job: int, kind: int) -> int:
    """Iterations of a job that have containers of a kind; its stages, of tasks."""
    if kind == TASK or (kind == EXECUTOR and run.workload.job_framework[job] == TEZ):
        return max(len(run.scenario.jobs[run.workload.job_group[job]].stages), 1)
    return 1 if kind == MASTER else int(run.workload.job_iterations[job])


def _count(run: Run, job: int, kind: int, stage: int) -> int:
    """Containers of a kind that a job has in one iteration or stage: executors are those asked for and not
    withdrawn.
    """
    work, waiting = run.workload, run.waiting
    if kind == EXECUTOR:
        c = run.containers
        placed = (c.job == job) & (c.kind == kind) & (c.stage == stage)
        unserved = waiting.count[(waiting.job == job) & (waiting.kind == kind) & (waiting.stage == stage)]
        return int(placed.sum() + unserved.sum())
    if kind == TASK:
        of_job = run.scenario.jobs[work.job_group[job]]
        has_tasks = of_job.stages and not of_job.slots
        return of_job.stages[stage - 1].tasks if has_tasks else 0
    of_kind = {MASTER: work.job_startup >= 0, REDUCE: work.job_reduces, MAP: work.job_maps}
    return int(of_kind[kind][job])


def stage_of_request(work: Workload, request: int) -> int:
    """From 1, of a request for tasks of a stage, or of Tez for its containers; 0 of other requests."""
    kind, job = work.request_kind[request], work.request_job[request]
    if kind != TASK and (kind != EXECUTOR or work.job_framework[job] != TEZ):
        return 0
    return request - int(work.job_first_request[job]) - int(kind) + 1


def name_of(run: Run, container: int) -> str:
    """JOB/STAGE/KIND/INDEX/ATTEMPT of a container by its index in run.containers."""
    c = run.containers
    parts = (c.stage[container], KINDS[c.kind[container]], c.index[container], c.attempt[container])
    return "/".join([run.workload.job_names[c.job[container]], *(str(part) for part in parts)])

"""The part of a record that an estimate may use: the attempts of the chosen jobs, and what ran beside them
before the first other job arrived.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.codes import EXECUTOR, FINISHED, INFINITE, MAP, MASTER, NONE, REDUCE
from engine.errors import SchedulerError
from engine.messages import msg
from engine.scenario.applications import noun
from engine.scenario.model import Job, Scenario
from engine.simulation.run import Containers, Run
from engine.simulation.workload import Workload


def is_mapreduce(job: Job) -> bool:
    """Is it a MapReduce job, of which tasks are known?"""
    return job.framework == "mapreduce" and not only_holds(job)


def is_other(job: Job) -> bool:
    """Is it neither a MapReduce job nor a Spark application, whose records are judged?"""
    return not (job.is_spark or is_mapreduce(job))


def replayed_noun(scenario: Scenario) -> str:
    """What those are called together whose records are judged."""
    return noun(job.framework for job in scenario.jobs if not is_other(job))


def shows_contention(job: Job) -> bool:
    """Is it known when its tasks compute? Demand slows nobody (CONTENTION-1)."""
    return job.framework in ("mapreduce", "demand")


def only_holds(job: Job) -> bool:
    """Is only known what resources it held? Of such an application no turnaround is told, and it does not
    grow.
    """
    # x_other: maps that stand for one in scenarios that were kept before there was demand
    return job.framework == "demand" or bool((job.model_extra or {}).get("x_other"))


@dataclass(frozen=True)
class Evidence:
    """Arrays over the scenario's jobs in the order of the file, and over its recorded attempts; times in ms.

    containers.job: index into scenario.jobs. chosen: whose record may be looked at. until: when the first job
    arrives that is not among them; of the time before, and of that alone, it is known what ran on a node.
    """

    scenario: Scenario
    work: Workload
    containers: Containers
    first_ask: np.ndarray  # NONE where it is not known
    finish: np.ndarray
    failed: np.ndarray
    spark: np.ndarray
    other: np.ndarray
    chosen: np.ndarray
    until: int

    @cached_property
    def is_chosen_attempt(self) -> np.ndarray:
        """bool, of each attempt: is it of a chosen MapReduce job?"""
        return (self.chosen & ~self.other & ~self.spark)[self.containers.job]

    @cached_property
    def maps_end(self) -> np.ndarray:
        """When the last map of each job ended that finished; NONE where none did."""
        c, ends = self.containers, np.full(len(self.finish), NONE)
        finished_maps = np.flatnonzero((c.kind == MAP) & (c.outcome == FINISHED))
        np.maximum.at(ends, c.job[finished_maps], c.end[finished_maps])
        return ends

    @cached_property
    def masters_start(self) -> np.ndarray:
        """When the first master of each job started; NONE without one."""
        c, starts = self.containers, np.full(len(self.finish), INFINITE)
        masters = np.flatnonzero(c.kind == MASTER)
        np.minimum.at(starts, c.job[masters], c.start[masters])
        return np.where(starts == INFINITE, NONE, starts)

    @cached_property
    def memory(self) -> np.ndarray:
        """MB of each attempt's container."""
        sizes = np.zeros((len(self.scenario.jobs), EXECUTOR + 1), np.int64)
        for job_index, job in enumerate(self.scenario.jobs):
            for kind, part in ((MASTER, job.am), (MAP, job.maps), (REDUCE, job.reduces)):
                sizes[job_index, kind] = part.memory_mb if part else 0
            if job.executors:
                sizes[job_index, EXECUTOR] = job.executors.container.memory_mb
        return sizes[self.containers.job, self.containers.kind]

    @cached_property
    def maps_of_jobs(self) -> np.ndarray:
        """Maps of each of the scenario's jobs, 1 at least."""
        return np.array([job.maps.count if job.maps else 1 for job in self.scenario.jobs])

    @cached_property
    def fetched_mb(self) -> np.ndarray:
        """MB that each attempt of a reduce fetches, by the scenario; 0 of others."""
        c, jobs = self.containers, self.scenario.jobs
        even = np.array(
            [
                job.shuffle_mb_per_map * job.maps.count / job.reduces.count
                if job.maps and job.reduces and job.reduces.count
                else 0.0
                for job in jobs
            ]
        )
        fetched = np.where(c.kind == REDUCE, even[c.job], 0.0)
        if len(self.work.reduce_part):
            base = np.zeros(len(jobs), np.int64)
            base[self.work.job_group] = self.work.reduce_base
            reduces = np.flatnonzero(c.kind == REDUCE)
            fetched[reduces] *= self.work.reduce_part[base[c.job[reduces]] + c.index[reduces]]
        return fetched


def evidence(run: Run, jobs: Iterable[int] | None = None) -> Evidence:
    """Of these jobs of a measured run, by index into its scenario's; by default of all. SchedulerError with
    none of its jobs.
    """
    scenario = run.scenario
    assert scenario.measured is not None  # or there were no run
    work, record = run.workload, scenario.measured.jobs
    count = len(scenario.jobs)
    chosen = np.zeros(count, bool)
    chosen[list(range(count) if jobs is None else jobs)] = True
    spark = np.array([job.is_spark for job in scenario.jobs])
    other = np.array([is_other(job) for job in scenario.jobs])
    arrival = np.empty(count, np.int64)
    arrival[work.job_group] = work.job_arrival
    other_arrivals = arrival[~chosen & ~other]
    if not (chosen & ~other).any():
        raise SchedulerError(msg("prediction.evidence.no_job_whose_record"))
    return Evidence(
        scenario=scenario,
        work=work,
        containers=run.containers._replace(job=work.job_group[run.containers.job]),
        first_ask=np.array(record.asked_ms, np.int64),
        finish=np.array(record.finish_ms, np.int64),
        failed=np.array(record.failed, bool),
        spark=spark,
        other=other,
        chosen=chosen,
        until=int(other_arrivals.min()) if len(other_arrivals) else INFINITE,
    )

"""What was measured on a real cluster as a Run like any other: nothing here is simulated."""

from __future__ import annotations

import numpy as np

from engine.codes import EXECUTOR, FINISHED, INFINITE, MAP, MASTER, NONE, REDUCE, TAKEN
from engine.errors import SchedulerError
from engine.messages import msg
from engine.scenario.measured import Measured, fingerprint
from engine.scenario.model import Scenario
from engine.schedulers.measured_policy import MEASURED
from engine.simulation.run import Containers, JobTimes, Run, TaskRuns, Waiting
from engine.simulation.workload import Workload, workload

RECORD_OF_OTHER_CLUSTER = msg("simulation.measured_run.measured_shows_recorded_nodes_and_jobs")


def why_not_measured(scenario: Scenario) -> str | None:
    """Why a scenario has no measured run, a sentence without its full stop: it has no record, or one of other
    nodes or jobs.
    """
    record = scenario.measured
    if record is None:
        return msg("simulation.measured_run.measured_shows_what_clusters_history_recorde")
    return None if record.of == fingerprint(scenario) else RECORD_OF_OTHER_CLUSTER


def measured_run(scenario: Scenario) -> Run:
    """The run of a scenario's own record. Containers stand in the order of their starts.

    SchedulerError where the scenario has no record, or one of other nodes or jobs.
    """
    if because := why_not_measured(scenario):
        raise SchedulerError(because)
    record = scenario.measured
    assert record is not None  # or there were a reason
    work = workload(scenario)
    if max(record.containers.node) >= len(work.node_names) or len(record.jobs.finish_ms) != len(
        scenario.jobs
    ):
        raise SchedulerError(msg("simulation.measured_run.measured_record_names_nodes_or_jobs"))
    if not _is_of_these_frameworks(record, scenario):
        raise SchedulerError(msg("simulation.measured_run.measured_record_names_other_executors"))
    containers = _containers(record, work)
    jobs = _jobs(record, work, containers)
    empty = np.zeros(0, np.int64)
    return Run(
        scenario=scenario,
        scheduler=MEASURED.name,
        status="finished",
        at_ms=int(max(containers.end.max(), jobs.finish.max())),
        because=None,
        workload=work,
        containers=containers,
        jobs=jobs,
        waiting=Waiting(empty, empty, empty, empty, empty),
        tasks=_tasks(record),
    )


def _is_of_these_frameworks(record: Measured, scenario: Scenario) -> bool:
    """Are executors those of Spark applications, which have no maps and reduces, and are tasks of their
    stages and in their slots?
    """
    c, t = record.containers, record.tasks
    if any(
        kind != MASTER and (kind == EXECUTOR) != scenario.jobs[job].is_spark
        for kind, job in zip(c.kind, c.job)
    ):
        return False
    ran = zip(t.container, t.stage, t.slot) if t else ()
    jobs = ((scenario.jobs[c.job[container]], stage, slot) for container, stage, slot in ran)
    return all(stage <= len(job.stages) and slot < job.slots for job, stage, slot in jobs)


def _containers(record: Measured, work: Workload) -> Containers:
    c = record.containers
    place = np.empty(len(work.job_group), np.int32)
    place[work.job_group] = np.arange(len(work.job_group))
    column = lambda values, kind=np.int64: np.array(values, kind)
    job = place[column(c.job)]
    return Containers(
        job=job,
        stage=np.ones(len(job), np.int32),
        kind=column(c.kind, np.int8),
        index=column(c.index, np.int32),
        attempt=column(c.attempt, np.int32),
        node=column(c.node, np.int32),
        requested=column(c.requested_ms),
        start=column(c.start_ms),
        shuffle_end=column(c.shuffle_end_ms),
        end=column(c.end_ms),
        outcome=column(c.outcome, np.int8),
        begin=column(c.begin_ms),
    )


def _tasks(record: Measured) -> TaskRuns | None:
    if record.tasks is None:
        return None
    t = record.tasks
    column = lambda values, kind=np.int32: np.array(values, kind)
    return TaskRuns(
        container=column(t.container),
        slot=column(t.slot),
        stage=column(t.stage),
        index=column(t.index),
        attempt=column(t.attempt),
        start=column(t.start_ms, np.int64),
        end=column(t.end_ms, np.int64),
        outcome=column(t.outcome, np.int8),
        shuffle_end=np.full(len(t.container), NONE, np.int64),
    )


def _jobs(record: Measured, work: Workload, c: Containers) -> JobTimes:
    jobs = len(work.job_names)
    started = np.full(jobs, INFINITE)
    np.minimum.at(started, c.job, c.start)
    ended = {}
    for kind, times in ((MAP, c.end), (REDUCE, c.shuffle_end)):
        rows = np.flatnonzero((c.kind == kind) & (c.outcome == FINISHED))
        ended[kind] = np.full(jobs, NONE)
        np.maximum.at(ended[kind], c.job[rows], times[rows])
    return JobTimes(
        arrival=work.job_arrival,
        start=np.where(started == INFINITE, NONE, started),
        maps_end=ended[MAP],
        shuffle_end=ended[REDUCE],
        finish=np.array(record.jobs.finish_ms, np.int64)[work.job_group],
        failed=np.array(record.jobs.failed, bool)[work.job_group],
        refused=np.full(jobs, TAKEN, np.int8),
    )

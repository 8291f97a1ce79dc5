"""What was measured on a real cluster, kept beside the scenario that its history makes: every attempt, the
tasks in executors' slots, and when each job asked and finished.
"""

from __future__ import annotations

import hashlib
import json
import re
from operator import le
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from engine.codes import EXECUTOR, OUTCOMES
from engine.messages import msg
from engine.scenario.field_types import MAX_COUNT, Text, Value, milliseconds

Column = Annotated[list[int], Field(fail_fast=True)]
DIGITS = re.compile("[0-9a-f]{16}")
MAX_MS = 2**53  # as a browser keeps whole numbers


def _digits(value: str) -> str:
    if not DIGITS.fullmatch(value):
        raise ValueError(msg("scenario.measured.must_be_digits_in_hexadecimal_small"))
    return value


class MeasuredJobs(Value):
    """Columns, an entry a job of the scenario in the order of the file; ms from the scenario's time 0."""

    asked_ms: Column  # its master's first ask, -1 where it is not known
    finish_ms: Column  # of a failed job its failure
    failed: Column  # 1 of a job that failed or was killed, else 0


class MeasuredContainers(Value):
    """Columns, an entry an attempt of a master, map, reduce or executor, in the order of start; ms from the
    scenario's time 0. Of an executor begin_ms is when it registered.
    """

    job: Column  # index into the scenario's jobs
    kind: Column  # index into KINDS, to EXECUTOR
    index: Column  # task from 0; executors in the order in which they registered
    attempt: Column  # from 1
    node: Column  # index into the nodes, group after group
    requested_ms: Column
    start_ms: Column
    begin_ms: Column
    shuffle_end_ms: Column  # -1 of what is no reduce, or never got there
    end_ms: Column
    outcome: Column  # index into OUTCOMES

    @model_validator(mode="after")
    def _relations(self) -> MeasuredContainers:
        columns = {name: getattr(self, name) for name in type(self).model_fields}
        if len({len(column) for column in columns.values()}) > 1:
            raise ValueError(msg("scenario.measured.must_have_columns_one_length"))
        if not self.job:
            raise ValueError(msg("scenario.measured.must_hold_at_least_one_attempt"))
        for name, column in columns.items():
            if min(column) < -(name == "shuffle_end_ms") + (name == "attempt") or max(column) > MAX_MS:
                raise ValueError(
                    msg(
                        "scenario.measured.must_have_at_least",
                        name=name,
                        value=-(name == "shuffle_end_ms") + (name == "attempt"),
                    )
                )
        if max(self.kind) > EXECUTOR or max(self.outcome) >= len(OUTCOMES):
            raise ValueError(
                msg(
                    "scenario.measured.must_have_kind_below_and_outcome",
                    kind_count=EXECUTOR + 1,
                    outcome_count=len(OUTCOMES),
                )
            )
        shuffle_ends = [
            end if shuffled < 0 else shuffled for shuffled, end in zip(self.shuffle_end_ms, self.end_ms)
        ]
        times = (self.requested_ms, self.start_ms, self.begin_ms, shuffle_ends, self.end_ms)
        if not all(all(map(le, early, late)) for early, late in zip(times, times[1:])):
            raise ValueError(msg("scenario.measured.must_have_requested_ms_start_ms"))
        if not all(map(le, self.start_ms, self.start_ms[1:])):
            raise ValueError(msg("scenario.measured.must_stand_in_order_start_ms"))
        return self


class MeasuredTasks(Value):
    """Columns, an entry an attempt of a task in a slot of an executor, in the order of start; ms from the
    scenario's time 0.
    """

    container: Column  # index into the measured containers, of an executor
    slot: Column  # of the executor, from 0
    stage: Column  # of the job's stages, from 1
    index: Column  # task from 0
    attempt: Column  # from 1
    start_ms: Column
    end_ms: Column
    outcome: Column  # index into OUTCOMES

    @model_validator(mode="after")
    def _relations(self) -> MeasuredTasks:
        columns = [getattr(self, name) for name in type(self).model_fields]
        if len({len(column) for column in columns}) > 1:
            raise ValueError(msg("scenario.measured.must_have_columns_one_length"))
        if not self.container:
            raise ValueError(msg("scenario.measured.must_hold_at_least_one_attempt"))
        for name, least in (("slot", 0), ("stage", 1), ("index", 0), ("attempt", 1)):
            column = getattr(self, name)
            if min(column) < least or max(column) > MAX_COUNT:
                raise ValueError(msg("scenario.measured.must_have_at_least", name=name, value=least))
        return self

    def fits(self, containers: MeasuredContainers) -> bool:
        """Whether each lies within an executor, in the order of start."""
        if min(self.container) < 0 or max(self.container) >= len(containers.job):
            return False
        return (
            0 <= min(self.outcome) <= max(self.outcome) < len(OUTCOMES)
            and all(map(le, self.start_ms, self.start_ms[1:]))
            and all(
                containers.kind[at] == EXECUTOR
                and containers.begin_ms[at] <= start <= end <= containers.end_ms[at]
                for at, start, end in zip(self.container, self.start_ms, self.end_ms)
            )
        )


class Measured(Value):
    """What a cluster did with these jobs. of: `fingerprint` of the nodes and jobs it is of; began_ms: the
    scenario's time 0, ms since 1970.
    """

    source: Annotated[Text, Field(max_length=500)] = ""
    of: Annotated[str, AfterValidator(_digits)]
    began_ms: Annotated[int, Field(ge=0, le=MAX_MS)] = 0
    jobs: MeasuredJobs
    containers: MeasuredContainers
    tasks: MeasuredTasks | None = None

    @model_validator(mode="after")
    def _relations(self) -> Measured:
        jobs = self.jobs
        if not len(jobs.asked_ms) == len(jobs.finish_ms) == len(jobs.failed):
            raise ValueError(msg("scenario.measured.must_have_columns_jobs_one_length"))
        if max(self.containers.job) >= len(jobs.finish_ms):
            raise ValueError(
                msg("scenario.measured.must_have_containers_its_jobs_alone", finish_ms=len(jobs.finish_ms))
            )
        if (
            min(jobs.asked_ms) < -1
            or min(jobs.finish_ms) < 0
            or not {*jobs.failed} <= {0, 1}
            or max(jobs.finish_ms + jobs.asked_ms) > MAX_MS
        ):
            raise ValueError(msg("scenario.measured.must_have_asked_ms_from_finish"))
        if self.tasks and not self.tasks.fits(self.containers):
            raise ValueError(
                msg("scenario.measured.must_have_tasks_in_executors", outcome_count=len(OUTCOMES))
            )
        return self


def fingerprint(scenario: Any) -> str:
    """Of the nodes and jobs that measured attempts are of: names, counts and sizes, racks and arrivals; 16
    digits in hexadecimal. Of Spark's executors size and slots count, and not how many they are.

    What else a job or the cluster has, such as durations, slow start, weights or launching, may change and
    the attempts are still theirs.
    """
    size = lambda part: [part.memory_mb, part.vcores]
    tasks = lambda stage: [stage.count, *size(stage)] if stage and stage.count else None
    nodes = [[group.name, group.count, *size(group), group.rack] for group in scenario.cluster.nodes]
    jobs = [
        [
            job.name,
            job.user,
            milliseconds(job.arrival_s),
            job.count,
            job.iterations,
            size(job.am) if job.am else None,
            tasks(job.maps),
            tasks(job.reduces),
            *([stage.tasks, *size(stage)] for stage in job.stages),
            *([[*size(job.executors.container), job.slots]] if job.executors else []),
        ]
        for job in scenario.jobs
    ]
    return hashlib.sha256(json.dumps([nodes, jobs], separators=(",", ":")).encode()).hexdigest()[:16]

"""Run: what ran where and when under one scheduler; a small record, its provenance with it.

Everything else (metrics, capacity, charts) is a pure function of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from engine import quantities
from engine.codes import JOB_OUTCOMES, KINDS, NONE, OUTCOMES, TAKEN
from engine.messages import msg
from engine.rich_display import RichDisplay
from engine.scenario.applications import noun
from engine.scenario.model import Scenario
from engine.simulation.workload import Workload

if TYPE_CHECKING:
    import pandas as pd


class Containers(NamedTuple):
    """One entry a container attempt, in the order of placement; arrays of one length. Times in ms; NONE (-1):
    there is none.
    """

    job: np.ndarray  # int32, index into workload.job_names
    stage: np.ndarray  # int32, iteration from 1
    kind: np.ndarray  # int8, index into KINDS
    index: np.ndarray  # type: ignore[assignment]  # int32, task from 0; hides tuple.index
    attempt: np.ndarray  # int32, from 1
    node: np.ndarray  # int32, index into workload.node_names
    requested: np.ndarray  # int64
    start: np.ndarray  # int64
    shuffle_end: np.ndarray  # int64, reduces that have fetched their input
    end: np.ndarray  # int64, NONE while running in a deadlock
    outcome: np.ndarray  # int8, index into OUTCOMES
    begin: np.ndarray  # int64, when its task begins: after its launch


class Fetches(NamedTuple):
    """Spans in which a reduce fetches without a pause, in the order of their starts. Times in ms."""

    container: np.ndarray  # index into Containers
    start: np.ndarray
    end: np.ndarray  # NONE while it fetches in a deadlock


class TaskRuns(NamedTuple):
    """One entry an attempt of a task in a slot of an executor, or in a held container, which has one; in the
    order of their starts; arrays of one length. Times in ms; NONE while it runs in a deadlock.
    """

    container: np.ndarray  # int32, index into Containers: its executor
    slot: np.ndarray  # int32, of the executor, from 0
    stage: np.ndarray  # int32, from 1, as the job's `stages`
    index: np.ndarray  # type: ignore[assignment]  # int32, from 0; hides tuple.index
    attempt: np.ndarray  # int32, from 1
    start: np.ndarray  # int64
    end: np.ndarray  # int64
    outcome: np.ndarray  # int8, index into OUTCOMES
    shuffle_end: np.ndarray  # int64, of Tez: when it had fetched what it reads


class Targets(NamedTuple):
    """How many executors each Spark application wanted, an entry a change in the order of time; arrays of one
    length. What YARN was asked for follows from it at the driver's next heartbeat.
    """

    job: np.ndarray  # int32, index into workload.job_names
    time: np.ndarray  # int64, ms
    executors: np.ndarray  # int64, from then on; 0 when the application, or its driver, has ended
    waiting: np.ndarray  # int64, tasks that waited then
    running: np.ndarray  # int64, tasks that ran then


class JobTimes(NamedTuple):
    """One entry a job, in job order (arrival, place in the file, copy); ms, NONE where there is none."""

    arrival: np.ndarray
    start: np.ndarray
    maps_end: np.ndarray
    shuffle_end: np.ndarray
    finish: np.ndarray  # of a failed job its failure
    failed: np.ndarray  # bool
    refused: np.ndarray  # int8, TAKEN or why it never ran (codes.py; in words: refused_jobs.py)


class Waiting(NamedTuple):
    """Requests never served, in a deadlock: one entry a request. stage: from 1."""

    job: np.ndarray
    kind: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # hides tuple.count
    since: np.ndarray
    stage: np.ndarray


@dataclass(frozen=True, repr=False)
class Run(RichDisplay):
    """One scenario under one scheduler.

    status is "finished", "deadlock" or, where every job is refused, "refused"; at_ms is the last start or
    end; because says in one sentence why it is stuck or refused (None when it is neither).
    memory_only: the scheduler fits by memory alone (resources=memory). fetches: where a fetch weight makes
    them follow from more than the maps' ends. tasks: of Spark applications, where there are any; of an
    executor's container `begin` is when it registered. targets: of these, how many executors they wanted.
    """

    scenario: Scenario
    scheduler: str
    status: str
    at_ms: int
    because: str | None
    workload: Workload
    containers: Containers
    jobs: JobTimes
    waiting: Waiting
    memory_only: bool = False
    fetches: Fetches | None = None
    tasks: TaskRuns | None = None
    targets: Targets | None = None

    @property
    def first_ms(self) -> int:
        """The first arrival of a job that is not refused; of any where all are."""
        taken = self.jobs.arrival[self.jobs.refused == TAKEN]
        return int((taken if len(taken) else self.jobs.arrival).min())

    @property
    def noun(self) -> str:
        """What its jobs are called together."""
        return noun(job.framework for job in self.scenario.jobs)

    @property
    def until_ms(self) -> int:
        """Where utilization ends: the last finish, or at_ms in a deadlock."""
        return int(self.jobs.finish.max()) if self.status == "finished" else self.at_ms

    def __repr__(self) -> str:
        return msg(
            "simulation.run.text",
            scheduler=self.scheduler,
            scenario=self.scenario.name or "Scenario",
            jobs=quantities.count(len(self.workload.job_names), self.noun),
            containers=quantities.count(len(self.containers.job), "containers"),
            nodes=quantities.count(len(self.workload.node_names), "nodes"),
            status=self.status,
            moment=quantities.moment(self.until_ms),
        )

    def frame(self, rows: Literal["containers", "jobs"] = "containers") -> pd.DataFrame:
        """A table of pandas with names instead of indices and seconds instead of milliseconds, NaN where
        there is no such time: a row a container attempt, columns as in the contract's result, or a row a job,
        by its name, with its user and queue.
        """
        return self._job_frame() if rows == "jobs" else self._container_frame()

    def _container_frame(self) -> pd.DataFrame:
        import pandas as pd  # takes longer than most runs

        c, work = self.containers, self.workload
        return pd.DataFrame(
            {
                "job": pd.Categorical.from_codes(c.job, work.job_names),
                "stage": c.stage,
                "kind": pd.Categorical.from_codes(c.kind, KINDS),
                "index": c.index,
                "attempt": c.attempt,
                "node": pd.Categorical.from_codes(c.node, work.node_names),
                "requested_s": _seconds(c.requested),
                "start_s": _seconds(c.start),
                "shuffle_end_s": _seconds(c.shuffle_end),
                "end_s": _seconds(c.end),
                "outcome": pd.Categorical.from_codes(c.outcome, OUTCOMES),
                "begin_s": _seconds(c.begin),
            }
        )

    def _job_frame(self) -> pd.DataFrame:
        import pandas as pd

        work = self.workload
        labels = {
            "user": work.job_users,
            "queue": [work.queues.names[queue] for queue in work.job_queue.tolist()],
        }
        times = {f"{name}_s": _seconds(column) for name, column in zip(self.jobs._fields, self.jobs[:5])}
        outcome = np.where(self.jobs.finish == NONE, NONE, self.jobs.failed)
        outcome = np.where(self.jobs.refused == TAKEN, outcome, JOB_OUTCOMES.index("refused"))
        ends = {"outcome": pd.Categorical.from_codes(outcome, JOB_OUTCOMES)}
        return pd.DataFrame(labels | times | ends, index=pd.Index(work.job_names, name="job"))


def _seconds(times: np.ndarray) -> np.ndarray:
    return np.where(times == NONE, np.nan, times / 1000)

"""A Spark application as its event log tells it. Times are ms since 1970, UNKNOWN (-1) where the log doesn't
say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.codes import UNKNOWN


class SparkTask(NamedTuple):
    """One attempt of a task. stage, stage_attempt, number: from 0, as Spark counts; index: of its partition,
    before Spark 3.3 of the task in the attempt of the stage; outcome: FINISHED, FAILED, KILLED or RUNNING;
    reason: of one that failed or was killed; local_bytes, remote_bytes: of the shuffle that it read.
    """

    stage: int
    stage_attempt: int
    id: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    number: int
    executor: str
    host: str
    launch_ms: int
    finish_ms: int
    outcome: str
    reason: str
    is_speculative: bool
    locality: str
    run_ms: int
    gc_ms: int
    fetch_wait_ms: int
    local_bytes: int
    remote_bytes: int


@dataclass
class SparkStage:
    """One attempt of a stage. rdd: the id of what it computes, which a stage of another job may compute
    again; is_result: the driver has its tasks' results, and no stage reads output of it; submitted_ms:
    UNKNOWN of one that was skipped, as its output was there; failure: "" of one that did not fail.
    """

    id: int
    attempt: int
    name: str = ""
    tasks: int = 0
    parents: tuple[int, ...] = ()
    rdd: int = UNKNOWN
    is_barrier: bool = False
    is_result: bool = False
    submitted_ms: int = UNKNOWN
    completed_ms: int = UNKNOWN
    failure: str = ""


@dataclass
class SparkJob:
    """One action. execution: of the SQL query that it belongs to, else ""; pool: of the FAIR scheduler."""

    id: int
    submitted_ms: int = UNKNOWN
    completed_ms: int = UNKNOWN
    result: str = ""
    stages: tuple[int, ...] = ()
    pool: str = ""
    execution: str = ""


@dataclass
class SparkExecutor:
    """One executor. host: with the port of its NodeManager's web page where the log names it, as in
    histories of MapReduce.
    """

    id: str
    host: str = ""
    container: str = ""
    cores: int = UNKNOWN
    requested_ms: int = UNKNOWN
    registered_ms: int = UNKNOWN
    removed_ms: int = UNKNOWN
    removal: str = ""


@dataclass
class SparkApplication:
    """All that logs say of one attempt of an application. ready_ms: when its driver had begun; last_ms: the
    latest time in the log; running: attempts of tasks that have begun, those that ended among them; parts:
    numbers of a rolled log's files, and whether each is compacted.
    """

    id: str
    attempt: str = ""
    name: str = ""
    user: str = ""
    version: str = ""
    start_ms: int = UNKNOWN
    ready_ms: int = UNKNOWN
    end_ms: int = UNKNOWN
    last_ms: int = UNKNOWN
    driver_host: str = ""
    properties: dict[str, str] = field(default_factory=dict)
    executors: dict[str, SparkExecutor] = field(default_factory=dict)
    jobs: dict[int, SparkJob] = field(default_factory=dict)
    stages: dict[tuple[int, int], SparkStage] = field(default_factory=dict)
    tasks: dict[int, SparkTask] = field(default_factory=dict)
    running: dict[int, SparkTask] = field(default_factory=dict)
    resubmitted: int = 0
    parts: dict[int, bool] = field(default_factory=dict)

    def missing_parts(self) -> tuple[int, int]:
        """How many files of a rolled log are not there, and the number of the first; (0, 0) without any."""
        begin = max((number for number, is_compacted in self.parts.items() if is_compacted), default=1)
        there = {number for number in self.parts if number >= begin}
        missing = max(there, default=begin - 1) - begin + 1 - len(there)
        first = begin
        while first in there:
            first += 1
        return (missing, first) if missing else (0, 0)

    def stage(self, id: int, attempt: int) -> SparkStage:
        """The attempt of the stage, new where no event has named it yet."""
        return self.stages.setdefault((id, attempt), SparkStage(id, attempt))

    def executor(self, id: str) -> SparkExecutor:
        """The executor, new where no event has named it yet."""
        return self.executors.setdefault(id, SparkExecutor(id))

    def job(self, id: int) -> SparkJob:
        """The job, new where no event has named it yet."""
        return self.jobs.setdefault(id, SparkJob(id))

    def hosts(self) -> list[str]:
        """Those of its driver and its executors that are known; none of one that ran no task, whose driver
        may have told its address alone.
        """
        if not (self.tasks or self.running):
            return []
        return [host for host in (self.driver_host, *(one.host for one in self.executors.values())) if host]

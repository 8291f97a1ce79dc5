"""The events of a Spark event log, and which of their fields are used; msgspec passes over the rest unbuilt.

Source: org.apache.spark.util.JsonProtocol of Spark 1.2 to 4.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import field

from engine.codes import UNKNOWN

PREFIX = "SparkListener"
USED_EVENTS = frozenset(
    PREFIX + name
    for name in (
        "LogStart",
        "ApplicationStart",
        "ApplicationEnd",
        "EnvironmentUpdate",
        "BlockManagerAdded",
        "ExecutorAdded",
        "ExecutorRemoved",
        "JobStart",
        "JobEnd",
        "StageSubmitted",
        "StageCompleted",
        "TaskStart",
        "TaskEnd",
    )
)


class RddInfo(msgspec.Struct):
    id: int = field(name="RDD ID", default=UNKNOWN)
    is_barrier: bool = field(name="Barrier", default=False)


class StageInfo(msgspec.Struct):
    """Of an attempt of a stage; its own RDD is the first."""

    id: int = field(name="Stage ID")
    attempt: int = field(name="Stage Attempt ID", default=0)
    name: str = field(name="Stage Name", default="")
    tasks: int = field(name="Number of Tasks", default=0)
    rdds: list[RddInfo] = field(name="RDD Info", default_factory=list)
    parents: list[int] = field(name="Parent IDs", default_factory=list)
    submitted: int = field(name="Submission Time", default=UNKNOWN)
    completed: int = field(name="Completion Time", default=UNKNOWN)
    failure: str = field(name="Failure Reason", default="")


class TaskInfo(msgspec.Struct):
    id: int = field(name="Task ID")
    index: int = field(name="Index", default=0)
    partition: int = field(name="Partition ID", default=UNKNOWN)  # since Spark 3.3
    number: int = field(name="Attempt", default=0)
    launch: int = field(name="Launch Time", default=UNKNOWN)
    finish: int = field(name="Finish Time", default=UNKNOWN)
    executor: str = field(name="Executor ID", default="")
    host: str = field(name="Host", default="")
    locality: str = field(name="Locality", default="")
    is_speculative: bool = field(name="Speculative", default=False)
    is_failed: bool = field(name="Failed", default=False)
    is_killed: bool = field(name="Killed", default=False)


class ShuffleRead(msgspec.Struct):
    fetch_wait: int = field(name="Fetch Wait Time", default=0)
    local_bytes: int = field(name="Local Bytes Read", default=0)
    remote_bytes: int = field(name="Remote Bytes Read", default=0)


class TaskMetrics(msgspec.Struct):
    run: int = field(name="Executor Run Time", default=UNKNOWN)
    gc: int = field(name="JVM GC Time", default=UNKNOWN)
    shuffle_read: ShuffleRead | None = field(name="Shuffle Read Metrics", default=None)


class EndReason(msgspec.Struct):
    """Why a task ended: TaskEndReason's name, and what it has beside."""

    reason: str = field(name="Reason", default="")
    kill_reason: str = field(name="Kill Reason", default="")
    loss_reason: str = field(name="Loss Reason", default="")
    class_name: str = field(name="Class Name", default="")


class ExecutorInfo(msgspec.Struct):
    host: str = field(name="Host", default="")
    cores: int = field(name="Total Cores", default=UNKNOWN)
    logs: dict[str, str] | None = field(name="Log Urls", default=None)
    requested: int | None = field(name="Request Time", default=None)
    registered: int | None = field(name="Registration Time", default=None)


class BlockManagerId(msgspec.Struct):
    executor: str = field(name="Executor ID", default="")
    host: str = field(name="Host", default="")


class JobResult(msgspec.Struct):
    result: str = field(name="Result", default="")


class Event(msgspec.Struct):
    """The fields of any event that are used, by their names in Spark; what one does not have is as
    unknown.
    """

    type: str = field(name="Event")
    version: str = field(name="Spark Version", default="")
    timestamp: int = field(name="Timestamp", default=UNKNOWN)
    app_name: str = field(name="App Name", default="")
    app_id: str | None = field(name="App ID", default=None)
    app_attempt: str | None = field(name="App Attempt ID", default=None)
    user: str = field(name="User", default="")
    driver_logs: dict[str, str] | None = field(name="Driver Logs", default=None)
    spark_properties: Any = field(name="Spark Properties", default=None)
    block_manager: BlockManagerId | None = field(name="Block Manager ID", default=None)
    executor: str = field(name="Executor ID", default="")
    executor_info: ExecutorInfo | None = field(name="Executor Info", default=None)
    removal: str = field(name="Removed Reason", default="")
    job: int = field(name="Job ID", default=UNKNOWN)
    submitted: int = field(name="Submission Time", default=UNKNOWN)
    completed: int = field(name="Completion Time", default=UNKNOWN)
    job_result: JobResult | None = field(name="Job Result", default=None)
    stage_ids: list[int] = field(name="Stage IDs", default_factory=list)
    stage_infos: list[StageInfo] = field(name="Stage Infos", default_factory=list)
    properties: dict[str, Any] | None = field(name="Properties", default=None)
    stage_info: StageInfo | None = field(name="Stage Info", default=None)
    stage: int = field(name="Stage ID", default=UNKNOWN)
    stage_attempt: int = field(name="Stage Attempt ID", default=0)
    task_type: str = field(name="Task Type", default="")
    task_info: TaskInfo | None = field(name="Task Info", default=None)
    task_metrics: TaskMetrics | None = field(name="Task Metrics", default=None)
    end_reason: EndReason | None = field(name="Task End Reason", default=None)

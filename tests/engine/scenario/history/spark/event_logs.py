"""Spark event logs made in tests, with the fields that Spark writes and only those that are read."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.history.records import History
from engine.scenario.history.spark.event_log import add_event_log
from engine.scenario.history.spark.event_records import SparkApplication

ZERO = 1_700_000_000_000  # ms since 1970
ID = "application_1699999999999_0001"
ON_YARN = {"spark.master": "yarn", "spark.submit.deployMode": "cluster"}


class EventLog:
    """The events of one application, times in ms from ZERO on; `data` is the file."""

    def __init__(self, id: str | None = ID, attempt: str | None = "1") -> None:
        self.lines: list[str] = []
        self._task = 0
        self._id, self._attempt = id, attempt

    def event(self, name: str, **fields: Any) -> None:
        """One event; fields by their names in Spark, with _ for spaces."""
        values = {key.replace("_", " "): value for key, value in fields.items() if value is not None}
        self.lines.append(json.dumps({"Event": f"SparkListener{name}"} | values, separators=(",", ":")))

    def begin(self, properties: Mapping[str, str] = ON_YARN, version: str = "3.5.6") -> None:
        """What each log begins with: the driver is up at 0.4 s."""
        self.event("LogStart", Spark_Version=version)
        driver = {"Executor ID": "driver", "Host": "n1", "Port": 1}
        self.event("BlockManagerAdded", Block_Manager_ID=driver, Timestamp=ZERO + 400)
        self.event("EnvironmentUpdate", Spark_Properties=dict(properties))
        self.event(
            "ApplicationStart",
            App_Name="etl",
            App_ID=self._id,
            App_Attempt_ID=self._attempt,
            Timestamp=ZERO,
            User="ann",
        )

    def executor(
        self, id: str, at: int, cores: int = 2, asked: int | None = None, host: str = "n1:8042"
    ) -> None:
        logs = {"stdout": f"http://{host}/node/containerlogs/container_1_0001_01_00000{id}/ann/stdout"}
        info = {"Host": host.partition(":")[0], "Total Cores": cores, "Log Urls": logs}
        if asked is not None:
            info["Request Time"] = ZERO + asked
        self.event("ExecutorAdded", Timestamp=ZERO + at, Executor_ID=id, Executor_Info=info)

    def removed(self, id: str, at: int, reason: str) -> None:
        self.event("ExecutorRemoved", Timestamp=ZERO + at, Executor_ID=id, Removed_Reason=reason)

    def job(
        self,
        id: int,
        at: int,
        stages: Sequence[dict[str, Any]],
        properties: Mapping[str, str] | None = None,
    ) -> None:
        self.event(
            "JobStart",
            Job_ID=id,
            Submission_Time=ZERO + at,
            Stage_Infos=stages,
            Stage_IDs=[one["Stage ID"] for one in stages],
            Properties=properties,
        )

    def job_end(self, id: int, at: int, result: str = "JobSucceeded") -> None:
        self.event("JobEnd", Job_ID=id, Completion_Time=ZERO + at, Job_Result={"Result": result})

    def stage(
        self,
        info: dict[str, Any],
        begin: int,
        durations: Sequence[int],
        attempt: int = 0,
        failure: str | None = None,
        task_type: str = "ShuffleMapTask",
    ) -> int:
        """A stage whose tasks run all at once; returns when it ended."""
        info = info | {"Stage Attempt ID": attempt, "Submission Time": ZERO + begin}
        self.event("StageSubmitted", Stage_Info=info)
        for index, duration in enumerate(durations):
            self.task(info["Stage ID"], index, begin, begin + duration, None, attempt, task_type)
        end = begin + max(durations)
        info["Completion Time"] = ZERO + end
        if failure:
            info["Failure Reason"] = failure
        self.event("StageCompleted", Stage_Info=info)
        return end

    def attempt(
        self, info: dict[str, Any], number: int, begin: int, end: int, failure: str | None = None
    ) -> None:
        """An attempt of a stage without its tasks."""
        self.event(
            "StageCompleted",
            Stage_Info=info
            | {"Stage Attempt ID": number, "Submission Time": ZERO + begin, "Completion Time": ZERO + end}
            | ({"Failure Reason": failure} if failure else {}),
        )

    def task(
        self,
        stage: int,
        index: int,
        begin: int,
        end: int | None,
        reason: Mapping[str, Any] | None = None,
        stage_attempt: int = 0,
        task_type: str = "ShuffleMapTask",
        **info: Any,
    ) -> int:
        """An attempt of a task, with its beginning alone where `end` is None; returns its id."""
        self._task += 1
        of_task: dict[str, Any] = {
            "Task ID": self._task,
            "Index": index,
            "Attempt": 0,
            "Launch Time": ZERO + begin,
            "Executor ID": "1",
            "Host": "n1",
            "Locality": "NODE_LOCAL",
            "Speculative": False,
            "Finish Time": 0,
            "Failed": False,
            "Killed": False,
        } | info
        place = {"Stage_ID": stage, "Stage_Attempt_ID": stage_attempt}
        self.event("TaskStart", **place, Task_Info=of_task)
        if end is not None:
            self.event(
                "TaskEnd",
                **place,
                Task_Type=task_type,
                Task_End_Reason=reason or {"Reason": "Success"},
                Task_Info=of_task | {"Finish Time": ZERO + end},
                Task_Metrics={
                    "Executor Run Time": end - begin - 10,
                    "JVM GC Time": 5,
                    "Shuffle Read Metrics": {
                        "Fetch Wait Time": 3,
                        "Local Bytes Read": 100,
                        "Remote Bytes Read": 200,
                    },
                },
            )
        return self._task

    def end(self, at: int) -> None:
        self.event("ApplicationEnd", Timestamp=ZERO + at)

    @property
    def data(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines).encode()

    @property
    def record(self) -> SparkApplication:
        """What is read of it."""
        return record(self.data)

    @property
    def imported(self) -> ImportedScenario:
        """The scenario that it makes."""
        return read_files([(ID, io.BytesIO(self.data))])


def record(*files: bytes, name: str = ID) -> SparkApplication:
    """What is read of the files of one log."""
    history = History()
    for data in files:
        add_event_log(history, Source(io.BytesIO(data), is_json=False), name)
    (app,) = history.spark.values()
    return app


def stage_info(id: int, parents: Sequence[int] = (), rdd: int | None = None, **fields: Any) -> dict[str, Any]:
    """A stage as a job's start tells it; rdd: what it computes, else one of its own."""
    rdds = [{"RDD ID": 100 + id if rdd is None else rdd, "Barrier": False}]
    return {
        "Stage ID": id,
        "Stage Attempt ID": 0,
        "Stage Name": f"s{id}",
        "Number of Tasks": 1,
        "RDD Info": rdds,
        "Parent IDs": [*parents],
    } | fields


def plain_log() -> EventLog:
    """Two sources and a join, and a second job that reads it after 2 s of the driver's own work, on fixed
    executors.
    """
    log = EventLog()
    log.begin(ON_YARN | {"spark.executor.instances": "2", "spark.yarn.queue": "root.a"})
    log.executor("1", 3000)
    log.executor("2", 4000, host="n2:8042")
    join = [stage_info(0), stage_info(1), stage_info(2, [0, 1])]
    log.job(0, 5000, join)
    first = log.stage(join[0], 5000, [1000, 2000])
    log.stage(join[1], 5000, [500])
    end = log.stage(join[2], first, [1000, 1500])
    log.job_end(0, end)
    again = [stage_info(3, rdd=102), stage_info(4, [3])]
    log.job(1, end + 2000, again)
    end = log.stage(again[1], end + 2000, [700], task_type="ResultTask")
    log.job_end(1, end)
    log.end(end + 300)
    return log


def lossy_log() -> EventLog:
    """Two executors, of which the second is lost with its task at 8 s, which runs again on the first."""
    log = EventLog()
    log.begin()
    log.executor("1", 3000, cores=1)
    log.executor("2", 4000, cores=1, host="n2:8042")
    info = stage_info(0)
    log.job(0, 5000, [info])
    log.task(0, 0, 5000, 9000)
    lost = {"Reason": "ExecutorLostFailure", "Loss Reason": "node"}
    log.task(0, 1, 5000, 8000, reason=lost, **{"Executor ID": "2", "Failed": True})
    log.removed("2", 8000, "node")
    log.task(0, 1, 9000, 13_000, Attempt=1)
    log.job_end(0, 13_000)
    log.end(13_000)
    return log


def retried_log(names_partitions: bool = True) -> EventLog:
    """Two stages, of 4 tasks and 2, on two executors; the second is lost at 8 s while the second stage runs,
    which fails, and both run again what is missing. Spark counts an attempt's tasks from 0.
    """

    def task(stage: int, partition: int, executor: int, begin: int, end: int, **fields: Any) -> None:
        index, named = fields.pop("index", partition), {"Partition ID": partition} if names_partitions else {}
        log.task(stage, index, begin, end, **named, **{"Executor ID": f"{executor}"}, **fields)

    log, infos = EventLog(), [stage_info(0), stage_info(1, [0])]
    log.begin()
    log.executor("1", 3000)
    log.executor("2", 3000, host="n2:8042")
    log.job(0, 5000, infos)
    log.attempt(infos[0], 0, 5000, 7000)
    for partition in range(4):
        task(0, partition, 1 + partition % 2, 5000, 7000)
    log.attempt(infos[1], 0, 7000, 8500, "FetchFailed")
    task(1, 0, 1, 7000, 8400, reason={"Reason": "FetchFailed"}, Failed=True)
    task(1, 1, 2, 7000, 8000, reason={"Reason": "ExecutorLostFailure"}, Failed=True)
    log.removed("2", 8000, "node")
    log.attempt(infos[0], 1, 8500, 9500)
    for index, partition in enumerate((1, 3)):
        task(0, partition, 1, 8500, 9500, stage_attempt=1, index=index)
    log.attempt(infos[1], 1, 9500, 11_500)
    for partition in range(2):
        task(1, partition, 1, 9500, 11_500, stage_attempt=1)
    log.job_end(0, 11_500)
    log.end(11_500)
    return log

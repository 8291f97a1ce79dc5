from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.readers import read
from engine.scenario.formats.time_window import Part
from tests.engine.scenario.history.job_histories import plain_job
from tests.engine.scenario.history.spark.event_logs import (
    ID,
    ON_YARN,
    ZERO,
    EventLog,
    plain_log,
    stage_info,
)
from tests.phrases import phrase

DYNAMIC = ON_YARN | {"spark.dynamicAllocation.enabled": "true", "spark.dynamicAllocation.maxExecutors": "4"}


def job_of(log: EventLog) -> dict[str, Any]:
    (job,) = log.imported.scenario.plain()["jobs"]
    return job


def short_log(properties: dict[str, str] = ON_YARN, id: str = ID, attempt: str = "1") -> EventLog:
    """One job of one stage with two tasks from 5 s on."""
    log = EventLog(id, attempt)
    log.begin(properties)
    log.executor("1", 3000)
    log.job(0, 5000, [stage_info(0)])
    log.stage(stage_info(0), 5000, [1000, 1000])
    log.job_end(0, 6000)
    log.end(6000)
    return log


def test_the_application_as_a_job() -> None:
    job = job_of(plain_log())
    assert (job["name"], job["framework"], job["queue"], job["user"]) == ("etl", "spark", "root.a", "ann")
    assert (job["am"]["memory_mb"], job["am"]["startup_s"], job["am"]["heartbeat_s"]) == (1408, 0.4, 3.0)
    assert job["executors"] == {"memory_mb": 1024, "vcores": 2, "launch_s": 2.6, "count": 2}
    assert [(stage["name"], stage["tasks"], stage.get("after")) for stage in job["stages"]] == [
        ("driver before job 0", 1, None),
        ("0 s0", 2, ["driver before job 0"]),
        ("1 s1", 1, ["driver before job 0"]),
        ("2 s2", 2, ["0 s0", "1 s1"]),
        ("driver before job 1", 1, ["2 s2"]),
        ("4 s4", 1, ["2 s2", "driver before job 1"]),
        (phrase("history.driver_at_the_end"), 1, ["4 s4"]),
    ]
    assert [stage.get("result", False) for stage in job["stages"]] == [
        True,
        False,
        False,
        False,
        True,
        True,
        True,
    ]
    durations = [stage["duration_s"] for stage in job["stages"]]
    assert durations == [1.0, {"values": [1.0, 2.0]}, 0.5, {"values": [1.0, 1.5]}, 2.0, 0.7, 0.3]


def test_what_is_told() -> None:
    assert plain_log().imported.assumptions[:3] == [
        phrase("history.application_has_no_recorded_submission", 1),
        phrase("history.stage_skipped", 1),
        phrase("history.gaps_of_driver", 3),
    ]


def test_the_nodes_are_those_of_its_executors() -> None:
    cluster = plain_log().imported.scenario.plain()["cluster"]
    assert [group["x_hosts"] for group in cluster["nodes"]] == [["n1", "n2"]]


def test_executors_are_asked_for_once_a_stage_waits_under_dynamic_allocation() -> None:
    log = EventLog()
    log.begin(DYNAMIC)
    log.job(0, 5000, [stage_info(0)])
    log.executor("1", 9000, asked=6000)
    log.executor("2", 12_000, asked=7000)
    log.stage(stage_info(0), 5000, [4000])
    log.job_end(0, 9000)
    log.end(9000)
    job = job_of(log)
    assert (job["am"]["startup_s"], job["executors"]["launch_s"]) == (5.0, 3.0)
    assert job["executors"]["dynamic"] == {"maximum": 4, "initial": 0}
    assert [stage["name"] for stage in job["stages"]] == ["0 s0"]


def test_a_log_without_executors_has_those_of_its_tasks() -> None:
    log = EventLog("local-1700000000000", None)
    log.begin({"spark.master": "local[3]"})
    log.job(0, 1000, [stage_info(0)])
    for index in range(3):
        log.task(0, index, 1000, 2000, **{"Executor ID": "driver"})
    log.job_end(0, 2000)
    executors = job_of(log)["executors"]
    assert (executors["count"], executors["vcores"], executors["registered_ratio"]) == (1, 3, 0.0)


def test_an_application_that_still_runs_lasts_as_long_as_its_log() -> None:
    log = short_log()
    del log.lines[-2:]
    log.job(1, 7000, [stage_info(1)])
    log.task(1, 0, 7000, None)
    log.removed("9", 8000, "idle")
    imported = log.imported
    assert imported.scenario.jobs[0].stages[-1].duration_s == 1.0
    assert phrase("history.log_without_end", 1) in imported.assumptions


def test_of_several_attempts_of_an_application_the_last_stands() -> None:
    first, second = short_log(attempt="1"), short_log(attempt="2")
    second.lines = [line.replace(f"{ZERO}"[:7], f"{ZERO + 10**7}"[:7]) for line in second.lines]
    files = [(f"{ID}_{number}", io.BytesIO(log.data)) for number, log in ((2, second), (1, first))]
    imported = read_files(files)
    assert len(imported.scenario.jobs) == 1
    assert phrase("history.application_several_attempts", 1) in imported.assumptions


def test_the_resource_managers_answers_say_when_it_came_and_where() -> None:
    app = {"id": ID, "name": "etl", "user": "ann", "queue": "root.b", "applicationType": "SPARK"}
    app |= {"startedTime": ZERO - 9000, "launchTime": ZERO - 4000, "finishedTime": ZERO + 12_000}
    app |= {"memorySeconds": 1000, "vcoreSeconds": 10}
    answer = json.dumps({"apps": {"app": [app]}}).encode()
    imported = read_files([("apps.json", io.BytesIO(answer)), (ID, io.BytesIO(plain_log().data))])
    (job,) = imported.scenario.jobs
    assert (job.framework, job.queue, job.am.startup_s) == ("spark", "root.b", 4.4)


@pytest.mark.parametrize(
    ("finished", "lasts_s", "end_s"),
    [
        ({"finishedTime": ZERO + 9000}, 2.0, 9.0),
        ({"finishedTime": 0, "elapsedTime": 9000}, 1.0, 8.0),  # it still runs
        ({"finishedTime": ZERO + 7500}, 1.0, 8.0),  # before the log's last time
        ({"finishedTime": 9 * ZERO}, 1.0, 8.0),
    ],
)
def test_the_resource_managers_answers_say_when_one_ended_whose_log_does_not(
    finished: dict[str, int], lasts_s: float, end_s: float
) -> None:
    log = short_log()
    del log.lines[-2:]
    log.job(1, 7000, [stage_info(1)])
    log.task(1, 0, 7000, None)
    log.removed("9", 8000, "idle")
    app = {"id": ID, "name": "etl", "user": "ann", "queue": "root.b", "applicationType": "SPARK"}
    app |= {"startedTime": ZERO, "memorySeconds": 1000, "vcoreSeconds": 10, **finished}
    answer = json.dumps({"apps": {"app": [app]}}).encode()
    imported = read_files([("apps.json", io.BytesIO(answer)), (ID, io.BytesIO(log.data))])
    scenario = imported.scenario
    assert scenario.jobs[0].stages[-1].duration_s == lasts_s
    assert scenario.measured and scenario.measured.jobs.finish_ms == [1000 * end_s]
    assert scenario.measured.jobs.failed == [1]  # it may have run more than its log has
    is_told = phrase("history.log_without_end_told", 1) in imported.assumptions
    assert is_told == (end_s == 9.0) != (phrase("history.log_without_end", 1) in imported.assumptions)


def test_records_of_two_starts_of_the_cluster_are_told() -> None:
    ids = (ID, "application_1700000005000_0001", ID.replace("0001", "0002"))
    files = [(id, io.BytesIO(short_log(id=id).data)) for id in ids]
    told = phrase("history.ids_of_several_starts", 2, "1699999999999, 1700000005000")
    assert told in read_files(files).assumptions
    files = [(id, io.BytesIO(short_log(id=id).data)) for id in (ids[0], ids[2])]
    assert not [one for one in read_files(files).assumptions if "ResourceManager" in one]


def test_one_that_ran_no_task_adds_no_node() -> None:
    """Cut before the line that names the driver's node, a log has the driver's address alone."""
    cut = short_log(id="application_1_0009")
    cut.lines = [line.replace('"n1"', '"192.0.2.2"') for line in cut.lines[:3]]
    files = [(ID, short_log().data), ("application_1_0009_1", cut.data)]
    imported = read_files([(name, io.BytesIO(data)) for name, data in files])
    (group,) = imported.scenario.plain()["cluster"]["nodes"]
    assert group["x_hosts"] == ["n1"]


def test_one_whose_log_was_cut_before_its_first_task_holds_what_the_resource_manager_tells() -> None:
    id = "application_1_0009"
    cut = short_log(id=id)
    del cut.lines[4:]
    app = {"id": id, "name": "cut", "user": "ann", "queue": "root.b", "applicationType": "SPARK"}
    app |= {"startedTime": ZERO, "launchTime": ZERO, "finishedTime": ZERO + 6000}
    app |= {"memorySeconds": 12_288, "vcoreSeconds": 12}
    answer = json.dumps({"apps": {"app": [app]}}).encode()
    files = [(ID, short_log().data), (f"{id}_1", cut.data), ("apps.json", answer)]
    imported, alone = (
        read_files([(name, io.BytesIO(data)) for name, data in given]) for given in (files, files[:2])
    )
    assert [job.framework for job in imported.scenario.jobs] == ["spark", "demand"]
    assert phrase("history.application_demand_of_totals", 1) in imported.assumptions
    assert phrase("history.application_ran_no_task", 1) not in imported.assumptions
    assert phrase("history.application_ran_no_task", 1) in alone.assumptions


def test_beside_jobs_of_mapreduce() -> None:
    mapreduce = plain_job()
    imported = read_files(
        [(mapreduce.file, io.BytesIO(mapreduce.json())), (ID, io.BytesIO(plain_log().data))]
    )
    scenario = imported.scenario
    assert [job.framework for job in scenario.jobs] == ["mapreduce", "spark"]
    assert min(job.arrival_s for job in scenario.jobs) == 0
    assert scenario.measured is not None
    assert len(scenario.measured.jobs.finish_ms) == 2


def test_part_of_them_and_no_more_tasks_than_asked() -> None:
    logs = [short_log(id=f"application_1_000{number}") for number in (1, 2)]
    logs[1].lines = [line.replace(f"{ZERO}"[:9], f"{ZERO + 10**5}"[:9]) for line in logs[1].lines]

    def ids(**limits: Any) -> list[Any]:
        files = [("a", io.BytesIO(log.data)) for log in logs]
        jobs = read_files(files, **limits).scenario.plain()["jobs"]
        return [job["x_id"][-1] for job in jobs]

    assert ids() == ["1", "2"]
    assert ids(part=Part(since_s=50)) == ["2"]
    assert ids(max_tasks=3) == ["1"]
    with pytest.raises(TooLarge):
        ids(max_tasks=1)
    with pytest.raises(FormatError):
        ids(part=Part(since_s=900))
    assert ids(part=Part(skip_jobs=1)) == ["2"]
    with pytest.raises(FormatError, match=phrase("history.none_after_first", 2, 3, 2)):
        ids(part=Part(skip_jobs=3))


def test_the_first_of_both_frameworks_are_left_out_by_arrival() -> None:
    mapreduce = plain_job(2, at=100)
    files = [(mapreduce.file, mapreduce.json()), (ID, plain_log().data)]

    def frameworks(skip_jobs: int) -> list[str]:
        streams = [(name, io.BytesIO(data)) for name, data in files]
        return [job.framework for job in read_files(streams, part=Part(skip_jobs)).scenario.jobs]

    whole = read_files([(name, io.BytesIO(data)) for name, data in files]).scenario
    (later,) = (job.framework for job in whole.jobs if job.arrival_s)
    assert frameworks(0) == ["mapreduce", "spark"] and frameworks(1) == [later]


def test_a_log_without_a_task_is_refused() -> None:
    log = EventLog()
    log.begin()
    log.end(100)
    with pytest.raises(FormatError, match=phrase("history.no_task_of_spark_ran", ID)):
        read("spark", io.BytesIO(log.data))


@pytest.mark.parametrize(
    ("master", "gap_s"), [("spark://m:7077", 2.0), ("yarn", 1.0), ("k8s://https://k", 1.0)]
)
def test_the_driver_alone_counts_from_when_there_is_a_slot(master: str, gap_s: float) -> None:
    """Executors at 3 and 4 s, the first job at 5 s; only YARN and Kubernetes wait for 80 % of both."""
    log = EventLog()
    log.begin({"spark.master": master, "spark.executor.instances": "2"})
    log.executor("1", 3000)
    log.executor("2", 4000)
    log.job(0, 5000, [stage_info(0)])
    log.stage(stage_info(0), 5000, [1000])
    log.end(6000)
    assert job_of(log)["stages"][0]["duration_s"] == gap_s


def test_odd_values_of_a_log_refuse_nothing() -> None:
    """An executor before its application, with more cores than there are, and odd numbers of attempts."""
    log = EventLog()
    log.begin()
    log.executor("1", -5000, cores=10**20, asked=-6000)
    log.executor("2", 3000)
    log.job(0, 5000, [stage_info(0)])
    log.task(0, 0, 5000, 6000, Attempt=-1)
    log.task(0, 1, 5000, 6000, Attempt=10**10)
    log.end(6000)
    measured = log.imported.scenario.measured
    assert measured is not None and measured.tasks is not None
    assert sorted(measured.tasks.attempt) == [1, 100_001]
    assert job_of(log)["executors"]["vcores"] == 2

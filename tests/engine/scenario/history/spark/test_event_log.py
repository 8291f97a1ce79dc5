from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine.codes import UNKNOWN
from engine.errors import FormatError
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.readers import detect
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, History
from engine.scenario.history.spark import event_log
from engine.scenario.history.spark.event_log import add_event_log
from engine.scenario.history.spark.spark_runs import spark_runs
from tests.engine.scenario.history.spark.event_logs import (
    ID,
    ZERO,
    EventLog,
    plain_log,
    record,
    stage_info,
)
from tests.phrases import phrase


def notes_of(data: bytes, name: str = ID) -> list[str]:
    history = History()
    add_event_log(history, Source(io.BytesIO(data), is_json=False), name)
    return history.notes


def test_an_application_as_its_log_tells_it() -> None:
    app = plain_log().record
    assert (app.id, app.attempt, app.name, app.user, app.version) == (ID, "1", "etl", "ann", "3.5.6")
    assert (app.start_ms, app.ready_ms, app.end_ms) == (ZERO, ZERO + 400, ZERO + 11_500)
    assert app.properties["spark.yarn.queue"] == "root.a"
    executor = app.executors["2"]
    assert (executor.host, executor.container) == ("n2:8042", "container_1_0001_01_000002")
    assert (executor.cores, executor.registered_ms) == (2, ZERO + 4000)
    assert [(job.stages, job.result) for job in app.jobs.values()] == [
        ((0, 1, 2), "JobSucceeded"),
        ((3, 4), "JobSucceeded"),
    ]
    join = app.stages[2, 0]
    assert (join.parents, join.submitted_ms, join.completed_ms) == ((0, 1), ZERO + 7000, ZERO + 8500)
    assert app.stages[3, 0].submitted_ms == UNKNOWN  # skipped
    task = next(task for task in app.tasks.values() if task.stage == 2 and task.index == 1)
    assert (task.run_ms, task.gc_ms, task.fetch_wait_ms) == (1490, 5, 3)
    assert (task.local_bytes, task.remote_bytes, task.locality) == (100, 200, "NODE_LOCAL")


def test_how_attempts_of_tasks_ended() -> None:
    log = EventLog()
    log.begin()
    log.job(0, 0, [stage_info(0)])
    log.task(0, 0, 0, 10, {"Reason": "ExceptionFailure", "Class Name": "E"}, Failed=True)
    log.task(0, 0, 20, 30)
    log.task(0, 0, 22, 31, {"Reason": "TaskKilled", "Kill Reason": "superseded"}, Speculative=True)
    log.task(0, 1, 20, 40, {"Reason": "ExecutorLostFailure", "Loss Reason": "node lost"})
    log.task(0, 1, 50, None)
    log.removed("1", 40, "node lost")
    app = log.record
    assert [(task.outcome, task.reason) for task in app.tasks.values()] == [
        (FAILED, "ExceptionFailure: E"),
        (FINISHED, ""),
        (KILLED, "TaskKilled: superseded"),
        (FAILED, "ExecutorLostFailure: node lost"),
    ]
    assert [task.outcome for task in app.running.values()] == [RUNNING]
    assert app.executors["1"].removal == "node lost"
    assert app.last_ms == ZERO + 400


def test_a_task_whose_output_was_lost_stays_finished() -> None:
    log = EventLog()
    log.begin()
    id = log.task(0, 0, 0, 10)
    line = json.loads(log.lines[-1]) | {"Task End Reason": {"Reason": "Resubmitted"}}
    log.lines.append(json.dumps(line))
    app = log.record
    assert (app.tasks[id].outcome, app.resubmitted) == (FINISHED, 1)


def test_files_of_a_rolled_log_in_any_order() -> None:
    lines = plain_log().data.splitlines(keepends=True)
    parts = [b"".join(lines[:9]), b"".join(lines[9:14]), b"".join(lines[14:])]

    def read(order: list[int]) -> Any:
        history = History()
        for place in order:
            name = f"eventlog_v2_{ID}_1/events_{place + 1}_{ID}_1.zstd"
            add_event_log(history, Source(io.BytesIO(parts[place]), is_json=False), name)
        add_event_log(history, Source(io.BytesIO(b"")), f"eventlog_v2_{ID}_1/appstatus_{ID}_1.inprogress")
        return history

    whole = read([0, 1, 2])
    assert [*whole.spark] == [(ID, "1")]
    for order in ([2, 1, 0], [1, 2, 0]):
        (app,) = read(order).spark.values()
        (expected,) = whole.spark.values()
        assert app.stages == expected.stages
        assert app.jobs == expected.jobs
        assert {**app.tasks} == {**expected.tasks}
        assert (app.name, app.end_ms, app.executors) == (expected.name, expected.end_ms, expected.executors)


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        ({1: "", 2: "", 3: ""}, (0, 0)),
        ({1: "", 4: ""}, (2, 2)),
        ({2: "", 3: ""}, (1, 1)),
        ({2: ".compact", 3: ""}, (0, 0)),
        ({1: "", 2: ".compact", 4: ""}, (1, 3)),
        ({1: "", 999_999_999: ""}, (999_999_997, 2)),
    ],
)
def test_files_of_a_rolled_log_that_are_missing(names: dict[int, str], missing: tuple[int, int]) -> None:
    history = History()
    for part, ending in names.items():
        data = Source(io.BytesIO(plain_log().data), is_json=False)
        add_event_log(history, data, f"eventlog_v2_{ID}_1/events_{part}_{ID}_1{ending}")
    (app,) = history.spark.values()
    assert app.missing_parts() == missing
    notes = Notes()
    spark_runs(history, notes)
    more = f" (and {missing[0] - 1:,} more)" if missing[0] > 1 else ""
    told = phrase("history.part_missing", ID, missing[1], more)
    assert (told in notes.sentences()) is bool(missing[0])


def test_a_log_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    data = plain_log().data
    for end in range(200, len(data), 173):
        app = record(data[:end])
        assert len(app.tasks) <= 6
        last = data[:end].rpartition(b"\n")[2]
        ends_within = bool(last) and data[end : end + 1] != b"\n" and b"LogStart" not in last
        told = notes_of(data[:end])
        number = data[:end].count(b"\n") + 1
        assert told in ([], [f"{ID}: {phrase('history.log_ends_in_line', number)}"])
        assert not told or ends_within


@pytest.mark.parametrize("field", ["Host", "Executor ID", "Locality", "Finish Time", "Index", "Speculative"])
def test_what_is_null_is_unknown(field: str) -> None:
    log = plain_log()
    for place, line in enumerate(log.lines):
        event = json.loads(line)
        if event["Event"] == "SparkListenerTaskEnd":
            event["Task Info"][field] = None
        log.lines[place] = json.dumps(event)
    assert notes_of(log.data) == []
    assert {task.outcome for task in log.record.tasks.values()} == {FINISHED}


def test_lines_that_are_no_events_are_told_and_the_rest_is_read() -> None:
    lines = plain_log().lines
    lines[5:5] = ["{nonsense", '{"Event":"SparkListenerTaskEnd","Stage ID":"x"}', '{"Event":"Other","x":[}']
    data = "\n".join(lines).encode()
    assert len(record(data).tasks) == 6
    assert notes_of(data) == [
        f"{ID}: {phrase('history.line_no_event', 6)}",
        f"{ID}: {phrase('history.line_not_as_spark', 7, 'Expected `int`, got `str` - at `$.Stage ID`')}",
    ]
    assert len(notes_of(b"\n".join([data, *[b"{nonsense"] * 9, b""]))) == event_log.MAX_FAULTS + 1


def test_a_file_without_events_is_refused() -> None:
    with pytest.raises(FormatError, match=phrase("history.no_event_of_spark", "a.log")):
        notes_of(b"nothing\n", "a.log")


def test_a_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "MAX_LINE_BYTES", 2**20)
    log = plain_log()
    log.lines[3:3] = [json.dumps({"Event": "SparkListenerJobStart", "Job ID": 7, "x": "y" * 3 * 2**20})]
    assert [*record(log.data).jobs] == [0, 1]
    assert len(record(log.data).tasks) == 6


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (f"{ID}_2.lz4.inprogress", (ID, "2")),
        (f"events_3_{ID}_2.zstd.compact", (ID, "2")),
        ("local-1700000000000.gz", ("local-1700000000000", "")),
        ("spark-0a1b2c", ("spark-0a1b2c", "")),
    ],
)
def test_the_name_tells_the_application_where_no_event_does(name: str, key: tuple[str, str]) -> None:
    log = EventLog()
    log.task(0, 0, 0, 10)
    assert (record(log.data, name=name).id, record(log.data, name=name).attempt) == key


def test_jobs_name_the_application_where_nothing_else_does() -> None:
    log = EventLog()
    log.job(0, 0, [stage_info(0)], {"spark.app.id": ID})
    assert record(log.data, name="eventlog").id == ID


def test_an_old_log_without_what_came_later() -> None:
    log = EventLog(None, None)
    log.event("EnvironmentUpdate", Spark_Properties=[["spark.executor.memory", "2g"], ["odd"]])
    log.event("ApplicationStart", App_Name="old", Timestamp=ZERO, User="ann")
    log.event("JobStart", Job_ID=0, Stage_IDs=[0])
    log.task(0, 0, 0, 10)
    app = record(log.data, name="app-20140101000000-0000")
    assert (app.id, app.properties) == ("app-20140101000000-0000", {"spark.executor.memory": "2g"})
    assert app.jobs[0].stages == (0,)


def test_what_an_event_log_begins_with() -> None:
    assert detect(plain_log().data) == "spark"
    assert detect(b'{"Event":"org.apache.spark.sql.SparkListenerSQLExecutionEnd"}') == "spark"
    assert detect(b"", f"appstatus_{ID}") == "spark"
    assert detect(b'{"event":"SparkListenerTaskEnd"}') is None

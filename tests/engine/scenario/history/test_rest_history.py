"""REST answers of the ResourceManager and the JobHistory server as records."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.codes import UNKNOWN
from engine.errors import FormatError, TooLarge
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.records import (
    FAILED,
    FINISHED,
    KILLED,
    RUNNING,
    AttemptRecord,
    HeldSample,
    History,
    MasterRecord,
    NodeRecord,
    OtherApplicationRecord,
)
from engine.scenario.history.rest_history import add_rest_responses, merge_responses
from engine.scenario.history.rest_responses import is_rest_response
from tests.phrases import phrase

JOB = "job_1700000000000_0001"
APP = {
    "id": "application_1700000000000_0001",
    "user": "ann",
    "name": "etl",
    "queue": "root.a",
    "state": "FINISHED",
    "finalStatus": "SUCCEEDED",
    "applicationType": "MAPREDUCE",
    "priority": 3,
    "startedTime": 1_700_000_001_000,
    "launchTime": 1_700_000_002_000,
    "finishedTime": 1_700_000_060_000,
    "memorySeconds": 1000,
    "vcoreSeconds": 10,
}
SPARK = {
    **APP,
    "id": "application_1700000000000_0002",
    "applicationType": "SPARK",
    "name": "sql",
    "user": "bob",
}


def attempt(kind: str, index: int, number: int = 0, **values: Any) -> dict[str, Any]:
    base = {
        "id": f"attempt_1700000000000_0001_{kind}_{index:06d}_{number}",
        "type": "MAP" if kind == "m" else "REDUCE",
        "state": "SUCCEEDED",
        "startTime": 1_700_000_010_000,
        "finishTime": 1_700_000_020_000,
        "nodeHttpAddress": "n1:8042",
        "rack": "/r1",
        "assignedContainerId": "container_1700000000000_0001_01_000002",
        "status": "map",
        "diagnostics": "secret",
        "progress": 100.0,
    }
    return base | values


def read(*answers: Any, name: str = "answer.json") -> History:
    history = History()
    for one in answers:
        add_rest_responses(
            history, io.BytesIO(one if isinstance(one, bytes) else json.dumps(one).encode()), name
        )
    merge_responses(history)
    return history


def test_a_job_of_all_its_answers() -> None:
    reduce = attempt(
        "r", 0, shuffleFinishTime=1_700_000_014_000, mergeFinishTime=1_700_000_015_000, type="REDUCE"
    )
    history = read(
        {"apps": {"app": [APP]}},
        {
            "job": {
                "id": JOB,
                "name": "etl",
                "user": "ann",
                "queue": "a",
                "state": "SUCCEEDED",
                "submitTime": 1_700_000_001_005,
                "startTime": 1_700_000_005_000,
                "finishTime": 1_700_000_059_000,
                "mapsTotal": 1,
                "reducesTotal": 1,
                "uberized": False,
            }
        },
        {"taskAttempts": {"taskAttempt": [attempt("m", 0, 1, state="FAILED"), attempt("m", 0, 2)]}},
        {"taskAttempts": {"taskAttempt": [reduce]}},
        {
            "jobAttempts": {
                "jobAttempt": [
                    {
                        "id": 1,
                        "startTime": 1_700_000_003_000,
                        "containerId": "container_1700000000000_0001_01_000001",
                        "nodeHttpAddress": "n2:8042",
                    }
                ]
            }
        },
        {
            "conf": {
                "path": f"hdfs://nn/done/{JOB}_conf.xml",
                "property": [{"name": "mapreduce.map.memory.mb", "value": "512", "source": ["x"]}],
            }
        },
        {
            "jobCounters": {
                "id": JOB,
                "counterGroup": [
                    {
                        "counterGroupName": "g",
                        "counter": [{"name": "REDUCE_SHUFFLE_BYTES", "totalCounterValue": 4096}],
                    }
                ],
            }
        },
    )
    (job,) = history.jobs
    assert (job.id, job.name, job.user, job.queue, job.status, job.priority, job.maps, job.reduces) == (
        JOB,
        "etl",
        "ann",
        "root.a",
        "SUCCEEDED",
        3,
        1,
        1,
    )
    assert (job.submit_ms, job.inited_ms, job.finish_ms) == (
        1_700_000_001_005,
        1_700_000_005_000,
        1_700_000_059_000,
    )
    container = "container_1700000000000_0001_01_000001"
    assert job.masters == [
        MasterRecord(1, "n2:8042", container, 1_700_000_002_000, 1_700_000_003_000, UNKNOWN)
    ]
    assert [(one.kind, one.index, one.attempt, one.outcome, one.moved_bytes) for one in job.attempts] == [
        ("map", 0, 2, FAILED, UNKNOWN),
        ("map", 0, 3, FINISHED, 4096),
        ("reduce", 0, 1, FINISHED, 4096),
    ]
    assert (job.attempts[2].shuffle_end_ms, job.attempts[2].sort_end_ms, job.attempts[0].host) == (
        1_700_000_014_000,
        1_700_000_015_000,
        "n1:8042",
    )
    assert job.properties == {"mapreduce.map.memory.mb": "512"}
    assert history.notes == [phrase("history.job_has_bytes_shuffled_as", 1)]


def test_the_order_of_files_does_not_matter() -> None:
    answers = [
        {"apps": {"app": [APP, SPARK]}},
        {"job": {"id": JOB, "state": "KILLED"}},
        {"taskAttempts": {"taskAttempt": [attempt("m", 0, state="KILLED")]}},
    ]
    assert read(*answers) == read(*reversed(answers))
    assert read(*answers).jobs[0].attempts[0].outcome == KILLED


def test_tasks_stand_for_attempts_that_are_not_there() -> None:
    tasks = [
        {
            "id": f"task_1700000000000_0001_{kind}_000000",
            "type": "X",
            "state": "SUCCEEDED",
            "startTime": 1000,
            "finishTime": 11_000,
        }
        for kind in "mr"
    ]
    history = read(
        {"tasks": {"task": tasks}},
        {"job": {"id": JOB, "avgShuffleTime": 3000, "avgMergeTime": 1000, "avgReduceTime": 6000}},
    )
    assert [
        (one.kind, one.host, one.start_ms, one.shuffle_end_ms, one.sort_end_ms, one.end_ms)
        for one in history.jobs[0].attempts
    ] == [
        ("map", "", 1000, UNKNOWN, UNKNOWN, 11_000),
        ("reduce", "", 1000, 4000, 5000, 11_000),
    ]
    assert phrase("history.tasks_have_no_attempts_in", 2) in " ".join(history.notes)


def test_a_job_history_wins_for_attempts() -> None:
    history = History()
    job = history.job(JOB)
    own = AttemptRecord("map", 0, 1, "n9:8042", "", "", 1, 2, -1, -1, 3, FINISHED, "", 5)
    job.attempts.append(own)
    job.masters.append(MasterRecord(1, "n9:8042", "c", UNKNOWN, 77, UNKNOWN))
    add_rest_responses(history, io.BytesIO(json.dumps({"apps": {"app": [APP]}}).encode()), "apps.json")
    add_rest_responses(
        history,
        io.BytesIO(json.dumps({"taskAttempts": {"taskAttempt": [attempt("m", 0)]}}).encode()),
        "attempts.json",
    )
    merge_responses(history)
    assert history.jobs == [job]
    assert job.attempts == [own]
    assert job.masters == [MasterRecord(1, "n9:8042", "c", 1_700_000_002_000, 77, UNKNOWN)]


def test_masters_that_ended_before_their_job() -> None:
    states = {1: "FAILED", 2: "FINISHED"}
    ids = {number: f"appattempt_1700000000000_0001_00000{number}" for number in states}
    attempts = [
        {
            "appAttemptId": ids[number],
            "nodeHttpAddress": f"n{number}:8042",
            "startTime": 1,
            "finishedTime": number * 9,
            "appAttemptState": state,
        }
        for number, state in states.items()
    ]
    (job,) = read(
        {"apps": {"app": [APP]}}, {"job": {"id": JOB}}, {"appAttempts": {"appAttempt": attempts}}
    ).jobs
    assert job.masters == [
        MasterRecord(1, "n1:8042", "", 1_700_000_002_000, UNKNOWN, 9),
        MasterRecord(2, "n2:8042", "", UNKNOWN, UNKNOWN, UNKNOWN),
    ]


def test_other_applications_and_those_without_a_history() -> None:
    history = read(
        {
            "apps": {
                "app": [
                    APP,
                    SPARK,
                    {**SPARK, "id": "application_1700000000000_0003", "startedTime": 0, "launchTime": 0},
                ]
            }
        }
    )
    assert history.jobs == []
    assert [(one.id[-1], one.type) for one in history.others] == [("1", "MAPREDUCE"), ("2", "SPARK")]
    assert history.others[1] == OtherApplicationRecord(
        SPARK["id"],
        "sql",
        "bob",
        "root.a",
        "SPARK",
        start_ms=1_700_000_002_000,
        end_ms=1_700_000_060_000,
        memory_mb_s=1000,
        vcore_s=10,
        submit_ms=1_700_000_001_000,
    )
    assert history.notes == [phrase("history.application_has_no_time_their", 1)]


def running(seconds: float, containers: int, **values: Any) -> dict[str, Any]:
    """An answer of the application when it has been there for so long, and holds so many containers."""
    amounts = {"allocatedMB": 1024 * containers, "allocatedVCores": containers}
    now = {"state": "RUNNING", "finishedTime": 0, "elapsedTime": round(1000 * seconds)}
    return {"apps": {"app": [{**SPARK, **now, "runningContainers": containers, **amounts, **values}]}}


def test_answers_of_an_application_while_it_runs_are_samples_by_its_own_clock() -> None:
    """elapsedTime counts from startedTime, AppInfo; an ended one holds -1, and one answered twice counts
    once.
    """
    ended = {"apps": {"app": [{**SPARK, "elapsedTime": 59_000, "runningContainers": -1}]}}
    answers = [running(20, 3), ended, running(10, 1, memorySeconds=7), running(20, 3)]
    for order in (answers, answers[::-1]):
        (one,) = read(*order).others
        assert (one.end_ms, one.memory_mb_s) == (1_700_000_060_000, 1000)
        assert one.samples == (
            HeldSample(1_700_000_011_000, 1, 1024, 1),
            HeldSample(1_700_000_021_000, 3, 3072, 3),
        )


def test_an_application_that_still_runs_ends_where_it_was_last_told() -> None:
    (one,) = read(running(30, 2), running(10, 1)).others
    assert (one.end_ms, len(one.samples)) == (1_700_000_031_000, 2)


def test_nodes_that_share_a_host_and_nodes_that_are_lost() -> None:
    def node(port: int, **values: Any) -> dict[str, Any]:
        return {
            "id": f"h:{port}",
            "nodeHostName": "h",
            "nodeHTTPAddress": f"h:{port + 1}",
            "rack": "/r",
            "state": "RUNNING",
            "totalResource": {"memory": 4096, "vCores": 4},
            **values,
        }

    old = node(
        5,
        totalResource=None,
        usedMemoryMB=1024,
        availMemoryMB=1024,
        usedVirtualCores=1,
        availableVirtualCores=2,
    )
    history = read({"nodes": {"node": [node(1), node(3), old, node(7, state="LOST")]}})
    assert history.nodes == {
        "h:2": NodeRecord("h:2", "/r", 4096, 4),
        "h:4": NodeRecord("h:4", "/r", 4096, 4),
        "h:6": NodeRecord("h:6", "/r", 2048, 3),
    }
    assert len(history.notes) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"apps": None},
        {"apps": {}},
        {"nodes": {"node": None}},
        {"clusterMetrics": {"totalNodes": 1}},
        {"scheduler": None},
    ],
)
def test_an_answer_with_nothing_in_it(answer: Any) -> None:
    assert read(answer) == History()


def test_one_object_stands_for_a_list_of_one() -> None:
    assert read({"apps": {"app": SPARK}}).others == read({"apps": {"app": [SPARK]}}).others != []


def test_what_stands_before_a_broken_place_is_read() -> None:
    whole = json.dumps({"apps": {"app": [SPARK, {**SPARK, "id": "application_1700000000000_0009"}]}}).encode()
    cut = read(whole[:-40], name="apps.json")
    assert [one.id for one in cut.others] == [SPARK["id"]]
    assert cut.notes == ["apps.json: " + phrase("history.file_cut_off_ends_in", len(whole) - 40)]
    assert len(read(whole.replace(b"}, {", b"} {")).others) == 1
    for broken in (gzip.compress(whole, 0)[:-30], gzip.compress(whole)[:-6] + b"wrong!"):
        packed = read(broken)
        assert packed.others[0].id == SPARK["id"]
        assert "the gzip " in packed.notes[0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"7",
        b"{",
        b'{"RemoteException": {"message": "no"}}',
        b'{"job.start.ms": 1}',
        b"<apps/>",
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_answer_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=phrase("history.not_answer_resourcemanager_or_jobhistory")):
        read(data)


@pytest.mark.parametrize("wrong", [None, True, -5, 10**30, 1.5, "x", [], {}, [[]], {"a": 1}, "a" * 9000])
def test_values_of_wrong_types_are_passed_over(wrong: Any) -> None:
    for place, base in (
        ("app", APP),
        ("job", {"id": JOB}),
        ("node", {"id": "n:1"}),
        ("task", {"id": "task_1_1_m_1"}),
        ("taskAttempt", attempt("m", 0)),
    ):
        values = [
            dict.fromkeys(base, wrong),
            *({**base, key: wrong} for key in base),
            {**base, "totalResource": wrong},
        ]
        for one in values:
            history = read(
                {f"{place}s": {place: [one, wrong]}},
                {"conf": {"path": wrong, "property": [{"name": wrong, "value": wrong}]}},
            )
            for job in history.jobs:
                for made in job.attempts:
                    assert made.outcome in (FINISHED, RUNNING, FAILED, KILLED)
                    assert type(made.start_ms) is int


@pytest.mark.parametrize("digits", [400, 5_000, 70_000, 1_000_000])
def test_a_number_of_many_digits_is_not_known_and_the_rest_is_read(digits: int) -> None:
    text = json.dumps(
        {"apps": {"app": [{**SPARK, "vcoreSeconds": "X"}, {**SPARK, "id": "application_1700000000000_0009"}]}}
    )
    history = read(text.replace('"X"', "7" * digits).encode())
    assert [one.vcore_s for one in history.others] == [0, 10]
    assert history.notes == ["1 file has numbers of hundreds of digits: they are treated as unknown"] * (
        digits > 999
    )


def test_a_file_is_known_by_its_first_key() -> None:
    assert is_rest_response(b' {\n "nodes" : { "node": []}}')
    assert is_rest_response(gzip.compress(b'{"apps":null}'))
    assert not is_rest_response(b'{"rack": "r", "nodes": []}')
    assert not is_rest_response(b'{"jobs": []}')
    assert not is_rest_response(b'{"job.start.ms": 1}')


def test_a_file_beyond_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        add_rest_responses(
            History(),
            Source(io.BytesIO(json.dumps({"apps": {"app": [APP] * 50}}).encode()), max_bytes=5000),
            "apps.json",
        )


def test_a_recorded_run(shared: Callable[[str], Path]) -> None:
    """Hadoop 3.4.1: seven jobs, four NodeManagers on one host."""
    folder = shared("data/mini-cluster/fair-onesize/rest")
    history = History()
    for path in sorted(folder.rglob("*.json*")):
        if "samples" not in path.name:
            with path.open("rb") as stream:
                add_rest_responses(history, stream, path.name)
    merge_responses(history)
    assert [job.name for job in history.jobs] == ["f1", "f2", "f3", "f4", "f5", "f6", "f7"]
    assert [(job.maps, job.reduces, len(job.attempts), job.status, job.queue[:5]) for job in history.jobs][
        :2
    ] == [
        (8, 2, 10, "SUCCEEDED", "root."),
        (6, 2, 8, "SUCCEEDED", "root."),
    ]
    assert all(
        job.submit_ms < job.masters[0].launched_ms < job.inited_ms < job.finish_ms for job in history.jobs
    )
    assert {node.memory_mb for node in history.nodes.values()} == {4096}
    assert len(history.nodes) == 4
    assert {job.masters[0].host for job in history.jobs} <= set(history.nodes)
    assert history.scheduler["schedulerInfo"]["type"] == "fairScheduler"

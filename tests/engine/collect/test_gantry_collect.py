"""gantry-collect: what it asks, keeps, leaves out and tells."""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest

from engine.collect import rest_client
from engine.collect.anonymiser import Anonymiser
from engine.collect.gantry_collect import address, header, main, parse_time, parser
from engine.collect.history_collector import duration
from engine.collect.kept_fields import (
    APP_FIELDS,
    ATTEMPT_FIELDS,
    COUNTER_FIELDS,
    JOB_FIELDS,
    KEPT_JOB_PROPERTIES,
    KEPT_SITE_PROPERTIES,
    MASTER_FIELDS,
    NODE_FIELDS,
    TASK_FIELDS,
)
from engine.collect.rest_client import FatalError, SameClusterRedirects
from engine.collect.single_file import FILE, single_file_program
from engine.scenario.configuration import site_table
from engine.scenario.configuration.mapreduce_settings import HEAPS, OF_ONE_JOB
from engine.scenario.configuration.site_table import CAPACITY_SITE, FAIR_SITE
from engine.scenario.history.job_properties import USED_PROPERTIES
from engine.scenario.history.rest_responses import OBJECT_PATHS
from tests.engine.collect.archives import files, history
from tests.engine.collect.fake_server import JHS, RM, T0, FakeServer, FakeTime, answers, app, reply, serve
from tests.phrases import phrase

LEAST_S = 0.01  # between two requests at the most that is taken
SPAN = ["--from", str(T0), "--to", str(T0 + 3_600_000)]
JOB = f"{JHS}/jobs/job_{T0}_0001"
OLDER = (
    "python3.6",
    "python3.7",
    "python3.8",
    "python3.9",
    "python3.10",
    "python3.12",
    "python3.13",
    "python3.14",
)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serve(answers()) as result:
        yield result


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    result = FakeTime()
    monkeypatch.setattr(rest_client, "time", result)
    return result


@pytest.fixture
def collect(server: FakeServer, tmp_path: Path) -> Callable[..., int]:
    """`collect("--rate", "9")` is its exit code; the archive is out.tar.gz."""

    def call(*more: str, span: list[str] = SPAN) -> int:
        out = ["--out", str(tmp_path / "out.tar.gz"), "--quiet"]
        return main(
            ["--rm", server.url, "--jhs", server.url, *span, *out, "--rate", "1000", "--retries", "1", *more]
        )

    return call


def manifest(archive: Path) -> dict[str, Any]:
    return json.loads(files(archive)["manifest.json"])["gantry_collect"]


def test_an_archive_holds_all_that_was_asked_for(
    collect: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert collect() == 0
    about = manifest(tmp_path / "out.tar.gz")
    assert about["counts"] == {
        "applications": 3,
        "jobs": 2,
        "tasks": 6,
        "attempts": 6,
        "nodes": 1,
        "job history files": 0,
        "event logs": 0,
    }
    assert (about["hadoop_version"], about["span_ms"], about["missing"], about["anonymised"]) == (
        "3.4.1",
        [T0, T0 + 3_600_000],
        [],
        None,
    )
    result = history(tmp_path / "out.tar.gz")
    assert [
        (job.name, job.user, job.queue, job.maps, job.reduces, len(job.attempts)) for job in result.jobs
    ] == [
        ("daily etl 2026-11-01", "ann", "root.a", 2, 1, 3),
        ("daily etl 2026-11-02", "ann", "root.a", 2, 1, 3),
    ]
    job = result.jobs[0]
    assert (job.masters[0].launched_ms, job.masters[0].jvm_ms, job.masters[0].host) == (
        T0 + 1300,
        T0 + 3000,
        "n1.example.org:8042",
    )
    assert {one.shuffle_end_ms for one in job.attempts} == {-1, T0 + 16_000}
    assert {one.moved_bytes for one in job.attempts} == {300, 600}
    assert job.properties == {"mapreduce.job.queuename": "a", "mapreduce.map.memory.mb": "512"}
    assert [one.type for one in result.others] == ["SPARK"]
    assert result.nodes["n1.example.org:8042"].memory_mb == 8192
    assert result.scheduler["schedulerInfo"]["queues"]["queue"][0]["queueName"] == "a"
    assert files(tmp_path / "out.tar.gz")["rm/yarn-site.xml"] == (
        b"<configuration><property><name>yarn.scheduler.minimum-allocation-mb</name><value>512</value></property></configuration>"
    )
    assert "3 applications, 2 jobs, 6 tasks" in capsys.readouterr().err
    assert not (tmp_path / "out.unfinished").exists()


def test_help_fits_a_page_with_one_example_a_line() -> None:
    lines = parser("gantry-collect").format_help().splitlines()
    assert max(map(len, lines)) <= 110
    assert max(line.count("gantry-collect --") for line in lines) == 1


def test_nothing_is_kept_that_was_not_asked_for(collect: Callable[..., int], tmp_path: Path) -> None:
    """URLs, diagnostics, tokens, ACLs, paths and properties of no use."""
    collect()
    for name, data in files(tmp_path / "out.tar.gz").items():
        assert b"SECRET" not in data, name
        assert b"://" not in data or name == "manifest.json", name


def test_all_that_gantry_reads_is_kept() -> None:
    shapes = {
        "app": APP_FIELDS,
        "node": NODE_FIELDS,
        "appAttempt": MASTER_FIELDS,
        "jobAttempt": MASTER_FIELDS,
        "job": JOB_FIELDS,
        "task": TASK_FIELDS,
        "taskAttempt": ATTEMPT_FIELDS,
    }
    read = dict(OBJECT_PATHS.values())
    for name, keys in shapes.items():
        assert set(read.pop(name)) <= set(keys), name
    assert set(read) == {"property", "counter", "clusterInfo"}
    assert set(read["counter"]) <= set(COUNTER_FIELDS["jobCounters"]["counterGroup"][0]["counter"][0])
    assert all(
        KEPT_JOB_PROPERTIES.fullmatch(name)
        for name in USED_PROPERTIES - HEAPS - OF_ONE_JOB - {"mapreduce.job.name"}
    )
    sites = {
        name
        for table in (site_table.SITE, FAIR_SITE, CAPACITY_SITE)
        for name in table.by_name
        if not name.startswith(site_table.NODE_RESOURCE)
    }
    assert [name for name in sites if not KEPT_SITE_PROPERTIES.fullmatch(name)] == []
    assert not any(
        KEPT_JOB_PROPERTIES.fullmatch(name)
        for name in (
            "mapreduce.job.name",
            "mapreduce.job.user.name",
            "mapreduce.job.dir",
            "mapreduce.map.java.opts",
        )
    )


def test_names_are_hashed_with_a_key(collect: Callable[..., int], tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a key of mine\n")
    assert collect("--anonymise", str(tmp_path / "key")) == 0
    everything = b"".join(files(tmp_path / "out.tar.gz").values())
    for word in (
        b"ann",
        b"bob",
        b"etl",
        b"notebook",
        b"example",
        b"row1",
        b"rack1",
        b"127.0.0.1",
        b"a key of mine",
        b"SECRET",
    ):
        assert word not in everything.replace(b"application", b"").replace(b"queuename", b""), word
    result = history(tmp_path / "out.tar.gz")
    names = [job.name for job in result.jobs]
    assert [name.split("-", 2)[2] for name in names] == ["2026-11-01", "2026-11-02"]
    assert len({name.split("-")[1] for name in names}) == 1
    assert {one.host for job in result.jobs for one in (*job.attempts, *job.masters)} == set(result.nodes)
    assert next(iter(result.nodes)).endswith(":8042")
    assert result.jobs[0].queue == "root.a"
    assert result.jobs[0].user != result.others[0].user


def test_queues_are_hashed_where_that_is_said(collect: Callable[..., int], tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a key of mine")
    collect("--anonymise", str(tmp_path / "key"), "--anonymise-queues")
    result = history(tmp_path / "out.tar.gz")
    queue = result.jobs[0].queue
    assert queue.startswith("root.queue-")
    assert result.scheduler["schedulerInfo"]["queues"]["queue"][0]["queuePath"] == queue
    assert result.jobs[0].properties["mapreduce.job.queuename"] == queue.partition(".")[2]


def test_hashes_of_names() -> None:
    names, others = Anonymiser(b"one key", True), Anonymiser(b"another", True)
    assert names.anonymise("user", "ann") == names.anonymise("user", "ann") != others.anonymise("user", "ann")
    assert names.anonymise("job", "etl-7") == names.anonymise("job", "etl-8").replace("8", "7")
    assert (
        names.anonymise("job", "etl-7").partition("-7")[0]
        != names.anonymise("job", "elt-7").partition("-7")[0]
    )
    ids = [
        names.anonymise("job", f"load {one} of 7")
        for one in ("8e5f3a90-1c2d-4e3f-9a0b-112233445566", "0a1b2c3d-1c2d-4e3f-9a0b-112233445566")
    ]
    assert ids[0] == ids[1]
    assert (
        names.anonymise("address", "N1.example.org:8042")
        == names.anonymise("address", "n1.example.org") + ":8042"
    )
    assert names.anonymise("address", "[fe80::1]:80")[-3:] == ":80"
    assert names.anonymise("rack", "/default-rack") == "/default-rack"
    assert names.anonymise("queue", "root.default") == "root.default"
    assert not any(character.isdigit() for character in names.anonymise("user", "user 7"))
    assert Anonymiser().anonymise("job", "as it is") == "as it is"


def test_a_server_that_fails_is_asked_again(
    collect: Callable[..., int], server: FakeServer, clocks: FakeTime
) -> None:
    failing, times = ["503", "cut"], []

    def fail(handler: Any) -> bool:
        times.append(clocks.now)
        if not failing:
            return False
        how = failing.pop()
        if how == "503":
            return reply(handler, 503, b"{}", Retry_After="0")
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")
        return True

    server.instead[f"{RM}/nodes"] = fail
    assert collect("--retries", "3") == 0
    assert server.paths().count(f"{RM}/nodes") == 3
    first, second = (later - early for early, later in zip(times, times[1:]))
    assert 0.75 <= first <= 1.25 + LEAST_S and 1.5 <= second <= 2.5 + LEAST_S


def test_what_cannot_be_had_is_told_and_the_rest_is_there(
    collect: Callable[..., int], server: FakeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del server.answers[f"{JOB}/conf"]
    server.instead["/conf"] = lambda handler: reply(handler, 200, b"<html>", Content_Type="text/html")
    server.instead[f"{RM}/metrics"] = lambda handler: reply(handler, 401, b"")
    server.answers[f"{RM}/apps"]["apps"]["app"] += [app(3, finishedTime=0, state="RUNNING"), app(4)]
    assert collect() == 1
    notes = capsys.readouterr().err
    for sentence in (
        "/conf: " + phrase("collect.page_comes_back_not_json", "--header"),
        f"{JOB}/conf: " + phrase("collect.server_answers_with", 404),
        f"{RM}/metrics: " + phrase("collect.server_refuses_with_wants_know", 401, "--header"),
        phrase("collect.mapreduce_applications_not_finished_they", 1, f"application_{T0}_0003"),
        phrase("collect.mapreduce_applications_have_no_job", 1, f"application_{T0}_0004"),
    ):
        assert f"missing: {sentence}\n" in notes
        assert sentence in manifest(tmp_path / "out.tar.gz")["missing"]
    result = history(tmp_path / "out.tar.gz")
    assert len(result.jobs) == 2
    assert phrase("collect.gantry_collect_could_not_get", f"{JOB}/conf", 404) in result.notes


def test_queues_come_as_the_resource_manager_changes_them(
    collect: Callable[..., int], server: FakeServer, tmp_path: Path
) -> None:
    own = {
        "root.queues": "a,b",
        "root.a.capacity": "60",
        "root.b.capacity": "40",
        "root.b.acl_submit_applications": "SECRET",
        "maximum-am-resource-percent": "0.5",
        "queue-mappings": "u:SECRET:a",
    }
    entries = [{"name": f"yarn.scheduler.capacity.{name}", "value": value} for name, value in own.items()]
    server.answers[f"{RM}/scheduler-conf"] = {"property": entries}
    (tmp_path / "key.txt").write_text("0123456789abcdef")
    assert collect("--anonymise", str(tmp_path / "key.txt"), "--anonymise-queues") == 0
    text = files(tmp_path / "out.tar.gz")["rm/capacity-scheduler.xml"].decode()
    names = [Anonymiser(b"0123456789abcdef", True).anonymise("queue", name) for name in "ab"]
    assert f"<value>{','.join(names)}</value>" in text
    assert f"yarn.scheduler.capacity.root.{names[0]}.capacity</name><value>60<" in text
    assert "maximum-am-resource-percent</name><value>0.5<" in text
    assert "SECRET" not in text


@pytest.mark.parametrize(("status", "code"), [(400, 0), (404, 0), (403, 1)])
def test_queues_that_can_t_be_changed_while_it_runs_are_none_that_are_missing(
    collect: Callable[..., int], server: FakeServer, status: int, code: int
) -> None:
    server.instead[f"{RM}/scheduler-conf"] = lambda handler: reply(handler, status, b"")
    assert collect() == code


def test_an_interrupted_call_goes_on_where_it_was(
    collect: Callable[..., int], server: FakeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = f"{JHS}/jobs/job_{T0}_0002/tasks/task_{T0}_0002_m_000001/attempts"

    def interrupt(handler: Any) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        handler.rfile.read(1)  # until who asked has gone
        return False

    server.instead[last] = interrupt
    assert collect() == 130
    server.instead.clear()
    assert phrase("collect.same_call_goes_on_from") in capsys.readouterr().err
    assert not (tmp_path / "out.tar.gz").exists()
    before = server.paths()
    assert collect("--attempts", "none") == 2
    assert phrase("collect.left_another_call") in capsys.readouterr().err
    server.asked.clear()
    assert collect() == 0
    assert set(server.paths()) & set(before) == {last, f"{RM}/scheduler-conf"}  # there was none
    assert manifest(tmp_path / "out.tar.gz")["counts"]["attempts"] == 6
    assert len(history(tmp_path / "out.tar.gz").jobs[1].attempts) == 3


def test_no_faster_than_it_is_told(collect: Callable[..., int], server: FakeServer, clocks: FakeTime) -> None:
    began = clocks.now
    assert collect("--rate", "40") == 0
    assert len(server.asked) >= 28
    assert clocks.now - began == pytest.approx((len(server.asked) - 1) / 40)
    assert {round(pause, 6) for pause in clocks.pauses} == {0.0, 1 / 40}


def test_a_full_answer_is_asked_for_in_halves_of_its_time(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """260 applications, 90 of them in a tenth of a second; some that began before the span: one ended in it,
    one after it, one still runs; two outside.
    """
    monkeypatch.setattr("engine.collect.history_collector.PAGE_SIZE", 100)
    many = [
        app(number, applicationType="SPARK", startedTime=T0 + number * (5000 if number > 90 else 1))
        for number in range(1, 261)
    ]
    early = [{"startedTime": T0 - 5000}, {"startedTime": T0 - 5000, "finishedTime": T0 + 9_000_000}]
    others = [
        *(app(9001 + at, **times) for at, times in enumerate(early)),
        app(9005, startedTime=T0 - 5000, finishedTime=0, state="RUNNING"),
    ]
    outside = [app(9003, startedTime=T0 - 5000, finishedTime=T0 - 1), app(9004, startedTime=T0 + 7_200_000)]
    server.answers[f"{RM}/apps"] = {"apps": {"app": [*many, *others, *outside]}}
    server.answers |= {f"{RM}/apps/{one['id']}/appattempts": {"appAttempts": {}} for one in (*many, *others)}
    out = tmp_path / "out.tar.gz"
    assert main(["--rm", server.url, *SPAN, "--out", str(out), "--rate", "1000", "--quiet"]) == 0
    kept = json.loads(files(out)["rm/apps.json"])["apps"]["app"]
    assert sorted(one["id"] for one in kept) == sorted(one["id"] for one in (*many, *others))


def test_job_history_files_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = tmp_path / "done" / "2026" / "11"
    done.mkdir(parents=True)
    inside, outside = (
        f"job_{T0}_{number:04d}-{T0 + at}-ann-etl-{T0 + at + 60_000}-2-1-SUCCEEDED-root.a-{T0}.jhist"
        for number, at in ((1, 5), (2, 9_000_000))
    )
    for name in (inside, outside):
        (done / name).write_bytes(b"Avro-Json\n")
    properties = "".join(
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in (("mapreduce.map.memory.mb", 7), ("x", "SECRET"))
    )
    (done / f"job_{T0}_0001_conf.xml").write_text(f"<configuration>{properties}</configuration>")
    out = tmp_path / "out.tar.gz"
    assert main(["--history", str(tmp_path / "done"), *SPAN, "--out", str(out)]) == 0
    result = files(out)
    assert set(result) == {"manifest.json", f"done/{inside}", f"done/job_{T0}_0001_conf.xml"}
    assert (
        result[f"done/job_{T0}_0001_conf.xml"]
        == b"<configuration><property><name>mapreduce.map.memory.mb</name><value>7</value></property></configuration>"  # noqa: E501
    )
    assert manifest(out)["counts"]["job history files"] == 1


@pytest.mark.parametrize(("call", "sentence"), [
    ([], phrase("collect.nothing_ask_give_url_and", "--rm", "--jhs", "--spark", "--history")),
    (["--rm", "ftp://rm"], phrase("collect.must_be_address_such_as", "ftp://rm", "http://host:8088")),
    (["--rm", "http://ann:SECRET@rm:8088"], phrase("collect.must_be_address_such_as_who", "rm:8088", "http://host:8088", "--header")),  # noqa: E501
    (["--rm", "rm", "--rate", "0"], phrase("collect.must_be_from_from_from", "--rate", 0.01, 1000, "--timeout", 0.1, 3600, "--retries", 0, 100)),  # noqa: E501
    (["--rm", "rm", "--from", "yesterday"], phrase("collect.yesterday_no_time_seconds_or", "2026-11-24", "2026-11-24T03:00", 1970, "24h")),  # noqa: E501
    (["--rm", "rm", "--from", "1h", "--to", "2h"], "--from lies after --to"),
    (["--rm", "rm", "--header", "SECRET"], phrase("collect.must_be_name_value_or", "--header", "@FILE")),
    (["--rm", "rm", "--header", "@nowhere"], phrase("collect.nowhere_cant_be_read_or")),
    (["--rm", "rm", "--anonymise", "nowhere"], phrase("collect.nowhere_cant_be_read_or")),
    (["--rm", "rm", "--anonymise-queues"], "--anonymise-queues needs --anonymise"),
    (["--history", "nowhere"], phrase("collect.nowhere_no_folder_here_hdfs", "--history", "-get")),
    (["--history", ".", "--anonymise", "k"], phrase("collect.cant_go_with_job_history", "--history", "--spark", "--anonymise")),  # noqa: E501
    (["--spark", "s", "--anonymise", "k"], phrase("collect.cant_go_with_job_history", "--history", "--spark", "--anonymise")),  # noqa: E501
    (["--rm", "https://rm", "--cacert", "nowhere"], phrase("collect.nowhere_cant_be_used_no", "--cacert", "[Errno", "2]")),  # noqa: E501
])  # fmt: skip
def test_a_wrong_call_is_a_sentence(
    call: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*SPAN, *call]) == 2
    assert capsys.readouterr().err == f"{sentence}\n"


def test_a_server_that_is_not_there_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve({}) as gone:
        url = gone.url
    assert main(["--rm", url, *SPAN, "--out", str(tmp_path / "out.tar.gz"), "--retries", "0"]) == 2
    assert capsys.readouterr().err.startswith(
        phrase("collect.nothing_can_be_collected_no", f"{RM}/info") + " "
    )
    assert not (tmp_path / "out.tar.gz").exists()


def test_a_call_that_got_nothing_leaves_the_next_one_free(
    collect: Callable[..., int], tmp_path: Path
) -> None:
    with serve({}) as gone:
        url = gone.url
    assert main(["--rm", url, *SPAN, "--out", str(tmp_path / "out.tar.gz"), "--retries", "0"]) == 2
    assert collect() == 0


def test_a_folder_without_a_history_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "renamed.log").write_text('{"Event":"SparkListenerLogStart"}\n')
    out = tmp_path / "out.tar.gz"
    assert main(["--history", str(tmp_path / "logs"), *SPAN, "--out", str(out)]) == 1
    assert phrase("collect.nothing_of_this_span", tmp_path / "logs") in capsys.readouterr().err


def test_a_server_that_falls_silent_ends_it_and_it_goes_on_later(
    collect: Callable[..., int], server: FakeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers = answers(20, 1)
    for number in range(1, 21):
        path = f"{JHS}/jobs/job_{T0}_{number:04d}/counters"
        server.instead[path] = lambda handler: handler.wfile.write(b"?\r\n") > 0
    for path in [path for path in server.answers if "attempts" in path or "/jobs/" in path]:
        server.instead[path] = lambda handler: handler.wfile.write(b"?\r\n") > 0
    assert collect("--retries", "0") == 2
    assert phrase("collect.requests_in_row_got_no", 10) in capsys.readouterr().err
    server.instead.clear()
    assert collect("--retries", "0") == 0


@pytest.mark.parametrize(
    "answer",
    [
        b"null",
        b"7",
        b'"x"',
        b"[]",
        b"[[]]",
        b"{",
        b'{"apps": 7, "jobs": [], "tasks": {"task": 7}}',
        b"[" * 100_000,
        b"\xff" * 99,
    ],
)
def test_answers_of_wrong_types_are_told(
    collect: Callable[..., int], server: FakeServer, tmp_path: Path, answer: bytes
) -> None:
    for path in server.answers:
        server.instead[path] = lambda handler: reply(handler, 200, answer)
    code = collect("--retries", "0")
    assert code in (0, 1, 2)
    if code < 2:
        assert manifest(tmp_path / "out.tar.gz")["counts"]["jobs"] == 0


def test_values_of_wrong_types_are_kept_out(
    collect: Callable[..., int], server: FakeServer, tmp_path: Path
) -> None:
    wrong: list[Any] = [None, True, 10**400, {"a": 1}, [1], "x" * 10_000, "../../x", "\ud800"]
    for value in wrong:
        server.answers[f"{RM}/apps"]["apps"]["app"] += [
            dict.fromkeys(app(1), value) | {"startedTime": T0, "finishedTime": T0},
            {**app(1), "id": value},
        ]
        server.answers[f"{RM}/nodes"]["nodes"]["node"] += [
            dict.fromkeys(("id", "rack", "totalResource", "nodeHTTPAddress"), value),
            value,
        ]
        server.answers[f"{JOB}/tasks"]["tasks"]["task"] += [{"id": value}, value]
    assert collect() == 0
    assert len(history(tmp_path / "out.tar.gz").jobs) == 2


def test_a_header_goes_to_the_servers_of_the_call_alone(server: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "cookie").write_text("Cookie: hadoop.auth=me\n")
    with serve({f"{RM}/info": {"clusterInfo": {"hadoopVersion": "9"}}}) as other:
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        server.instead[f"{RM}/info"] = lambda handler: reply(
            handler, 307, b"", Location=f"{elsewhere}{RM}/info"
        )
        call = [
            "--rm",
            server.url,
            *SPAN,
            "--out",
            str(tmp_path / "out.tar.gz"),
            "--header",
            f"@{tmp_path / 'cookie'}",
            "--rate",
            "1000",
            "--quiet",
        ]
        assert main(call) == 0
        assert manifest(tmp_path / "out.tar.gz")["hadoop_version"] == "9"
        assert [headers.get("Cookie") for _, headers in other.asked] == [None]
    assert {headers.get("Cookie") for _, headers in server.asked} == {"hadoop.auth=me"}


def test_the_second_of_a_pair_answers_where_the_first_does_not(server: FakeServer, tmp_path: Path) -> None:
    with serve({}) as gone:
        url = gone.url
    call = [
        "--rm",
        url,
        "--rm",
        server.url,
        *SPAN,
        "--out",
        str(tmp_path / "out.tar.gz"),
        "--retries",
        "0",
        "--rate",
        "1000",
        "--quiet",
    ]
    assert main(call) == 0
    assert manifest(tmp_path / "out.tar.gz")["counts"]["applications"] == 3


def test_times() -> None:
    now = 1_795_500_000_123
    assert parse_time("now", now) == now
    assert parse_time("24h", now) == now - 86_400_000
    assert parse_time("2w", now) == now - 14 * 86_400_000
    assert (
        parse_time("1700000000", now)
        == parse_time("1700000000000", now)
        == parse_time("2023-11-14T22:13:20Z", now)
        == 1_700_000_000_000
    )
    assert (
        parse_time("2023-11-14T23:13:20+01:00", now)
        == parse_time("2023-11-14 22:13:20.5Z", now)
        == 1_700_000_000_000
    )
    assert parse_time("2023-11-14", now) == int(time.mktime((2023, 11, 14, 0, 0, 0, 0, 0, -1))) * 1000
    for wrong in ("", "x", "2023-13-01", "-1", "1e9", "2023-11-14T25:00", "99999999999999999999"):
        with pytest.raises(FatalError):
            parse_time(wrong, now)
    assert [duration(seconds) for seconds in (5, 300, 7500)] == ["5 s", "5 min", "2 h 05 min"]


def test_addresses_and_headers() -> None:
    assert address("rm:8088") == "http://rm:8088"
    assert address("https://rm.example.org:8090/cluster?x") == "https://rm.example.org:8090"
    assert address("http://[::1]:8088") == "http://[::1]:8088"
    assert header("Cookie: a=b; c") == ("Cookie", "a=b; c")
    with pytest.raises(FatalError):
        header("A: b\r\nC: d")


def test_one_file_is_all_that_is_needed(server: FakeServer, tmp_path: Path) -> None:
    """It is of Python 3.6's syntax, imports the standard library alone, and does the same."""
    program = single_file_program()
    tree = ast.parse(program, feature_version=(3, 6))
    names = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert names <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    defined = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    defined += [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert len(defined) == len(set(defined)), "two of its modules name something alike"
    (tmp_path / FILE).write_bytes(program)
    for python in (sys.executable, *OLDER):
        if not shutil.which(python) or subprocess.run([python, "-V"], capture_output=True).returncode:
            continue
        out = tmp_path / f"{Path(python).name}.tar.gz"
        call = [
            python,
            "-W",
            "error",
            tmp_path / FILE,
            "--rm",
            server.url,
            "--jhs",
            server.url,
            *SPAN,
            "--out",
            out,
            "--rate",
            "1000",
        ]
        done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), f"{python}: {done.stderr}"
        assert manifest(out)["counts"]["attempts"] == 6


def test_what_was_encrypted_is_not_sent_on_in_the_clear() -> None:
    redirects = SameClusterRedirects({"rm"}, ["Cookie"])
    asked = Request("https://rm/ws", headers={"Cookie": "hadoop.auth=x"})
    for target, kept in (("https://rm/", True), ("http://rm/", False), ("https://elsewhere/", False)):
        sent_on = redirects.redirect_request(asked, None, 307, "", {}, target)
        assert sent_on is not None and sent_on.has_header("Cookie") is kept

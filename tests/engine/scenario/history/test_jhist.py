"""Job histories as records: both forms of Hadoop's file, whole, cut off, broken and hostile."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codes import UNKNOWN
from engine.errors import FormatError, TooLarge
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.jhist import add_jhist
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, History
from tests.engine.scenario.history.job_histories import SCHEMA, ZERO, Job, ms, plain_job, record
from tests.phrases import phrase

FORMS = ("json", "binary")


@pytest.mark.parametrize("form", FORMS)
def test_a_job_s_record(form: str) -> None:
    job, notes = record(getattr(plain_job(), form)())
    assert not notes
    assert (job.id, job.name, job.user, job.queue, job.status) == (
        "job_1699999999999_0001",
        "daily",
        "ann",
        "a",
        "SUCCEEDED",
    )
    assert (job.submit_ms, job.inited_ms, job.finish_ms, job.maps, job.reduces, job.uberized) == (
        ZERO,
        ms(3),
        ms(40),
        2,
        1,
        False,
    )
    (master,) = job.masters
    assert (master.attempt, master.host, master.jvm_ms) == (1, "n1:8042", ms(1))
    first, second, reduce = job.attempts
    assert (first.kind, first.index, first.attempt, first.host, first.rack, first.locality) == (
        "map",
        0,
        1,
        "n1:8042",
        "default-rack",
        "NODE_LOCAL",
    )
    assert (first.scheduled_ms, first.start_ms, first.end_ms, first.outcome, first.moved_bytes) == (
        ms(3),
        ms(5),
        ms(15),
        FINISHED,
        2**20,
    )
    assert (second.host, second.shuffle_end_ms) == ("n2:8042", UNKNOWN)
    assert (reduce.kind, reduce.shuffle_end_ms, reduce.end_ms, reduce.moved_bytes) == (
        "reduce",
        ms(26),
        ms(38),
        2 * 2**20,
    )


def test_both_forms_say_the_same() -> None:
    job = (
        plain_job(name='täglich / 日次\t"x"')
        .task("map", 2, 7, 9, outcome="FAILED")
        .task("map", 2, 10, None, attempt=1)
    )
    assert record(job.json()) == record(job.binary()) == record(gzip.compress(job.binary()))


@pytest.mark.parametrize("form", FORMS)
def test_attempts_that_failed_were_killed_or_never_ended(form: str) -> None:
    job = (
        Job()
        .inited(3, 3)
        .task("map", 0, 5, 9, outcome="FAILED")
        .task("map", 0, 10, 20, attempt=1)
        .task("map", 0, 12, 20, attempt=2, outcome="KILLED")
    )
    job.task("map", 1, None, 6, outcome="KILLED").task("map", 2, 6, None)
    result, notes = record(getattr(job, form)())
    assert [(one.index, one.attempt, one.outcome) for one in result.attempts] == [
        (0, 1, FAILED),
        (0, 2, FINISHED),
        (0, 3, KILLED),
        (1, 1, KILLED),
        (2, 1, RUNNING),
    ]
    assert result.attempts[3].start_ms == UNKNOWN and result.attempts[4].end_ms == UNKNOWN
    assert (result.status, result.finish_ms, notes) == ("", UNKNOWN, [])


def test_a_map_whose_output_was_lost_keeps_its_end() -> None:
    job = (
        Job()
        .inited(3, 1)
        .task("map", 0, 5, 9)
        .add("MAP_ATTEMPT_FAILED", "TaskAttemptUnsuccessfulCompletion", finishTime=ms(30), attemptId="")
    )
    job.events[-1][2]["attemptId"] = "attempt_1699999999999_0001_m_000000_0"
    (result,) = record(job.json())[0].attempts
    assert (result.outcome, result.end_ms) == (FAILED, ms(9))


def test_the_queue_is_where_the_job_ended_up() -> None:
    assert record(plain_job().json())[0].queue == "a"
    assert record(plain_job().json(), plain_job().file)[0].queue == "root.a"
    assert record(plain_job().json(), plain_job().file.replace("root.a", "root.x%2Dy"))[0].queue == "root.x-y"
    assert (
        record(
            plain_job().add("JOB_QUEUE_CHANGED", "JobQueueChange", jobQueueName="root.b").json(),
            plain_job().file,
        )[0].queue
        == "root.b"
    )


def test_a_master_of_no_known_number_comes_after_the_others() -> None:
    job = plain_job().master(50, attempt=2)
    job.events[-1][2]["applicationAttemptId"] = "appattempt_1_0001v000002"
    assert [one.attempt for one in record(job.json())[0].masters] == [1, 2]


def test_several_masters() -> None:
    job = (
        Job()
        .master(1)
        .master(30, host="n2", attempt=2)
        .inited(33, 1)
        .task("map", 0, 35, 40, attempt=1000)
        .finished(41)
    )
    result, _ = record(job.binary())
    assert [(one.attempt, one.host, one.jvm_ms) for one in result.masters] == [
        (1, "n1:8042", ms(1)),
        (2, "n2:8042", ms(30)),
    ]
    assert result.attempts[0].attempt == 1001


@pytest.mark.parametrize("form", FORMS)
def test_cut_off_anywhere_what_stands_before_is_kept(form: str) -> None:
    whole = getattr(plain_job(), form)()
    begin = whole.index(b"\n", 20) + 1
    most = -1
    for end in range(begin, len(whole), 11):
        try:
            job, notes = record(whole[:end], plain_job().file)
        except FormatError:
            continue
        assert len(job.attempts) >= most and (notes == [] or "event" in notes[0])
        most = len(job.attempts)
    assert most == 3


def test_lines_that_are_no_events_are_told_and_the_rest_is_read() -> None:
    lines = plain_job().json().split(b"\n")
    broken = [
        *lines[:4],
        b"nonsense",
        b'{"type":"MAP_ATTEMPT_STARTED","event":{"x":{"startTime":"soon"}}}',
        b'{"type":"NEW_IN_4","event":{}}',
        *lines[4:],
    ]
    job, notes = record(b"\n".join(broken), "one.jhist")
    assert notes == [
        "one.jhist: " + phrase("history.line_no_event_job_history", 5),
        "one.jhist: " + phrase("history.line_no_event_job_history", 6),
    ]
    assert job == record(plain_job().json())[0]
    many = record(b"\n".join([*lines[:4], *[b"x"] * 100, *lines[4:]]), "one.jhist")[1]
    assert many[-1] == "one.jhist: " + phrase("history.more_lines_cant_be_read", 95)


def test_a_line_is_held_no_longer_than_its_bound() -> None:
    """A line of 100 MB takes what one of 4 MB does; the times of its event stand before its counters."""
    head, tail = plain_job().json().split(b'"displayName":"Bytes"', 1)

    stream = io.BytesIO(b"".join((head, b'"displayName":"', b"x" * 100 * 2**20, b'"', tail)))
    tracemalloc.start()
    history = History()
    add_jhist(history, Source(stream, is_json=False), "one.jhist")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24 * 2**20
    assert [one.end_ms for one in history.jobs[0].attempts] == [ms(15), ms(18), ms(38)] and not history.notes


@pytest.mark.parametrize("form", FORMS)
def test_a_million_counters_are_passed_over(form: str) -> None:
    job = Job().inited(3, 1).task("map", 0, 5, 9, more=30_000, moved=7).finished(10)
    data = getattr(job, form)()
    tracemalloc.start()
    result, notes = record(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (result.attempts[0].moved_bytes, notes) == (7, [])
    assert peak < 5 * len(data) + 8 * 2**20


def events_with(schema: Any, body: bytes = b"\0" * 100) -> bytes:
    return b"Avro-Binary\n" + json.dumps(schema).encode() + b"\n" + body


def with_type(kind: Any) -> dict[str, Any]:
    """The schema with a field of this type in every kind of event."""
    result = json.loads(json.dumps(SCHEMA))
    result["fields"][1]["type"].insert(
        0, {"type": "record", "name": "Hostile", "fields": [{"name": "jobid", "type": kind}]}
    )
    return result


def nested(depth: int) -> Any:
    kind: Any = "string"
    for _ in range(depth):
        kind = {"type": "array", "items": kind}
    return kind


@pytest.mark.parametrize(
    "kind",
    [
        {"type": "array", "items": "null"},
        {"type": "array", "items": {"type": "record", "name": "Nothing", "fields": []}},
        {"type": "array", "items": {"type": "fixed", "name": "Nothing", "size": 0}},
        {"type": "record", "name": "Loop", "fields": [{"name": "next", "type": ["null", "Loop"]}]},
        nested(30),
        [],
        "Unknown",
        "null",
        17,
        {"type": "enum", "name": "E", "symbols": 3},
        {"type": "fixed", "name": "F", "size": "x"},
        {
            "type": "record",
            "name": "Wide",
            "fields": [{"name": f"f{number}", "type": "int"} for number in range(6_000)],
        },
    ],
)
def test_hostile_schemas_are_refused_in_a_sentence(kind: Any) -> None:
    with pytest.raises(
        FormatError, match="^one.jhist: " + phrase("history.no_event_in_says_which") + " "
    ) as refused:
        record(events_with(with_type(kind)), "one.jhist")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        b"Avro-Binary\n",
        b"Avro-Binary\n{",
        b"Avro-Binary\n" + b"[" * 100_000 + b"\n",
        b"Avro-Json\n{}",
        b"Avro-Binary\n" + b" " * 2**21,
    ],
)
def test_headers_that_end_early(data: bytes) -> None:
    with pytest.raises(FormatError):
        record(data)


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_is_cut_off_in_its_schema_says_so(form: str) -> None:
    with pytest.raises(FormatError, match="^" + phrase("history.file_cut_off_within_schema")):
        record(getattr(plain_job(), form)()[:100])


@given(st.data())
def test_changed_bytes_give_a_record_or_a_sentence(data: st.DataObject) -> None:
    whole = bytearray(getattr(plain_job(), data.draw(st.sampled_from(FORMS)))())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        record(bytes(whole), plain_job().file)
    except (FormatError, TooLarge) as error:
        assert "\n" not in str(error)


def test_hadoop_s_own_sample(shared: Callable[[str], Path]) -> None:
    (path,) = shared("data").glob("job_1329348432655_0001*.jhist")
    job, notes = record(path.read_bytes(), path.name)
    assert (job.name, job.queue, job.status, len(job.attempts), notes) == (
        "Sleep job",
        "default",
        "SUCCEEDED",
        12,
        [],
    )
    assert {one.host for one in job.attempts} == {
        "localhost:9999"
    } and job.finish_ms - job.submit_ms == 25_374


def test_recorded_binary_histories(shared: Callable[[str], Path]) -> None:
    paths = sorted(shared("data/mini-cluster/fair-onesize/history").glob("*.jhist.gz"))
    jobs = [record(path.read_bytes(), path.name)[0] for path in paths]
    assert [job.name for job in jobs] == [f"f{number}" for number in range(1, 8)]
    assert {job.queue for job in jobs} == {"root.a", "root.b"}
    assert len({one.host for job in jobs for one in job.attempts}) == 4
    assert all(one.outcome == FINISHED and one.start_ms < one.end_ms for job in jobs for one in job.attempts)

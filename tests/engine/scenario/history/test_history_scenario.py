"""Histories as scenarios with what was measured: made by hand, with what is missing or out of order, and real
ones beside the clone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import simulate
from engine.codes import KINDS, OUTCOMES
from engine.errors import FormatError, TooLarge
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.history import records
from engine.scenario.history.history_scenario import scenario_from_history
from engine.scenario.history.jhist import add_jhist
from engine.scenario.history.job_properties import add_conf
from engine.scenario.history.records import History, NodeRecord, OtherApplicationRecord
from engine.scenario.measured import fingerprint
from tests.engine.scenario.history.job_histories import ZERO, Job, history_of, ms, plain_job, told
from tests.phrases import phrase


def imported(*jobs: Job, **properties: str) -> ImportedScenario:
    return scenario_from_history(history_of(*jobs, **properties), None, "title")


def attempts(found: ImportedScenario) -> list[tuple]:
    """(job, kind, index, attempt, requested, start, begin, shuffle end, end, outcome) of each container, in
    seconds.
    """
    c = found.scenario.measured.containers
    times = zip(c.requested_ms, c.start_ms, c.begin_ms, c.shuffle_end_ms, c.end_ms)
    return [
        (
            job,
            KINDS[kind],
            index,
            attempt,
            *(time / 1000 if time >= 0 else None for time in row),
            OUTCOMES[outcome],
        )
        for job, kind, index, attempt, row, outcome in zip(
            c.job, c.kind, c.index, c.attempt, times, c.outcome
        )
    ]


def test_a_job_with_its_record() -> None:
    result = imported(
        plain_job(),
        mapreduce__job__reduce__slowstart__completedmaps="1.0",
        mapreduce__map__speculative="false",
    )
    (job,) = result.scenario.jobs
    assert (job.name, job.user, job.queue, job.arrival_s, job.slowstart, job.speculation) == (
        "daily",
        "ann",
        "root.a",
        0,
        1.0,
        "reduces",
    )
    assert (job.am.memory_mb, job.am.startup_s, job.am.heartbeat_s, job.am.linger_s) == (1024, 3.0, 1.0, 6.0)
    assert (job.maps.memory_mb, job.maps.duration_s.values) == (2048, [10.0, 12.0])
    assert (job.reduces.memory_mb, job.reduces.duration_s, job.shuffle_mb_per_map) == (3072, 12.0, 1.0)
    assert job.model_extra == {"x_id": "job_1699999999999_0001"}
    assert attempts(result) == [
        (0, "am", 0, 1, 0, 1, 1, None, 46, "finished"),
        (0, "map", 0, 1, 4, 5, 5, None, 15, "finished"),
        (0, "map", 1, 1, 4, 6, 6, None, 18, "finished"),
        (0, "reduce", 0, 1, 18, 20, 20, 26, 38, "finished"),
    ]
    record = result.scenario.measured
    assert (record.jobs.asked_ms, record.jobs.finish_ms, record.jobs.failed, record.began_ms) == (
        [4000],
        [40_000],
        [0],
        ZERO,
    )
    assert (record.of, record.source) == (fingerprint(result.scenario), "1 job history")
    seen = simulate(result.scenario, "measured")
    assert seen.jobs.finish.tolist() == [40_000] and seen.containers.node.tolist() == [0, 0, 1, 0]


def test_what_is_not_said_is_hadoop_s_default_and_told() -> None:
    result = imported(plain_job())
    (job,) = result.scenario.jobs
    assert (job.maps.memory_mb, job.reduces.memory_mb, job.am.memory_mb, job.slowstart, job.speculation) == (
        1024,
        1024,
        1536,
        0.05,
        "both",
    )
    assert told(result, phrase("common.job_names_no_memory_for", 1, "mapreduce.map.memory.mb", 1024))
    assert told(
        result,
        phrase("history.job_names_no_slow_start", 1, "mapreduce.job.reduce.slowstart.completedmaps", 0.05),
    )


def test_of_several_attempts_the_one_that_finished_counts_and_all_are_recorded() -> None:
    job = (
        Job()
        .master(1)
        .inited(3, 1)
        .task("map", 0, 5, 9, outcome="FAILED")
        .task("map", 0, 10, 30, attempt=1, outcome="KILLED")
    )
    result = imported(job.task("map", 0, 12, 20, attempt=2, host="n2").finished(31))
    assert result.scenario.jobs[0].maps.duration_s == 8.0
    assert [one[2:] for one in attempts(result) if one[1] == "map"] == [
        (0, 1, 4, 5, 5, None, 9, "failed"),
        (0, 2, 9, 10, 10, None, 30, "killed"),
        (0, 3, 12, 12, 12, None, 20, "finished"),
    ]
    assert told(result, phrase("history.attempt_has_failed_all", 1, 33.3)) and told(
        result, phrase("history.attempt_has_been_killed", 1)
    )


def test_a_job_that_failed_keeps_what_ran() -> None:
    job = (
        Job()
        .master(1)
        .inited(3, 4)
        .task("map", 1, 5, 9)
        .task("map", 3, 5, 8, outcome="FAILED")
        .task("map", 3, 9, None, attempt=1)
        .finished(20, "FAILED")
    )
    result = imported(job)
    assert (result.scenario.jobs[0].maps.count, result.scenario.jobs[0].maps.duration_s.values) == (
        2,
        [4.0, 11.0],
    )
    assert result.scenario.measured.jobs.failed == [1]
    assert [one[-1] for one in attempts(result)] == ["failed", "finished", "failed", "killed"]
    assert told(result, phrase("history.tasks_have_no_attempt_started", 2)) and told(
        result, phrase("history.task_has_not_finished", 1)
    )
    assert simulate(result.scenario, "measured").jobs.failed.tolist() == [True]


def test_a_history_that_never_ended() -> None:
    result = imported(Job().master(1).inited(3, 2).task("map", 0, 5, 9).task("map", 1, 6, None))
    assert result.scenario.measured.jobs.finish_ms == [9000]
    assert attempts(result)[-1][-2:] == (9, "running")
    assert told(result, phrase("history.job_has_history_never_ended", 1))


def test_uberized_map_only_and_reduce_only_jobs() -> None:
    uber = (
        Job(1, uberized=True)
        .master(1)
        .inited(3, 2, 1)
        .task("map", 0, 4, 6)
        .task("map", 1, 6, 8)
        .task("reduce", 0, 8, 12)
        .finished(13)
    )
    reduces = (
        Job(3, 5)
        .master(6)
        .inited(8, 0, 2)
        .task("reduce", 0, 10, 12)
        .task("reduce", 1, 10, 13, shuffled=11)
        .finished(14)
    )
    result = imported(uber, Job(2, 2).master(3).inited(5, 1).task("map", 0, 7, 9).finished(10), reduces)
    one, two, three = result.scenario.jobs
    assert (one.am, one.maps.count, one.maps.memory_mb, one.maps.duration_s, one.reduces) == (
        None,
        1,
        1536,
        12.0,
        None,
    )
    assert (two.maps.count, two.reduces) == (1, None)
    assert (three.maps.count, three.reduces, three.maps.duration_s.values) == (2, None, [0.001, 2.0])
    assert [row[1] for row in attempts(result) if row[0] == 0] == ["map"] and {
        row[1] for row in attempts(result) if row[0] == 2
    } == {"am", "map"}
    simulate(result.scenario, "measured")


def test_several_masters_follow_each_other() -> None:
    job = Job().master(1).inited(3, 1).task("map", 0, 5, 9).master(30, host="n2", attempt=2).inited(32, 1)
    result = imported(job.task("map", 0, 35, 40, attempt=1000).finished(41))
    assert [(one[3], one[5], one[8], one[9]) for one in attempts(result) if one[1] == "am"] == [
        (1, 1, 30, "failed"),
        (2, 30, 47, "finished"),
    ]
    assert [one[3] for one in attempts(result) if one[1] == "map"] == [1, 2]
    assert told(result, phrase("history.job_has_several_masters", 1))


def test_jobs_and_attempts_without_times_are_left_out_and_told() -> None:
    result = imported(
        plain_job(1),
        Job(2).inited(3, 5).finished(4, "KILLED"),
        plain_job(3, at=100).task("map", 1, None, 8, attempt=1, outcome="KILLED"),
    )
    assert [job.model_extra["x_id"][-4:] for job in result.scenario.jobs] == ["0001", "0003"]
    assert told(result, phrase("common.job_has_no_task_ran", 1)) and told(
        result, phrase("history.attempt_has_no_start", 1)
    )
    with pytest.raises(FormatError, match="^" + phrase("history.history_holds_no_job_ran") + "$"):
        imported(Job(2).inited(3, 5).finished(4))


def test_applications_alone_are_no_batch_and_named_by_their_types() -> None:
    history = History()
    for number, type in enumerate(("TEZ", "SPARK", "SPARK")):
        history.others.append(OtherApplicationRecord(f"a_{number}", "x", "ann", "a", type, 0, 9000, 1, 1, 0))
    says = phrase("history.only_applications_without_tasks", "3 applications", "SPARK, TEZ")
    with pytest.raises(FormatError, match="^" + re.escape(says)):
        scenario_from_history(history, None, "title")


def test_equal_hosts_are_a_group_in_their_natural_order() -> None:
    job = Job().master(1, host="node10").inited(3, 3)
    for index, host in enumerate(("node2", "node10", "node1")):
        job.task("map", index, 5 + index, 9, host=host)
    history = history_of(job.finished(10))
    history.nodes["node3:8042"] = NodeRecord("node3:8042", "/default-rack", 8192, 8)
    result = scenario_from_history(history, None, "")
    (small, large) = result.scenario.cluster.nodes
    assert (small.name, small.count, small.memory_mb, small.vcores, small.rack) == (
        "node",
        3,
        2560,
        2,
        "default-rack",
    )
    assert small.model_extra["x_hosts"] == ["node1", "node2", "node10"] and large.model_extra["x_hosts"] == [
        "node3"
    ]
    assert result.scenario.measured.containers.node == [2, 1, 2, 0]
    assert told(result, phrase("history.nodes_have_size_nothing_says", 3, "2,560"))


def test_sizes_of_nodes_come_from_a_nodes_file_then_from_the_configuration() -> None:
    given = {"yarn.nodemanager.resource.memory-mb": "9000", "yarn.nodemanager.resource.cpu-vcores": "9"}
    result = scenario_from_history(history_of(plain_job(), **given), None, "")
    assert [(one.count, one.memory_mb, one.vcores) for one in result.scenario.cluster.nodes] == [(2, 9000, 9)]
    assert told(result, phrase("history.nodes_have_their_memory_from", 2, "9,000"))
    nodes = {Node("r1", "n1", 20_000, 10), Node("r2", "n2", 30_000, 10), Node("r2", "n3", 30_000, 10)}
    groups = scenario_from_history(history_of(plain_job(), **given), nodes, "").scenario.cluster.nodes
    assert [(one.rack, one.name, one.count, one.memory_mb) for one in groups] == [
        ("r1", "n1", 1, 20_000),
        ("r2", "n", 2, 30_000),
    ]


def test_several_nodemanagers_of_a_host_are_told_apart_by_their_ports() -> None:
    job = (
        Job()
        .master(1, "localhost", 1001)
        .inited(3, 2)
        .task("map", 0, 5, 9, "localhost", port=1002)
        .task("map", 1, 5, 9, "localhost", port=1001)
    )
    result = imported(job.finished(10))
    assert result.scenario.cluster.nodes[0].model_extra["x_hosts"] == ["localhost:1001", "localhost:1002"]
    assert sorted(result.scenario.measured.containers.node) == [0, 0, 1]


def test_nodes_that_are_listed_under_another_port_are_those_of_the_record() -> None:
    """NodeManagers take a free port when they start, and the list was asked for after they had."""
    job = Job().master(1, "h", 1001).inited(3, 2)
    job.task("map", 0, 5, 9, "h", port=1002).task("map", 1, 5, 9, "h", port=1001)
    history = history_of(job.finished(10))
    for port in (1002, 2001):
        history.nodes[f"h:{port}"] = NodeRecord(f"h:{port}", "/r", 4096, 4)
    result = scenario_from_history(history, None, "")
    assert result.scenario.cluster.nodes[0].model_extra["x_hosts"] == ["h:1002", "h:2001"]
    assert result.scenario.measured.containers.node == [1, 0, 1]
    assert told(result, phrase("history.node_listed_under_another_port", 1))


def test_a_clock_that_is_behind_is_moved_and_told() -> None:
    late = imported(plain_job(1), _behind(plain_job(2, at=100), 60))
    assert told(late, phrase("history.clock_does_not_agree_with", 1, "n9:8042") + " ")
    assert min(late.scenario.measured.containers.start_ms) >= 0
    assert late.scenario.measured.jobs.finish_ms[1] == 139_000
    order = (
        Job()
        .master(1)
        .inited(3, 1, 1)
        .task("map", 0, 5, 4)
        .task("reduce", 0, 8, 12, shuffled=20)
        .finished(13)
    )
    result = imported(order)
    assert told(result, phrase("history.attempts_have_times_out_order", 2))
    assert [one[4:9] for one in attempts(result)][1:] == [(4, 5, 5, None, 5), (5, 8, 8, 12, 12)]


def _behind(job: Job, seconds: float) -> Job:
    """All but when it was submitted is by the clock of n9, which is so far behind."""
    for _, record, fields in job.events:
        for name in fields:
            if name.endswith("Time") and record != "JobSubmitted" and fields[name] > 0:
                fields[name] -= 1000 * seconds
        if record == "AMStarted":
            fields["nodeManagerHost"] = "n9"
    return job


def test_uneven_parts_of_reduces() -> None:
    job = Job().master(1).inited(3, 1, 2).task("map", 0, 5, 9, moved=8 * 2**20)
    job.task("reduce", 0, 10, 20, shuffled=11, moved=2 * 2**20).task(
        "reduce", 1, 10, 40, shuffled=13, moved=6 * 2**20
    )
    (own,) = imported(job.finished(41)).scenario.jobs
    assert (own.partitions.sizes, own.shuffle_mb_per_map, own.reduces.duration_s) == ([0.5, 1.5], 8.0, 18.0)


def test_applications_without_a_history_hold_what_they_held() -> None:
    history = history_of(plain_job())
    fields = ("spark", "eve", "a", "SPARK", ms(-10))
    history.others += [
        OtherApplicationRecord("application_1_0007", *fields, ms(30), 40 * 3000, 40 * 2, ms(-20)),
        OtherApplicationRecord("application_1_0008", *fields, ms(-5), 40 * 3000, 40 * 2, ms(-20)),
    ]
    result = scenario_from_history(history, None, "")
    other = result.scenario.jobs[1]
    (stage,) = other.stages
    assert (other.name, other.queue, other.framework, other.arrival_s, stage.duration_s, other.am) == (
        "spark",
        "root.a",
        "demand",
        0,
        30.0,
        None,
    )
    assert stage.tasks * stage.memory_mb >= 3000
    assert result.scenario.measured.jobs.finish_ms == [40_000, 30_000]
    assert simulate(result.scenario, "measured").jobs.finish.tolist() == [40_000, 30_000]


def test_names_from_everywhere() -> None:
    names = [
        "日次/集計 2026-11-24",
        "日次/集計 2026-11-25",
        "x" * 10_000,
        "",
        "a\tb\x00c",
        "../../etc/passwd",
    ]
    result = imported(
        *(
            plain_job(number, at=number, name=name, user="Ünï/cödé " * 50, queue="root.größe")
            for number, name in enumerate(names, 1)
        )
    )
    given = [job.name for job in result.scenario.jobs]
    assert (
        given[0] == "日次_集計 2026-11-24" and len(set(given)) == 6 and given[3] == "job_1699999999999_0004"
    )
    assert [job.model_extra.get("x_group") for job in result.scenario.jobs[:3]] == [
        "日次/集計",
        "日次/集計",
        None,
    ]


def test_queues_that_a_scenario_can_t_have_as_they_are() -> None:
    names = ("a", "root.a.b", "..x..", "q" * 500, "")
    result = imported(*(plain_job(number, at=number, queue=name) for number, name in enumerate(names, 1)))
    assert [job.queue for job in result.scenario.jobs] == [
        "root.a.default",
        "root.a.b",
        "root.x",
        "root." + "q" * 180,
        "root.default",
    ]
    assert told(result, phrase("history.job_in_queue_has_queues", 1))


def test_what_is_too_much_or_too_far_apart() -> None:
    with pytest.raises(TooLarge, match="^" + phrase("common.history_holds_tasks_at_most", 3, 2) + "$"):
        scenario_from_history(history_of(plain_job()), None, "", 2)
    apart = imported(plain_job(1), plain_job(2, at=4e8), plain_job(3, at=4e8 + 60))
    assert [job.model_extra["x_id"][-1] for job in apart.scenario.jobs] == ["2", "3"]
    assert apart.assumptions[0] == phrase("formats.job_left_out_too_far_from_others", 1, "100,000,000", 2)


def test_of_more_jobs_than_a_scenario_holds_the_first_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_JOB_GROUPS", 2)
    result = imported(*(plain_job(number, at=100 * number) for number in range(1, 5)))
    assert len(result.scenario.jobs) == 2
    assert result.assumptions[0] == phrase("history.jobs_left_out_as_scenario", 2, "100,000")


def test_recorded_runs_as_measured(shared: Callable[[str], Path]) -> None:
    history = History()
    for path in sorted(shared("data/mini-cluster/fair-onesize/history").iterdir()):
        with path.open("rb") as stream:
            (add_conf if "_conf" in path.name else add_jhist)(
                history, Source(stream, is_json=False), path.name
            )
    result = scenario_from_history(history, None, "fair-onesize")
    assert (
        len(result.scenario.jobs),
        sum(group.count for group in result.scenario.cluster.nodes),
        result.scheduler,
    ) == (7, 4, "fair")
    seen = simulate(result.scenario, "measured")
    assert seen.jobs.finish.tolist() == [36691, 49599, 59753, 85312, 102312, 127454, 136344]
    assert len(seen.containers.job) == 67

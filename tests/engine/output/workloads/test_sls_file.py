"""SLS's files to the letter."""

from __future__ import annotations

import json

from tests.engine.output.workloads.helpers import TASK, job, scenario, text_of
from tests.phrases import phrase


def test_a_job_as_hadoop_s_classes_read_it() -> None:
    reduces = {"count": 2, "memory_mb": 2048, "vcores": 2, "duration_s": 5}
    given = job(
        maps={"count": 3, **TASK, "duration_s": {"values": [10, 10, 7]}},
        reduces=reduces,
        am={**TASK},
        queue="root.a",
        arrival_s=1.5,
    )
    one = scenario(given | {"shuffle_mb_per_map": 100}, launch_s=1, contention=0.5)
    text, lost = text_of(one, "sls")
    part = lambda kind, end, number, priority, memory, vcores: {
        "container.type": kind,
        "container.start.ms": 0,
        "container.end.ms": end,
        "container.priority": priority,
        "count": number,
        "container.memory-mb": memory,
        "container.vcores": vcores,
    }
    assert json.loads(text) == {
        "am.type": "mapreduce",
        "job.start.ms": 1500,
        "job.queue.name": "a",
        "job.id": "one",
        "job.user": "default",
        "am.memory-mb": 1024,
        "am.vcores": 1,
        "job.tasks": [
            part("map", 11_000, 2, 20, 1024, 1),
            part("map", 8_000, 1, 20, 1024, 1),
            part("reduce", 1000 + 1500 + 5000, 2, 10, 2048, 2),  # 300 MB over two reduces at 100 MB/s
        ],
    }
    assert lost[2:] == [
        phrase("workloads.launching_task_part_time_by"),
        phrase("workloads.job_asks_for_reduces_after", 1),
        phrase("workloads.job_has_reduces_whose_shuffle", 1),
        "contention",
    ]


def test_copies_are_jobs_of_their_own_and_random_times_those_of_the_seed() -> None:
    one = scenario(
        job(
            count=2,
            interval_s=4,
            maps={"count": 2, **TASK, "duration_s": {"dist": "normal", "mean": 10, "sd": 2}},
        )
    )
    text, lost = text_of(one, "sls")
    first, second = map(json.loads, text.splitlines())
    assert (first["job.id"], second["job.id"], second["job.start.ms"]) == ("one-1", "one-2", 4000)
    assert first["job.tasks"] != second["job.tasks"]
    assert (
        phrase("workloads.random_times_those_seed_written", 0) in lost
        and phrase("workloads.jobs_have_no_master_sls", 2, 1024, 1) in lost
    )


def test_nodes_stand_by_rack() -> None:
    nodes = [
        {"name": "a", "count": 2, **TASK, "rack": "r"},
        {"count": 1, "memory_mb": 2048, "vcores": 2, "speed": 2},
    ]
    text, lost = text_of(scenario(job(), nodes=nodes), "sls-nodes")
    small = {"memory-mb": 1024, "vcores": 1}
    assert [json.loads(line) for line in text.splitlines()] == [
        {"rack": "r", "nodes": [{"node": "a-1", **small}, {"node": "a-2", **small}]},
        {"rack": "default-rack", "nodes": [{"node": "node2", "memory-mb": 2048, "vcores": 2}]},
    ]
    assert lost == [phrase("workloads.all_but_nodes_sls_has"), phrase("workloads.speed_node_node_group", 1)]

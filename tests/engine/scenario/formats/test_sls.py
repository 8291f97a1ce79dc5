"""SLS job files against hadoop-sls: AMDefinitionSLS, TaskContainerDefinition, SLSUtils, SLSConfiguration."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.scenario.formats.readers import read
from engine.scenario.presets import sample
from tests.engine.scenario.formats.helpers import bytes_of, imported

HOST = "/rack1/n1"


def job(*tasks: dict, **fields: Any) -> dict:
    return {"job.queue.name": "a", "job.tasks": list(tasks)} | {name.replace("_", "."): value for name, value in fields.items()}


def task(ms: Any = 1000, **fields: Any) -> dict:
    return {"container.host": HOST, "container.duration.ms": ms} | {name.replace("__", "-").replace("_", "."): value for name, value in fields.items()}


def test_own_sample_on_its_nodes_file() -> None:
    with sample("sls-jobs.json").open("rb") as jobs, sample("sls-nodes.json").open("rb") as nodes:
        found = read("sls", jobs, nodes, name="Ovens")
    scenario = found.scenario
    assert scenario.name == "Ovens" and scenario.cluster.heartbeat_ms == 1000
    assert [(node.rack, node.name, node.memory_mb, node.vcores) for node in scenario.cluster.nodes] == [
        ("bakery-rack-1", "oven1", 8192, 4),
        ("bakery-rack-1", "oven2", 8192, 4),
        ("bakery-rack-2", "oven3", 16384, 8),
        ("bakery-rack-2", "oven4", 10240, 10),  # no size of its own
    ]
    dough, counter, late = scenario.jobs
    assert (dough.name, dough.user, dough.queue, dough.arrival_s, dough.slowstart, dough.shuffle_mb_per_map) == ("dough", "ada", "root.ovens", 0, 1, 0)
    assert dough.maps.duration_s.values == [17.0, 18.5, 16.2]  # container.end.ms - container.start.ms
    assert dough.reduces.duration_s.values == [31.0, 34.25]
    assert (dough.maps.memory_mb, dough.maps.vcores, dough.reduces.memory_mb) == (1024, 1, 2048)
    assert (dough.am.memory_mb, dough.am.vcores, dough.am.startup_s) == (1536, 1, 0)
    assert (counter.name, counter.count, counter.interval_s, counter.arrival_s) == ("job2", 2, 0, 5)
    assert (counter.maps.count, counter.maps.duration_s, counter.maps.vcores) == (6, 8, 2)
    assert (counter.reduces.count, counter.reduces.duration_s) == (2, 12)
    assert (counter.am.memory_mb, counter.am.vcores) == (1024, 1)
    assert (late.maps.memory_mb, late.maps.duration_s.values, late.reduces) == (3072, [4.0, 9.5], None)
    assert found.assumed == [
        "3 tasks name no memory: 1024 MB, SLS's default",
        "7 tasks name no vcores: 1, SLS's default",
        "2 jobs ask for reduces after all maps and shuffle nothing, as SLS does",
        "2 jobs name no memory for the master: 1024 MB, SLS's default",
        "2 jobs name no vcores for the master: 1, SLS's default",
        "1 job has maps of different sizes: the largest stands for all",
        "1 node names no memory: 10240 MB, SLS's default",
        "1 node names no vcores: 10 vcores, SLS's default",
        "2 queues have no weight and no capacity in the trace: equal ones stand in",
    ]


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"container.duration.ms": 5000, "duration.ms": 4000, "container.start.ms": 0, "container.end.ms": 3000}, 5),
        ({"duration.ms": 4000, "container.start.ms": 0, "container.end.ms": 3000}, 4),
        ({"container.duration.ms": -1, "duration.ms": 4000}, 4),  # -1: not given
        ({"container.start.ms": 500, "container.end.ms": 3000}, 2.5),
        ({"container.duration.ms": "5000"}, 5),  # Hadoop reads the number from its text
        ({"container.duration.ms": 5e3}, 5),
    ],
)
def test_durations_in_hadoops_order(fields: dict, seconds: float) -> None:
    assert imported("sls", job({"container.host": HOST, **fields})).scenario.jobs[0].maps.duration_s == seconds


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"container.duration.ms": -5}, "container.duration.ms: -5 must be over 0"),
        ({"container.duration.ms": 0, "duration.ms": 4000}, "container.duration.ms: 0 must be over 0"),
        ({"container.start.ms": 3000, "container.end.ms": 2000}, "container.end.ms - container.start.ms: -1000 must be over 0"),
        ({"container.start.ms": 3000}, "names no duration"),
        ({}, "names no duration"),
        ({"container.duration.ms": "long"}, "container.duration.ms: 'long' must be a whole number"),
        ({"container.duration.ms": True}, "container.duration.ms: true must be a whole number"),
        ({"container.duration.ms": 1.5}, "1.5 must be a whole number"),
        ({"container.duration.ms": [1]}, "container.duration.ms: a list where a number or text must be"),
        ({"container.duration.ms": 10**40}, "must be a whole number"),
        ({"container.duration.ms": 1, "container.memory-mb": 0}, "container.memory-mb: 0 must be at least 1"),
    ],
)
def test_a_bad_task_is_named(fields: dict, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        imported("sls", job(task()), job(task(), {"container.host": HOST, **fields}))
    assert str(caught.value).startswith("job 2: ") and words in str(caught.value) and "job.tasks[1]" in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"job.queue.name": None}, "job.queue.name is required"),
        ({"job.start.ms": -1}, "job.start.ms: -1 must be at least 0"),
        ({"job.tasks": 3}, "job.tasks must be a list"),
        ({"job.tasks": [3]}, "job.tasks[0]: an object must stand here"),
        ({"num.nodes": 0}, "num.nodes: 0 must be between 1 and 1,000,000"),
    ],
)
def test_a_bad_job_is_named(fields: dict, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        imported("sls", job(task()) | fields)
    assert str(caught.value) == f"job 1: {words}"


def test_sizes_old_and_new_and_the_largest_of_a_stage() -> None:
    found = imported(
        "sls",
        job(task(container_memory=2000, container_vcores=3), task(container_memory__mb=1500, container_memory=9), am_memory=512)
        | {"am.memory-mb": 600, "am.vcores": 2},
    )
    (only,) = found.scenario.jobs
    assert (only.maps.memory_mb, only.maps.vcores, only.am.memory_mb, only.am.vcores) == (2000, 3, 600, 2)
    assert "1 job has maps of different sizes: the largest stands for all" in found.assumed


def test_a_node_without_size_is_as_large_as_the_largest_container() -> None:
    found = imported("sls", job(task(container_memory__mb=20_000)))
    assert found.scenario.cluster.nodes[0].memory_mb == 20_000
    assert "1 node names no memory: 10240 MB, SLS's default, raised to 20000 MB for the largest container" in found.assumed


def test_numbered_nodes_and_hosts_are_one_set() -> None:
    five = {"num.nodes": 5, "num.racks": 2}  # /rack0/node0, /rack1/node1, /rack0/node2, …
    found = imported("sls", five, job(task(), task() | {"container.host": "/rack1/node3"}, task() | {"container.host": "/rack1/node4"}))
    nodes = [(node.name, node.count, node.rack) for node in found.scenario.cluster.nodes]
    assert nodes == [("n1", 1, "rack1"), ("node4", 1, "rack1"), ("rack0-node", 3, "rack0"), ("rack1-node", 2, "rack1")]
    assert len(imported("sls", {"num.nodes": 3, "num.racks": 9}, job(task())).scenario.cluster.nodes) == 4
    (node,) = imported("sls", five, job(task()), nodes=bytes_of({"rack": "r", "nodes": [{"node": "alone"}]})).scenario.cluster.nodes
    assert node.name == "alone"


def test_what_is_left_out_or_stands_in() -> None:
    found = imported(
        "sls",
        job(task(), job_id="first", job_start_ms=9000),
        {"job.queue.name": "a"},
        job(),
        job(task(), am_type="stream"),
        job(task(), task(container_type="stream")),
        job(task(container_type="stream")),
        job(task(2000, container_type="reduce", count=3), job_label_expression="gpu"),
        job(task(), job_id="first"),
        job(task(), job_id="a/b", job_count=0),
    )
    assert [job.name for job in found.scenario.jobs] == ["job2", "job3", "first.2", "a_b", "first"]  # by arrival
    reduces_alone = found.scenario.jobs[1]
    assert (reduces_alone.maps.count, reduces_alone.maps.duration_s, reduces_alone.reduces) == (3, 2, None)
    for sentence in (
        "3 jobs have no task: left out, as SLS does",
        "1 job is of another am.type than mapreduce: left out",
        "2 containers are neither map nor reduce: left out",
        "1 job has only reduces: they stand as maps, which ask for the same containers at the same time",
        "1 job asks for nodes of a label: any node will do",
        "1 job has a name that stands before: a number is added to it",
        "1 job has a / in the name: _ stands in its place",
        "4 jobs name no start: 0, SLS's default",
    ):
        assert sentence in found.assumed


def test_without_any_node_or_job_it_is_refused() -> None:
    with pytest.raises(FormatError, match="names no node: a nodes file"):
        imported("sls", job({"duration.ms": 5}))
    with pytest.raises(FormatError, match="holds no job"):
        imported("sls", {"num.nodes": 5})
    with pytest.raises(FormatError, match="makes no scenario: jobs.0..maps.memory_mb: 9000 fits no node"):
        imported("sls", job(task(container_memory__mb=9000)), nodes=bytes_of({"rack": "r", "nodes": [{"node": "n", "memory-mb": 8000}]}))


@given(st.lists(st.tuples(st.sampled_from(["map", "reduce"]), st.integers(1, 10**6), st.integers(1, 3)), min_size=1), st.integers(0, 10**9))
def test_every_container_is_kept_in_order(tasks: list[tuple[str, int, int]], start: int) -> None:
    (only,) = imported("sls", job(*(task(ms, container_type=kind, count=count) for kind, ms, count in tasks), job_start_ms=start)).scenario.jobs
    assert only.arrival_s * 1000 == pytest.approx(start)
    wanted = {kind: [ms / 1000 for own, ms, count in tasks if own == kind for _ in range(count)] for kind in ("map", "reduce")}
    stages = [only.maps, only.reduces] if wanted["map"] else [None, only.maps]
    for stage, times in zip(stages, wanted.values(), strict=True):
        assert (stage.count if stage else 0) == len(times)
        if stage:
            own = stage.duration_s
            assert times == (own.values if hasattr(own, "values") else [own] * stage.count)


KEYS = st.sampled_from(["job.tasks", "job.start.ms", "am.type", "num.nodes", "job.count", "job.id", "x"])
TASK_KEYS = st.sampled_from(["count", "duration.ms", "container.type", "container.host", "y"])
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
NESTED = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TASK_KEYS, inner, max_size=4), max_leaves=8)


@given(st.dictionaries(KEYS, NESTED))
def test_nothing_but_a_sentence_comes_of_nonsense(fields: dict) -> None:
    try:
        assert imported("sls", job(task()) | fields).scenario.jobs
    except FormatError as error:
        assert str(error) and "\n" not in str(error)

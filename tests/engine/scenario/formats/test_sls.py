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
from tests.phrases import phrase

HOST = "/rack1/n1"


def job(*tasks: dict, **fields: Any) -> dict:
    return {"job.queue.name": "a", "job.tasks": list(tasks)} | {
        name.replace("_", "."): value for name, value in fields.items()
    }


def task(ms: Any = 1000, **fields: Any) -> dict:
    return {"container.host": HOST, "container.duration.ms": ms} | {
        name.replace("__", "-").replace("_", "."): value for name, value in fields.items()
    }


def test_own_sample_on_its_nodes_file() -> None:
    with sample("sls-jobs.json").open("rb") as jobs, sample("sls-nodes.json").open("rb") as nodes:
        result = read("sls", jobs, nodes, name="Ovens")
    scenario = result.scenario
    assert scenario.name == "Ovens" and scenario.cluster.heartbeat_ms == 1000
    assert [(node.rack, node.name, node.memory_mb, node.vcores) for node in scenario.cluster.nodes] == [
        ("bakery-rack-1", "oven1", 8192, 4),
        ("bakery-rack-1", "oven2", 8192, 4),
        ("bakery-rack-2", "oven3", 16384, 8),
        ("bakery-rack-2", "oven4", 10240, 10),  # no size of its own
    ]
    dough, counter, late = scenario.jobs
    assert (
        dough.name,
        dough.user,
        dough.queue,
        dough.arrival_s,
        dough.slowstart,
        dough.shuffle_mb_per_map,
    ) == ("dough", "ada", "root.ovens", 0, 1, 0)
    assert dough.maps.duration_s.values == [17.0, 18.5, 16.2]  # container.end.ms - container.start.ms
    assert dough.reduces.duration_s.values == [31.0, 34.25]
    assert (dough.maps.memory_mb, dough.maps.vcores, dough.reduces.memory_mb) == (1024, 1, 2048)
    assert (dough.am.memory_mb, dough.am.vcores, dough.am.startup_s) == (1536, 1, 0)
    assert (counter.name, counter.count, counter.interval_s, counter.arrival_s) == ("job2", 2, 0, 5)
    assert (counter.maps.count, counter.maps.duration_s, counter.maps.vcores) == (6, 8, 2)
    assert (counter.reduces.count, counter.reduces.duration_s) == (2, 12)
    assert (counter.am.memory_mb, counter.am.vcores) == (1024, 1)
    assert (late.maps.memory_mb, late.maps.duration_s.values, late.reduces) == (3072, [4.0, 9.5], None)
    assert result.assumptions == [
        phrase("formats.tasks_name_no_memory_mb", 3, 1024),
        phrase("formats.tasks_name_no_vcores_slss", 7, 1),
        phrase("formats.jobs_ask_for_reduces_after", 2),
        phrase("formats.jobs_name_no_memory_for", 2, 1024),
        phrase("formats.jobs_name_no_vcores_for_master", 2, 1),
        phrase("formats.job_has_maps_different_sizes", 1),
        phrase("formats.node_names_no_memory_mb", 1, 10240),
        phrase("formats.node_names_no_vcores_vcores", 1, 10),
        phrase("formats.queues_have_no_weight_and", 2),
    ]


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        (
            {
                "container.duration.ms": 5000,
                "duration.ms": 4000,
                "container.start.ms": 0,
                "container.end.ms": 3000,
            },
            5,
        ),
        ({"duration.ms": 4000, "container.start.ms": 0, "container.end.ms": 3000}, 4),
        ({"container.duration.ms": -1, "duration.ms": 4000}, 4),  # -1: not given
        ({"container.start.ms": 500, "container.end.ms": 3000}, 2.5),
        ({"container.duration.ms": "5000"}, 5),  # Hadoop reads the number from its text
        ({"container.duration.ms": 5e3}, 5),
    ],
)
def test_durations_in_hadoops_order(fields: dict, seconds: float) -> None:
    assert (
        imported("sls", job({"container.host": HOST, **fields})).scenario.jobs[0].maps.duration_s == seconds
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"container.duration.ms": -5}, "container.duration.ms: -5 must be above 0"),
        ({"container.duration.ms": 0, "duration.ms": 4000}, "container.duration.ms: 0 must be above 0"),
        (
            {"container.start.ms": 3000, "container.end.ms": 2000},
            "container.end.ms - container.start.ms: -1000 must be above 0",
        ),
        ({"container.start.ms": 3000}, "has no duration"),
        ({}, "has no duration"),
        (
            {"container.duration.ms": "long"},
            "container.duration.ms: " + phrase("formats.must_be_whole_number", "'long'"),
        ),
        (
            {"container.duration.ms": True},
            "container.duration.ms: " + phrase("formats.true_must_be_whole_number"),
        ),
        ({"container.duration.ms": 1.5}, phrase("formats.must_be_whole_number", 1.5)),
        (
            {"container.duration.ms": [1]},
            "container.duration.ms: " + phrase("formats.list_where_number_or_text"),
        ),
        ({"container.duration.ms": 10**40}, phrase("common.must_be_whole_number")),
        (
            {"container.duration.ms": 1, "container.memory-mb": 0},
            "container.memory-mb: " + phrase("common.must_be_at_least", 0, 1),
        ),
    ],
)
def test_a_bad_task_is_left_out_and_named(fields: dict, words: str) -> None:
    result = imported("sls", job(task()), job(task(), {"container.host": HOST, **fields}))
    assert [job.maps.count for job in result.scenario.jobs] == [1, 1]
    fault = result.assumptions[0]
    assert (
        fault.startswith("job 2: job.tasks[1]: ")
        and words in fault
        and fault.endswith(phrase("formats.left_out"))
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"job.queue.name": None}, "job.queue.name is required"),
        ({"job.start.ms": -1}, "job.start.ms: " + phrase("common.must_be_at_least", -1, 0)),
        ({"job.tasks": 3}, phrase("formats.must_be_list", "job.tasks")),
        ({"job.tasks": [3]}, "job.tasks[0]: " + phrase("formats.object_must_stand_here")),
        ({"num.nodes": 0}, "num.nodes: " + phrase("formats.must_be_between_and", 0, 1, "1,000,000")),
    ],
)
def test_a_bad_job_is_named(fields: dict, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        imported("sls", job(task()) | fields)
    assert str(caught.value) == f"job 1: {words}"


def test_sizes_old_and_new_and_the_largest_of_a_stage() -> None:
    result = imported(
        "sls",
        job(
            task(container_memory=2000, container_vcores=3),
            task(container_memory__mb=1500, container_memory=9),
            am_memory=512,
        )
        | {"am.memory-mb": 600, "am.vcores": 2},
    )
    (only,) = result.scenario.jobs
    assert (only.maps.memory_mb, only.maps.vcores, only.am.memory_mb, only.am.vcores) == (2000, 3, 600, 2)
    assert phrase("formats.job_has_maps_different_sizes", 1) in result.assumptions


def test_a_node_without_size_is_as_large_as_the_largest_container() -> None:
    result = imported("sls", job(task(container_memory__mb=20_000)))
    assert result.scenario.cluster.nodes[0].memory_mb == 20_000
    assert phrase("formats.node_names_no_memory_mb_slss", 1, 10240, 20000) in result.assumptions


def test_numbered_nodes_and_hosts_are_one_set() -> None:
    five = {"num.nodes": 5, "num.racks": 2}  # /rack0/node0, /rack1/node1, /rack0/node2, …
    result = imported(
        "sls",
        five,
        job(task(), task() | {"container.host": "/rack1/node3"}, task() | {"container.host": "/rack1/node4"}),
    )
    nodes = [(node.name, node.count, node.rack) for node in result.scenario.cluster.nodes]
    assert nodes == [
        ("n1", 1, "rack1"),
        ("node4", 1, "rack1"),
        ("rack0-node", 3, "rack0"),
        ("rack1-node", 2, "rack1"),
    ]
    assert len(imported("sls", {"num.nodes": 3, "num.racks": 9}, job(task())).scenario.cluster.nodes) == 4
    (node,) = imported(
        "sls", five, job(task()), nodes=bytes_of({"rack": "r", "nodes": [{"node": "alone"}]})
    ).scenario.cluster.nodes
    assert node.name == "alone"


def test_what_is_left_out_or_stands_in() -> None:
    result = imported(
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
    # by arrival
    assert [job.name for job in result.scenario.jobs] == [
        "job2",
        "job3",
        "first.2",
        "a_b",
        "first",
    ]
    reduces_alone = result.scenario.jobs[1]
    assert (reduces_alone.maps.count, reduces_alone.maps.duration_s, reduces_alone.reduces) == (3, 2, None)
    for sentence in (
        phrase("formats.jobs_have_no_task_left", 3),
        phrase("formats.job_another_than_mapreduce_left", 1, "am.type"),
        phrase("formats.containers_neither_map_nor_reduce", 2),
        phrase("formats.job_has_only_reduces_they", 1),
        phrase("formats.job_asks_for_nodes_label", 1),
        phrase("formats.job_has_name_stands_before", 1),
        phrase("formats.job_has_in_name_stands", 1, "/", "_"),
        phrase("formats.jobs_name_no_start_slss", 4, 0),
    ):
        assert sentence in result.assumptions


def test_without_any_node_or_job_it_is_refused() -> None:
    with pytest.raises(FormatError, match=phrase("formats.names_no_node_nodes_file")):
        imported("sls", job({"duration.ms": 5}))
    with pytest.raises(FormatError, match="contains no job"):
        imported("sls", {"num.nodes": 5})
    with pytest.raises(
        FormatError, match=phrase("formats.makes_no_scenario_fits_no", "jobs.0..maps.memory_mb", 9000)
    ):
        imported(
            "sls",
            job(task(container_memory__mb=9000)),
            nodes=bytes_of({"rack": "r", "nodes": [{"node": "n", "memory-mb": 8000}]}),
        )


@given(
    st.lists(
        st.tuples(st.sampled_from(["map", "reduce"]), st.integers(1, 10**6), st.integers(1, 3)), min_size=1
    ),
    st.integers(0, 10**9),
)
def test_every_container_is_kept_in_order(tasks: list[tuple[str, int, int]], start: int) -> None:
    (only,) = imported(
        "sls",
        job(*(task(ms, container_type=kind, count=count) for kind, ms, count in tasks), job_start_ms=start),
    ).scenario.jobs
    assert only.arrival_s * 1000 == pytest.approx(start)
    wanted = {
        kind: [ms / 1000 for own, ms, count in tasks if own == kind for _ in range(count)]
        for kind in ("map", "reduce")
    }
    stages = [only.maps, only.reduces] if wanted["map"] else [None, only.maps]
    for stage, times in zip(stages, wanted.values(), strict=True):
        assert (stage.count if stage else 0) == len(times)
        if stage:
            own = stage.duration_s
            assert times == (own.values if hasattr(own, "values") else [own] * stage.count)


KEYS = st.sampled_from(["job.tasks", "job.start.ms", "am.type", "num.nodes", "job.count", "job.id", "x"])
TASK_KEYS = st.sampled_from(["count", "duration.ms", "container.type", "container.host", "y"])
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
NESTED = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TASK_KEYS, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, NESTED))
def test_nothing_but_a_sentence_comes_of_nonsense(fields: dict) -> None:
    try:
        assert imported("sls", job(task()) | fields).scenario.jobs
    except FormatError as error:
        assert str(error) and "\n" not in str(error)

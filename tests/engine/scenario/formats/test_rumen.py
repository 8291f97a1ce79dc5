"""Rumen traces: our own, Hadoop's sample where it lies beside the clone, and broken ones."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.scenario.formats.readers import read
from engine.scenario.presets import sample
from tests.engine.scenario.formats.helpers import bytes_of, imported
from tests.engine.scenario.formats.rumen_trace import attempt, job
from tests.phrases import phrase


def test_own_sample() -> None:
    with sample("rumen.json").open("rb") as trace:
        result = read("rumen", trace)
    knead, count = result.scenario.jobs
    assert (knead.name, knead.user, knead.queue, knead.arrival_s) == (
        "job_1700000000000_0001",
        "ada",
        "root.ovens",
        0,
    )
    assert knead.model_extra == {"x_job_name": "knead"}
    # 16.8: the second attempt, after one that failed
    assert knead.maps.duration_s.values == [
        17.25,
        18.9,
        16.8,
        19.405,
    ]
    # 31 - 17.5, 29.5 - 17.4: finishTime - shuffleFinished
    assert knead.reduces.duration_s.values == [
        13.5,
        12.1,
    ]
    assert knead.shuffle_mb_per_map == (24 + 25 + 26 + 25) / 4
    assert (knead.maps.memory_mb, knead.reduces.memory_mb, knead.am.memory_mb, knead.slowstart) == (
        1024,
        2048,
        1536,
        0.5,
    )
    assert (count.arrival_s, count.queue, count.slowstart, count.shuffle_mb_per_map) == (
        21.5,
        "root.counter",
        0.05,
        8,
    )
    assert (count.reduces.count, count.reduces.duration_s) == (1, 7.35)
    assert [
        (node.rack, node.name, node.memory_mb, node.vcores) for node in result.scenario.cluster.nodes
    ] == [
        ("bakery-rack-1", "oven1", 8192, 4),
        ("bakery-rack-1", "oven2", 8192, 4),
        ("bakery-rack-2", "oven3", 8192, 4),
    ]
    assert result.assumptions == [
        phrase("formats.jobs_shuffle_over_network_whose", 2, 100),
        phrase("formats.tasks_name_no_size_their", 10),
        phrase("common.job_names_no_memory_for", 1, "mapreduce.map.memory.mb", 1024),
        phrase("formats.job_names_no_slow_start", 1, 0.05),
        phrase("formats.nodes_name_no_memory_mb", 3, 8192, "yarn.nodemanager.resource.memory-mb"),
        phrase("formats.nodes_name_no_vcores_vcores", 3, 4, "yarn.nodemanager.resource.cpu-vcores"),
        phrase("formats.queues_have_no_weight_and", 2),
    ]


@pytest.mark.parametrize("nodes", ["rumen-topology.json", "sls-nodes.json"])
def test_nodes_come_from_either_kind_of_file(nodes: str) -> None:
    with sample("rumen.json").open("rb") as trace, sample(nodes).open("rb") as table:
        cluster = read("rumen", trace, table).scenario.cluster
    assert [(node.rack, node.name) for node in cluster.nodes] == [
        (f"bakery-rack-{1 + number // 2}", f"oven{number + 1}") for number in range(4)
    ]


def test_hadoops_sample(shared: Callable[[str], Path]) -> None:
    path = shared("data/2jobs2min-rumen-jh.json")
    text, naive, at = path.read_text("utf-8"), [], 0
    while text[at:].strip():
        one, at = json.JSONDecoder().raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
        naive.append(one)
    with path.open("rb") as trace:
        result = read("rumen", trace)
    jobs = result.scenario.jobs
    assert [job.arrival_s for job in jobs] == [0, 105.204]
    assert [job.maps.count for job in jobs] == [96, 96] and not any(job.reduces for job in jobs)
    assert [job.queue for job in jobs] == ["root.sls_queue_1"] * 2 and [job.name for job in jobs] == [
        one["jobID"] for one in naive
    ]
    for own, one in zip(jobs, naive, strict=True):
        last = [task["attempts"][-1] for task in one["mapTasks"]]
        assert own.maps.duration_s.values == [
            (attempt["finishTime"] - attempt["startTime"]) / 1000 for attempt in last
        ]
        assert (own.maps.memory_mb, own.maps.vcores, own.am.memory_mb, own.am.vcores) == (1024, 1, 1536, 1)
        assert own.model_extra == {"x_job_name": "TeraGen"}
    nodes = result.scenario.cluster.nodes
    assert [(node.rack, node.memory_mb, node.vcores) for node in nodes] == [("default-rack", 8192, 8)] * 4
    assert phrase("formats.jobs_name_no_vcores_for", 2, "mapreduce.map.cpu.vcores", 1) in result.assumptions


def test_arrivals_count_from_the_earliest_and_are_sorted() -> None:
    result = imported(
        "rumen",
        job([attempt()], submitTime=90_500),
        job([attempt()], submitTime=500),
        job([attempt()], submitTime=500),
    )
    assert [(job.name, job.arrival_s) for job in result.scenario.jobs] == [
        ("job_1.2", 0),
        ("job_1.3", 0),
        ("job_1", 90),
    ]


def test_reduces_whose_shuffle_is_not_known_count_whole() -> None:
    reduces = [
        attempt(shuffleFinished=2000),
        attempt(),
        attempt(shuffleFinished=0),
        attempt(shuffleFinished=None),
    ]
    result = imported("rumen", job([attempt()], reduces))
    assert result.scenario.jobs[0].reduces.duration_s.values == [3, 4, 4, 4]
    assert phrase("formats.reduces_do_not_say_when", 3) in result.assumptions


@pytest.mark.parametrize(
    ("maps", "reduces", "mb"),
    [
        (
            [attempt(mapOutputBytes=3 * 2**20), attempt(mapOutputBytes=5 * 2**20)],
            [attempt(reduceShuffleBytes=1)],
            4,
        ),
        ([attempt(mapOutputBytes=3 * 2**20), attempt(mapOutputBytes=-1)], [attempt()], 3),
        (
            [attempt(), attempt()],
            [attempt(reduceShuffleBytes=2**20), attempt(reduceShuffleBytes=2**20 // 2)],
            0.75,
        ),
        ([attempt(mapOutputBytes=0)], [attempt(reduceShuffleBytes=2**20)], 0),
        ([attempt(mapOutputBytes=-1)], [attempt(reduceShuffleBytes=-1)], 0),
    ],
)
def test_shuffle_is_the_maps_output_else_what_the_reduces_fetched(
    maps: list, reduces: list, mb: float
) -> None:
    result = imported("rumen", job(maps, reduces))
    assert result.scenario.jobs[0].shuffle_mb_per_map == mb
    known = any(own.get("mapOutputBytes", -1) >= 0 for own in maps) or any(
        own.get("reduceShuffleBytes", -1) >= 0 for own in reduces
    )
    assert (phrase("formats.job_does_not_say_how", 1, 0) in result.assumptions) is not known


def test_sizes_are_the_jobs_configuration_or_hadoops_defaults() -> None:
    given = {
        "mapreduce.map.memory.mb": "2048",
        "mapreduce.map.cpu.vcores": "2",
        "mapreduce.reduce.memory.mb": "-1",
        "yarn.app.mapreduce.am.resource.mb": 3000,
        "mapreduce.job.reduce.slowstart.completedmaps": "0.80",
    }
    (only,) = imported("rumen", job([attempt()], [attempt()], given, jobMapMB=200)).scenario.jobs
    assert (only.maps.memory_mb, only.maps.vcores, only.am.memory_mb, only.slowstart) == (2048, 2, 3000, 0.8)
    assert (only.reduces.memory_mb, only.reduces.vcores, only.am.vcores) == (1024, 1, 1)
    (bare,) = imported("rumen", job([attempt()], [attempt()])).scenario.jobs
    assert (bare.maps.memory_mb, bare.reduces.memory_mb, bare.am.memory_mb, bare.slowstart) == (
        1024,
        1024,
        1536,
        0.05,
    )


@pytest.mark.parametrize(
    ("properties", "size"),
    [
        ({}, (10_240, 10)),
        ({"yarn.nodemanager.resource.memory-mb": "4096"}, (4096, 8)),
        ({"yarn.nodemanager.resource.cpu-vcores": "6"}, (8192, 6)),
        ({"yarn.nodemanager.resource.memory-mb": "4096", "mapreduce.map.memory.mb": "5000"}, (5000, 8)),
    ],
)
def test_the_size_of_a_node(properties: dict, size: tuple[int, int]) -> None:
    (node,) = imported("rumen", job([attempt()], properties=properties)).scenario.cluster.nodes
    assert (node.memory_mb, node.vcores) == size


def test_tasks_that_never_ran_are_left_out() -> None:
    maps = [attempt(), attempt(finish=-1), attempt(start=None), attempt(finish=1000)]
    result = imported(
        "rumen", job(maps) | {"reduceTasks": [{"attempts": []}, {"attempts": None}, {}]}, job([])
    )
    assert (
        result.scenario.jobs[0].maps.duration_s.values == [4, 0.001] and not result.scenario.jobs[0].reduces
    )
    assert phrase("formats.tasks_have_no_attempt_started", 5) in result.assumptions
    assert phrase("formats.task_lasts_ms_in_trace", 1, 0, 1) in result.assumptions
    assert phrase("common.job_has_no_task_ran", 1) in result.assumptions


def test_hosts_of_failed_attempts_and_of_equal_names() -> None:
    tasks = [
        {"attempts": [attempt(host="/a/n1", finish=-1), attempt(host="/b/n1")]},
        {"attempts": [attempt(host="n2"), attempt(host=None)]},
    ]
    nodes = imported("rumen", job([]) | {"mapTasks": tasks}).scenario.cluster.nodes
    assert [(node.rack, node.name) for node in nodes] == [("a", "n1"), ("b", "n1.2"), ("default-rack", "n2")]


@pytest.mark.parametrize(
    ("trace", "words"),
    [
        (
            job([attempt(finish=900)]),
            phrase("formats.job_last_attempt_finished_ms", 1, "mapTasks[0]", "100 ms"),
        ),
        (
            job([], [attempt(shuffleFinished=6000)]),
            phrase("formats.job_last_attempt_finished_ms", 1, "reduceTasks[0]", "1 s"),
        ),
        (
            job([attempt(start="noon")]),
            phrase("formats.job_starttime_must_be_whole", 1, "mapTasks[0]", "'noon'"),
        ),
        (
            job([attempt(host=True)]),
            phrase("formats.job_hostname_true_must_be", 1, "mapTasks[0]", "attempts[0]"),
        ),
        (job([attempt()], submitTime=-1), phrase("formats.job_submittime_required", 1)),
        (
            job([attempt()], properties={"mapreduce.map.memory.mb": "much"}),
            phrase("formats.job_must_be_whole_number", 1, "mapreduce.map.memory.mb", "'much'"),
        ),
        (
            job([attempt()], [attempt()], {"mapreduce.job.reduce.slowstart.completedmaps": "nan"}),
            phrase("formats.must_be_number_between_and", "'nan'", 0, 1),
        ),
        (job([attempt()], mapTasks={}), phrase("formats.job_maptasks_must_be_list", 1)),
        (job([attempt(host=None)]), phrase("formats.trace_names_no_node_nodes")),
        (job([]), phrase("formats.file_holds_no_job_can")),
    ],
)
def test_bad_traces_are_refused_in_a_sentence(trace: dict, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        imported("rumen", trace)
    assert str(caught.value).endswith(words)


def test_what_can_t_be_read_is_left_out_and_told_once() -> None:
    """A task goes alone, a job where the fault is its own or stands in no list."""
    slowstart = {"mapreduce.job.reduce.slowstart.completedmaps": "2"}
    result = imported(
        "rumen",
        job([attempt(), attempt(finish=700), attempt(start={})], [{}, attempt(host=[])], jobID="a"),
        job([attempt(), attempt(host=[[1], {}])], jobID="b", submitTime=None),
        {"job.tasks": []},
        job([attempt()], [attempt()], slowstart, jobID="c"),
        job([attempt(finish=9000)], jobID="d") | {"reduceTasks": [[[]], 5, None]},
    )
    assert [(job.name, job.maps.count, bool(job.reduces)) for job in result.scenario.jobs] == [
        ("a", 1, False),
        ("d", 1, False),
    ]
    assert result.assumptions[:2] == [
        phrase("formats.job_left_out_and_more", 2, phrase("formats.submittime_required"), 2, "job"),
        phrase(
            "formats.job_left_out_and_more",
            1,
            "mapTasks[1]: " + phrase("formats.last_attempt_finished_ms_before", "300 ms"),
            6,
            "task",
        ),
    ]


def test_a_trace_that_breaks_in_the_middle_is_refused() -> None:
    with pytest.raises(FormatError, match="^" + phrase("formats.job_object_must_stand_here", 2, "{", "}")):
        read("rumen", io.BytesIO(bytes_of(job([attempt()]), [1])))


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        (b"{}", phrase("formats.object_must_be_rack_sls", 1)),
        (b'{"rack":"a","nodes":[{"node":"n"}]} {"nodes":[]}', phrase("formats.object_rack_required", 2)),
        (b'{"rack":"a","nodes":[{"memory-mb":1}]}', r"nodes\[0\].node is required"),
        (
            b'{"rack":"a","nodes":[{"node":"n","memory-mb":0}]}',
            r"nodes\[0\].memory-mb: " + phrase("common.must_be_at_least", 0, 1),
        ),
        (
            b'{"rack":"a","nodes":[{"node":"n","memory-mb":[1]}]}',
            r"nodes\[0\].memory-mb: " + phrase("formats.list_must_be_whole_number"),
        ),
        (b'{"rack":"a","nodes":[1]}', r"nodes\[0\]: " + phrase("formats.object_must_stand_here")),
        (b'{"name":"root","children":[1]}', phrase("formats.children_object_must_stand_here")),
        (b'{"name":"root","children":[{"children":[{}]}]}', phrase("formats.host_topology_has_no_name")),
        (b'{"rack":"a","nodes":[{"node":"n"', phrase("formats.object_file_cut_off", 1)),
        (b'{"children":[]}', "names no node"),
        (b"", phrase("formats.file_empty_nodes_file_must")),
        (b'{"jobID":"x"}', phrase("formats.this_looks_like_rumen_trace")),
    ],
)
def test_bad_nodes_files_are_refused_in_a_sentence(nodes: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        imported("rumen", job([attempt()]), nodes=nodes)


def test_racks_of_several_levels() -> None:
    topology = {
        "name": "<root>",
        "children": [
            {"name": "hall", "children": [{"name": "row", "children": [{"name": "n"}]}]},
            {"name": "m"},
        ],
    }
    nodes = imported("rumen", job([attempt()]), nodes=bytes_of(topology)).scenario.cluster.nodes
    assert [(node.rack, node.name) for node in nodes] == [("default-rack", "m"), ("hall_row", "n")]


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.integers(0, 10**9), st.integers(0, 10**7), st.sampled_from(["/r/a", "/r/b", "/s/c"])
            ),
            min_size=1,
            max_size=3,
        ),
        min_size=1,
    )
)
def test_the_last_attempt_counts_and_every_host(tasks: list[list[tuple[int, int, str]]]) -> None:
    trace = job([]) | {
        "mapTasks": [
            {"attempts": [attempt(start, start + ms, host) for start, ms, host in attempts]}
            for attempts in tasks
        ]
    }
    scenario = imported("rumen", trace).scenario
    times = [max(attempts[-1][1], 1) / 1000 for attempts in tasks]
    own = scenario.jobs[0].maps.duration_s
    assert (own.values if hasattr(own, "values") else [own] * len(times)) == times
    assert {f"/{node.rack}/{node.name}" for node in scenario.cluster.nodes} == {
        host for attempts in tasks for _, _, host in attempts
    }

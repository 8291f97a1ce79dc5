"""mapred-site.xml: what jobs have of it that say nothing themselves, as Hadoop 3.4.1 answers of the same
files (JobConf, YARNRunner, TaskAttemptImpl).
"""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dashboard import configure_scenario, read_configuration, read_files
from engine.scenario.allocation import Allocation
from engine.scenario.configuration.mapreduce_settings import HEAPS, USED_PROPERTIES, JobSettings
from engine.scenario.configuration.site_table import PACKAGE
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.model import Scenario
from engine.scenario.presets import sample
from tests.engine.scenario.configuration.files import (
    FAIR,
    MAPRED,
    alone,
    notes,
    of_properties,
)
from tests.engine.scenario.history.job_histories import plain_job
from tests.examples import examples
from tests.phrases import phrase

AM = "yarn.app.mapreduce.am."
MAP, REDUCE = "mapreduce.map.", "mapreduce.reduce."
HEAP_RATIO = "mapreduce.job.heap.memory-mb.ratio"
SLOWSTART = "mapreduce.job.reduce.slowstart.completedmaps"


def settings(properties: dict[str, str]) -> JobSettings:
    return read_configuration([("mapred-site.xml", of_properties(properties))]).job_settings


def sizes(properties: dict[str, str]) -> dict[str, tuple[int, int]]:
    """MB and vcores of each part."""
    given = settings(properties)
    return {part: tuple(one.value for one in given.size(part).values()) for part in ("maps", "reduces", "am")}


def together(**files: bytes) -> ImportedScenario:
    return read_files(
        [(name.replace("__", ".").replace("_", "-"), io.BytesIO(data)) for name, data in files.items()]
    )


@pytest.mark.parametrize(
    ("properties", "maps", "reduces", "am"),
    [
        ({}, (1024, 1), (1024, 1), (1536, 1)),
        (
            {f"{MAP}memory.mb": "3072", f"{REDUCE}cpu.vcores": "2", f"{AM}resource.mb": "2048"},
            (3072, 1),
            (1024, 2),
            (2048, 1),
        ),
        ({f"{MAP}memory.mb": "-1", f"{MAP}java.opts": "-Xms1g -Xmx2048m"}, (2560, 1), (1024, 1), (1536, 1)),
        ({"mapred.reduce.child.java.opts": "-Xmx3g"}, (1024, 1), (3840, 1), (1536, 1)),
        ({"mapred.child.java.opts": "-Xmx1g -Xmx2g"}, (2560, 1), (2560, 1), (1536, 1)),
        ({"mapred.child.java.opts": "-Xmx2147483648 -verbose"}, (2560, 1), (2560, 1), (1536, 1)),
        ({"mapred.child.java.opts": "-Xmx2t"}, (1024, 1), (1024, 1), (1536, 1)),
        (
            {"mapred.child.java.opts": "-Xmx900M", "mapreduce.job.heap.memory-mb.ratio": "0.5"},
            (1800, 1),
            (1800, 1),
            (1536, 1),
        ),
        (
            {f"{MAP}memory.mb": "0", "mapred.job.map.memory.mb": "777", f"{REDUCE}memory.mb": " 0x800 "},
            (777, 1),
            (2048, 1),
            (1536, 1),
        ),
        (
            {
                f"{REDUCE}resource.memory": "4Gi",
                f"{REDUCE}memory.mb": "1000",
                f"{MAP}resource.memory-mb": "2G",
            },
            (1907, 1),
            (4096, 1),
            (1536, 1),
        ),
        (
            {f"{AM}resource.memory-mb": "3000", f"{AM}resource.mb": "2000", f"{AM}resource.vcores": "2"},
            (1024, 1),
            (1024, 1),
            (3000, 2),
        ),
        ({f"{MAP}cpu.vcores": "two", f"{MAP}resource.memory-mb": "2 gb"}, (1024, 1), (1024, 1), (1536, 1)),
    ],
)
def test_sizes_are_those_that_hadoop_asks_for(properties, maps, reduces, am) -> None:
    assert sizes(properties) == {"maps": maps, "reduces": reduces, "am": am}


@pytest.mark.parametrize(
    ("properties", "slowstart", "speculation"),
    [
        ({}, 0.05, "both"),
        ({SLOWSTART: "0.8f", f"{MAP}speculative": "FALSE "}, 0.8, "reduces"),
        ({"mapred.reduce.slowstart.completed.maps": "1", f"{REDUCE}speculative": "false"}, 1.0, "maps"),
        ({SLOWSTART: "", f"{MAP}speculative": "no"}, 0.05, "both"),
        (
            {
                "mapred.map.tasks.speculative.execution": "false",
                "mapred.reduce.tasks.speculative.execution": "false",
            },
            0.05,
            "none",
        ),
    ],
)
def test_slow_start_and_speculation(properties, slowstart, speculation) -> None:
    given = settings(properties)
    assert (given.slowstart().value, given.speculation()[0]) == (slowstart, speculation)


def test_a_deprecated_name_is_the_same_property() -> None:
    """Final, empty and last as in Configuration."""
    lines = (
        ("mapred.reduce.tasks", "0", ""),
        ("mapreduce.job.reduces", " 3 ", "<final>true</final>"),
        ("mapred.reduce.tasks", "5", ""),
        ("mapred.job.map.memory.mb", "2048", ""),
        (f"{MAP}memory.mb", "", ""),
        ("mapred.map.tasks.speculative.execution", "false", ""),
        (f"{MAP}speculative", "no", ""),
    )
    text = "".join(
        f"<property><name>{name}</name><value>{value}</value>{more}</property>" for name, value, more in lines
    )
    made = read_configuration([("mapred-site.xml", f"<configuration>{text}</configuration>".encode())])
    given = made.job_settings
    assert (given.reduces(), given.size("maps")["memory_mb"].value, given.speculation()[0]) == (
        3,
        2048,
        "both",
    )


def test_what_a_job_says_itself_holds() -> None:
    given = settings(
        {f"{MAP}memory.mb": "3072", f"{MAP}cpu.vcores": "2", f"{AM}scheduler.heartbeat.interval-ms": "500"}
    )
    size = given.size("maps", {f"{MAP}memory.mb": "512"})
    assert (size["memory_mb"].value, size["memory_mb"].origin) == (512, "")
    assert (size["vcores"].value, size["vcores"].origin) == (2, "mapred-site.xml, line 3")
    assert (given.heartbeat_s(), given.heartbeat_s({f"{AM}scheduler.heartbeat.interval-ms": "2000"})) == (
        0.5,
        2,
    )
    assert [note.name for note in given.taken_notes()] == [
        f"{MAP}cpu.vcores",
        f"{AM}scheduler.heartbeat.interval-ms",
    ]


def test_stand_ins_have_what_it_says() -> None:
    made = alone(MAPRED)
    (job,) = made.scenario.jobs
    assert (job.maps.memory_mb, job.reduces.memory_mb, job.am.memory_mb, job.slowstart) == (
        3072,
        6144,
        2048,
        0.8,
    )
    assert (job.reduces.count, job.speculation) == (1, "none")
    assert set(made.scenario.model_extra["x_hadoop"]) == {"scheduler"}
    taken = phrase("configuration.taken_for_jobs")
    for line, name, value in (
        (3, f"{MAP}memory.mb", "3,072 MB"),
        (4, f"{REDUCE}memory.mb", "6,144 MB"),
        (5, f"{AM}resource.mb", "2,048 MB"),
        (6, "mapred.reduce.slowstart.completed.maps", "0.8"),
    ):
        assert f"1.xml, line {line}: {name} {taken}: {value}" in notes(made)
    assert "1.xml: " + phrase(
        "configuration.properties_not_used_here", 1
    ) + ": mapreduce.framework.name" in notes(made)


def test_without_it_stand_ins_are_as_they_were() -> None:
    (job, *_) = alone(FAIR).scenario.jobs
    assert (job.maps.memory_mb, job.am.memory_mb, job.reduces, job.slowstart) == (1024, 1024, None, 0.05)


def test_reduces_speculation_and_heartbeat_of_stand_ins() -> None:
    (job,) = alone(of_properties({"mapred.reduce.tasks": "7", f"{MAP}speculative": "false"})).scenario.jobs
    assert (job.reduces.count, job.speculation) == (7, "reduces")
    none = {"mapreduce.job.reduces": "0", f"{AM}scheduler.heartbeat.interval-ms": "250"}
    (job,) = alone(of_properties(none)).scenario.jobs
    assert (job.reduces, job.am.heartbeat_s) == (None, 0.25)


def test_nodes_that_are_assumed_hold_its_containers() -> None:
    made = alone(of_properties({f"{MAP}memory.mb": "20000", f"{AM}resource.cpu-vcores": "9"}))
    (group,) = made.scenario.cluster.nodes
    assert (group.memory_mb, group.vcores) == (3 * 8192, 16)


def test_what_the_cluster_rejects_is_told_and_its_most_stands_in() -> None:
    site = of_properties(
        {"yarn.scheduler.maximum-allocation-mb": "4096", "yarn.nodemanager.resource.cpu-vcores": "2"}
    )
    made = alone(of_properties({f"{MAP}memory.mb": "5000", f"{MAP}cpu.vcores": "3"}), site)
    (job,) = made.scenario.jobs
    assert (job.maps.memory_mb, job.maps.vcores) == (4096, 2)
    taken = f"1.xml, line 2: {MAP}memory.mb {phrase('configuration.taken_for_jobs')}: 4,096 MB, "
    assert taken + phrase("configuration.hadoop_rejects_given", "5,000 MB") in notes(made)


def test_a_queue_s_largest_container_holds_for_its_stand_in() -> None:
    fair = b'<allocations><queue name="a"><maxContainerAllocation>2048 mb, 1 vcores</maxContainerAllocation></queue><queue name="b"/></allocations>'  # noqa: E501
    made = alone(fair, MAPRED)
    assert [job.maps.memory_mb for job in made.scenario.jobs] == [2048, 3072]


def test_yarn_site_holds_before_it_for_jobs_but_not_the_other_way_round() -> None:
    """ConfigUtil.loadResources; and no daemon reads mapred-site.xml."""
    site = of_properties(
        {
            "yarn.resourcemanager.scheduler.class": f"{PACKAGE}.capacity.CapacityScheduler",
            f"{MAP}memory.mb": "1500",
        }
    )
    mapred = of_properties(
        {
            f"{MAP}memory.mb": "3072",
            f"{REDUCE}memory.mb": "${mapreduce.map.memory.mb}",
            "yarn.scheduler.minimum-allocation-mb": "512",
        }
    )
    made = alone(site, mapred)
    (job,) = made.scenario.jobs
    assert (job.maps.memory_mb, job.reduces.memory_mb) == (1500, 1500)
    assert made.scenario.cluster.allocation == Allocation()
    no_daemon = phrase("configuration.properties_not_read_by_hadoop", 1, "yarn-site.xml")
    assert f"2.xml: {no_daemon}: yarn.scheduler.minimum-allocation-mb" in notes(made)


def test_traces_that_name_no_sizes_have_them() -> None:
    swim = together(jobs__tsv=sample("swim.tsv").read_bytes(), mapred_site__xml=MAPRED)
    sift = swim.scenario.jobs[0]
    assert (sift.maps.memory_mb, sift.reduces.memory_mb, sift.am.memory_mb, sift.slowstart) == (
        3072,
        6144,
        2048,
        0.8,
    )
    assert swim.scheduler == "" and "x_hadoop" not in (swim.scenario.model_extra or {})
    swf = b"1 0 -1 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n"
    log = together(log__swf=swf, mapred_site__xml=MAPRED)
    assert [(job.maps.count, job.maps.memory_mb) for job in log.scenario.jobs] == [(2, 3072)]
    job = b'{"jobID": "job_1", "submitTime": 1, "jobProperties": {"mapreduce.map.cpu.vcores": "2"}, "mapTasks": [{"attempts": [{"startTime": 1, "finishTime": 9, "hostName": "/r/n"}]}]}'  # noqa: E501
    rumen = together(trace__json=job, mapred_site__xml=MAPRED)
    assert [(job.maps.memory_mb, job.maps.vcores, job.am.memory_mb) for job in rumen.scenario.jobs] == [
        (3072, 2, 2048)
    ]
    told = (
        phrase("formats.job_names_no_memory_for_map", 1, f"{MAP}memory.mb", 3072)
        + ", mapred-site.xml, line 3"
    )
    assert told in rumen.assumptions


def test_histories_without_their_own_configuration_have_them() -> None:
    job = plain_job(1, queue="a")
    bare = together(job_1__jhist=job.binary())
    given = together(job_1__jhist=job.binary(), mapred_site__xml=MAPRED)
    assert [one.scenario.jobs[0].maps.memory_mb for one in (bare, given)] == [1024, 3072]
    assert given.scenario.measured.of != bare.scenario.measured.of


def test_a_job_s_configuration_beside_a_trace_stands_for_it() -> None:
    conf = of_properties(
        {"mapreduce.job.dir": "hdfs:/a/job_1_0001", f"{MAP}memory.mb": "1800", "dfs.replication": "3"}
    )
    made = read_files(
        [("swim.tsv", io.BytesIO(sample("swim.tsv").read_bytes())), ("job_1_0001_conf.xml", io.BytesIO(conf))]
    )
    assert {job.maps.memory_mb for job in made.scenario.jobs} == {1800}
    assert any(note.startswith("job_1_0001_conf.xml: ") for note in made.assumptions)


def test_a_scenario_says_all_itself() -> None:
    scenario = Scenario.read(sample("wordcount.json").read_bytes())
    made = configure_scenario(scenario, read_configuration([("mapred-site.xml", MAPRED)]))
    assert made.scenario == scenario and made.scheduler == ""
    assert phrase("configuration.all_them_say_it_themselves") in " ".join(map(str, made.notes))


def test_values_that_hadoop_can_not_read_are_told() -> None:
    made = alone(of_properties({f"{MAP}memory.mb": "1 GB", f"{MAP}speculative": "yes", SLOWSTART: "half"}))
    told: list[Any] = [(note.line, note.name) for note in made.notes if note.line]
    assert told[:3] == [(2, f"{MAP}memory.mb"), (3, f"{MAP}speculative"), (4, SLOWSTART)]


@pytest.mark.parametrize(
    ("properties", "values", "told"),
    [
        ({f"{MAP}memory.mb": "99999999999"}, {}, "no_integer"),  # NumberFormatException
        ({f"{MAP}memory.mb": "0x80000000"}, {}, "no_integer"),
        ({f"{MAP}memory.mb": "1024.5"}, {}, "no_integer"),
        ({f"{MAP}memory.mb": "2147483647"}, {}, "more_than_any_node"),
        ({f"{MAP}memory.mb": "-5"}, {}, "heap_or_default"),
        ({f"{MAP}cpu.vcores": "-2"}, {}, "below_0_is_refused"),  # vCores:-2 is asked for
        ({f"{MAP}cpu.vcores": "0"}, {}, "smallest_container"),
        ({f"{MAP}resource.memory": "0"}, {"maps": (1, 1)}, "smallest_container"),
        ({f"{MAP}resource.memory-mb": "99999999999"}, {}, "more_than_any_node"),
        ({f"{MAP}resource.memory-mb": "5Ei"}, {}, "no_amount"),
        ({f"{MAP}resource.memory-mb": "700", f"{MAP}resource.memory": "9"}, {"maps": (700, 1)}, "twice"),
        ({f"{MAP}resource.vcores": "5000000000"}, {}, "more_than_any_node"),  # 705,032,704 to Hadoop
        ({f"{MAP}resource.vcores": "2k"}, {"maps": (1024, 2000)}, ""),
        ({f"{MAP}resource.vcores": "-1"}, {}, "no_amount"),
        ({f"{AM}resource.mb": "99999999999"}, {}, "no_integer"),
        ({f"{AM}resource.mb": "0x800"}, {}, "no_digits"),  # a request as well
        ({f"{AM}resource.mb": "0"}, {"am": (1, 1)}, "smallest_container"),
        ({f"{AM}resource.cpu-vcores": "-2"}, {}, "no_digits"),
        ({f"{AM}resource.memory-mb": "2048m"}, {"am": (1, 1)}, "smallest_container"),  # thousandths
        ({f"{AM}resource.memory-mb": "2048M"}, {"am": (1953, 1)}, ""),
        ({f"{MAP}java.opts": "-Xmx9999999999999m"}, {}, "heap_of_more"),
        ({HEAP_RATIO: "0", f"{MAP}java.opts": "-Xmx2g"}, {"maps": (2560, 1)}, "ratio"),
        ({"mapreduce.job.reduces": "-2"}, {}, "from_to_here"),
        ({f"{AM}scheduler.heartbeat.interval-ms": "-1"}, {}, "from_to_here"),
    ],
)
def test_what_hadoop_takes_in_its_own_way_is_told(properties, values, told) -> None:
    """As Hadoop 3.4.1 asks for it, or refuses it (TaskAttemptImpl, YARNRunner)."""
    assert sizes(properties) == {"maps": (1024, 1), "reduces": (1024, 1), "am": (1536, 1)} | values
    says = SAYS[told] if told else phrase("configuration.taken_for_jobs")
    assert says in " ".join(notes(alone(of_properties(properties))))


SAYS = {
    "no_integer": phrase("configuration.whole_number_of_at_most"),
    "more_than_any_node": phrase("configuration.more_than_any_node_has"),
    "heap_or_default": phrase("configuration.takes_what_heap_needs"),
    "below_0_is_refused": phrase("configuration.refuses_what_tasks_ask_for"),
    "smallest_container": phrase("configuration.gives_its_smallest_container"),
    "no_amount": phrase("configuration.must_be_amount_such_as"),
    "no_digits": phrase("configuration.must_be_digits_alone"),
    "twice": phrase("configuration.runs_no_job_that_says"),
    "heap_of_more": phrase("configuration.has_heap_of", "9,999,999,999,999"),
    "ratio": phrase("configuration.rejects_what_tasks_ask_for"),
    "from_to_here": phrase("configuration.default_stands_in"),
}


@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("5", 1.0, phrase("configuration.no_reduce_ever_starts", 5)),
        ("1e40", 1.0, phrase("configuration.no_reduce_ever_starts", "1e+40")),
        ("-1", 0.0, phrase("configuration.reduces_asked_for_at_once", -1)),
        ("0.5", 0.5, ""),
    ],
)
def test_slow_start_beyond_its_range_is_told(text: str, value: float, says: str) -> None:
    """RMContainerAllocator.scheduleReduces waits until so many times the maps have finished."""
    assert settings({SLOWSTART: text}).slowstart().value == value
    assert settings({}).slowstart({SLOWSTART: text}).value == value
    assert says in " ".join(notes(alone(of_properties({SLOWSTART: text}))))


NUMBERS = st.integers(-(2**70), 2**70).map(str) | st.floats().map(str)
UNITS = st.sampled_from(["", " ", "m", "M", "Mi", "Gi", "g", "Ei", "f"])


@examples(100, 1000)
@given(
    name=st.sampled_from(sorted(USED_PROPERTIES - HEAPS)),
    text=st.builds("{}{}".format, NUMBERS, UNITS) | st.text("0123456789.-+xeNGMi ", max_size=12),
)
def test_no_value_is_lost_in_silence(name: str, text: str) -> None:
    """It is taken as it is, or told."""
    made = alone(of_properties({name: text}))
    if text.strip():
        assert any(name in str(note) for note in made.notes)

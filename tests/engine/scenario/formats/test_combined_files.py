"""Several files of any kind as one scenario."""

from __future__ import annotations

import gzip
import io

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.allocation import Allocation
from engine.scenario.configuration.configuration_notes import ConfigurationNote, NoteKind
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from engine.scenario.configuration.scheduler_settings import complete_name
from engine.scenario.formats.archives import file_name
from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.time_window import Part
from engine.scenario.measured import fingerprint
from engine.scenario.presets import sample
from tests.engine.scenario.configuration.files import CAPACITY, FAIR, SITE, of_capacity
from tests.engine.scenario.formats.archives import tar, zipped
from tests.engine.scenario.history.job_histories import conf, plain_job
from tests.phrases import phrase

SLS, NODES, WORDCOUNT = (
    sample(name).read_bytes() for name in ("sls-jobs.json", "sls-nodes.json", "wordcount.json")
)
B = {"root.queues": "b", "root.b.capacity": "100"}


def together(*files: bytes, **options):
    return read_files([(f"file{place}", io.BytesIO(data)) for place, data in enumerate(files, 1)], **options)


def test_a_trace_with_its_nodes_and_its_cluster_s_configuration() -> None:
    result = together(SLS, NODES, gzip.compress(FAIR), SITE)
    alone = together(SLS, NODES)
    assert result.scheduler == "drf(update_ms=100)" and alone.scheduler == ""
    assert (
        result.assumptions[: len(alone.assumptions)] == alone.assumptions
        and f"the scheduler is {result.scheduler}" in result.assumptions
    )
    # what is told of the configuration has its kind, and is a line like the others
    kinds = [note.kind for note in result.notes if isinstance(note, ConfigurationNote)]
    assert NoteKind.NOT_MODELLED in kinds and result.assumptions == list(map(str, result.notes))
    assert {queue.name for queue in result.scenario.queues} >= {"root.etl.daily", "root.adhoc.ann"}
    assert {group.memory_mb for group in result.scenario.cluster.nodes} == {16384}
    assert [job.maps for job in result.scenario.jobs] == [job.maps for job in alone.scenario.jobs]


def test_a_scenario_with_a_configuration() -> None:
    result = together(WORDCOUNT, CAPACITY)
    hadoop_s = {"max_applications": 10_000, "allocation": Allocation()}
    cluster = together(WORDCOUNT).scenario.cluster.model_copy(update=hadoop_s)
    assert (result.scheduler, result.scenario.cluster) == ("capacity", cluster)
    assert {job.queue for job in result.scenario.jobs} == {"root.etl"}
    assert together(CAPACITY, WORDCOUNT).scenario == result.scenario


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((b"no kind", FAIR), "^" + phrase("formats.not_scenario_sls_jobs_file", "file1")),
        ((b"", FAIR), "^" + phrase("formats.file_is_empty", "file1")),
        ((gzip.compress(b"\n"),), "^" + phrase("formats.file_is_empty", "file1")),
        ((SLS, WORDCOUNT), "^" + phrase("formats.and_cant_be_read_together", "file1", "file2") + "$"),
        ((NODES,), "^" + phrase("formats.nodes_file_which_belongs_trace", "file1") + "$"),
        ((NODES, FAIR), "^" + phrase("formats.nodes_file_which_belongs_trace", "file1") + "$"),
        (
            (FAIR, FAIR),
            "^" + phrase("formats.and_both_allocations_fairscheduler_one", "file1", "file2") + "$",
        ),
        ((WORDCOUNT, FAIR[:-5]), "^file2, line 17: not XML: "),
        ((SITE,) * 51, "^at most 50 files"),
    ],
)
def test_what_does_not_go_together(files: tuple[bytes, ...], said: str) -> None:
    with pytest.raises((FormatError, TooLarge), match=said):
        together(*files)


def test_bytes_are_bounded_once_unpacked() -> None:
    with pytest.raises(TooLarge, match=phrase("formats.more_than_bytes_text", "1,000")):
        together(gzip.compress(b"<configuration>" + b" " * 10_000), max_bytes=1_000)


@pytest.mark.parametrize(
    ("name", "answered", "whole"),
    [
        (
            "capacity(resources=memory)",
            "capacity(resources=memory)+am-limit(limit=0.5)",
            "capacity(resources=memory)+am-limit(limit=0.5)",
        ),
        (
            "capacity(node_locality_delay=5)",
            "capacity(preemption=yes, resources=memory)",
            "capacity(preemption=yes, resources=memory, node_locality_delay=5)",
        ),
        ("fair(preemption=yes)", "drf", "drf(preemption=yes)"),
        ("capacity+am-limit(limit=0.3)", "capacity+admit-all", "capacity+am-limit(limit=0.3)"),
        ("fair", "capacity+admit-all", "fair"),
        ("fair", None, "fair"),
    ],
)
def test_yarn_site_alone_leaves_what_the_resourcemanager_answered(name, answered, whole) -> None:
    assert complete_name(name, answered) == whole


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("run/job/job_1700000000000_0001/conf.json", "job_1700000000000_0001/conf.json"),
        ("done/2026/000000/job_1700000000000_0001_conf.xml", "job_1700000000000_0001_conf.xml"),
        ("a\\application_1_0001\\job_1_0001.json", "job_1_0001.json"),
        ("rm/apps.json", "apps.json"),
    ],
)
def test_a_folder_of_an_archive_says_of_which_job_a_file_is(path, name) -> None:
    assert file_name(path) == name


def history_files(count: int = 3) -> dict[str, bytes]:
    jobs = [plain_job(number, at=10 * number, queue="a") for number in range(1, count + 1)]
    return {f"done/{job.file}": job.binary() for job in jobs} | {
        f"done/job_{job.id}_conf.xml": conf() for job in jobs
    }


def named(files: dict[str, bytes], **options):
    return read_files([(name, io.BytesIO(data)) for name, data in files.items()], **options)


def test_histories_with_their_configurations_an_archive_and_the_cluster_s_own_files() -> None:
    files = history_files()
    loose = named(files)
    assert [job.maps.memory_mb for job in loose.scenario.jobs] == [
        2048
    ] * 3 and loose.scenario.measured.source == "3 job histories"
    for archive in (tar(files), gzip.compress(tar(files)), zipped(files)):
        assert named({"x": archive}).scenario == loose.scenario
    nodes = (
        b'{"rack": "r1", "nodes": [{"node": "n1", "memory-mb": 9000, "vcores": 9}, {"node": "n2", '
        b'"memory-mb": 9000, "vcores": 9}]}'
    )
    fair = b'<allocations><queue name="a"><weight>3</weight></queue><queue name="b"/></allocations>'
    site = b"<configuration><property><name>yarn.nodemanager.resource.memory-mb</name><value>7000</value></property></configuration>"  # noqa: E501
    result = named(
        {
            **files,
            "nodes.json": nodes,
            "fair-scheduler.xml": fair,
            "yarn-site.xml": site,
            "notes.txt": b"hello",
        }
    )
    assert {group.memory_mb for group in result.scenario.cluster.nodes} == {7000}
    assert {queue.name: queue.weight for queue in result.scenario.queues} == {"root.a": 3.0, "root.b": 1.0}
    assert {job.queue for job in result.scenario.jobs} == {"root.a"}
    assert result.scenario.measured.of == fingerprint(result.scenario)
    assert "notes.txt: " + phrase("formats.no_kind_read_passed_over") in result.assumptions


def test_a_history_stays_in_the_queues_it_ran_in() -> None:
    """Placement rules have had their say; a queue that the file does not list any more is there as it was."""
    fair = (
        b'<allocations><queue name="b"/><queuePlacementPolicy><rule name="specified"/><rule '
        b'name="reject"/></queuePlacementPolicy></allocations>'
    )
    result = named({**history_files(1), "fair-scheduler.xml": fair})
    assert [job.queue for job in result.scenario.jobs] == ["root.a"] and {
        queue.name for queue in result.scenario.queues
    } == {"root.a", "root.b"}


@pytest.mark.parametrize(
    ("ran_in", "listed", "queue", "said"),
    [
        ("a", B, "root.a", phrase("configuration.ran_in_unlisted", 2, "root.a")),
        (
            "a",
            {"root.queues": "b,a", "root.b.capacity": "50", "root.a.capacity": "50"}
            | {"root.a.queues": "x", "root.a.x.capacity": "100"},
            "root.a.x",
            phrase("configuration.ran_in_no_leaf", 2, "root.a", "root.a.x"),
        ),
        (
            "b.x",
            B,
            "root.b",
            phrase("configuration.ran_in_no_leaf", 2, "root.b.x", "root.b"),
        ),
    ],
)
def test_a_history_s_queues_that_are_no_leaves_of_the_configuration_are_told_in_a_sentence(
    ran_in: str, listed: dict[str, str], queue: str, said: str
) -> None:
    """Whether it is opened beside the history or put on it later."""
    jobs = [plain_job(number, at=10 * number, queue=ran_in) for number in (1, 2)]
    files = {f"done/{job.file}": job.binary() for job in jobs}
    capacity = of_capacity(listed)
    result = named({**files, "capacity-scheduler.xml": capacity})
    alone = named(files).scenario
    later = configure_scenario(alone, read_configuration([("capacity-scheduler.xml", capacity)]))
    for scenario, notes in (
        (result.scenario, result.assumptions),
        (later.scenario, map(str, later.notes)),
    ):
        assert [(job.queue, job.rejected) for job in scenario.jobs] == [(queue, "")] * 2
        assert [note for note in notes if " ran in " in note] == [f"the configuration: {said}"]


def test_broken_files_among_histories_are_told() -> None:
    files = history_files(2)
    broken = {
        "one.jhist": b"Avro-Json\n{}\n",
        "two.jhist": b"Avro-Binary\nx\n",
        "job_1_0009_conf.xml": b"<configuration><",
        "deep.tar": tar({"in.tar": tar({"a": b"1"})}),
    }
    result = named({**broken, **files})
    assert len(result.scenario.jobs) == 2
    for words in (
        "one.jhist: " + phrase("formats.no_event_in_says"),
        "two.jhist: " + phrase("formats.schema_in_second_line"),
        "job_1_0009_conf.xml: not XML",
        phrase("formats.archive_within", "in.tar"),
    ):
        assert any(sentence.startswith(words) for sentence in result.assumptions)
    with pytest.raises(FormatError, match="^one.jhist: " + phrase("formats.no_event_in_says_which") + "$"):
        named(broken)


def test_all_files_of_a_history_share_their_bound() -> None:
    files = history_files(3)
    total = sum(map(len, files.values()))
    assert named(files, max_bytes=total + 10).scenario
    with pytest.raises(TooLarge):
        named(files, max_bytes=total - 10)
    result = named(files, max_tasks=8)
    assert len(result.scenario.jobs) == 2
    assert result.assumptions[0] == phrase("formats.job_left_out_after_first", 1, 2, 2)
    assert len(named(files, max_tasks=8, part=Part(2)).scenario.jobs) == 1
    with pytest.raises(TooLarge, match="^" + phrase("common.history_holds_tasks_at_most", 3, 2) + "$"):
        named(files, max_tasks=2)


def test_two_scenarios_or_a_trace_are_passed_over_beside_a_history() -> None:
    result = named({"sls.json": SLS, "own.json": WORDCOUNT, **history_files(1)})
    assert phrase("formats.another_scenario_or_trace_passed", "sls.json", "own.json") in result.assumptions


def test_a_trace_in_an_archive() -> None:
    assert (
        named({"x": zipped({"jobs.json": SLS, "nodes.json": NODES})}).scenario.jobs
        == together(SLS, NODES).scenario.jobs
    )
    with pytest.raises(FormatError, match="^" + phrase("formats.not_scenario", "a.txt")):
        named({"x": zipped({"a.txt": b"1"})})


def test_what_is_known_to_nobody_in_a_folder_or_an_archive_is_ignored() -> None:
    """A cluster's /etc/hadoop/conf has such files, and a file by itself is what was asked for."""
    files = {"fair-scheduler.xml": FAIR, "log4j.properties": b"log4j.rootLogger=INFO\n", "dfs.exclude": b""}
    alone = named({"fair-scheduler.xml": FAIR})
    ignored = "log4j.properties, dfs.exclude: " + phrase("formats.no_kind_read_passed_over")
    for found in (
        named(files, named=()),
        named({"conf.zip": zipped(files)}),
        named({"conf.tgz": gzip.compress(tar(files))}),
    ):
        assert found.assumptions == [ignored, *alone.assumptions]
        assert found.scenario.queues == alone.scenario.queues
    with pytest.raises(FormatError, match="^" + phrase("formats.not_scenario", "log4j.properties")):
        named(files, named={"log4j.properties"})
    with pytest.raises(FormatError, match="^" + phrase("formats.file_is_empty", "dfs.exclude")):
        named({"dfs.exclude": b""}, named=())


def test_a_history_s_part_of_time_counts_from_its_first_job() -> None:
    files = history_files(3)
    opened = lambda part: named(files, part=part)
    arrivals = [job.arrival_s for job in opened(Part()).scenario.jobs]
    late = opened(Part(since_s=arrivals[1]))
    assert [job.arrival_s for job in late.scenario.jobs] == [
        arrival - arrivals[1] for arrival in arrivals[1:]
    ]
    assert late.assumptions[0] == phrase("formats.job_left_out_outside", 1)
    with pytest.raises(FormatError, match=phrase("formats.no_job_in_part", round(arrivals[-1]))):
        opened(Part(since_s=arrivals[-1] + 1))


def test_what_a_configuration_says_is_not_told_as_assumed() -> None:
    def assumed(*configuration: bytes) -> str:
        history = plain_job()
        return " ".join(together(history.json(), *configuration).assumptions)

    site = SITE.replace(
        b"</configuration>",
        b"<property><name>yarn.scheduler.fair.allocation.file</name><value>/etc/fair.xml</value></property>"
        b"<property><name>yarn.nodemanager.resource.memory-mb</name><value>9216</value></property>"
        b"<property><name>yarn.nodemanager.resource.cpu-vcores</name><value>9</value></property>"
        b"</configuration>",
    )
    size, weight = phrase("history.no_recorded_size"), phrase("history.no_weight_no_capacity")
    file = "yarn.scheduler.fair.allocation.file"
    nothing, sizes, both = assumed(), assumed(site), assumed(site, FAIR)
    assert [size in nothing, weight in nothing] == [True, True]
    assert [size in sizes, weight in sizes, file in sizes] == [False, True, True]
    assert [size in both, weight in both, file in both] == [False, False, False]

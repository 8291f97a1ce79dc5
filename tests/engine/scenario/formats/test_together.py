"""Several files of any kind as one scenario."""

from __future__ import annotations

import gzip
import io

import pytest

from engine.errors import FormatError, TooLarge
from engine.scenario.configuration.scheduler_settings import completed
from engine.scenario.formats.archives import file_name
from engine.scenario.formats.together import read_together
from engine.scenario.presets import sample
from tests.engine.scenario.configuration.files import CAPACITY, FAIR, SITE

SLS, NODES, WORDCOUNT = (sample(name).read_bytes() for name in ("sls-jobs.json", "sls-nodes.json", "wordcount.json"))


def together(*files: bytes, **options):
    return read_together([(f"file{place}", io.BytesIO(data)) for place, data in enumerate(files, 1)], **options)


def test_a_trace_with_its_nodes_and_its_cluster_s_configuration() -> None:
    found = together(SLS, NODES, gzip.compress(FAIR), SITE)
    alone = together(SLS, NODES)
    assert found.scheduler == "drf(update_ms=100)" and alone.scheduler == ""
    assert found.assumed[: len(alone.assumed)] == alone.assumed and f"the scheduler is {found.scheduler}" in found.assumed
    assert {queue.name for queue in found.scenario.queues} >= {"root.etl.daily", "root.adhoc.ann"}
    assert {group.memory_mb for group in found.scenario.cluster.nodes} == {16384}
    assert [job.maps for job in found.scenario.jobs] == [job.maps for job in alone.scenario.jobs]


def test_a_scenario_with_a_configuration() -> None:
    found = together(WORDCOUNT, CAPACITY)
    assert (found.scheduler, found.scenario.cluster) == ("capacity", together(WORDCOUNT).scenario.cluster)
    assert {job.queue for job in found.scenario.jobs} == {"root.etl"}
    assert together(CAPACITY, WORDCOUNT).scenario == found.scenario


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((b"", FAIR), "^file1 is not a scenario, an SLS jobs file"),
        ((SLS, WORDCOUNT), "^file1 and file2 can't be read together: one scenario or trace at a time$"),
        ((NODES,), "^file1 is a nodes file, which belongs to a trace$"),
        ((NODES, FAIR), "^file1 is a nodes file, which belongs to a trace$"),
        ((FAIR, FAIR), "^file1 and file2 are both allocations of FairScheduler; one at a time can be read$"),
        ((WORDCOUNT, FAIR[:-5]), "^file2, line 17: not XML: "),
        ((SITE,) * 11, "^at most 10 files"),
    ],
)
def test_what_does_not_go_together(files: tuple[bytes, ...], said: str) -> None:
    with pytest.raises((FormatError, TooLarge), match=said):
        together(*files)


def test_bytes_are_bounded_once_unpacked() -> None:
    with pytest.raises(TooLarge, match="more than 1,000 bytes of text"):
        together(gzip.compress(b"<configuration>" + b" " * 10_000), most_bytes=1_000)


@pytest.mark.parametrize(
    ("name", "answered", "whole"),
    [
        ("capacity(resources=memory)", "capacity(resources=memory)+am-limit(limit=0.5)", "capacity(resources=memory)+am-limit(limit=0.5)"),
        ("capacity(node_locality_delay=5)", "capacity(preemption=yes, resources=memory)", "capacity(preemption=yes, resources=memory, node_locality_delay=5)"),
        ("fair(preemption=yes)", "drf", "drf(preemption=yes)"),
        ("capacity+am-limit(limit=0.3)", "capacity+admit-all", "capacity+am-limit(limit=0.3)"),
        ("fair", "capacity+admit-all", "fair"),
        ("fair", None, "fair"),
    ],
)
def test_yarn_site_alone_leaves_what_the_resourcemanager_answered(name, answered, whole) -> None:
    assert completed(name, answered) == whole


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

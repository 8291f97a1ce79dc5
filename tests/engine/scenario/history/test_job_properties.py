"""A job's configuration: what of it is kept, and what is refused."""

from __future__ import annotations

import gzip
import io

import pytest

from engine.errors import FormatError
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.job_properties import MAX_VALUE_LENGTH, USED_PROPERTIES, add_conf, is_job_conf
from engine.scenario.history.records import History
from tests.engine.scenario.history.job_histories import conf
from tests.phrases import phrase


def read(data: bytes, name: str = "job_1_0001_conf.xml") -> tuple[History, dict[str, str]]:
    history = History()
    add_conf(history, Source(io.BytesIO(data), is_json=False), name)
    return history, history.jobs[0].properties


def test_only_what_is_used_is_kept() -> None:
    _, result = read(conf(mapreduce__job__queuename="a &amp; b", dfs__replication="3"))
    assert result == {
        "mapreduce.map.memory.mb": "2048",
        "mapreduce.reduce.memory.mb": "3072",
        "yarn.app.mapreduce.am.resource.mb": "1024",
        "mapreduce.job.queuename": "a & b",
    }
    assert result.keys() <= USED_PROPERTIES and read(gzip.compress(conf()))[1] == read(conf())[1]
    assert len(read(conf(mapreduce__job__name="x" * 10**6))[1]["mapreduce.job.name"]) <= MAX_VALUE_LENGTH


def test_its_job_is_in_its_name_or_in_itself() -> None:
    folder = conf(mapreduce__job__dir="hdfs:/staging/ann/.staging/job_7_0003")
    assert read(folder, "conf.xml")[0].jobs[0].id == "job_7_0003"
    assert read(folder, "job_8_0001_conf.xml")[0].jobs[0].id == "job_8_0001"
    with pytest.raises(
        FormatError,
        match="^conf.xml: " + phrase("history.neither_name_nor_in_says", "mapreduce.job.dir") + "$",
    ):
        read(conf(), "conf.xml")


def test_what_the_history_lacks_of_its_job_is_taken_from_it() -> None:
    history, _ = read(
        conf(mapreduce__job__name="daily", mapreduce__job__user__name="ann", mapreduce__job__queuename="a")
    )
    assert (history.jobs[0].name, history.jobs[0].user, history.jobs[0].queue) == ("daily", "ann", "a")
    history.jobs[0].name = "as its history says"
    add_conf(
        history, Source(io.BytesIO(conf(mapreduce__job__name="x")), is_json=False), "job_1_0001_conf.xml"
    )
    assert history.jobs[0].name == "as its history says"


def test_what_is_cut_off_is_kept_as_far_as_it_goes() -> None:
    history, result = read(conf()[:-60])
    assert result["mapreduce.map.memory.mb"] == "2048"
    assert history.notes[0].startswith(
        "job_1_0001_conf.xml: " + phrase("history.cut_off_or_broken_what") + " "
    )


@pytest.mark.parametrize(
    "data",
    [
        b"<configuration",
        b"nonsense",
        b'<!DOCTYPE a [<!ENTITY b "c">]><configuration/>',
        b'<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d '
        b'"&b;&b;">]><configuration><property><name>a</name><value>&d;</value></property></configuration>',
        b"<a>" * 1_000,
    ],
)
def test_what_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="^job_1_0001_conf.xml: ") as refused:
        read(data)
    assert "\n" not in str(refused.value)


def test_it_is_told_from_a_cluster_s_configuration() -> None:
    assert is_job_conf(conf()) and not is_job_conf(conf().replace(b"<source>job.xml</source>", b""))

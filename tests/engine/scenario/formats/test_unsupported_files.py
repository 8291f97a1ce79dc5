"""Files that are known and not read: each is told as what it is, alone or beside what is read."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from engine.errors import FormatError
from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.readers import detect, read
from engine.scenario.presets import sample
from tests.phrases import phrase

JOB_LOG = b'Meta VERSION="1" .\nJob JOBID="job_201201010000_0001" JOBNAME="sort" USER="ann" .\n'
CAPACITY = b"""<?xml version="1.0"?>
<!-- queues -->
<configuration>
  <property>
    <name>mapred.capacity-scheduler.queue.default.capacity</name>
    <value>100</value>
  </property>
</configuration>
"""
SYNTH = json.dumps(
    {"description": "tiny jobs", "num_nodes": 20, "num_jobs": 10, "rand_seed": 2, "workloads": []}
).encode()
TOLD = {
    "hadoop-1-log": (JOB_LOG, phrase("formats.job_log_hadoop_1_not_read")),
    "hadoop-1-capacity-xml": (CAPACITY, phrase("formats.capacity_file_hadoop_1_not_read")),
    "lzf": (
        b'ZV\0\0:{"Event":"SparkListenerLogStart","Spark Version":"2.4.5"}',
        phrase("formats.lzf_log_not_read"),
    ),
    "synth": (SYNTH, phrase("formats.synth_workload_not_read")),
}
SITE = b"""<configuration><property><name>yarn.resourcemanager.scheduler.class</name>
<value>org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler</value></property></configuration>"""


@pytest.mark.parametrize("kind", TOLD)
def test_it_is_named_in_one_sentence(kind: str) -> None:
    data, sentence = TOLD[kind]
    assert detect(data) == detect(gzip.compress(data)) == kind
    with pytest.raises(FormatError) as caught:
        read_files([("file", io.BytesIO(data))])
    assert str(caught.value) == f"file: {sentence}"
    with pytest.raises(FormatError) as caught:
        read(kind, io.BytesIO(data))
    assert str(caught.value) == sentence


@pytest.mark.parametrize("beside", ["yarn-site.xml", "rumen.json", "wordcount.json"])
def test_beside_what_is_read_it_is_told_first(beside: str) -> None:
    other = SITE if beside == "yarn-site.xml" else sample(beside).read_bytes()
    result = read_files([("capacity-scheduler.xml", io.BytesIO(CAPACITY)), (beside, io.BytesIO(other))])
    sentence = phrase("formats.capacity_file_hadoop_1_not_read")
    assert result.scenario.jobs and result.assumptions[0] == f"capacity-scheduler.xml: {sentence}"


def test_a_file_of_yarn_with_a_name_of_hadoop_1_is_read() -> None:
    own = b"<property><name>yarn.scheduler.capacity.root.queues</name><value>default</value></property>"
    assert detect(CAPACITY.replace(b"<configuration>", b"<configuration>" + own)) == "capacity-xml"


def test_a_job_s_configuration_alone_is_named() -> None:
    conf = b"<configuration><property><name>mapreduce.map.memory.mb</name><value>2048</value><source>job.xml</source></property></configuration>"  # noqa: E501
    with pytest.raises(FormatError) as caught:
        read_files([("job_1_0001_conf.xml", io.BytesIO(conf))])
    assert str(caught.value) == phrase("formats.job_configuration_alone", "job_1_0001_conf.xml")

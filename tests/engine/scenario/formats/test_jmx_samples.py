"""Samples of a ResourceManager's /jmx: which beans count, and a recorded series of a real one."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter

import pytest

from engine import FormatError, read, sample
from engine.dashboard import detect
from tests.hadoop.cluster.prediction_accuracy import RECORDED
from tests.phrases import phrase

METRICS = RECORDED / "fair-mixed-metrics.jsonl.gz"
# memorySeconds of the cluster's applications, as the same ResourceManager told after that run
MEMORY_S = {"root.a": 1_944_532, "root.b": 1_626_302}
CONTAINERS = {"root.a": 61, "root.b": 51}  # AggregateContainersAllocated of the last sample


def test_users_partitions_and_other_beans_do_not_count() -> None:
    first, *others = sample("queue-jmx.jsonl").read_bytes().splitlines()
    more = {"tag.Queue": "root.etl", "AggregateContainersAllocated": 1_000_000}
    prefix = "Hadoop:service=ResourceManager,name="
    names = ("QueueMetrics,q0=root,q1=etl,user=ann", "PartitionQueueMetrics,partition=,q0=root", "JvmMetrics")
    data = json.loads(first)
    data["beans"] += [{"name": prefix + name, **more} for name in names]
    text = b"\n".join([json.dumps(data).encode(), *others])
    both = [
        read("queue-jmx", io.BytesIO(one)).scenario for one in (text, sample("queue-jmx.jsonl").read_bytes())
    ]
    assert both[0] == both[1]


def test_an_answer_without_a_time_is_refused() -> None:
    answer = b'{"beans": []}'
    assert detect(answer) == "queue-jmx"
    with pytest.raises(FormatError) as fault:
        read("queue-jmx", io.BytesIO(answer))
    assert str(fault.value) == phrase("queue_metrics.sampled_ms_required")


def test_a_real_cluster_s_memory_is_what_its_applications_held() -> None:
    """Hadoop 3.4.1, FairScheduler, fourteen jobs; sampled every 10 s, as often as it renews its metrics."""
    scenario = read("queue-jmx", METRICS.open("rb")).scenario
    memory: Counter = Counter()
    containers: Counter = Counter()
    for job in scenario.jobs:
        containers[job.queue] += job.count * job.maps.count
        memory[job.queue] += job.count * job.maps.count * job.maps.memory_mb * job.maps.duration_s
    assert containers == CONTAINERS
    for queue, told in MEMORY_S.items():
        assert memory[queue] == pytest.approx(told, rel=0.05)
    assert [(group.count, group.memory_mb, group.vcores) for group in scenario.cluster.nodes] == [
        (4, 4096, 4)
    ]


def test_the_recorded_samples_hold_what_is_kept_and_no_name_of_a_machine() -> None:
    text = gzip.decompress(METRICS.read_bytes()).decode()
    assert "Hostname" not in text and ",user=" not in text

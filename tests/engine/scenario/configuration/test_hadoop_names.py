"""What Hadoop calls the fields: every field of a queue has a name, or stands in no file of Hadoop's."""

from __future__ import annotations

from engine import Queue
from engine.dashboard import hadoop_names

OURS = {"name"}  # the element itself


def test_every_field_of_a_queue_has_hadoop_s_name() -> None:
    named = {path.partition(".")[0] for path in hadoop_names("queue")}
    assert named == set(Queue.model_fields) - OURS


def test_a_field_of_both_files_has_both_names() -> None:
    assert hadoop_names("queue")["capacity_pct"] == ("capacity",)
    assert hadoop_names("queue")["weight"] == ("weight",)
    assert hadoop_names("cluster")["heartbeat_ms"] == (
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
    )

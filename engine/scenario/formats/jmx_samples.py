"""Answers of a ResourceManager's /jmx over time, as `gantry-collect --metrics` writes them: JSON objects one
after another, {"sampled_ms": 1700000000000, "beans": [...]}, of which the beans QueueMetrics of queues (not
of users or partitions) and ClusterMetrics count. What becomes of them stands in queue_metrics.
"""

from __future__ import annotations

from typing import Any

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import (
    ListOf,
    Source,
    for_each_object,
    int_value,
    leaf_fields,
    text_value,
)
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.queue_metrics import (
    CLUSTER,
    NODES_FIELD,
    QUEUE_FIELDS,
    QueueSamples,
    scenario_of_samples,
)
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder

PREFIX = "Hadoop:service=ResourceManager,name="
QUEUE_BEAN, CLUSTER_BEAN = f"{PREFIX}QueueMetrics", f"{PREFIX}ClusterMetrics"


class _Beans:
    """Folds the beans of one answer: (queue, field, value) each."""

    def __init__(self) -> None:
        self.values: list[tuple[str, str, int]] = []

    def add(self, bean: dict[str, Any]) -> None:
        name = text_value(bean.get("name"), "name") or ""
        if name.startswith(QUEUE_BEAN) and ",user=" not in name:
            queue = text_value(bean.get("tag.Queue"), "tag.Queue")
            if queue is None:
                raise FormatError(msg("scenario.jmx_samples.tag_queue_required"))
            self._keep(queue, QUEUE_FIELDS, bean)
        elif name == CLUSTER_BEAN:
            self._keep(CLUSTER, (NODES_FIELD,), bean)

    def _keep(self, queue: str, fields: tuple[str, ...], bean: dict[str, Any]) -> None:
        for field in fields:
            if (value := int_value(bean.get(field), field)) is not None:
                self.values.append((queue, field, value))


SAMPLE = leaf_fields("sampled_ms") | {
    "beans": ListOf(leaf_fields("name", "tag.Queue", NODES_FIELD, *QUEUE_FIELDS), _Beans)
}


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of samples. A sample that can't be read is left out and told; FormatError and TooLarge as
    `readers.read` says.
    """
    builder = ScenarioBuilder(source.max_tasks, source.part)
    samples = QueueSamples()

    def take(answer: dict[str, Any]) -> bool:
        time_ms = int_value(answer.get("sampled_ms"), "sampled_ms")
        if time_ms is None:
            raise FormatError(msg("scenario.jmx_samples.sampled_ms_required"))
        for queue, field, value in answer["beans"].values if "beans" in answer else ():
            samples.add(queue, field, time_ms, value)
        return True

    for_each_object(source, SAMPLE, take, builder.notes, "sample")
    return scenario_of_samples(samples, builder, nodes, title)


JMX = FileFormat(
    "queue-jmx", msg("scenario.jmx_samples.samples_of_jmx"), ("sampled_ms", "beans"), (".jsonl",), read
)

"""An answer of Prometheus to a range query (/api/v1/query_range) that has YARN's queue metrics: as Hadoop's
own endpoint /prom names them (`queue_metrics_apps_submitted{queue="root.a"}`), or the JMX exporter
(`Hadoop_ResourceManager_AppsSubmitted{name="QueueMetrics",q0="root",q1="a"}`). What becomes of them stands
in queue_metrics; series of users, partitions and all other metrics are passed over.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator

import ijson

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import HEAD_BYTES, Source, raise_json_error
from engine.scenario.formats.nodes import MAX_DEPTH, Node
from engine.scenario.formats.queue_metrics import (
    CLUSTER,
    MAX_VALUES,
    NODES_FIELD,
    QUEUE_FIELDS,
    QueueSamples,
    scenario_of_samples,
)
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder

RANGE = re.compile(rb'"resultType"\s*:\s*"matrix"')
FIELDS = {field.lower(): field for field in (*QUEUE_FIELDS, NODES_FIELD)}
OWNER = re.compile("queuemetrics|clustermetrics|resourcemanager")
LEVEL = re.compile("q[0-9]{1,3}")
SERIES, LABELS, NUMBERS = "data.result.item", "data.result.item.metric", "data.result.item.values.item.item"
MAX_LABELS = 1000
MAX_NUMBER = 1e12  # ms of it fit an integer


class _Series:
    """One series as it is read."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.numbers = array("d")  # time in s and value by turns

    def key(self) -> tuple[str, str] | None:
        """Queue and field; None for what is passed over."""
        name = self.labels.get("__name__", "").replace("_", "").lower()
        field = FIELDS.get(OWNER.split(name)[-1])
        if field is None or "partition" in name or self.labels.get("partition") or self.labels.get("user"):
            return None
        if field == NODES_FIELD:
            return CLUSTER, field
        levels = sorted((label for label in self.labels if LEVEL.fullmatch(label)), key=lambda q: int(q[1:]))
        queue = self.labels.get("queue") or ".".join(self.labels[level] for level in levels)
        of_queues = self.labels.get("name", "QueueMetrics") == "QueueMetrics"
        return (queue, field) if queue and of_queues else None


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of a range query's answer. FormatError and TooLarge as `readers.read` says."""
    builder = ScenarioBuilder(source.max_tasks, source.part)
    servers: dict[str, QueueSamples] = {}
    try:
        for series in _each_series(source):
            if key := series.key():
                server = series.labels.get("instance", "")
                samples = servers.setdefault(server, QueueSamples())
                for time_s, value in zip(series.numbers[::2], series.numbers[1::2], strict=False):
                    samples.add(*key, round(1000 * time_s), value)
    except (ijson.JSONError, ValueError, ArithmeticError) as error:
        raise_json_error(error, source, msg("scenario.prometheus_range.range_query"))
    if not servers:
        raise FormatError(msg("scenario.prometheus_range.no_queue_metrics"))
    fullest = max(servers.values(), key=lambda samples: samples.count)
    builder.notes.count(
        "ResourceManager", msg("scenario.prometheus_range.has_fewer_values_left_out"), len(servers) - 1
    )
    return scenario_of_samples(fullest, builder, nodes, title)


def _each_series(source: Source) -> Iterator[_Series]:
    """FormatError where the answer is nested too deeply or holds what is no number."""
    path: list[str] = []
    series, count = _Series(), 0
    for event, value in ijson.basic_parse(source, buf_size=HEAD_BYTES):
        if event == "map_key":
            path[-1] = value
            continue
        place = ".".join(path)
        if event in ("end_map", "end_array"):
            path.pop()
            if event == "end_map" and ".".join(path) == SERIES:
                yield series
                series = _Series()
        elif event in ("start_map", "start_array"):
            path.append("item" if event == "start_array" else "")
            if len(path) > MAX_DEPTH:
                raise FormatError(msg("shared.nested_more_than_deep", max_depth=MAX_DEPTH))
        elif place == NUMBERS:
            count += 1
            if count > 2 * MAX_VALUES:
                raise FormatError(msg("scenario.queue_metrics.more_than_values", max_values=MAX_VALUES))
            series.numbers.append(_number(value))
        elif place.startswith(LABELS) and len(series.labels) < MAX_LABELS:
            series.labels[path[-1]] = str(value)


def _number(value: object) -> float:
    """Of a number or its text; 0 for NaN and infinities, which no counter is."""
    try:
        number = float(str(value))
    except ValueError:
        raise FormatError(msg("scenario.prometheus_range.no_number", value=repr(value)[:60])) from None
    return max(min(number, MAX_NUMBER), -MAX_NUMBER) if math.isfinite(number) else 0.0


def _looks_like(lines: list[bytes]) -> bool:
    return any(RANGE.search(line) for line in lines)


PROMETHEUS = FileFormat(
    "queue-prometheus", msg("scenario.prometheus_range.range_query_title"), (), (".json",), read, _looks_like
)

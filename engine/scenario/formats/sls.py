"""Job files of Hadoop's YARN Scheduler Load Simulator (SLS): JSON objects one after another, a job each.

Fields and defaults are those of hadoop-sls (AMDefinitionSLS, TaskContainerDefinition, SLSUtils,
SLSConfiguration):

- arrival: job.start.ms (0 when missing), as it stands, since SLS counts it from the start of the simulation.
- duration of a task: container.duration.ms, else duration.ms, else container.end.ms - container.start.ms; -1
  means not given; it must be over 0. container.start.ms says nothing of when the task starts here.
- job.count copies of a job arrive together; a task's `count` are equal tasks.
- sizes: container.memory-mb (container.memory in 2.x) and container.vcores, else 1024 MB and 1 vcore; the
  master's am.memory-mb (am.memory in 2.x) and am.vcores, else 1024 MB and 1 vcore. Our stages have one size:
  the largest of a job's maps, or reduces.
- SLS asks for reduces after all maps and has no shuffle: slow start 1, shuffle 0. A job of reduces alone
  stands as maps alone.
- nodes: a nodes file, else the hosts of the tasks together with {"num.nodes": n, "num.racks": r}; 10240 MB
  and 10 vcores each.
- left out: jobs without tasks (as SLS does), jobs of another am.type than mapreduce, containers of another
  type than map or reduce.
"""

from __future__ import annotations

from typing import Any

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import (
    ListOf,
    Source,
    for_each_object,
    int_value,
    leaf_fields,
    text_value,
)
from engine.scenario.formats.nodes import DefaultSize, Node, add_bounded, parse_node
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.scenario_limits import MAX_NODE_GROUPS, MAX_NODES

CONTAINER_MB, CONTAINER_VCORES = 1024, 1
MASTER_MB, MASTER_VCORES = 1024, 1
NODE = {"memory_mb": DefaultSize(10_240, "SLS's default"), "vcores": DefaultSize(10, "SLS's default")}


class _Containers:
    """Folds the tasks of one job."""

    def __init__(self) -> None:
        self.kinds = {"map": Tasks(), "reduce": Tasks()}
        self.smallest: dict[str, tuple[int, int]] = {}
        self.hosts: set[str] = set()
        self.without_memory = self.without_vcores = self.others = 0

    def add(self, task: dict[str, Any]) -> None:
        host = text_value(task.get("container.host"), "container.host")
        if host and host not in self.hosts:
            add_bounded(self.hosts, (host,))
        count = max(1, _int_field(task, "count") or 1)
        task_kind = text_value(task.get("container.type"), "container.type") or "map"
        if task_kind not in self.kinds:
            self.others += count
            return
        memory = _size(task, "container.memory-mb", "container.memory")
        vcores = _size(task, "container.vcores")
        self.without_memory += count if memory is None else 0
        self.without_vcores += count if vcores is None else 0
        size = memory or CONTAINER_MB, vcores or CONTAINER_VCORES
        tasks, smallest = self.kinds[task_kind], self.smallest.get(task_kind, size)
        self.smallest[task_kind] = min(smallest[0], size[0]), min(smallest[1], size[1])
        tasks.memory_mb, tasks.vcores = max(tasks.memory_mb, size[0]), max(tasks.vcores, size[1])
        tasks.append(_duration(task), count)

    def is_mixed(self, kind: str) -> bool:
        """Whether tasks of this kind differ in size."""
        tasks = self.kinds[kind]
        return tasks.count > 0 and self.smallest[kind] != (tasks.memory_mb, tasks.vcores)


TASK = leaf_fields(
    *(
        "count",
        "container.host",
        "container.type",
        "container.duration.ms",
        "duration.ms",
        "container.start.ms",
        "container.end.ms",
    ),
    *("container.memory-mb", "container.memory", "container.vcores"),
)
JOB = leaf_fields(
    *("num.nodes", "num.racks", "am.type", "am.memory-mb", "am.memory", "am.vcores"),
    *("job.id", "job.user", "job.queue.name", "job.start.ms", "job.count", "job.label.expression"),
) | {"job.tasks": ListOf(TASK, _Containers)}


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of an SLS jobs file, on `nodes` or the trace's own hosts. FormatError and TooLarge as
    `readers.read` says.
    """
    builder = ScenarioBuilder(source.max_tasks)
    for_each_object(source, JOB, "job", lambda job: _add_job(job, builder))
    count, racks = builder.numbered
    if builder.hosts and count:
        builder.hosts -= {Node(f"rack{number % racks}", f"node{number}") for number in range(count)}
    return builder.build(title, nodes, NODE)


def _add_job(job: dict[str, Any], builder: ScenarioBuilder) -> None:
    numbered = _int_field(job, "num.nodes")
    if numbered is not None:
        if not 1 <= numbered <= MAX_NODES:
            raise FormatError(f"num.nodes: {numbered} must be between 1 and {MAX_NODES:,}")
        builder.numbered = numbered, min(max(_int_field(job, "num.racks") or 1, 1), numbered)
        if builder.numbered[1] > MAX_NODE_GROUPS:
            raise TooLarge(f"more than {MAX_NODE_GROUPS:,} racks")
    containers = job.get("job.tasks")
    if containers is None:
        if numbered is None and not any(key.startswith("job.") for key in job):
            raise FormatError("neither a job of SLS (job.tasks) nor its number of nodes (num.nodes)")
        if numbered is None:
            builder.notes.count("job", "have no task: left out, as SLS does")
        return
    add_bounded(builder.hosts, map(parse_node, containers.hosts))
    builder.notes.count("container", "are neither map nor reduce: left out", containers.others)
    if (text_value(job.get("am.type"), "am.type") or "mapreduce") != "mapreduce":
        builder.notes.count("job", "are of another am.type than mapreduce: left out")
        return
    maps, reduces = containers.kinds["map"], containers.kinds["reduce"]
    if not maps.count and not reduces.count:
        builder.notes.count("job", "have no task: left out, as SLS does")
        return
    queue = text_value(job.get("job.queue.name"), "job.queue.name")
    if queue is None:
        raise FormatError("job.queue.name is required")
    _note_assumptions(job, containers, builder)
    copies = max(1, _int_field(job, "job.count") or 1)
    builder.add_job(
        None if copies > 1 else text_value(job.get("job.id"), "job.id"),  # SLS numbers copies itself
        text_value(job.get("job.user"), "job.user"),
        queue,
        _start(job),
        maps,
        reduces,
        count=copies,
        am={
            "memory_mb": _size(job, "am.memory-mb", "am.memory") or MASTER_MB,
            "vcores": _size(job, "am.vcores") or MASTER_VCORES,
        },
        slowstart=1.0,
    )


def _note_assumptions(job: dict[str, Any], containers: _Containers, builder: ScenarioBuilder) -> None:
    count = builder.notes.count
    count("task", f"name no memory: {CONTAINER_MB} MB, SLS's default", containers.without_memory)
    count("task", f"name no vcores: {CONTAINER_VCORES}, SLS's default", containers.without_vcores)
    count(
        "job",
        f"name no memory for the master: {MASTER_MB} MB, SLS's default",
        _size(job, "am.memory-mb", "am.memory") is None,
    )
    count(
        "job",
        f"name no vcores for the master: {MASTER_VCORES}, SLS's default",
        _size(job, "am.vcores") is None,
    )
    count("job", "have maps of different sizes: the largest stands for all", containers.is_mixed("map"))
    count("job", "have reduces of different sizes: the largest stands for all", containers.is_mixed("reduce"))
    count(
        "job",
        "ask for reduces after all maps and shuffle nothing, as SLS does",
        containers.kinds["reduce"].count > 0,
    )
    count("job", "name no start: 0, SLS's default", _int_field(job, "job.start.ms") is None)
    count(
        "job",
        "ask for nodes of a label: any node will do",
        text_value(job.get("job.label.expression"), "job.label.expression") is not None,
    )


def _duration(task: dict[str, Any]) -> int:
    for key in ("container.duration.ms", "duration.ms"):
        duration = _int_field(task, key)
        if duration not in (None, -1):
            break
    else:
        key, duration = "container.end.ms - container.start.ms", None
        start, end = _int_field(task, "container.start.ms"), _int_field(task, "container.end.ms")
        if start not in (None, -1) and end not in (None, -1):
            duration = end - start
    if duration is None:
        raise FormatError(
            "names no duration: container.duration.ms, or container.start.ms and container.end.ms"
        )
    if duration <= 0:
        raise FormatError(f"{key}: {duration} must be over 0")
    return duration


def _start(job: dict[str, Any]) -> int:
    start = _int_field(job, "job.start.ms") or 0
    if start < 0:
        raise FormatError(f"job.start.ms: {start} must be at least 0")
    return start


def _size(owner: dict[str, Any], *keys: str) -> int | None:
    """The first of the keys that is given, at least 1; None where none is."""
    for key in keys:
        size = _int_field(owner, key)
        if size is not None:
            if size < 1:
                raise FormatError(f"{key}: {size} must be at least 1")
            return size
    return None


def _int_field(owner: dict[str, Any], key: str) -> int | None:
    return int_value(owner.get(key), key)


SLS = FileFormat("sls", "an SLS jobs file", ("job.", "am.", "num.nodes"), (".json", ".sls", ".txt"), read)

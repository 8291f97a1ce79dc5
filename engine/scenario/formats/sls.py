"""Job files of Hadoop's YARN Scheduler Load Simulator (SLS): JSON objects one after another, a job each.

Fields and defaults are those of hadoop-sls (AMDefinitionSLS, TaskContainerDefinition, SLSUtils, SLSConfiguration):

- arrival: job.start.ms (0 when missing), as it stands, since SLS counts it from the start of the simulation.
- duration of a task: container.duration.ms, else duration.ms, else container.end.ms - container.start.ms; -1 means not given;
  it must be over 0. container.start.ms says nothing of when the task starts here.
- job.count copies of a job arrive together; a task's `count` are equal tasks.
- sizes: container.memory-mb (container.memory in 2.x) and container.vcores, else 1024 MB and 1 vcore; the master's am.memory-mb
  (am.memory in 2.x) and am.vcores, else 1024 MB and 1 vcore. Our stages have one size: the largest of a job's maps, or reduces.
- SLS asks for reduces after all maps and has no shuffle: slow start 1, shuffle 0. A job of reduces alone stands as maps alone.
- nodes: a nodes file, else the hosts of the tasks together with {"num.nodes": n, "num.racks": r}; 10240 MB and 10 vcores each.
- left out: jobs without tasks (as SLS does), jobs of another am.type than mapreduce, containers of another type than map or reduce.
"""

from __future__ import annotations

from typing import Any

from engine.errors import FormatError, TooLarge
from engine.scenario.bounds import MOST_NODE_GROUPS, MOST_NODES
from engine.scenario.formats.batch import Batch, Imported, Tasks
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.nodes import Node, StandIn, keep, node_of
from engine.scenario.formats.stream import Each, Source, each_object, leaves, text, whole

CONTAINER_MB, CONTAINER_VCORES = 1024, 1
MASTER_MB, MASTER_VCORES = 1024, 1
NODE = {"memory_mb": StandIn(10_240, "SLS's default"), "vcores": StandIn(10, "SLS's default")}


class _Containers:
    """Folds the tasks of one job."""

    def __init__(self) -> None:
        self.kinds = {"map": Tasks(), "reduce": Tasks()}
        self.smallest: dict[str, tuple[int, int]] = {}
        self.hosts: set[str] = set()
        self.without_memory = self.without_vcores = self.others = 0

    def add(self, task: dict[str, Any]) -> None:
        host = text(task.get("container.host"), "container.host")
        if host and host not in self.hosts:
            keep(self.hosts, (host,))
        times = max(1, _given(task, "count") or 1)
        kind = text(task.get("container.type"), "container.type") or "map"
        if kind not in self.kinds:
            self.others += times
            return
        memory = _size(task, "container.memory-mb", "container.memory")
        vcores = _size(task, "container.vcores")
        self.without_memory += times if memory is None else 0
        self.without_vcores += times if vcores is None else 0
        own = memory or CONTAINER_MB, vcores or CONTAINER_VCORES
        tasks, least = self.kinds[kind], self.smallest.get(kind, own)
        self.smallest[kind] = min(least[0], own[0]), min(least[1], own[1])
        tasks.memory_mb, tasks.vcores = max(tasks.memory_mb, own[0]), max(tasks.vcores, own[1])
        tasks.append(_duration(task), times)

    def mixed(self, kind: str) -> bool:
        """Whether tasks of this kind differ in size."""
        tasks = self.kinds[kind]
        return tasks.count > 0 and self.smallest[kind] != (tasks.memory_mb, tasks.vcores)


TASK = leaves(
    *("count", "container.host", "container.type", "container.duration.ms", "duration.ms", "container.start.ms", "container.end.ms"),
    *("container.memory-mb", "container.memory", "container.vcores"),
)
JOB = leaves(
    *("num.nodes", "num.racks", "am.type", "am.memory-mb", "am.memory", "am.vcores"),
    *("job.id", "job.user", "job.queue.name", "job.start.ms", "job.count", "job.label.expression"),
) | {"job.tasks": Each(TASK, _Containers)}


def read(source: Source, nodes: set[Node] | None, title: str) -> Imported:
    """The scenario of an SLS jobs file, on `nodes` or the trace's own hosts. FormatError and TooLarge as `readers.read` says."""
    batch = Batch(source.most_tasks)
    each_object(source, JOB, "job", lambda job: _take(job, batch))
    count, racks = batch.numbered
    if batch.hosts and count:
        batch.hosts -= {Node(f"rack{number % racks}", f"node{number}") for number in range(count)}
    return batch.imported(title, nodes, NODE)


def _take(job: dict[str, Any], batch: Batch) -> None:
    numbered = _given(job, "num.nodes")
    if numbered is not None:
        if not 1 <= numbered <= MOST_NODES:
            raise FormatError(f"num.nodes: {numbered} must be between 1 and {MOST_NODES:,}")
        batch.numbered = numbered, min(max(_given(job, "num.racks") or 1, 1), numbered)
        if batch.numbered[1] > MOST_NODE_GROUPS:
            raise TooLarge(f"more than {MOST_NODE_GROUPS:,} racks")
    containers = job.get("job.tasks")
    if containers is None:
        if numbered is None and not any(key.startswith("job.") for key in job):
            raise FormatError("neither a job of SLS (job.tasks) nor its number of nodes (num.nodes)")
        if numbered is None:
            batch.notes.count("job", "have no task: left out, as SLS does")
        return
    keep(batch.hosts, map(node_of, containers.hosts))
    batch.notes.count("container", "are neither map nor reduce: left out", containers.others)
    if (text(job.get("am.type"), "am.type") or "mapreduce") != "mapreduce":
        batch.notes.count("job", "are of another am.type than mapreduce: left out")
        return
    maps, reduces = containers.kinds["map"], containers.kinds["reduce"]
    if not maps.count and not reduces.count:
        batch.notes.count("job", "have no task: left out, as SLS does")
        return
    queue = text(job.get("job.queue.name"), "job.queue.name")
    if queue is None:
        raise FormatError("job.queue.name is required")
    _note(job, containers, batch)
    copies = max(1, _given(job, "job.count") or 1)
    batch.add_job(
        None if copies > 1 else text(job.get("job.id"), "job.id"),  # SLS numbers copies itself
        text(job.get("job.user"), "job.user"),
        queue,
        _start(job),
        maps,
        reduces,
        count=copies,
        am={"memory_mb": _size(job, "am.memory-mb", "am.memory") or MASTER_MB, "vcores": _size(job, "am.vcores") or MASTER_VCORES},
        slowstart=1.0,
    )


def _note(job: dict[str, Any], containers: _Containers, batch: Batch) -> None:
    count = batch.notes.count
    count("task", f"name no memory: {CONTAINER_MB} MB, SLS's default", containers.without_memory)
    count("task", f"name no vcores: {CONTAINER_VCORES}, SLS's default", containers.without_vcores)
    count("job", f"name no memory for the master: {MASTER_MB} MB, SLS's default", _size(job, "am.memory-mb", "am.memory") is None)
    count("job", f"name no vcores for the master: {MASTER_VCORES}, SLS's default", _size(job, "am.vcores") is None)
    count("job", "have maps of different sizes: the largest stands for all", containers.mixed("map"))
    count("job", "have reduces of different sizes: the largest stands for all", containers.mixed("reduce"))
    count("job", "ask for reduces after all maps and shuffle nothing, as SLS does", containers.kinds["reduce"].count > 0)
    count("job", "name no start: 0, SLS's default", _given(job, "job.start.ms") is None)
    count("job", "ask for nodes of a label: any node will do", text(job.get("job.label.expression"), "job.label.expression") is not None)


def _duration(task: dict[str, Any]) -> int:
    for key in ("container.duration.ms", "duration.ms"):
        given = _given(task, key)
        if given not in (None, -1):
            break
    else:
        key, given = "container.end.ms - container.start.ms", None
        start, end = _given(task, "container.start.ms"), _given(task, "container.end.ms")
        if start not in (None, -1) and end not in (None, -1):
            given = end - start
    if given is None:
        raise FormatError("names no duration: container.duration.ms, or container.start.ms and container.end.ms")
    if given <= 0:
        raise FormatError(f"{key}: {given} must be over 0")
    return given


def _start(job: dict[str, Any]) -> int:
    start = _given(job, "job.start.ms") or 0
    if start < 0:
        raise FormatError(f"job.start.ms: {start} must be at least 0")
    return start


def _size(owner: dict[str, Any], *keys: str) -> int | None:
    """The first of the keys that is given, at least 1; None where none is."""
    for key in keys:
        given = _given(owner, key)
        if given is not None:
            if given < 1:
                raise FormatError(f"{key}: {given} must be at least 1")
            return given
    return None


def _given(owner: dict[str, Any], key: str) -> int | None:
    return whole(owner.get(key), key)


SLS = FileFormat("sls", "an SLS jobs file", ("job.", "am.", "num.nodes"), (".json", ".sls", ".txt"), read)

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
from engine.scenario.formats.nodes import DefaultSize, Node, add_bounded, parse_node
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.scenario_limits import MAX_NODE_GROUPS, MAX_NODES

CONTAINER_MB, CONTAINER_VCORES = 1024, 1
MASTER_MB, MASTER_VCORES = 1024, 1
NODE = {
    "memory_mb": DefaultSize(10_240, msg("shared.slss_default")),
    "vcores": DefaultSize(10, msg("shared.slss_default")),
}


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
) | {"job.tasks": ListOf(TASK, _Containers, is_part=True)}


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of an SLS jobs file, on `nodes` or the trace's own hosts. FormatError and TooLarge as
    `readers.read` says.
    """
    builder = ScenarioBuilder(source.max_tasks, source.part)
    for_each_object(source, JOB, lambda job: _add_job(job, builder), builder.notes)
    count, racks = builder.numbered
    if builder.hosts and count:
        builder.hosts -= {Node(f"rack{number % racks}", f"node{number}") for number in range(count)}
    return builder.build(title, nodes, NODE)


def _add_job(job: dict[str, Any], builder: ScenarioBuilder) -> bool:
    """Whether it is a job with tasks."""
    numbered = _int_field(job, "num.nodes")
    if numbered is not None:
        if not 1 <= numbered <= MAX_NODES:
            raise FormatError(
                msg("scenario.sls.num_nodes_must_be_between_and", numbered=numbered, max_nodes=MAX_NODES)
            )
        builder.numbered = numbered, min(max(_int_field(job, "num.racks") or 1, 1), numbered)
        if builder.numbered[1] > MAX_NODE_GROUPS:
            raise TooLarge(msg("scenario.sls.more_than_racks", max_node_groups=MAX_NODE_GROUPS))
    containers = job.get("job.tasks")
    if containers is None:
        if numbered is None and not any(key.startswith("job.") for key in job):
            raise FormatError(msg("scenario.sls.neither_job_sls_job_tasks_nor"))
        if numbered is None:
            builder.notes.count("job", msg("scenario.sls.have_no_task_left_out_as"))
        return False
    add_bounded(builder.hosts, map(parse_node, containers.hosts))
    builder.notes.count("container", msg("scenario.sls.neither_map_nor_reduce_left_out"), containers.others)
    if (text_value(job.get("am.type"), "am.type") or "mapreduce") != "mapreduce":
        builder.notes.count("job", msg("scenario.sls.another_am_type_than_mapreduce_left"))
        return False
    maps, reduces = containers.kinds["map"], containers.kinds["reduce"]
    if not maps.count and not reduces.count:
        builder.notes.count("job", msg("scenario.sls.have_no_task_left_out_as"))
        return False
    queue = text_value(job.get("job.queue.name"), "job.queue.name")
    if queue is None:
        raise FormatError(msg("scenario.sls.job_queue_name_required"))
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
    return True


def _note_assumptions(job: dict[str, Any], containers: _Containers, builder: ScenarioBuilder) -> None:
    count = builder.notes.count
    count(
        "task",
        msg("scenario.sls.name_no_memory_mb_slss_default", container_mb=CONTAINER_MB),
        containers.without_memory,
    )
    count(
        "task",
        msg("scenario.sls.name_no_vcores_slss_default", container_vcores=CONTAINER_VCORES),
        containers.without_vcores,
    )
    count(
        "job",
        msg("scenario.sls.name_no_memory_for_master_mb", master_mb=MASTER_MB),
        _size(job, "am.memory-mb", "am.memory") is None,
    )
    count(
        "job",
        msg("scenario.sls.name_no_vcores_for_master_slss", master_vcores=MASTER_VCORES),
        _size(job, "am.vcores") is None,
    )
    count("job", msg("scenario.sls.have_maps_different_sizes_largest_stands"), containers.is_mixed("map"))
    count(
        "job", msg("scenario.sls.have_reduces_different_sizes_largest_stands"), containers.is_mixed("reduce")
    )
    count(
        "job",
        msg("scenario.sls.ask_for_reduces_after_all_maps"),
        containers.kinds["reduce"].count > 0,
    )
    count("job", msg("scenario.sls.name_no_start_slss_default"), _int_field(job, "job.start.ms") is None)
    count(
        "job",
        msg("scenario.sls.ask_for_nodes_label_any_node"),
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
        raise FormatError(msg("scenario.sls.names_no_duration_container_duration_ms"))
    if duration <= 0:
        raise FormatError(msg("scenario.sls.must_be_over", key=key, duration=duration))
    return duration


def _start(job: dict[str, Any]) -> int:
    start = _int_field(job, "job.start.ms") or 0
    if start < 0:
        raise FormatError(msg("scenario.sls.job_start_ms_must_be_at", start=start))
    return start


def _size(owner: dict[str, Any], *keys: str) -> int | None:
    """The first of the keys that is given, at least 1; None where none is."""
    for key in keys:
        size = _int_field(owner, key)
        if size is not None:
            if size < 1:
                raise FormatError(msg("scenario.sls.must_be_at_least", key=key, size=size))
            return size
    return None


def _int_field(owner: dict[str, Any], key: str) -> int | None:
    return int_value(owner.get(key), key)


SLS = FileFormat(
    "sls", msg("scenario.sls.sls_jobs_file"), ("job.", "am.", "num.nodes"), (".json", ".sls", ".txt"), read
)

"""Alibaba's cluster trace of 2018, batch_task.csv (cluster-trace-v2018, schema.txt): a task of a job a line,
9 columns by commas: task name, instances, job, type, status, start and end in s, CPU (100 is a core), memory
(0 to 100).

- a job is its tasks that Terminated, each instance as long as its task, from its start to its end: what an
  instance took stands in another file. Their waiting is in it, and other tasks are left out.
- a task's name has the tasks it waits for: R2_1 waits for M1. Those that wait for none are maps, all others
  reduces, which start when all maps have ended (slow start 1): longer chains run side by side.
- arrival: the start of its first task, from the first job on. No user; one queue.
- sizes: the largest CPU and memory of its maps or reduces, cores rounded up; memory is a part of a node's,
  whose size is not told: here 1,024 MB for 1 of 100.
- nodes: a nodes file, else 4,000 of 96 vcores, about as many as the trace's cluster had.

That of 2017 (cluster-trace-v2017, schema.csv) has 8 columns: start, end, job, task, instances, status, CPU,
memory (0 to 1). Its CPUs are hundredths of cores too, though its schema says cores: a usual value is 50.
Tasks do not tell which they wait for: all are maps, side by side. Nodes: 1,300 of 64 vcores.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.field_types import MAX_COUNT, MAX_RESOURCE
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.nodes import DefaultSize, Node
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.formats.text_rows import amount, for_each_row, parse_int, quoted, split_columns
from engine.scenario.queue_validation import DEFAULT_QUEUE

NODE_MB, CPU_PER_CORE = 102_400, 100
WAITS = re.compile(rb"[A-Za-z]+[0-9]+(_[0-9]+)+")
STATUSES = (b"Terminated", b"Failed", b"Running", b"Waiting", b"Ready", b"Cancelled", b"Interrupted")


@dataclass(frozen=True)
class _Schema:
    """order: the columns' places as name, instances, job, status, start, end, CPU, memory; full: a node's
    memory in the trace's unit; nodes: about as many as the cluster had, of so many cores.
    """

    columns: int
    order: tuple[int, ...]
    full: int
    nodes: int
    cores: int

    def read(self, source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
        """The scenario of a part of batch_task. A line that can't be read is left out and told; FormatError
        and TooLarge as `readers.read` says.
        """
        builder = ScenarioBuilder(source.max_tasks, source.part)
        if nodes is None:
            builder.numbered = self.nodes, 1
            builder.notes.add(msg("scenario.alibaba_trace.names_no_node", nodes=self.nodes))
        jobs: dict[bytes, _Job] = {}
        for_each_row(source, lambda line: _take(line, self, jobs, builder), builder.notes)
        for name, job in sorted(jobs.items(), key=lambda pair: pair[1].start):
            builder.notes.count("job", msg("scenario.alibaba_trace.have_instances_as_long_as_tasks"))
            builder.notes.count(
                "job", msg("scenario.alibaba_trace.have_chains_of_two"), job.reduces.count > 0
            )
            text = name.decode("utf-8", "replace")
            builder.add_job(text, None, DEFAULT_QUEUE, 1000 * job.start, job.maps, job.reduces, slowstart=1.0)
        size = {
            "memory_mb": DefaultSize(NODE_MB, msg("scenario.alibaba_trace.guess")),
            "vcores": DefaultSize(self.cores, msg("scenario.alibaba_trace.its_cores")),
        }
        return builder.build(title, nodes, size, origin_ms=None)

    def looks_like(self, lines: list[bytes]) -> bool:
        """Whether one of the first lines has so many columns, with a number of instances and a status."""
        _, instances, _, status, *_ = self.order
        return any(
            len(columns) == self.columns and columns[status] in STATUSES and columns[instances].isdigit()
            for columns in (line.strip().split(b",", self.columns) for line in lines)
        )


V2017 = _Schema(8, (3, 4, 2, 5, 0, 1, 6, 7), full=1, nodes=1300, cores=64)
V2018 = _Schema(9, (0, 1, 2, 4, 5, 6, 7, 8), full=100, nodes=4000, cores=96)


@dataclass
class _Job:
    """start: of its first task, in s."""

    start: int
    maps: Tasks = field(default_factory=Tasks)
    reduces: Tasks = field(default_factory=Tasks)


def _take(line: bytes, schema: _Schema, jobs: dict[bytes, _Job], builder: ScenarioBuilder) -> bool:
    columns = split_columns(line, schema.columns)
    name, instances, job_name, status, start, end, cpu, memory = (columns[place] for place in schema.order)
    if status not in STATUSES:
        raise FormatError(msg("scenario.alibaba_trace.status_unknown", status=quoted(status)))
    if status != b"Terminated":
        builder.notes.count("task", msg("scenario.alibaba_trace.have_not_terminated"))
        return True
    count, began, ended = (
        parse_int(column, noun) for column, noun in ((instances, "instances"), (start, "start"), (end, "end"))
    )
    if not (0 <= began <= ended and 1 <= count <= MAX_COUNT):
        raise FormatError(msg("scenario.alibaba_trace.must_end_after_start"))
    cores = math.ceil(amount(cpu, "CPU", MAX_RESOURCE) / CPU_PER_CORE)
    size = math.ceil(amount(memory, "memory", schema.full) * NODE_MB / schema.full)
    job = jobs.setdefault(job_name, _Job(began))
    job.start = min(job.start, began)
    tasks = job.reduces if WAITS.fullmatch(name) else job.maps
    tasks.vcores, tasks.memory_mb = max(tasks.vcores, cores), max(tasks.memory_mb, size)
    tasks.append(max(1, 1000 * (ended - began)), count)
    return True


ALIBABA_2017, ALIBABA_2018 = (
    FileFormat(kind, title, (), (".csv",), schema.read, schema.looks_like)
    for kind, title, schema in (
        ("alibaba-2017", msg("scenario.alibaba_trace.batch_task_2017"), V2017),
        ("alibaba-2018", msg("scenario.alibaba_trace.batch_task"), V2018),
    )
)

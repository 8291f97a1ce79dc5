"""Logs in Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 numbers a line for a job, -1
where one is not known, comments behind `;`.

A job there is rigid: it holds its processors from its start to its end. YARN knows containers, so that

- a job is as many maps as it held processors (field 5, else those requested, 8), one vcore each, all of its
  run time (4), without reduces and without a master. They are given one by one as processors come free, where
  a scheduler of rigid jobs waits until all are free: a job may begin in part.
- memory of a map: requested (10), else used (7), both KB a processor; else 1024 MB. Requested time (9) is
  what size-based schedulers see (`estimate_s`).
- arrival: submit time (2). The wait (3) came from the scheduler of that machine and is left out, as are CPU
  time, group, executable, partition, the job before and think time. User 7 is user7, queue 3 root.queue3;
  unknown ones are `default`.
- status (11): 0 failed and 5 cancelled held their processors as long as they ran, and do so here; those that
  never ran are left out. Lines of status 2 to 4 are parts of a job whose own line tells all of it, and are
  left out.
- a run time of 0 is one under half a second, in a log of whole seconds: half a second.
- nodes: a nodes file, else MaxNodes of the header with an equal part of MaxProcs each; a header without them:
  the most processors that a job held, one node each. Memory of nodes stands in no log: so much that
  processors alone limit.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from engine.errors import FormatError
from engine.scenario.field_types import MAX_COUNT, MAX_RESOURCE, MAX_SECONDS
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.nodes import DefaultSize, Node
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.formats.text_rows import DECIMAL, for_each_row, quoted
from engine.scenario.queue_validation import DEFAULT_QUEUE
from engine.scenario.scenario_limits import MAX_NODES

FIELDS = (
    *(
        "job number",
        "submit time",
        "wait time",
        "run time",
        "allocated processors",
        "average CPU time",
        "used memory",
        "requested processors",
    ),
    *(
        "requested time",
        "requested memory",
        "status",
        "user",
        "group",
        "executable",
        "queue",
        "partition",
        "preceding job",
        "think time",
    ),
)
FAILED, PARTIAL_STATUSES, CANCELLED = 0, (2, 3, 4), 5
ZERO_RUN_MS = 500
MEMORY_MB = 1024
HEADER = re.compile(rb";\s*(MaxNodes|MaxProcs|UnixStartTime)\s*:\s*([0-9]{1,12})\b", re.IGNORECASE)
KNOWN_HEADER = re.compile(
    rb";\s*(Version|Computer|MaxJobs|MaxRecords|MaxNodes|MaxProcs|UnixStartTime)\s*:", re.IGNORECASE
)


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of a log. A line that can't be read is left out and told; FormatError and TooLarge as
    `readers.read` says.
    """
    log = _Log(ScenarioBuilder(source.max_tasks))
    for_each_row(source, log.take, log.builder.notes)
    default_sizes = {} if nodes is not None else log.nodes()
    return log.builder.build(
        title,
        nodes,
        default_sizes
        or {"memory_mb": DefaultSize(MEMORY_MB, "a guess"), "vcores": DefaultSize(1, "a guess")},
    )


class _Log:
    """What is read of a log: its header, and the largest job."""

    def __init__(self, builder: ScenarioBuilder) -> None:
        self.builder = builder
        self.header: dict[str, int] = {}
        self.max_processors = self.max_memory = 1

    def take(self, line: bytes) -> bool:
        """Reads a line; whether it is one of a job."""
        if line.startswith(b";"):
            if match := HEADER.match(line):
                self.header.setdefault(match[1].decode().lower(), int(match[2]))
            return False
        self._job(_fields(line))
        return True

    def _job(self, job: dict[str, float]) -> None:
        count, status = self.builder.notes.count, job["status"]
        if status in PARTIAL_STATUSES:
            count("line", "are parts of a job (status 2 to 4), whose own line tells all of it: left out")
            return
        processors = (
            job["allocated processors"] if job["allocated processors"] > 0 else job["requested processors"]
        )
        if job["run time"] < 0 or processors <= 0 or (job["run time"] == 0 and status == CANCELLED):
            count(
                "job",
                "have no run time or no processors, such as those cancelled before they began: left out",
            )
            return
        count("job", "have failed: what they held until then counts", status == FAILED)
        count("job", "have been cancelled: what they held until then counts", status == CANCELLED)
        count("job", "have a run time of 0, less than half a second: 0.5 s", job["run time"] == 0)
        count("job", "tell no processors held: those requested", job["allocated processors"] <= 0)
        count(
            "job",
            "are rigid: a map for each processor, given one by one as they come free, where a rigid job "
            "waits for all",
        )
        kilobytes = job["requested memory"] if job["requested memory"] > 0 else job["used memory"]
        count("job", f"tell no memory: {MEMORY_MB} MB a processor", kilobytes <= 0)
        count(
            "job", "wait for another job (preceding job): they arrive when it says", job["preceding job"] > 0
        )
        memory = max(1, min(MAX_RESOURCE, -(-int(kilobytes) // 1024))) if kilobytes > 0 else MEMORY_MB
        self._add(job, int(processors), memory)

    def _add(self, job: dict[str, float], processors: int, memory: int) -> None:
        self.max_processors, self.max_memory = (
            max(self.max_processors, processors),
            max(self.max_memory, memory),
        )
        maps = Tasks(memory, 1)
        maps.append(round(1000 * job["run time"]) or ZERO_RUN_MS, processors)
        estimate = {"estimate_s": job["requested time"]} if job["requested time"] > 0 else {}
        user, queue = (int(job[key]) for key in ("user", "queue"))
        queue_name = f"queue{queue}" if queue >= 0 else DEFAULT_QUEUE
        name = f"job{int(job['job number'])}"
        self.builder.add_job(
            name,
            f"user{user}" if user >= 0 else None,
            queue_name,
            round(1000 * job["submit time"]),
            maps,
            Tasks(),
            **estimate,
        )

    def nodes(self) -> dict[str, DefaultSize]:
        """Sets how many nodes there are; what one has."""
        header, add = self.header, self.builder.notes.add
        processors = header.get("maxprocs") or header.get("maxnodes") or self.max_processors
        node_count = header.get("maxnodes") or processors
        if not header.get("maxprocs") and not header.get("maxnodes"):
            add(
                f"the header tells neither MaxNodes nor MaxProcs: {node_count:,} nodes of one processor, "
                "as many as the largest job held"
            )
        if not 1 <= node_count <= MAX_NODES:
            raise FormatError(f"MaxNodes: {node_count:,} must be between 1 and {MAX_NODES:,}")
        processors_per_node = -(-processors // node_count)
        if processors_per_node * node_count != processors:
            add(
                f"{processors:,} processors are no equal parts for {node_count:,} nodes: "
                f"{processors_per_node} each"
            )
        if start := header.get("unixstarttime"):
            add(f"time 0 of the log is {datetime.fromtimestamp(start, UTC):%Y-%m-%d %H:%M} UTC")
        if self.max_processors > processors:
            add(
                f"a job held {self.max_processors:,} processors, more than the {processors:,} that the "
                "header tells: it runs in part after part"
            )
        self.builder.numbered = node_count, 1
        memory = min(MAX_RESOURCE, processors_per_node * self.max_memory)
        return {
            "memory_mb": DefaultSize(memory, "so much that processors alone limit"),
            "vcores": DefaultSize(processors_per_node, "its part of MaxProcs"),
        }


def _fields(line: bytes) -> dict[str, float]:
    columns = line.split(None, 64)
    if len(columns) != len(FIELDS):
        raise FormatError(
            f"{len(columns)} {'field' if len(columns) == 1 else 'fields'} where {len(FIELDS)} must be"
        )
    job = {}
    for name, column in zip(FIELDS, columns, strict=True):
        if not DECIMAL.fullmatch(column):
            raise FormatError(f"{name}: {quoted(column)} must be a number")
        job[name] = float(column)
    if not 0 <= job["submit time"] <= MAX_SECONDS:
        raise FormatError(f"submit time: {columns[1].decode()} must be from 0 to {MAX_SECONDS:,.0f} s")
    for name in ("run time", "requested time"):
        if not (job[name] == -1 or 0 <= job[name] <= MAX_SECONDS):
            raise FormatError(
                f"{name}: {job[name]:g} must be from 0 to {MAX_SECONDS:,.0f} s, or -1 where it is not known"
            )
    if job["allocated processors"] > MAX_COUNT or job["requested processors"] > MAX_COUNT:
        raise FormatError(f"more than {MAX_COUNT:,} processors")
    return job


def _looks_like(lines: list[bytes]) -> bool:
    """Whether the first lines are comments of its header, or hold 18 numbers."""
    for line in lines:
        if line.lstrip().startswith(b";"):
            if KNOWN_HEADER.match(line.lstrip()):
                return True
        elif len(columns := line.split(None, 64)) == len(FIELDS) and all(map(DECIMAL.fullmatch, columns)):
            return True
    return False


SWF = FileFormat("swf", "a log in Standard Workload Format", (), (".swf", ".txt"), read, _looks_like)

"""Logs in Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 numbers a line for a job, -1 where one is not known, comments behind `;`.

A job there is rigid: it holds its processors from its start to its end. YARN knows containers, so that

- a job is as many maps as it held processors (field 5, else those requested, 8), one vcore each, all of its run time (4), without reduces and without a
  master. They are given one by one as processors come free, where a scheduler of rigid jobs waits until all are free: a job may begin in part.
- memory of a map: requested (10), else used (7), both KB a processor; else 1024 MB. Requested time (9) is what size-based schedulers see (`estimate_s`).
- arrival: submit time (2). The wait (3) came from the scheduler of that machine and is left out, as are CPU time, group, executable, partition, the job
  before and think time. User 7 is user7, queue 3 root.queue3; unknown ones are `default`.
- status (11): 0 failed and 5 cancelled held their processors as long as they ran, and do so here; those that never ran are left out. Lines of status 2 to 4
  are parts of a job whose own line tells all of it, and are left out.
- a run time of 0 is one under half a second, in a log of whole seconds: half a second.
- nodes: a nodes file, else MaxNodes of the header with an equal part of MaxProcs each; a header without them: the most processors that a job held, one node
  each. Memory of nodes stands in no log: so much that processors alone limit.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from engine.errors import FormatError
from engine.scenario.bounds import MOST_NODES
from engine.scenario.field_types import MOST_COUNT, MOST_RESOURCE, MOST_SECONDS
from engine.scenario.formats.batch import Batch, Imported, Tasks
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.nodes import Node, StandIn
from engine.scenario.formats.stream import Source
from engine.scenario.formats.text_rows import DECIMAL, each_row, shown
from engine.scenario.queue_validation import DEFAULT_QUEUE

FIELDS = (
    *("job number", "submit time", "wait time", "run time", "allocated processors", "average CPU time", "used memory", "requested processors"),
    *("requested time", "requested memory", "status", "user", "group", "executable", "queue", "partition", "preceding job", "think time"),
)
FAILED, PARTS, CANCELLED = 0, (2, 3, 4), 5
INSTANT_MS = 500
MEMORY_MB = 1024
HEADER = re.compile(rb";\s*(MaxNodes|MaxProcs|UnixStartTime)\s*:\s*([0-9]{1,12})\b", re.IGNORECASE)
KNOWN_HEADER = re.compile(rb";\s*(Version|Computer|MaxJobs|MaxRecords|MaxNodes|MaxProcs|UnixStartTime)\s*:", re.IGNORECASE)


def read(source: Source, nodes: set[Node] | None, title: str) -> Imported:
    """The scenario of a log. A line that can't be read is left out and told; FormatError and TooLarge as `readers.read` says."""
    log = _Log(Batch(source.most_tasks))
    each_row(source, log.take, log.batch.notes)
    stand_in = {} if nodes is not None else log.nodes()
    return log.batch.imported(title, nodes, stand_in or {"memory_mb": StandIn(MEMORY_MB, "a guess"), "vcores": StandIn(1, "a guess")})


class _Log:
    """What is read of a log: its header, and the largest job."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.header: dict[str, int] = {}
        self.most_processors = self.most_memory = 1

    def take(self, line: bytes) -> bool:
        """Reads a line; whether it is one of a job."""
        if line.startswith(b";"):
            if found := HEADER.match(line):
                self.header.setdefault(found[1].decode().lower(), int(found[2]))
            return False
        self._job(_fields(line))
        return True

    def _job(self, job: dict[str, float]) -> None:
        count, status = self.batch.notes.count, job["status"]
        if status in PARTS:
            count("line", "are parts of a job (status 2 to 4), whose own line tells all of it: left out")
            return
        processors = job["allocated processors"] if job["allocated processors"] > 0 else job["requested processors"]
        if job["run time"] < 0 or processors <= 0 or (job["run time"] == 0 and status == CANCELLED):
            count("job", "have no run time or no processors, such as those cancelled before they began: left out")
            return
        count("job", "have failed: what they held until then counts", status == FAILED)
        count("job", "have been cancelled: what they held until then counts", status == CANCELLED)
        count("job", "have a run time of 0, less than half a second: 0.5 s", job["run time"] == 0)
        count("job", "tell no processors held: those requested", job["allocated processors"] <= 0)
        count("job", "are rigid: a map for each processor, given one by one as they come free, where a rigid job waits for all")
        kilobytes = job["requested memory"] if job["requested memory"] > 0 else job["used memory"]
        count("job", f"tell no memory: {MEMORY_MB} MB a processor", kilobytes <= 0)
        count("job", "wait for another job (preceding job): they arrive when it says", job["preceding job"] > 0)
        memory = max(1, min(MOST_RESOURCE, -(-int(kilobytes) // 1024))) if kilobytes > 0 else MEMORY_MB
        self._add(job, int(processors), memory)

    def _add(self, job: dict[str, float], processors: int, memory: int) -> None:
        self.most_processors, self.most_memory = max(self.most_processors, processors), max(self.most_memory, memory)
        maps = Tasks(memory, 1)
        maps.append(round(1000 * job["run time"]) or INSTANT_MS, processors)
        estimate = {"estimate_s": job["requested time"]} if job["requested time"] > 0 else {}
        user, queue = (int(job[key]) for key in ("user", "queue"))
        queue_name = f"queue{queue}" if queue >= 0 else DEFAULT_QUEUE
        name = f"job{int(job['job number'])}"
        self.batch.add_job(name, f"user{user}" if user >= 0 else None, queue_name, round(1000 * job["submit time"]), maps, Tasks(), **estimate)

    def nodes(self) -> dict[str, StandIn]:
        """Sets how many nodes there are; what one has."""
        given, say = self.header, self.batch.notes.say
        processors = given.get("maxprocs") or given.get("maxnodes") or self.most_processors
        number = given.get("maxnodes") or processors
        if not given.get("maxprocs") and not given.get("maxnodes"):
            say(f"the header tells neither MaxNodes nor MaxProcs: {number:,} nodes of one processor, as many as the largest job held")
        if not 1 <= number <= MOST_NODES:
            raise FormatError(f"MaxNodes: {number:,} must be between 1 and {MOST_NODES:,}")
        each = -(-processors // number)
        if each * number != processors:
            say(f"{processors:,} processors are no equal parts for {number:,} nodes: {each} each")
        if start := given.get("unixstarttime"):
            say(f"time 0 of the log is {datetime.fromtimestamp(start, UTC):%Y-%m-%d %H:%M} UTC")
        if self.most_processors > processors:
            say(f"a job held {self.most_processors:,} processors, more than the {processors:,} that the header tells: it runs in part after part")
        self.batch.numbered = number, 1
        memory = min(MOST_RESOURCE, each * self.most_memory)
        return {"memory_mb": StandIn(memory, "so much that processors alone limit"), "vcores": StandIn(each, "its part of MaxProcs")}


def _fields(line: bytes) -> dict[str, float]:
    columns = line.split(None, 64)
    if len(columns) != len(FIELDS):
        raise FormatError(f"{len(columns)} {'field' if len(columns) == 1 else 'fields'} where {len(FIELDS)} must be")
    job = {}
    for name, column in zip(FIELDS, columns, strict=True):
        if not DECIMAL.fullmatch(column):
            raise FormatError(f"{name}: {shown(column)} must be a number")
        job[name] = float(column)
    if not 0 <= job["submit time"] <= MOST_SECONDS:
        raise FormatError(f"submit time: {columns[1].decode()} must be from 0 to {MOST_SECONDS:,.0f} s")
    for name in ("run time", "requested time"):
        if not (job[name] == -1 or 0 <= job[name] <= MOST_SECONDS):
            raise FormatError(f"{name}: {job[name]:g} must be from 0 to {MOST_SECONDS:,.0f} s, or -1 where it is not known")
    if job["allocated processors"] > MOST_COUNT or job["requested processors"] > MOST_COUNT:
        raise FormatError(f"more than {MOST_COUNT:,} processors")
    return job


def _seen_in(lines: list[bytes]) -> bool:
    """Whether the first lines are comments of its header, or hold 18 numbers."""
    for line in lines:
        if line.lstrip().startswith(b";"):
            if KNOWN_HEADER.match(line.lstrip()):
                return True
        elif len(columns := line.split(None, 64)) == len(FIELDS) and all(map(DECIMAL.fullmatch, columns)):
            return True
    return False


SWF = FileFormat("swf", "a log in Standard Workload Format", (), (".swf", ".txt"), read, _seen_in)

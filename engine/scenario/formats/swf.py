"""Logs in Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 numbers a line for a job, -1
where one is not known, comments behind `;`.

A job there is rigid: it holds its processors from its start to its end. YARN knows containers, so that

- a job is as many maps as it held processors (field 5, else those requested, 8), one vcore each, all of its
  run time (4), without reduces and without a master. They are given one by one as processors come free, where
  a scheduler of rigid jobs waits until all are free: a job may begin in part.
- memory of a map: requested (10), else used (7), both KB a processor; else that of mapred-site.xml's maps;
  else 1024 MB. Requested time (9) is
  what size-based schedulers see (`estimate_s`).
- arrival: submit time (2), from the first job on. The wait (3) came from the scheduler of that machine and is
  left out, as are CPU time, group, executable, partition, the job before and think time. User 7 is user7,
  queue 3 root.queue3; unknown ones are `default`.
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
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import JobSettings
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
        msg("scenario.swf.wait_time"),
        "run time",
        "allocated processors",
        msg("scenario.swf.average_cpu_time"),
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
        msg("scenario.swf.think_time"),
    ),
)
FAILED_STATUS, PARTIAL_STATUSES, CANCELLED_STATUS = 0, (2, 3, 4), 5
ZERO_RUN_MS = 500
HEADER = re.compile(rb";\s*(MaxNodes|MaxProcs|UnixStartTime)\s*:\s*([0-9]{1,12})\b", re.IGNORECASE)
KNOWN_HEADER = re.compile(
    rb";\s*(Version|Computer|MaxJobs|MaxRecords|MaxNodes|MaxProcs|UnixStartTime)\s*:", re.IGNORECASE
)


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of a log. A line that can't be read is left out and told; FormatError and TooLarge as
    `readers.read` says.
    """
    log = _Log(ScenarioBuilder(source.max_tasks, source.part), source.job_settings)
    for_each_row(source, log.take, log.builder.notes)
    default_sizes = {} if nodes is not None else log.nodes()
    return log.builder.build(
        title,
        nodes,
        default_sizes
        or {
            "memory_mb": DefaultSize(log.memory.value, msg("scenario.swf.guess")),
            "vcores": DefaultSize(1, msg("scenario.swf.guess")),
        },
        origin_ms=None,
    )


class _Log:
    """What is read of a log: its header, and the largest job."""

    def __init__(self, builder: ScenarioBuilder, settings: JobSettings) -> None:
        self.builder = builder
        self.memory = settings.size("maps")["memory_mb"]
        self._settings = settings
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
            count("line", msg("scenario.swf.parts_job_status_to_whose_own"))
            return
        processors = (
            job["allocated processors"] if job["allocated processors"] > 0 else job["requested processors"]
        )
        if job["run time"] < 0 or processors <= 0 or (job["run time"] == 0 and status == CANCELLED_STATUS):
            count(
                "job",
                msg("scenario.swf.have_no_run_time_or_no"),
            )
            return
        count("job", msg("scenario.swf.have_failed_what_they_held_until"), status == FAILED_STATUS)
        count("job", msg("scenario.swf.have_been_cancelled_what_they_held"), status == CANCELLED_STATUS)
        count("job", msg("scenario.swf.have_run_time_less_than_half"), job["run time"] == 0)
        count(
            "job",
            msg("scenario.swf.tell_no_processors_held_those_requested"),
            job["allocated processors"] <= 0,
        )
        count(
            "job",
            msg("scenario.swf.rigid_map_for_each_processor_given"),
        )
        kilobytes = job["requested memory"] if job["requested memory"] > 0 else job["used memory"]
        if kilobytes <= 0:
            count("job", self._assumed_memory())
        count("job", msg("scenario.swf.wait_for_another_job_preceding_job"), job["preceding job"] > 0)
        memory = max(1, min(MAX_RESOURCE, -(-int(kilobytes) // 1024))) if kilobytes > 0 else self.memory.value
        self._add(job, int(processors), memory)

    def _assumed_memory(self) -> str:
        memory_mb = self.memory.value
        if not self._settings.taken:
            return msg("scenario.swf.tell_no_memory_mb_processor", memory_mb=memory_mb)
        return msg("scenario.swf.tell_no_memory", memory_mb=memory_mb, origin=self.memory.origin)

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
            add(msg("scenario.swf.header_tells_neither_maxnodes_nor_maxprocs", node_count=node_count))
        if not 1 <= node_count <= MAX_NODES:
            raise FormatError(
                msg("scenario.swf.maxnodes_must_be_between_and", node_count=node_count, max_nodes=MAX_NODES)
            )
        processors_per_node = -(-processors // node_count)
        if processors_per_node * node_count != processors:
            add(
                msg(
                    "scenario.swf.processors_do_not_divide_evenly_among",
                    processors=processors,
                    node_count=node_count,
                    processors_per_node=processors_per_node,
                )
            )
        if start := header.get("unixstarttime"):
            add(msg("scenario.swf.time_log_utc", fromtimestamp=datetime.fromtimestamp(start, UTC)))
        if self.max_processors > processors:
            add(
                msg(
                    "scenario.swf.job_held_processors_more_than_header",
                    max_processors=self.max_processors,
                    processors=processors,
                )
            )
        self.builder.numbered = node_count, 1
        memory = min(MAX_RESOURCE, processors_per_node * self.max_memory)
        return {
            "memory_mb": DefaultSize(memory, msg("scenario.swf.so_much_processors_alone_limit")),
            "vcores": DefaultSize(processors_per_node, msg("scenario.swf.its_part_maxprocs")),
        }


def _fields(line: bytes) -> dict[str, float]:
    columns = line.split(None, 64)
    if len(columns) != len(FIELDS):
        raise FormatError(
            msg(
                "scenario.swf.got_expected",
                columns=len(columns),
                value="field" if len(columns) == 1 else "fields",
                fields=len(FIELDS),
            )
        )
    job = {}
    for name, column in zip(FIELDS, columns, strict=True):
        if not DECIMAL.fullmatch(column):
            raise FormatError(msg("scenario.swf.must_be_number", name=name, quoted=quoted(column)))
        job[name] = float(column)
    if job["submit time"] < 0:
        raise FormatError(msg("shared.submit_time_must_be_at_least", submit=columns[1].decode()))
    for name in ("run time", "requested time"):
        if not (job[name] == -1 or 0 <= job[name] <= MAX_SECONDS):
            raise FormatError(
                msg("scenario.swf.must_be_from_to_s_or", name=name, job=job[name], max_seconds=MAX_SECONDS)
            )
    if job["allocated processors"] > MAX_COUNT or job["requested processors"] > MAX_COUNT:
        raise FormatError(msg("scenario.swf.more_than_processors", max_count=MAX_COUNT))
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


SWF = FileFormat(
    "swf", msg("scenario.swf.log_in_standard_workload_format"), (), (".swf", ".txt"), read, _looks_like
)

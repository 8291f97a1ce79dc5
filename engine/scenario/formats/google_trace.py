"""Google's cluster trace of 2011 (version 2, "Google cluster-usage traces: format + schema"): task_events, an
event of a task a line, 13 columns by commas: time in µs, missing info, job, task, machine, event, user,
scheduling class, priority, CPU, memory and disk requested, different machine.

- a job is one of maps alone: as many as tasks of it that ran and ended within the file, each as long as its
  last attempt, from SCHEDULE (1) to what ended it: EVICT (2), FAIL (3), FINISH (4), KILL (5), LOST (6). What
  attempts before it took is left out, and so is a task whose last attempt has not both in the file.
- arrival: its first event, from the first job on. Those of time 0 were there before the trace.
- sizes: requests are parts of the largest machine, whose size Google does not tell: here 64 vcores and
  262,144 MB. The largest request of a job's tasks is that of all; at least 1 vcore and 1 MB.
- user: the hash's beginning. Queues: the scheduling class, root.class0 to root.class3; both are empty where
  Google had to make up the event (missing info): class 0. Priorities, disks and
  constraints are left out.
- nodes: a nodes file, else a largest machine for each that a task ran on.

That of 2019 (version 3, clusterdata_trace_format_v3.proto) has instance_events, a JSON object a line as
BigQuery exports them: in any order, whole numbers also as text, what is absent is 0. SCHEDULE is 3, what ends
an attempt 4 to 8. Users stand in collection_events, which is not read; instances of alloc sets, in which jobs
may run, are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import msgspec

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.nodes import DEFAULT_RACK, DefaultSize, Node, add_bounded
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.formats.text_rows import amount, for_each_row, parse_int, quoted, split_columns

COLUMNS = 13
LAST_EVENT = 8  # UPDATE_RUNNING of 2011
US_PER_MS = 1000
MACHINE = {"memory_mb": 262_144, "vcores": 64}
NODE = {key: DefaultSize(size, msg("scenario.google_trace.largest_machine")) for key, size in MACHINE.items()}
USER_LENGTH = 12


class _Event(NamedTuple):
    """time: in µs; user and machine are empty where none is told."""

    time: int
    job: int
    task: int
    event: int
    user: str
    scheduling_class: int
    vcores: float
    memory: float
    machine: str


@dataclass
class _Job:
    """arrival in µs; began, ended: task -> µs of the last SCHEDULE, and of the last event that ended it."""

    user: str
    queue: str
    arrival: int
    memory: float = 0.0
    vcores: float = 0.0
    began: dict[int, int] = field(default_factory=dict)
    ended: dict[int, int] = field(default_factory=dict)

    def take(self, event: _Event, schema: _Schema) -> None:
        """One event of it, in any order."""
        self.arrival = min(self.arrival, event.time)
        self.vcores, self.memory = max(self.vcores, event.vcores), max(self.memory, event.memory)
        if event.event == schema.schedule:
            self.began[event.task] = max(self.began.get(event.task, 0), event.time)
        elif schema.schedule < event.event <= schema.last_end:
            self.ended[event.task] = max(self.ended.get(event.task, 0), event.time)


@dataclass(frozen=True)
class _Schema:
    """event_of: the event of a line, None of one to leave out; schedule: the number of SCHEDULE, behind which
    stand those that end an attempt, to last_end; names_users: whether events do.
    """

    event_of: Callable[[bytes, Notes], _Event | None]
    schedule: int
    last_end: int
    names_users: bool

    def read(self, source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
        """The scenario of a part of the events. A line that can't be read is left out and told; FormatError
        and TooLarge as `readers.read` says.
        """
        builder = ScenarioBuilder(source.max_tasks, source.part)
        jobs: dict[int, _Job] = {}
        for_each_row(source, lambda line: self._take(line, jobs, builder), builder.notes)
        if not self.names_users:
            builder.notes.add(msg("scenario.google_trace.names_no_user"))
        for number, job in sorted(jobs.items(), key=lambda pair: pair[1].arrival):
            _add(number, job, builder)
        return builder.build(title, nodes, NODE, origin_ms=None)

    def _take(self, line: bytes, jobs: dict[int, _Job], builder: ScenarioBuilder) -> bool:
        if event := self.event_of(line, builder.notes):
            new = _Job(event.user, f"class{event.scheduling_class}", event.time)
            jobs.setdefault(event.job, new).take(event, self)
            if event.machine and event.event == self.schedule:
                add_bounded(builder.hosts, [Node(DEFAULT_RACK, f"machine{event.machine}")])
        return True


def _task_event(line: bytes, _notes: Notes) -> _Event:
    columns = split_columns(line, COLUMNS)
    time, number, task, event = (
        parse_int(columns[place], noun)
        for place, noun in ((0, "time"), (2, "job"), (3, "task"), (5, "event"))
    )
    if not 0 <= event <= LAST_EVENT:
        raise FormatError(
            msg("scenario.google_trace.event_unknown", event=quoted(columns[5]), last=LAST_EVENT)
        )
    if time < 0:
        raise FormatError(msg("shared.submit_time_must_be_at_least", submit=time))
    user = columns[6].decode("utf-8", "replace")[:USER_LENGTH]
    scheduling_class = parse_int(columns[7] or b"0", "scheduling class")
    vcores, memory = amount(columns[9], "CPU request", 1), amount(columns[10], "memory request", 1)
    machine = columns[4].decode("utf-8", "replace")
    return _Event(time, number, task, event, user, scheduling_class, vcores, memory, machine)


Time = Annotated[int, msgspec.Meta(ge=0, le=10**15)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Resources(msgspec.Struct):
    """Parts of the largest machine."""

    cpus: Share | None = None
    memory: Share | None = None


class _InstanceEvent(msgspec.Struct):
    """The fields that are used, by their names in the schema; user and start_time are other tables'."""

    collection_id: int
    time: Time | None = None
    type: Annotated[int, msgspec.Meta(ge=0, le=10)] | None = None
    collection_type: int | None = None
    scheduling_class: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    instance_index: int | None = None
    machine_id: int | None = None
    resource_request: Resources | None = None
    user: Any = None
    start_time: Any = None


DECODER = msgspec.json.Decoder(_InstanceEvent, strict=False)


def decoded(decoder: msgspec.json.Decoder, line: bytes) -> Any:
    """The object of a line; FormatError for one that it can't read."""
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise FormatError(msg("scenario.google_trace.not_such_object", error=error)) from None


def _instance_event(line: bytes, notes: Notes) -> _Event | None:
    event: _InstanceEvent = decoded(DECODER, line)
    if event.user is not None or event.start_time is not None:
        raise FormatError(msg("scenario.google_trace.other_table"))
    if event.collection_type:
        notes.count("event", msg("scenario.google_trace.are_of_alloc_sets"))
        return None
    asked = event.resource_request or Resources()
    machine = max(0, event.machine_id or 0)  # -1: a dedicated one
    return _Event(
        event.time or 0,
        event.collection_id,
        event.instance_index or 0,
        event.type or 0,
        "",
        event.scheduling_class or 0,
        asked.cpus or 0.0,
        asked.memory or 0.0,
        str(machine or ""),
    )


def _add(number: int, job: _Job, builder: ScenarioBuilder) -> None:
    notes: Notes = builder.notes
    lasted = [
        job.ended[task] - began for task, began in job.began.items() if job.ended.get(task, -1) >= began
    ]
    notes.count("task", msg("scenario.google_trace.have_no_end_in_file"), len(job.began) - len(lasted))
    if not lasted:
        notes.count("job", msg("scenario.google_trace.have_no_task_that_ran"))
        return
    notes.count("job", msg("scenario.google_trace.have_requests_in_parts_of_largest"))
    notes.count("job", msg("scenario.google_trace.have_priorities_left_out"))
    maps = Tasks(
        max(1, round(job.memory * MACHINE["memory_mb"])), max(1, round(job.vcores * MACHINE["vcores"]))
    )
    for duration in lasted:
        maps.append(max(1, duration // US_PER_MS))
    builder.add_job(f"job{number}", job.user or None, job.queue, job.arrival // US_PER_MS, maps, Tasks())


def _looks_like(lines: list[bytes]) -> bool:
    """Whether one of the first lines has 13 columns with numbers of time, job, task and event."""
    return any(
        len(columns) == COLUMNS
        and all(columns[place].isdigit() for place in (0, 2, 3, 5, 7))
        and int(columns[5][:3]) <= LAST_EVENT
        for columns in (line.strip().split(b",", COLUMNS) for line in lines)
    )


V2011 = _Schema(_task_event, schedule=1, last_end=6, names_users=True)
V2019 = _Schema(_instance_event, schedule=3, last_end=8, names_users=False)
GOOGLE_2011 = FileFormat(
    "google-2011", msg("scenario.google_trace.task_events"), (), (".csv", ".txt"), V2011.read, _looks_like
)
GOOGLE_2019 = FileFormat(
    "google-2019",
    msg("scenario.google_trace.instance_events"),
    ("collection_id",),
    (".json", ".jsonl"),
    V2019.read,
)

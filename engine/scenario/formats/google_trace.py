"""Google's cluster trace of 2011 (version 2, "Google cluster-usage traces: format + schema"): task_events, an
event of a task a line, 13 columns by commas: time in µs, missing info, job, task, machine, event, user,
scheduling class, priority, CPU, memory and disk requested, different machine.

- a job is one of maps alone: as many as tasks of it that ran and ended within the file, each as long as its
  last attempt, from SCHEDULE (1) to what ended it: EVICT (2), FAIL (3), FINISH (4), KILL (5), LOST (6). What
  attempts before it took is left out, and so is a task that has not both in the file.
- arrival: its first event, from the first job on. Those of time 0 were there before the trace.
- sizes: requests are parts of the largest machine, whose size Google does not tell: here 64 vcores and
  262,144 MB. The largest request of a job's tasks is that of all; at least 1 vcore and 1 MB.
- user: the hash's beginning. Queues: the scheduling class, root.class0 to root.class3; both are empty where
  Google had to make up the event (missing info): class 0. Priorities, disks and
  constraints are left out.
- nodes: a nodes file, else a largest machine for each that a task ran on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.nodes import DEFAULT_RACK, DefaultSize, Node, add_bounded
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.formats.text_rows import amount, for_each_row, parse_int, quoted, split_columns

COLUMNS = 13
SUBMIT, SCHEDULE, LAST_END, UPDATE = 0, 1, 6, 8  # SUBMIT, SCHEDULE, LOST, UPDATE_RUNNING
US_PER_MS = 1000
MACHINE = {"memory_mb": 262_144, "vcores": 64}
NODE = {key: DefaultSize(size, msg("scenario.google_trace.largest_machine")) for key, size in MACHINE.items()}
USER_LENGTH = 12


@dataclass
class _Job:
    """user, queue; arrival in µs; began: task -> µs of its last SCHEDULE; lasted: task -> ms."""

    user: str
    queue: str
    arrival: int
    memory: float = 0.0
    vcores: float = 0.0
    began: dict[int, int] = field(default_factory=dict)
    lasted: dict[int, int] = field(default_factory=dict)


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of a part of task_events. A line that can't be read is left out and told; FormatError and
    TooLarge as `readers.read` says.
    """
    builder = ScenarioBuilder(source.max_tasks, source.part)
    jobs: dict[int, _Job] = {}
    for_each_row(source, lambda line: _take(line, jobs, builder), builder.notes)
    for number, job in jobs.items():
        _add(number, job, builder)
    return builder.build(title, nodes, NODE, origin_ms=None)


def _take(line: bytes, jobs: dict[int, _Job], builder: ScenarioBuilder) -> bool:
    columns = split_columns(line, COLUMNS)
    time, number, task, event = (
        parse_int(columns[place], noun)
        for place, noun in ((0, "time"), (2, "job"), (3, "task"), (5, "event"))
    )
    if not SUBMIT <= event <= UPDATE:
        raise FormatError(msg("scenario.google_trace.event_unknown", event=quoted(columns[5])))
    if time < 0:
        raise FormatError(msg("shared.submit_time_must_be_at_least", submit=time))
    user = columns[6].decode("utf-8", "replace")[:USER_LENGTH]
    queue = f"class{parse_int(columns[7] or b'0', 'scheduling class')}"
    vcores, memory = amount(columns[9], "CPU request", 1), amount(columns[10], "memory request", 1)
    job = jobs.setdefault(number, _Job(user, queue, time))
    job.vcores, job.memory = max(job.vcores, vcores), max(job.memory, memory)
    if event == SCHEDULE:
        job.began[task] = time
        if machine := columns[4].decode("utf-8", "replace"):
            add_bounded(builder.hosts, [Node(DEFAULT_RACK, f"machine{machine}")])
    elif SCHEDULE < event <= LAST_END and task in job.began:
        job.lasted[task] = max(1, (time - job.began.pop(task)) // US_PER_MS)
    return True


def _add(number: int, job: _Job, builder: ScenarioBuilder) -> None:
    notes: Notes = builder.notes
    notes.count("task", msg("scenario.google_trace.have_no_end_in_file"), len(job.began))
    if not job.lasted:
        notes.count("job", msg("scenario.google_trace.have_no_task_that_ran"))
        return
    notes.count("job", msg("scenario.google_trace.have_requests_in_parts_of_largest"))
    notes.count("job", msg("scenario.google_trace.have_priorities_left_out"))
    maps = Tasks(
        max(1, round(job.memory * MACHINE["memory_mb"])), max(1, round(job.vcores * MACHINE["vcores"]))
    )
    for duration in job.lasted.values():
        maps.append(duration)
    builder.add_job(f"job{number}", job.user or None, job.queue, job.arrival // US_PER_MS, maps, Tasks())


def _looks_like(lines: list[bytes]) -> bool:
    """Whether one of the first lines has 13 columns with numbers of time, job, task and event."""
    return any(
        len(columns) == COLUMNS
        and all(columns[place].isdigit() for place in (0, 2, 3, 5, 7))
        and int(columns[5][:3]) <= UPDATE
        for columns in (line.strip().split(b",", COLUMNS) for line in lines)
    )


GOOGLE_2011 = FileFormat(
    "google-2011", msg("scenario.google_trace.task_events"), (), (".csv", ".txt"), read, _looks_like
)

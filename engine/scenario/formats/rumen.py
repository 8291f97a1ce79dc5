"""Job traces of Hadoop's Rumen (TraceBuilder's LoggedJob): JSON objects one after another, a job each.

- arrival: submitTime less the earliest submitTime.
- tasks: the last attempt of each task, whatever its result, as SLS does; finishTime - startTime. A task
  without an attempt that started and finished is left out (SLS leaves out the whole job); one that took 0 ms
  takes the model's least, 1 ms.
- what can't be read, such as an attempt that ends before it begins, is left out with its task, or with its
  job where it stands in no task.
- reduces: finishTime - shuffleFinished, sort and reduce, since the shuffle is modelled; where shuffleFinished
  is not given the whole attempt counts as reduce.
- shuffle_mb_per_map: the mean mapOutputBytes of the maps that give it, else the sum of the reduces'
  reduceShuffleBytes over the maps, else 0; in units of 2^20 bytes.
- sizes from jobProperties: mapreduce.map.memory.mb, mapreduce.map.cpu.vcores, the same of reduce,
  yarn.app.mapreduce.am.resource.mb and .cpu-vcores; missing or not over 0 (Hadoop 3's "derive it"): 1024 MB,
  1024 MB, 1536 MB and 1 vcore, Hadoop's defaults. jobMapMB and jobReduceMB are heap sizes, not containers,
  and are passed over. SLS gives every task its runner's size instead.
- slow start: mapreduce.job.reduce.slowstart.completedmaps, else mapred-site.xml's, else Hadoop's 0.05.
- nodes: a nodes file, else every host an attempt ran on; their size is the jobs' largest
  yarn.nodemanager.resource.memory-mb and .cpu-vcores. If jobs give one of the two, Hadoop's default (8192 MB,
  8 vcores) stands in for the other; else SLS's 10240 MB, 10 vcores.
- the job's name is its jobID; jobName is kept as x_job_name.
"""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import (
    DEPRECATED,
    PARTS,
    SLOWSTART,
    USED_PROPERTIES,
    number,
)
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.import_notes import note_sizes
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

MEBIBYTE = 2**20
SIZES = [name for part in PARTS.values() for name in (part.memory, part.vcores)]
NODE = {
    "memory_mb": ("yarn.nodemanager.resource.memory-mb", 8192, 10_240),
    "vcores": ("yarn.nodemanager.resource.cpu-vcores", 8, 10),
}


class _Attempts:
    """Folds the attempts of one task: the last one, and the hosts of all."""

    __slots__ = ("hosts", "last")

    def __init__(self) -> None:
        self.last: dict[str, Any] | None = None
        self.hosts: set[str] = set()

    def add(self, attempt: dict[str, Any]) -> None:
        self.last = attempt
        if host := text_value(attempt.get("hostName"), "hostName"):
            self.hosts.add(host)


class _Maps(Tasks):
    """Folds the map tasks of one job; `moved` is their output in bytes, from `known_outputs` of them."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts: set[str] = set()
        self.moved = self.known_outputs = self.unfinished = self.zero_length = 0

    def add(self, task: dict[str, Any]) -> None:
        attempts: _Attempts = task.get("attempts") or _Attempts()
        add_bounded(self.hosts, attempts.hosts)
        last = attempts.last or {}
        start, finish = _time(last, "startTime"), _time(last, "finishTime")
        if start is None or finish is None:
            self.unfinished += 1
            return
        duration = finish - self.begin(last, start)
        if duration < 0:
            raise FormatError(
                msg(
                    "scenario.rumen.last_attempt_finished_ms_before_began",
                    duration=quantities.duration(-duration, exact=True),
                )
            )
        self.zero_length += duration == 0
        self.append(max(duration, 1))
        moved = int_value(last.get(self.bytes_field), self.bytes_field)
        if moved is not None and moved >= 0:
            self.moved += moved
            self.known_outputs += 1

    bytes_field = "mapOutputBytes"

    def begin(self, attempt: dict[str, Any], start: int) -> int:
        """When what counts as the task's duration began, in ms."""
        return start


class _Reduces(_Maps):
    """Folds the reduce tasks of one job; `moved` is what they fetched."""

    bytes_field = "reduceShuffleBytes"

    def __init__(self) -> None:
        super().__init__()
        self.without_shuffle_end = 0

    def begin(self, attempt: dict[str, Any], start: int) -> int:
        shuffle_end = _time(attempt, "shuffleFinished")
        if shuffle_end is None or shuffle_end < start:
            self.without_shuffle_end += 1
            return start
        return shuffle_end


ATTEMPT = leaf_fields(
    "startTime", "finishTime", "hostName", "shuffleFinished", "mapOutputBytes", "reduceShuffleBytes"
)
TASK = {"attempts": ListOf(ATTEMPT, _Attempts)}
PROPERTIES = leaf_fields(
    *USED_PROPERTIES,
    *DEPRECATED,
    *(name for name, _, _ in NODE.values()),
)
JOB = leaf_fields("jobID", "jobName", "user", "queue", "submitTime") | {
    "jobProperties": PROPERTIES,
    "mapTasks": ListOf(TASK, _Maps, is_part=True),
    "reduceTasks": ListOf(TASK, _Reduces, is_part=True),
}


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of a Rumen trace, on `nodes` or the trace's own hosts. FormatError and TooLarge as
    `readers.read` says.
    """
    trace = _Trace(source)
    for_each_object(source, JOB, trace.take, trace.builder.notes)
    return trace.builder.build(title, nodes, trace.default_sizes(), origin_ms=None)


class _Trace:
    """Takes the jobs of a trace; `capacity` is the largest node any job names."""

    def __init__(self, source: Source) -> None:
        self.builder = ScenarioBuilder(source.max_tasks, source.part)
        self.job_settings = source.job_settings
        self.capacity: dict[str, int] = {}

    def take(self, job: dict[str, Any]) -> bool:
        """Adds the job; whether it has a task that ran."""
        builder, submitted = self.builder, _time(job, "submitTime")
        if submitted is None:
            raise FormatError(
                msg("scenario.rumen.submittime_required")
                if job
                else msg("scenario.rumen.no_job_rumen_has_no_jobid")
            )
        maps, reduces = job.get("mapTasks") or _Maps(), job.get("reduceTasks") or _Reduces()
        properties = {
            DEPRECATED.get(name, name): value for name, value in (job.get("jobProperties") or {}).items()
        }
        for key, (name, _, _) in NODE.items():
            if node_amount := _positive(properties, name):
                self.capacity[key] = max(node_amount, self.capacity.get(key, 0))
        for name in SIZES:
            int_value(properties.get(name), name)
        add_bounded(builder.hosts, map(parse_node, maps.hosts | reduces.hosts))
        builder.notes.count(
            "task",
            msg("scenario.rumen.have_no_attempt_started_and_finished"),
            maps.unfinished + reduces.unfinished,
        )
        if not maps.count and not reduces.count:
            builder.notes.count("job", msg("shared.have_no_task_ran_left_out"))
            return False
        note_sizes(builder.notes, "am", self.job_settings.size("am", properties))
        fields: dict[str, Any] = {
            "am": self.job_settings.master(properties),
            **self.job_settings.fields(properties),
        }
        if job_name := text_value(job.get("jobName"), "jobName"):
            fields["x_job_name"] = job_name
        if maps.count:
            _set_size(maps, _size("maps", properties, self))
        if reduces.count:
            _set_size(reduces, _size("reduces", properties, self))
            fields |= {
                "slowstart": _slowstart(properties, self),
                "shuffle_mb_per_map": _shuffle(maps, reduces, builder),
            }
        builder.notes.count(
            "task", msg("scenario.rumen.name_no_size_their_own_jobs"), maps.count + reduces.count
        )
        builder.notes.count(
            "task", msg("scenario.rumen.last_ms_in_trace_ms"), maps.zero_length + reduces.zero_length
        )
        builder.notes.count(
            "reduce",
            msg("scenario.rumen.do_not_say_when_shuffle_was"),
            reduces.without_shuffle_end,
        )
        queue = text_value(job.get("queue"), "queue")
        builder.notes.count("job", msg("scenario.rumen.name_no_queue_default_hadoops"), queue is None)
        builder.add_job(
            text_value(job.get("jobID"), "jobID"),
            text_value(job.get("user"), "user"),
            queue or "default",
            submitted,
            maps,
            reduces,
            **fields,
        )
        return True

    def default_sizes(self) -> dict[str, DefaultSize]:
        """The size of a node: what the jobs name, Hadoop's default beside it, or SLS's where they name
        none.
        """
        sizes = {}
        for key, (name, hadoop, sls) in NODE.items():
            if key in self.capacity:
                sizes[key] = DefaultSize(self.capacity[key], msg("scenario.rumen.jobs", name=name))
            else:
                sizes[key] = (
                    DefaultSize(hadoop, msg("shared.hadoops_default"))
                    if self.capacity
                    else DefaultSize(sls, msg("shared.slss_default"))
                )
        return sizes


def _size(part: str, properties: dict[str, Any], trace: _Trace) -> dict[str, int]:
    size = trace.job_settings.size(part, properties)
    note_sizes(trace.builder.notes, part, size)
    return {key: setting.value for key, setting in size.items()}


def _set_size(tasks: Tasks, size: dict[str, int]) -> None:
    tasks.memory_mb, tasks.vcores = size["memory_mb"], size["vcores"]


def _slowstart(properties: dict[str, Any], trace: _Trace) -> float:
    raw = properties.get(SLOWSTART)
    share = number(properties, SLOWSTART)
    if raw is not None and (share is None or not 0 <= share <= 1):
        raise FormatError(msg("scenario.rumen.must_be_number_between_and", slowstart=SLOWSTART, raw=raw))
    setting = trace.job_settings.slowstart(properties)
    trace.builder.notes.count(
        "job",
        msg("scenario.rumen.name_no_slow_start", value=setting.value, origin=setting.origin),
        raw is None,
    )
    return setting.value


def _shuffle(maps: _Maps, reduces: _Reduces, builder: ScenarioBuilder) -> float:
    if not maps.count:
        return 0.0
    if not maps.known_outputs and not reduces.known_outputs:
        builder.notes.count("job", msg("shared.do_not_say_how_much_was"))
        return 0.0
    builder.notes.count(
        "job",
        msg("scenario.rumen.shuffle_over_network_whose_speed_not"),
    )
    return (maps.moved / maps.known_outputs if maps.known_outputs else reduces.moved / maps.count) / MEBIBYTE


def _positive(properties: dict[str, Any], name: str) -> int | None:
    amount = int_value(properties.get(name), name)
    return amount if amount is not None and amount > 0 else None


def _time(owner: dict[str, Any], key: str) -> int | None:
    """Milliseconds since 1970; None where it is missing or negative, which is how Rumen writes that it is not
    known.
    """
    time = int_value(owner.get(key), key)
    return time if time is not None and time >= 0 else None


RUMEN = FileFormat(
    "rumen",
    msg("scenario.rumen.rumen_trace"),
    ("jobID", "submitTime", "mapTasks", "reduceTasks", "jobProperties", "totalMaps"),
    (".json", ".trace", ".txt"),
    read,
)

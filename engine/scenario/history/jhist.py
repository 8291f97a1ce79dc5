"""MapReduce job history, `.jhist` (JobHistoryParser): its events as one job's record, with whatever the file
says before it ends or breaks.
"""

from __future__ import annotations

import json
import re
from sys import intern
from urllib.parse import unquote

from engine.codes import UNKNOWN
from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.binary_events import binary_events
from engine.scenario.history.job_events import Event, EventFields, plain_text, timestamp
from engine.scenario.history.json_events import json_events
from engine.scenario.history.records import (
    FAILED,
    FINISHED,
    KILLED,
    RUNNING,
    AttemptRecord,
    History,
    JobRecord,
    MasterRecord,
)

BINARY, JSON = b"Avro-Binary", b"Avro-Json"
MAX_SCHEMA_BYTES = 2**20
ATTEMPT = re.compile(r"attempt_\d+_\d+_([mr])_(\d{1,9})_(\d{1,9})", re.ASCII)
TASK = re.compile(r"task_\d+_\d+_([mr])_(\d{1,9})", re.ASCII)
MASTER = re.compile(r"appattempt_\d+_\d+_(\d{1,9})", re.ASCII)
JOB = re.compile(r"job_\d+_\d+", re.ASCII)
# FileNameIndexUtils: job-submitTime-user-name-finishTime-maps-reduces-status-queue-startTime.jhist, each part
# encoded as in an address.
NAME = re.compile(
    r"(job_\d+_\d+)-\d+-.*-(?P<status>[A-Z]+)-(?P<queue>[^-]*)(?:-\d+)?\.jhist(?:\.gz)?", re.ASCII | re.DOTALL
)
KINDS = {"m": "map", "r": "reduce"}
OUTCOMES = {"FINISHED": FINISHED, "FAILED": FAILED, "KILLED": KILLED}
# TypeConverter.toYarnApplicationPriority
PRIORITIES = {
    "VERY_LOW": 1,
    "LOW": 2,
    "NORMAL": 3,
    "HIGH": 4,
    "VERY_HIGH": 5,
}
MAX_FAULTS = 5  # told of a file


def is_jhist(head: bytes) -> bool:
    """Whether a file that begins so is a job history."""
    return head.startswith((BINARY, JSON))


def add_jhist(history: History, source: Source, name: str) -> int:
    """Adds the job of a history file, and returns how many attempts of tasks it has; what can't be read of it
    is told in `history.notes`. FormatError where nothing of it is a job history, TooLarge as `Source` says.
    """
    head = _header(source)
    encoding, _, remainder = head.partition(b"\n")
    line, _, remainder = remainder.partition(b"\n")
    faults: list[str] = []
    if encoding.strip() == JSON:
        events = json_events(source, remainder, faults)
    else:
        try:
            schema = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError(msg("scenario.jhist.schema_in_its_second_line_not", name=name)) from None
        events = binary_events(source, remainder, schema, faults)
    folder = _Job()
    try:
        for event in events:
            folder.take(event)
    except FormatError as error:
        faults.append(str(error))
    job_id = JOB.search(folder.id) or JOB.search(name)
    if not job_id:
        raise FormatError(
            msg("scenario.jhist.no_event_in_says_which_job", name=name) + (f": {faults[0]}" if faults else "")
        )
    folder.put(history.job(job_id[0]), NAME.fullmatch(name))
    history.notes += [f"{name}: {fault}" for fault in faults[:MAX_FAULTS]]
    if len(faults) > MAX_FAULTS:
        history.notes.append(
            msg("shared.more_lines_cant_be_read", name=name, faults=len(faults) - MAX_FAULTS)
        )
    return folder.attempt_count


def _header(source: Source) -> bytes:
    """The file as far as its second line is in it."""
    head = b""
    while head.count(b"\n") < 2 and len(head) <= MAX_SCHEMA_BYTES and (chunk := source.read()):
        head += chunk
    if is_jhist(head) and head.count(b"\n") < 2 and len(head) <= MAX_SCHEMA_BYTES:
        raise FormatError(msg("scenario.jhist.file_truncated_in_its_schema_second"))
    if not is_jhist(head) or head.count(b"\n") < 2:
        raise FormatError(msg("scenario.jhist.job_history_begins_with_avro_binary"))
    return head


class _Job:
    """Folds the events of one job."""

    def __init__(self) -> None:
        self.id = ""
        self._name = self._user = self._queue = self._submitted_to = self._status = ""
        self._submit = self._inited = self._finish = UNKNOWN
        self._priority = self._maps = self._reduces = 0
        self._uberized = False
        self._masters: dict[str, MasterRecord] = {}
        self._scheduled: dict[tuple[str, int], int] = {}
        self._attempts: dict[tuple[str, int, int], AttemptRecord] = {}

    @property
    def attempt_count(self) -> int:
        """Attempts of its tasks."""
        return len(self._attempts)

    def take(self, event: Event) -> None:
        """One event."""
        kind, fields = event.type, next(iter(event.event.values()), None)
        if fields is None:
            return
        self.id = self.id or plain_text(fields.jobid)
        if kind.startswith(("MAP_", "REDUCE_")):
            self._attempt(kind.rpartition("_")[2], fields, event.moved)
        elif kind == "TASK_STARTED":
            if match := TASK.match(plain_text(fields.taskid)):
                self._scheduled[KINDS[match[1]], int(match[2])] = timestamp(fields.startTime)
        elif kind == "AM_STARTED":
            self._master(fields)
        else:
            self._job(kind, fields)

    def _job(self, kind: str, fields: EventFields) -> None:
        if kind == "JOB_SUBMITTED":
            self._name, self._user = plain_text(fields.jobName), plain_text(fields.userName)
            self._submitted_to = plain_text(fields.jobQueueName)
        elif kind == "JOB_QUEUE_CHANGED":
            self._queue = plain_text(fields.jobQueueName) or self._queue
        elif kind == "JOB_PRIORITY_CHANGED":
            self._priority = PRIORITIES.get(plain_text(fields.priority), self._priority)
        elif kind == "JOB_INITED":
            self._inited, self._uberized = timestamp(fields.launchTime), fields.uberized
            self._maps, self._reduces = max(fields.totalMaps, 0), max(fields.totalReduces, 0)
        elif kind in ("JOB_FINISHED", "JOB_FAILED", "JOB_KILLED", "JOB_ERROR"):
            self._finish = timestamp(fields.finishTime)
            self._status = "SUCCEEDED" if kind == "JOB_FINISHED" else plain_text(fields.jobStatus) or kind[4:]
        if (submit_ms := timestamp(fields.submitTime)) != UNKNOWN:
            self._submit = submit_ms

    def _master(self, fields: EventFields) -> None:
        id = plain_text(fields.applicationAttemptId)
        number = int(match[1]) if (match := MASTER.fullmatch(id)) else len(self._masters) + 1
        host = _host(plain_text(fields.nodeManagerHost), fields.nodeManagerHttpPort)
        self._masters[id] = MasterRecord(
            number, host, plain_text(fields.containerId), UNKNOWN, timestamp(fields.startTime), UNKNOWN
        )

    def _attempt(self, event: str, fields: EventFields, moved: int) -> None:
        match = ATTEMPT.match(plain_text(fields.attemptId))
        if not match:
            return
        kind, index, number = KINDS[match[1]], int(match[2]), int(match[3]) + 1
        existing = self._attempts.get((kind, index, number))
        if event == "STARTED":
            host, locality = (
                _host(plain_text(fields.trackerName), fields.httpPort),
                plain_text(fields.locality),
            )
            record = AttemptRecord(
                kind,
                index,
                number,
                host,
                "",
                plain_text(fields.containerId),
                UNKNOWN,
                timestamp(fields.startTime),
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                RUNNING,
                intern(locality),
                UNKNOWN,
            )
        elif existing and existing.outcome == FINISHED and event in OUTCOMES:
            # its output was lost later on; its container ended when it had finished
            record = existing._replace(outcome=OUTCOMES[event])
        elif event in OUTCOMES:
            existing = existing or AttemptRecord(
                kind,
                index,
                number,
                "",
                "",
                "",
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                RUNNING,
                "",
                UNKNOWN,
            )
            record = existing._replace(
                host=existing.host or _host(plain_text(fields.hostname), UNKNOWN),
                rack=intern(plain_text(fields.rackname).strip("/")),
                shuffle_end_ms=timestamp(fields.shuffleFinishTime),
                sort_end_ms=timestamp(fields.sortFinishTime),
                end_ms=timestamp(fields.finishTime),
                outcome=OUTCOMES[event],
                moved_bytes=moved,
            )
        else:
            return
        self._attempts[kind, index, number] = record

    def put(self, job: JobRecord, name_parts: re.Match | None) -> None:
        """What was found, into the job's record, which other files may have begun; `name_parts`: the parts of
        the file's name.
        """
        job.name, job.user = self._name or job.name, self._user or job.user
        job.queue = (
            self._queue
            or (unquote(name_parts["queue"]) if name_parts else "")
            or self._submitted_to
            or job.queue
        )
        job.status = self._status or (name_parts["status"] if name_parts else "") or job.status
        job.submit_ms = self._submit if self._submit != UNKNOWN else job.submit_ms
        job.inited_ms = self._inited if self._inited != UNKNOWN else job.inited_ms
        job.finish_ms = self._finish if self._finish != UNKNOWN else job.finish_ms
        job.priority = self._priority or job.priority
        job.maps, job.reduces = self._maps or job.maps, self._reduces or job.reduces
        job.uberized = self._uberized or job.uberized
        job.masters += self._masters.values()
        job.attempts += [
            attempt._replace(scheduled_ms=self._scheduled.get((attempt.kind, attempt.index), UNKNOWN))
            for attempt in self._attempts.values()
        ]


def _host(name: str, port: int) -> str:
    return intern(f"{name}:{port}" if name and 0 < port < 65_536 else name)

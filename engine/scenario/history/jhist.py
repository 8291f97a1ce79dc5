"""MapReduce job history, `.jhist` (JobHistoryParser): its events as one job's record, with whatever the file says before it ends or breaks."""

from __future__ import annotations

import json
import re
from sys import intern
from urllib.parse import unquote

from engine.errors import FormatError
from engine.scenario.formats.stream import Source
from engine.scenario.history.binary_events import binary_events
from engine.scenario.history.job_events import Event, Said, text, time
from engine.scenario.history.json_events import json_events
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, UNKNOWN, AttemptRecord, History, JobRecord, MasterRecord

BINARY, JSON = b"Avro-Binary", b"Avro-Json"
MOST_SCHEMA = 2**20
ATTEMPT = re.compile(r"attempt_\d+_\d+_([mr])_(\d{1,9})_(\d{1,9})", re.ASCII)
TASK = re.compile(r"task_\d+_\d+_([mr])_(\d{1,9})", re.ASCII)
MASTER = re.compile(r"appattempt_\d+_\d+_(\d{1,9})", re.ASCII)
JOB = re.compile(r"job_\d+_\d+", re.ASCII)
# FileNameIndexUtils: job-submitTime-user-name-finishTime-maps-reduces-status-queue-startTime.jhist, each part encoded as in an address.
NAME = re.compile(r"(job_\d+_\d+)-\d+-.*-(?P<status>[A-Z]+)-(?P<queue>[^-]*)(?:-\d+)?\.jhist(?:\.gz)?", re.ASCII | re.DOTALL)
KINDS = {"m": "map", "r": "reduce"}
OUTCOMES = {"FINISHED": FINISHED, "FAILED": FAILED, "KILLED": KILLED}
PRIORITIES = {"VERY_LOW": 1, "LOW": 2, "NORMAL": 3, "HIGH": 4, "VERY_HIGH": 5}  # TypeConverter.toYarnApplicationPriority
MOST_FAULTS = 5  # told of a file


def is_jhist(head: bytes) -> bool:
    """Whether a file that begins so is a job history."""
    return head.startswith((BINARY, JSON))


def add_jhist(history: History, source: Source, name: str) -> None:
    """Adds the job of a history file; what can't be read of it is told in `history.notes`. FormatError where nothing of it is a job history, TooLarge as
    `Source` says."""
    begun = _header(source)
    form, _, rest = begun.partition(b"\n")
    line, _, rest = rest.partition(b"\n")
    faults: list[str] = []
    if form.strip() == JSON:
        events = json_events(source, rest, faults)
    else:
        try:
            schema = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError(f"{name}: the schema in its second line is not JSON, or is cut off") from None
        events = binary_events(source, rest, schema, faults)
    found = _Job()
    try:
        for event in events:
            found.take(event)
    except FormatError as error:
        faults.append(str(error))
    known = JOB.search(found.id) or JOB.search(name)
    if not known:
        raise FormatError(f"{name}: no event in it says of which job it is" + (f": {faults[0]}" if faults else ""))
    found.put(history.job(known[0]), NAME.fullmatch(name))
    history.notes += [f"{name}: {fault}" for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        history.notes.append(f"{name}: {len(faults) - MOST_FAULTS:,} more lines can't be read")


def _header(source: Source) -> bytes:
    """The file as far as its second line is in it."""
    begun = b""
    while begun.count(b"\n") < 2 and len(begun) <= MOST_SCHEMA and (more := source.read()):
        begun += more
    if is_jhist(begun) and begun.count(b"\n") < 2 and len(begun) <= MOST_SCHEMA:
        raise FormatError("the file is cut off within its schema, the second line: nothing of the job can be read")
    if not is_jhist(begun) or begun.count(b"\n") < 2:
        raise FormatError("a job history begins with Avro-Binary or Avro-Json and, in the next line, a schema of at most 1 MB")
    return begun


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

    def take(self, event: Event) -> None:
        """One event."""
        kind, said = event.type, next(iter(event.event.values()), None)
        if said is None:
            return
        self.id = self.id or text(said.jobid)
        if kind.startswith(("MAP_", "REDUCE_")):
            self._attempt(kind.rpartition("_")[2], said, event.moved)
        elif kind == "TASK_STARTED":
            if found := TASK.match(text(said.taskid)):
                self._scheduled[KINDS[found[1]], int(found[2])] = time(said.startTime)
        elif kind == "AM_STARTED":
            self._master(said)
        else:
            self._job(kind, said)

    def _job(self, kind: str, said: Said) -> None:
        if kind == "JOB_SUBMITTED":
            self._name, self._user = text(said.jobName), text(said.userName)
            self._submitted_to = text(said.jobQueueName)
        elif kind == "JOB_QUEUE_CHANGED":
            self._queue = text(said.jobQueueName) or self._queue
        elif kind == "JOB_PRIORITY_CHANGED":
            self._priority = PRIORITIES.get(text(said.priority), self._priority)
        elif kind == "JOB_INITED":
            self._inited, self._uberized = time(said.launchTime), said.uberized
            self._maps, self._reduces = max(said.totalMaps, 0), max(said.totalReduces, 0)
        elif kind in ("JOB_FINISHED", "JOB_FAILED", "JOB_KILLED", "JOB_ERROR"):
            self._finish = time(said.finishTime)
            self._status = "SUCCEEDED" if kind == "JOB_FINISHED" else text(said.jobStatus) or kind[4:]
        if (submitted := time(said.submitTime)) != UNKNOWN:
            self._submit = submitted

    def _master(self, said: Said) -> None:
        id = text(said.applicationAttemptId)
        number = int(found[1]) if (found := MASTER.fullmatch(id)) else len(self._masters) + 1
        host = _host(text(said.nodeManagerHost), said.nodeManagerHttpPort)
        self._masters[id] = MasterRecord(number, host, text(said.containerId), UNKNOWN, time(said.startTime), UNKNOWN)

    def _attempt(self, event: str, said: Said, moved: int) -> None:
        found = ATTEMPT.match(text(said.attemptId))
        if not found:
            return
        kind, index, number = KINDS[found[1]], int(found[2]), int(found[3]) + 1
        known = self._attempts.get((kind, index, number))
        if event == "STARTED":
            host, place = _host(text(said.trackerName), said.httpPort), text(said.locality)
            made = AttemptRecord(
                kind, index, number, host, "", text(said.containerId), UNKNOWN, time(said.startTime), UNKNOWN, UNKNOWN, UNKNOWN, RUNNING, intern(place), UNKNOWN
            )
        elif known and known.outcome == FINISHED and event in OUTCOMES:
            made = known._replace(outcome=OUTCOMES[event])  # its output was lost later on; its container ended when it had finished
        elif event in OUTCOMES:
            known = known or AttemptRecord(kind, index, number, "", "", "", UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, RUNNING, "", UNKNOWN)
            made = known._replace(
                host=known.host or _host(text(said.hostname), UNKNOWN),
                rack=intern(text(said.rackname).strip("/")),
                shuffle_end_ms=time(said.shuffleFinishTime),
                sort_end_ms=time(said.sortFinishTime),
                end_ms=time(said.finishTime),
                outcome=OUTCOMES[event],
                moved_bytes=moved,
            )
        else:
            return
        self._attempts[kind, index, number] = made

    def put(self, job: JobRecord, named: re.Match | None) -> None:
        """What was found, into the job's record, which other files may have begun; `named`: the parts of the file's name."""
        job.name, job.user = self._name or job.name, self._user or job.user
        job.queue = self._queue or (unquote(named["queue"]) if named else "") or self._submitted_to or job.queue
        job.status = self._status or (named["status"] if named else "") or job.status
        job.submit_ms = self._submit if self._submit != UNKNOWN else job.submit_ms
        job.inited_ms = self._inited if self._inited != UNKNOWN else job.inited_ms
        job.finish_ms = self._finish if self._finish != UNKNOWN else job.finish_ms
        job.priority = self._priority or job.priority
        job.maps, job.reduces = self._maps or job.maps, self._reduces or job.reduces
        job.uberized = self._uberized or job.uberized
        job.masters += self._masters.values()
        job.attempts += [one._replace(scheduled_ms=self._scheduled.get((one.kind, one.index), UNKNOWN)) for one in self._attempts.values()]


def _host(name: str, port: int) -> str:
    return intern(f"{name}:{port}" if name and 0 < port < 65_536 else name)

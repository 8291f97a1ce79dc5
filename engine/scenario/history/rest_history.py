"""Saved REST answers of the ResourceManager and the JobHistory server as records, and what they add to those of job histories.

`add_rest` gathers what the answers say, in any order; `complete` joins it to what job histories said, which wins for attempts.
Sources: webapp/dao of hadoop-yarn-server-resourcemanager (AppInfo, NodeInfo, AppAttemptInfo), hadoop-mapreduce-client-hs (JobInfo) and -app (TaskInfo,
TaskAttemptInfo, ReduceTaskAttemptInfo, AMAttemptInfo, ConfInfo, JobCounterInfo).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from sys import intern
from typing import Any, BinaryIO

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.assumptions import Notes
from engine.scenario.formats.stream import Source, whole
from engine.scenario.history.answers import TOO_LONG, WHOLE, objects_of
from engine.scenario.history.records import (
    FAILED,
    FINISHED,
    KILLED,
    RUNNING,
    UNKNOWN,
    AttemptRecord,
    History,
    JobRecord,
    MasterRecord,
    NodeRecord,
    OtherRecord,
)

NUMBERS = re.compile(r"(?:application|job|task|attempt|appattempt|container(?:_e[0-9]+)?)_([0-9]{1,20})_([0-9]{1,12})", re.ASCII)
TASK = re.compile(r"(?:task|attempt)_[0-9]+_[0-9]+_([mr])_([0-9]{1,9})(?:_([0-9]{1,9}))?", re.ASCII)
MASTER = re.compile(r"appattempt_[0-9]+_[0-9]+_([0-9]{1,9})", re.ASCII)
KINDS = {"m": "map", "r": "reduce"}
OUTCOMES = {"SUCCEEDED": FINISHED, "FAILED": FAILED, "KILLED": KILLED}
MAPREDUCE = "MAPREDUCE"
GONE = {"LOST", "SHUTDOWN", "DECOMMISSIONED", "REBOOTED"}  # NodeState; what they offer is nothing
SHUFFLED = "REDUCE_SHUFFLE_BYTES"
ENDED = {"FAILED", "KILLED"}  # of FINISHED masters finishedTime is when they said goodbye; their containers end some 6 s later (RMAppAttemptImpl)
MOST_MISSING, MOST_SAID = 10, 300  # sentences of a manifest that are told, and characters of each
MOST_RECORDS = 4_000_000  # tasks and attempts of all answers, some 0.4 kB each


@dataclass
class OfApplication:
    """What the answers say of one application; `key` is "timestamp_number", which its application_… and its job_… share."""

    app: dict[str, Any] = field(default_factory=dict)
    job: dict[str, Any] = field(default_factory=dict)
    tasks: dict[int, AttemptRecord] = field(default_factory=dict)
    attempts: dict[int, AttemptRecord] = field(default_factory=dict)
    masters: dict[int, dict[str, Any]] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    shuffled_bytes: int = UNKNOWN


class Answers:
    """All that REST answers say, as far as they have been read: by application, and the nodes."""

    def __init__(self) -> None:
        self.notes = Notes()
        self.faults: list[str] = []
        self.missing: list[str] = []
        self.applications: dict[str, OfApplication] = {}
        self.nodes: dict[str, dict[str, Any]] = {}
        self.scheduler: dict[str, Any] | None = None
        self._count = 0

    def add(self, source: Source, name: str) -> None:
        """Takes one file's answers; FormatError when nothing in it is one. name: of the file; a job's id in it stands in for one the answer lacks."""
        faults: list[str] = []
        own = _key(name)
        try:
            for what, found in objects_of(source, faults):
                if what == "id":
                    own = _key(found["value"]) or own
                elif what == WHOLE:
                    self.scheduler = found[WHOLE] if isinstance(found[WHOLE], dict) else self.scheduler
                elif what == TOO_LONG:
                    self.notes.count("file", "have numbers of hundreds of digits: they are taken as not known")
                elif what == "missing":
                    self.missing.append(found["value"][:MOST_SAID])
                elif what in TAKE:
                    TAKE[what](self, found, own)
        finally:
            self.faults += [f"{name}: {fault}; what stands before that is read" for fault in faults]

    def _of(self, key: str | None, what: str) -> OfApplication | None:
        if key is None:
            self.notes.count(what, "name no application: they are left out")
            return None
        return self.applications.setdefault(key, OfApplication())

    def _app(self, found: dict[str, Any], _own: str | None) -> None:
        if of := self._of(_key(found.get("id")), "application"):
            of.app |= found

    def _job(self, found: dict[str, Any], _own: str | None) -> None:
        if of := self._of(_key(found.get("id")), "job"):
            of.job |= found

    def _node(self, found: dict[str, Any], _own: str | None) -> None:
        if name := _text(found.get("id")) or _text(found.get("nodeHostName")):
            self.nodes[name] = found
        else:
            self.notes.count("node", "have no name: they are left out")

    def _task(self, found: dict[str, Any], _own: str | None) -> None:
        """Kept as what its one attempt would be, for where the answers have none."""
        place = TASK.match(_text(found.get("id")))
        if not place:
            self.notes.count("task", "have no id such as task_1700000000000_0001_m_000000: they are left out")
        elif of := self._of(_key(found["id"]), "task"):
            record = _attempt(KINDS[place[1]], int(place[2]), 1, found)
            self._keep(of.tasks, (record.index << 1) + (record.kind == "reduce"), record)

    def _attempt(self, found: dict[str, Any], _own: str | None) -> None:
        place = TASK.match(_text(found.get("id")))
        if not place or not place[3]:
            self.notes.count("attempt", "have no id such as attempt_1700000000000_0001_m_000000_0: they are left out")
        elif of := self._of(_key(found["id"]), "attempt"):
            record = _attempt(KINDS[place[1]], int(place[2]), int(place[3]) + 1, found)
            self._keep(of.attempts, (record.attempt << 40) + (record.index << 1) + (record.kind == "reduce"), record)

    def _keep(self, records: dict[int, AttemptRecord], place: int, record: AttemptRecord) -> None:
        self._count += place not in records
        if self._count > MOST_RECORDS:
            raise TooLarge(f"the answers hold more than {MOST_RECORDS:,} tasks and attempts")
        records[place] = record

    def _master(self, found: dict[str, Any], own: str | None) -> None:
        key = _key(found.get("appAttemptId")) or _key(found.get("containerId")) or own
        number = MASTER.match(_text(found.get("appAttemptId")))
        if of := self._of(key, "application attempt"):
            of.masters.setdefault(int(number[1]) if number else max(1, _number(found.get("id"))), {}).update(found)

    def _job_attempt(self, found: dict[str, Any], own: str | None) -> None:
        """startTime is here when the master's JVM began, and elsewhere when the ResourceManager made the attempt."""
        self._master({**found, "jvm": found.pop("startTime", None)}, own)

    def _property(self, found: dict[str, Any], own: str | None) -> None:
        name, value = _text(found.get("name")), found.get("value")
        if name and value is not None and (of := self._of(own, "setting")):
            of.properties[intern(name)] = str(value)

    def _counter(self, found: dict[str, Any], own: str | None) -> None:
        if found.get("name") == SHUFFLED and (of := self._of(own, "counter")):
            of.shuffled_bytes = _number(found.get("totalCounterValue"))


TAKE = {
    "app": Answers._app, "job": Answers._job, "node": Answers._node, "task": Answers._task, "taskAttempt": Answers._attempt,
    "appAttempt": Answers._master, "jobAttempt": Answers._job_attempt, "property": Answers._property, "counter": Answers._counter,
}  # fmt: skip


def add_rest(history: History, stream: BinaryIO | Source, name: str) -> None:
    """Takes the REST answers of one file, gzip or plain, streaming; `complete(history)` has to follow after the last one.

    name: the file's, for sentences and for the job's id where an answer has none. FormatError when nothing in it is a REST answer; TooLarge as `Source`.
    """
    if history.answers is None:
        history.answers = Answers()
    history.answers.add(stream if isinstance(stream, Source) else Source(stream, of_json=False), name)


def complete(history: History) -> None:
    """Joins what the REST answers said to the history: job histories win for attempts; answers add what those lack, nodes, queues and other applications."""
    answers: Answers | None = history.answers
    if answers is None:
        return
    history.answers = None
    known = {_key(job.id): job for job in history.jobs}
    for key, of in sorted(answers.applications.items()):
        job = known.get(key)
        if job is None and (of.job or of.tasks or of.attempts):
            job = history.job(f"job_{key}")
        if job is not None:
            _complete_job(job, of, answers.notes)
        elif of.app:
            _add_other(history, of.app, answers.notes)
    for name, node in _nodes(answers.nodes, answers.notes).items():
        history.nodes[name] = node
    history.scheduler = answers.scheduler or history.scheduler
    missing = [f"gantry-collect could not get {sentence}" for sentence in answers.missing[:MOST_MISSING]]
    more = [f"gantry-collect could not get {len(answers.missing) - MOST_MISSING:,} more answers"] if len(answers.missing) > MOST_MISSING else []
    history.notes += [*answers.faults, *missing, *more, *answers.notes.sentences()]


def _complete_job(job: JobRecord, of: OfApplication, notes: Notes) -> None:
    app, said = of.app, of.job
    for key in ("name", "user", "queue"):
        if not getattr(job, key):
            setattr(job, key, _text(said.get(key)) or _text(app.get(key)))
    if _text(app.get("queue")).startswith("root."):
        job.queue = app["queue"]  # where it ended; the JobHistory server has it as it was submitted
    job.status = job.status or _status(said, app)
    job.priority = job.priority or max(0, _number(app.get("priority")))
    job.uberized = job.uberized or said.get("uberized") is True
    for target, value in (
        ("submit_ms", _first(said.get("submitTime"), app.get("startedTime"))),
        ("inited_ms", _first(said.get("startTime"))),
        ("finish_ms", _first(said.get("finishTime"))),
    ):
        if getattr(job, target) == UNKNOWN:
            setattr(job, target, value)
    job.properties = {**of.properties, **job.properties}
    if not job.attempts:
        job.attempts = _attempts(of, notes)
    job.maps = job.maps or max(0, _number(said.get("mapsTotal"))) or len({one.index for one in job.attempts if one.kind == "map"})
    job.reduces = job.reduces or max(0, _number(said.get("reducesTotal"))) or len({one.index for one in job.attempts if one.kind == "reduce"})
    job.masters = _masters(job, of)


def _status(said: dict[str, Any], app: dict[str, Any]) -> str:
    found = _text(said.get("state"))
    if found in ("SUCCEEDED", "FAILED", "KILLED", "ERROR"):
        return found
    final = _text(app.get("finalStatus"))
    return final if final in ("SUCCEEDED", "FAILED", "KILLED") else ""


def _attempt(kind: str, index: int, number: int, said: dict[str, Any]) -> AttemptRecord:
    start, end = _first(said.get("startTime")), _first(said.get("finishTime"))
    shuffled, merged = (_first(said.get(key)) if kind == "reduce" else UNKNOWN for key in ("shuffleFinishTime", "mergeFinishTime"))
    outcome = OUTCOMES.get(_text(said.get("state")), RUNNING)
    host, rack, container = _host(said.get("nodeHttpAddress")), intern(_text(said.get("rack"))), _text(said.get("assignedContainerId"))
    return AttemptRecord(kind, index, number, host, rack, container, UNKNOWN, start, shuffled, merged, end, outcome, "", UNKNOWN)


def _attempts(of: OfApplication, notes: Notes) -> list[AttemptRecord]:
    found = list(of.attempts.values())
    shares = _shares(of.job)
    with_attempts = {(one.kind, one.index) for one in found}
    for one in of.tasks.values():
        if (one.kind, one.index) in with_attempts:
            continue
        if one.kind == "reduce" and shares and 0 <= one.start_ms <= one.end_ms:
            shuffled, merged = (one.start_ms + int(share * (one.end_ms - one.start_ms)) for share in shares)
            one = one._replace(shuffle_end_ms=shuffled, sort_end_ms=merged)
            notes.count("reduce", "have no attempts in the answers: they shuffle for as large a part of their time as their job's do in the mean")
        notes.count("task", "have no attempts in the answers: they are taken as one attempt each, on a node that is not known")
        found.append(one)
    return _with_bytes(found, of.shuffled_bytes, notes)


def _shares(job: dict[str, Any]) -> tuple[float, float] | None:
    """When a reduce's shuffle and its sort end, as parts of its time, by the means of its job."""
    shuffle, merge, reduce = (_number(job.get(key)) for key in ("avgShuffleTime", "avgMergeTime", "avgReduceTime"))
    total = shuffle + merge + reduce
    return (shuffle / total, (shuffle + merge) / total) if min(shuffle, merge, reduce) >= 0 and total else None


def _with_bytes(attempts: list[AttemptRecord], total: int, notes: Notes) -> list[AttemptRecord]:
    """What the job's counters say was fetched, spread evenly over what finished: the answers have it of no task."""
    counts = {kind: sum(one.kind == kind and one.outcome == FINISHED for one in attempts) for kind in KINDS.values()}
    if total < 0 or not all(counts.values()):
        return attempts
    notes.count("job", "have the bytes shuffled as a sum alone: they are spread evenly over maps and reduces")
    return [one._replace(moved_bytes=total // counts[one.kind]) if one.outcome == FINISHED else one for one in attempts]


def _masters(job: JobRecord, of: OfApplication) -> list[MasterRecord]:
    """The masters of the job history with what the ResourceManager says of them; its own where the history has none."""
    found = {one.attempt: one for one in job.masters}
    launched = _first(of.app.get("launchTime"))  # RMAppImpl keeps that of the first attempt
    if launched != UNKNOWN and not found and not of.masters:
        of.masters[1] = {}
    for number, said in of.masters.items():
        own = found.get(number, MasterRecord(number, "", "", UNKNOWN, UNKNOWN, UNKNOWN))
        found[number] = MasterRecord(
            number,
            own.host or _host(said.get("nodeHttpAddress")),
            own.container or _text(said.get("containerId")),
            own.launched_ms,
            own.jvm_ms if own.jvm_ms != UNKNOWN else _first(said.get("jvm")),
            own.end_ms if own.end_ms != UNKNOWN or _text(said.get("appAttemptState")) not in ENDED else _first(said.get("finishedTime")),
        )
    if 1 in found and found[1].launched_ms == UNKNOWN:
        found[1] = found[1]._replace(launched_ms=launched)
    return [found[number] for number in sorted(found)]


def _add_other(history: History, app: dict[str, Any], notes: Notes) -> None:
    kind = _text(app.get("applicationType")) or MAPREDUCE
    start, end = _first(app.get("launchTime"), app.get("startedTime")), _first(app.get("finishedTime"))
    memory, vcores = (max(0, _number(app.get(key))) for key in ("memorySeconds", "vcoreSeconds"))
    if start == UNKNOWN:
        notes.count("application", "have no time of their start: they are left out")
        return
    if not memory:
        notes.count("application", "held nothing: they are left out")
        return
    name, user, queue = (_text(app.get(key)) for key in ("name", "user", "queue"))
    history.others.append(OtherRecord(_text(app["id"]), name, user, queue, kind, start, end, memory, vcores))


def _nodes(nodes: dict[str, dict[str, Any]], notes: Notes) -> dict[str, NodeRecord]:
    """The nodes by name. A lost node offers nothing and is left out, if others are there."""
    found, lost = {}, 0
    for name, said in nodes.items():
        if _text(said.get("state")) in GONE:
            lost += 1
            continue
        total = said.get("totalResource") or {}
        sizes = []
        for key, used, free in (("memory", "usedMemoryMB", "availMemoryMB"), ("vCores", "usedVirtualCores", "availableVirtualCores")):
            parts = _number(said.get(used)), _number(said.get(free))
            size = _number(total.get(key))
            sizes.append(size if size > 0 else sum(parts) if min(parts) >= 0 and sum(parts) else UNKNOWN)
        host = _host(said.get("nodeHTTPAddress")) or _text(said.get("nodeHostName")) or name
        found[host] = NodeRecord(host, _text(said.get("rack")), *sizes)
    notes.count("node", "were lost or taken out of service when the ResourceManager was asked: they are left out", lost)
    return found


def _host(address: Any) -> str:
    """The address of a NodeManager's web page, which names it as job histories do; Hadoop writes null:0 or N/A:0 where it knows none."""
    text = _text(address)
    return "" if text.startswith(("null", "N/A", ":")) else intern(text)


def _key(value: Any) -> str | None:
    """ "timestamp_number" of the id of an application, job, task, attempt or container that stands in a text."""
    found = NUMBERS.search(value) if isinstance(value, str) else None
    return f"{found[1]}_{found[2]}" if found else None


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _number(value: Any) -> int:
    """A whole number, UNKNOWN where it is none."""
    try:
        found = whole(value, "")
    except FormatError:
        return UNKNOWN
    return UNKNOWN if found is None else found


def _first(*values: Any) -> int:
    """The first that is a time, UNKNOWN without one; Hadoop writes 0 or -1 for none."""
    return next((found for value in values if (found := _number(value)) > 0), UNKNOWN)

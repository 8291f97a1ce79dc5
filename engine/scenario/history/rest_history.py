"""Saved REST answers of the ResourceManager and the JobHistory server as records, and what they add to those
of job histories.

`add_rest_responses` gathers what the answers say, in any order; `merge_responses` joins it to what job
histories said, which wins for attempts.
Sources: webapp/dao of hadoop-yarn-server-resourcemanager (AppInfo, NodeInfo, AppAttemptInfo),
hadoop-mapreduce-client-hs (JobInfo) and -app (TaskInfo, TaskAttemptInfo, ReduceTaskAttemptInfo,
AMAttemptInfo, ConfInfo, JobCounterInfo).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from sys import intern
from typing import Any

from engine.codes import INFINITE, UNKNOWN
from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.json_stream import ByteStream, Source, int_value
from engine.scenario.history.records import (
    FAILED,
    FINISHED,
    KILLED,
    RUNNING,
    AttemptRecord,
    HeldSample,
    History,
    JobRecord,
    MasterRecord,
    NodeRecord,
    OtherApplicationRecord,
)
from engine.scenario.history.rest_responses import SCHEDULER, TOO_LONG, iter_objects

NUMBERS = re.compile(
    r"(?:application|job|task|attempt|appattempt|container(?:_e[0-9]+)?)_([0-9]{1,20})_([0-9]{1,12})",
    re.ASCII,
)
TASK = re.compile(r"(?:task|attempt)_[0-9]+_[0-9]+_([mr])_([0-9]{1,9})(?:_([0-9]{1,9}))?", re.ASCII)
MASTER = re.compile(r"appattempt_[0-9]+_[0-9]+_([0-9]{1,9})", re.ASCII)
KINDS = {"m": "map", "r": "reduce"}
OUTCOMES = {"SUCCEEDED": FINISHED, "FAILED": FAILED, "KILLED": KILLED}
MAPREDUCE = "MAPREDUCE"
LOST_STATES = {"LOST", "SHUTDOWN", "DECOMMISSIONED", "REBOOTED"}  # NodeState; what they offer is nothing
SHUFFLE_COUNTER = "REDUCE_SHUFFLE_BYTES"
ENDED_STATES = {
    "FAILED",
    "KILLED",
    # of FINISHED masters finishedTime is when they said goodbye; their containers end some 6 s later
    # (RMAppAttemptImpl)
}
MAX_MISSING, MAX_SENTENCE_LENGTH = 10, 300  # sentences of a manifest that are told, and characters of each
MAX_RECORDS = 4_000_000  # tasks, attempts and samples of all answers, some 0.4 kB each


@dataclass
class Application:
    """What the answers say of one application; `key` is "timestamp_number", which its application_… and its
    job_… share. app: as it was told last; samples: what it held while it ran, by the time in ms.
    """

    app: dict[str, Any] = field(default_factory=dict)
    samples: dict[int, HeldSample] = field(default_factory=dict)
    job: dict[str, Any] = field(default_factory=dict)
    tasks: dict[int, AttemptRecord] = field(default_factory=dict)
    attempts: dict[int, AttemptRecord] = field(default_factory=dict)
    masters: dict[int, dict[str, Any]] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    shuffled_bytes: int = UNKNOWN


class RestResponses:
    """All that REST answers say, as far as they have been read: by application, and the nodes."""

    def __init__(self) -> None:
        self.notes = Notes()
        self.faults: list[str] = []
        self.missing: list[str] = []
        self.applications: dict[str, Application] = {}
        self.nodes: dict[str, dict[str, Any]] = {}
        self.scheduler: dict[str, Any] | None = None
        self._count = 0

    def add(self, source: Source, name: str) -> None:
        """Takes one file's answers; FormatError when nothing in it is one. name: of the file; a job's id in
        it stands in for one the answer lacks.
        """
        faults: list[str] = []
        key = _application_key(name)
        try:
            for kind, values in iter_objects(source, faults):
                if kind == "id":
                    key = _application_key(values["value"]) or key
                elif kind == SCHEDULER:
                    self.scheduler = (
                        values[SCHEDULER] if isinstance(values[SCHEDULER], dict) else self.scheduler
                    )
                elif kind == TOO_LONG:
                    self.notes.count(
                        "file", msg("scenario.rest_history.have_numbers_hundreds_digits_they_taken")
                    )
                elif kind == "missing":
                    self.missing.append(values["value"][:MAX_SENTENCE_LENGTH])
                elif kind in HANDLERS:
                    HANDLERS[kind](self, values, key)
        finally:
            self.faults += [
                msg("scenario.rest_history.everything_before_used", name=name, fault=fault)
                for fault in faults
            ]

    def _application(self, key: str | None, what: str) -> Application | None:
        if key is None:
            self.notes.count(what, msg("scenario.rest_history.name_no_application_they_left_out"))
            return None
        return self.applications.setdefault(key, Application())

    def _app(self, values: dict[str, Any], _own: str | None) -> None:
        """Told again while it runs, or of one that has ended: the last counts, whatever the files' order."""
        if not (application := self._application(_application_key(values.get("id")), "application")):
            return
        known = application.app
        application.app = known | values if _told_at(values) >= _told_at(known) else values | known
        held = [_number(values.get(key)) for key in ("runningContainers", "allocatedMB", "allocatedVCores")]
        at = _told_at(values)
        if min(held) >= 0 and 0 < at < INFINITE:
            self._keep(application.samples, at, HeldSample(at, *held))

    def _job(self, values: dict[str, Any], _own: str | None) -> None:
        if application := self._application(_application_key(values.get("id")), "job"):
            application.job |= values

    def _node(self, values: dict[str, Any], _own: str | None) -> None:
        if name := _text(values.get("id")) or _text(values.get("nodeHostName")):
            self.nodes[name] = values
        else:
            self.notes.count("node", msg("scenario.rest_history.have_no_name_they_left_out"))

    def _task(self, values: dict[str, Any], _own: str | None) -> None:
        """Kept as what its one attempt would be, for where the answers have none."""
        match = TASK.match(_text(values.get("id")))
        if not match:
            self.notes.count("task", msg("scenario.rest_history.have_no_id_such_as_task"))
        elif application := self._application(_application_key(values["id"]), "task"):
            record = _attempt(KINDS[match[1]], int(match[2]), 1, values)
            self._keep(application.tasks, (record.index << 1) + (record.kind == "reduce"), record)

    def _attempt(self, values: dict[str, Any], _own: str | None) -> None:
        match = TASK.match(_text(values.get("id")))
        if not match or not match[3]:
            self.notes.count("attempt", msg("scenario.rest_history.have_no_id_such_as_attempt"))
        elif application := self._application(_application_key(values["id"]), "attempt"):
            record = _attempt(KINDS[match[1]], int(match[2]), int(match[3]) + 1, values)
            self._keep(
                application.attempts,
                (record.attempt << 40) + (record.index << 1) + (record.kind == "reduce"),
                record,
            )

    def _keep(self, records: dict[int, Any], key: int, record: AttemptRecord | HeldSample) -> None:
        self._count += key not in records
        if self._count > MAX_RECORDS:
            raise TooLarge(
                msg("scenario.rest_history.answers_hold_more_than_tasks_and", max_records=MAX_RECORDS)
            )
        records[key] = record

    def _master(self, values: dict[str, Any], own_key: str | None) -> None:
        key = (
            _application_key(values.get("appAttemptId"))
            or _application_key(values.get("containerId"))
            or own_key
        )
        number = MASTER.match(_text(values.get("appAttemptId")))
        if application := self._application(key, msg("scenario.rest_history.application_attempt")):
            application.masters.setdefault(
                int(number[1]) if number else max(1, _number(values.get("id"))), {}
            ).update(values)

    def _job_attempt(self, values: dict[str, Any], own_key: str | None) -> None:
        """startTime is here when the master's JVM began, and elsewhere when the ResourceManager made the
        attempt.
        """
        self._master({**values, "jvm": values.pop("startTime", None)}, own_key)

    def _property(self, values: dict[str, Any], own_key: str | None) -> None:
        name, value = _text(values.get("name")), values.get("value")
        if name and value is not None and (application := self._application(own_key, "setting")):
            application.properties[intern(name)] = str(value)

    def _counter(self, values: dict[str, Any], own_key: str | None) -> None:
        if values.get("name") == SHUFFLE_COUNTER and (application := self._application(own_key, "counter")):
            application.shuffled_bytes = _number(values.get("totalCounterValue"))


HANDLERS = {
    "app": RestResponses._app,
    "job": RestResponses._job,
    "node": RestResponses._node,
    "task": RestResponses._task,
    "taskAttempt": RestResponses._attempt,
    "appAttempt": RestResponses._master,
    "jobAttempt": RestResponses._job_attempt,
    "property": RestResponses._property,
    "counter": RestResponses._counter,
}


def add_rest_responses(history: History, stream: ByteStream, name: str) -> None:
    """Takes the REST answers of one file, gzip or plain, streaming; `complete(history)` has to follow after
    the last one.

    name: the file's, for sentences and for the job's id where an answer has none. FormatError when nothing in
    it is a REST answer; TooLarge as `Source`.
    """
    if history.responses is None:
        history.responses = RestResponses()
    history.responses.add(stream if isinstance(stream, Source) else Source(stream, is_json=False), name)


def merge_responses(history: History) -> None:
    """Joins what the REST answers said to the history: job histories win for attempts; answers add what those
    lack, nodes, queues and other applications.
    """
    responses: RestResponses | None = history.responses
    if responses is None:
        return
    history.responses = None
    jobs_by_key = {_application_key(job.id): job for job in history.jobs}
    for key, application in sorted(responses.applications.items()):
        job = jobs_by_key.get(key)
        if job is None and (application.job or application.tasks or application.attempts):
            job = history.job(f"job_{key}")
        if job is not None:
            _complete_job(job, application, responses.notes)
        elif application.app:
            _add_other(history, application, responses.notes)
    for name, node in _nodes(responses.nodes, responses.notes).items():
        history.nodes[name] = node
    history.scheduler = responses.scheduler or history.scheduler
    missing = [
        msg("scenario.rest_history.gantry_collect_could_not_get", sentence=sentence)
        for sentence in responses.missing[:MAX_MISSING]
    ]
    overflow = (
        [
            msg(
                "scenario.rest_history.gantry_collect_could_not_get_more",
                missing=len(responses.missing) - MAX_MISSING,
            )
        ]
        if len(responses.missing) > MAX_MISSING
        else []
    )
    history.notes += [*responses.faults, *missing, *overflow, *responses.notes.sentences()]


def _complete_job(job: JobRecord, application: Application, notes: Notes) -> None:
    app, job_info = application.app, application.job
    for key in ("name", "user", "queue"):
        if not getattr(job, key):
            setattr(job, key, _text(job_info.get(key)) or _text(app.get(key)))
    if _text(app.get("queue")).startswith("root."):
        job.queue = app["queue"]  # where it ended; the JobHistory server has it as it was submitted
    job.status = job.status or _status(job_info, app)
    job.priority = job.priority or max(0, _number(app.get("priority")))
    job.uberized = job.uberized or job_info.get("uberized") is True
    for target, value in (
        ("submit_ms", _first_time(job_info.get("submitTime"), app.get("startedTime"))),
        ("inited_ms", _first_time(job_info.get("startTime"))),
        ("finish_ms", _first_time(job_info.get("finishTime"))),
    ):
        if getattr(job, target) == UNKNOWN:
            setattr(job, target, value)
    job.properties = {**application.properties, **job.properties}
    if not job.attempts:
        job.attempts = _attempts(application, notes)
    job.maps = (
        job.maps
        or max(0, _number(job_info.get("mapsTotal")))
        or len({attempt.index for attempt in job.attempts if attempt.kind == "map"})
    )
    job.reduces = (
        job.reduces
        or max(0, _number(job_info.get("reducesTotal")))
        or len({attempt.index for attempt in job.attempts if attempt.kind == "reduce"})
    )
    job.masters = _masters(job, application)


def _status(job_info: dict[str, Any], app: dict[str, Any]) -> str:
    state = _text(job_info.get("state"))
    if state in ("SUCCEEDED", "FAILED", "KILLED", "ERROR"):
        return state
    final = _text(app.get("finalStatus"))
    return final if final in ("SUCCEEDED", "FAILED", "KILLED") else ""


def _attempt(kind: str, index: int, number: int, info: dict[str, Any]) -> AttemptRecord:
    start, end = _first_time(info.get("startTime")), _first_time(info.get("finishTime"))
    shuffled, merged = (
        _first_time(info.get(key)) if kind == "reduce" else UNKNOWN
        for key in ("shuffleFinishTime", "mergeFinishTime")
    )
    outcome = OUTCOMES.get(_text(info.get("state")), RUNNING)
    host, rack, container = (
        _host(info.get("nodeHttpAddress")),
        intern(_text(info.get("rack"))),
        _text(info.get("assignedContainerId")),
    )
    return AttemptRecord(
        kind,
        index,
        number,
        host,
        rack,
        container,
        UNKNOWN,
        start,
        shuffled,
        merged,
        end,
        outcome,
        "",
        UNKNOWN,
    )


def _attempts(application: Application, notes: Notes) -> list[AttemptRecord]:
    attempts = list(application.attempts.values())
    shares = _phase_shares(application.job)
    with_attempts = {(attempt.kind, attempt.index) for attempt in attempts}
    for attempt in application.tasks.values():
        if (attempt.kind, attempt.index) in with_attempts:
            continue
        if attempt.kind == "reduce" and shares and 0 <= attempt.start_ms <= attempt.end_ms:
            shuffled, merged = (
                attempt.start_ms + int(share * (attempt.end_ms - attempt.start_ms)) for share in shares
            )
            attempt = attempt._replace(shuffle_end_ms=shuffled, sort_end_ms=merged)
            notes.count(
                "reduce",
                msg("scenario.rest_history.have_no_attempts_in_answers_they_2"),
            )
        notes.count(
            "task",
            msg("scenario.rest_history.have_no_attempts_in_answers_they"),
        )
        attempts.append(attempt)
    return _spread_bytes(attempts, application.shuffled_bytes, notes)


def _phase_shares(job: dict[str, Any]) -> tuple[float, float] | None:
    """When a reduce's shuffle and its sort end, as parts of its time, by the means of its job."""
    shuffle, merge, reduce = (
        _number(job.get(key)) for key in ("avgShuffleTime", "avgMergeTime", "avgReduceTime")
    )
    total = shuffle + merge + reduce
    return (
        (shuffle / total, (shuffle + merge) / total) if min(shuffle, merge, reduce) >= 0 and total else None
    )


def _spread_bytes(attempts: list[AttemptRecord], total: int, notes: Notes) -> list[AttemptRecord]:
    """What the job's counters say was fetched, spread evenly over what finished: the answers have it of no
    task.
    """
    counts = {
        kind: sum(attempt.kind == kind and attempt.outcome == FINISHED for attempt in attempts)
        for kind in KINDS.values()
    }
    if total < 0 or not all(counts.values()):
        return attempts
    notes.count("job", msg("scenario.rest_history.have_bytes_shuffled_as_sum_alone"))
    return [
        attempt._replace(moved_bytes=total // counts[attempt.kind])
        if attempt.outcome == FINISHED
        else attempt
        for attempt in attempts
    ]


def _masters(job: JobRecord, application: Application) -> list[MasterRecord]:
    """The masters of the job history with what the ResourceManager says of them; its own where the history
    has none.
    """
    masters_by_number = {master.attempt: master for master in job.masters}
    launched = _first_time(application.app.get("launchTime"))  # RMAppImpl keeps that of the first attempt
    if launched != UNKNOWN and not masters_by_number and not application.masters:
        application.masters[1] = {}
    for number, info in application.masters.items():
        record = masters_by_number.get(number, MasterRecord(number, "", "", UNKNOWN, UNKNOWN, UNKNOWN))
        masters_by_number[number] = MasterRecord(
            number,
            record.host or _host(info.get("nodeHttpAddress")),
            record.container or _text(info.get("containerId")),
            record.launched_ms,
            record.jvm_ms if record.jvm_ms != UNKNOWN else _first_time(info.get("jvm")),
            record.end_ms
            if record.end_ms != UNKNOWN or _text(info.get("appAttemptState")) not in ENDED_STATES
            else _first_time(info.get("finishedTime")),
        )
    if 1 in masters_by_number and masters_by_number[1].launched_ms == UNKNOWN:
        masters_by_number[1] = masters_by_number[1]._replace(launched_ms=launched)
    return [masters_by_number[number] for number in sorted(masters_by_number)]


def _told_at(app: dict[str, Any]) -> int:
    """When an answer told of an application, ms since 1970 by its own clock; INFINITE of one that ended."""
    start, elapsed = _first_time(app.get("startedTime")), _number(app.get("elapsedTime"))
    if _first_time(app.get("finishedTime")) != UNKNOWN:
        return INFINITE
    return start + elapsed if min(start, elapsed) >= 0 else UNKNOWN


def _add_other(history: History, application: Application, notes: Notes) -> None:
    app = application.app
    kind = _text(app.get("applicationType")) or MAPREDUCE
    submit = _first_time(app.get("startedTime"), app.get("launchTime"))
    start = _first_time(app.get("launchTime"), submit)
    finished = _first_time(app.get("finishedTime"))
    end = _first_time(finished, _told_at(app))
    memory, vcores = (max(0, _number(app.get(key))) for key in ("memorySeconds", "vcoreSeconds"))
    if start == UNKNOWN:
        notes.count("application", msg("scenario.rest_history.have_no_time_their_start_they"))
        return
    if not memory:
        notes.count("application", msg("scenario.rest_history.held_nothing_they_left_out"))
        return
    name, user, queue = (_text(app.get(key)) for key in ("name", "user", "queue"))
    history.others.append(
        OtherApplicationRecord(
            _text(app["id"]),
            name,
            user,
            queue,
            kind,
            start,
            end,
            memory,
            vcores,
            submit,
            tuple(application.samples[at] for at in sorted(application.samples)),
            finished != UNKNOWN,
        )
    )


def _nodes(nodes: dict[str, dict[str, Any]], notes: Notes) -> dict[str, NodeRecord]:
    """The nodes by name. A lost node offers nothing and is left out, if others are there."""
    records, lost_count = {}, 0
    for name, info in nodes.items():
        if _text(info.get("state")) in LOST_STATES:
            lost_count += 1
            continue
        total = info.get("totalResource") or {}
        sizes = []
        for key, used, free in (
            ("memory", "usedMemoryMB", "availMemoryMB"),
            ("vCores", "usedVirtualCores", "availableVirtualCores"),
        ):
            parts = [_number(info.get(used)), _number(info.get(free))]
            size = _number(total.get(key))
            whole = sum(parts) if min(parts) >= 0 else 0
            sizes.append(size if size > 0 else whole or UNKNOWN)
        host = _host(info.get("nodeHTTPAddress")) or _text(info.get("nodeHostName")) or name
        records[host] = NodeRecord(host, _text(info.get("rack")), *sizes)
    notes.count(
        "node",
        msg("scenario.rest_history.were_lost_or_taken_out_service"),
        lost_count,
    )
    return records


def _host(address: Any) -> str:
    """The address of a NodeManager's web page, which names it as job histories do; Hadoop writes null:0 or
    N/A:0 where it knows none.
    """
    text = _text(address)
    return "" if text.startswith(("null", "N/A", ":")) else intern(text)


def _application_key(value: Any) -> str | None:
    """ "timestamp_number" of the id of an application, job, task, attempt or container that stands in a
    text.
    """
    match = NUMBERS.search(value) if isinstance(value, str) else None
    return f"{match[1]}_{match[2]}" if match else None


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _number(value: Any) -> int:
    """A whole number, UNKNOWN where it is none."""
    try:
        number = int_value(value, "")
    except FormatError:
        return UNKNOWN
    return UNKNOWN if number is None else number


def _first_time(*values: Any) -> int:
    """The first that is a time, UNKNOWN without one; Hadoop writes 0 or -1 for none."""
    return next((time for value in values if (time := _number(value)) > 0), UNKNOWN)

"""A Spark event log: its events as one application's record, with whatever the file says before it ends or
breaks. The files of a rolled log may come in any order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from sys import intern
from typing import Any

import msgspec

from engine.codes import UNKNOWN
from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.file_lines import file_lines
from engine.scenario.history.job_events import plain_text, timestamp
from engine.scenario.history.records import FAILED, FINISHED, KILLED, RUNNING, History
from engine.scenario.history.spark import spark_properties
from engine.scenario.history.spark.event_fields import PREFIX, USED_EVENTS, Event, StageInfo, TaskMetrics
from engine.scenario.history.spark.event_records import SparkApplication, SparkTask

EVENT = re.compile(rb'\s*\{\s*"Event"\s*:\s*"([\w.$]{1,300})"', re.ASCII)
# EventLogFileWriter: APPLICATION[_ATTEMPT][.CODEC][.inprogress], rolled events_NUMBER_APPLICATION…
NAME = re.compile(
    r"(?:events_(?P<part>\d{1,9})_)?(?P<id>application_\d+_\d+|.+?)(?:_(?P<attempt>\d+))?"
    r"(?:\.(?:gz|lz4|lzf|snappy|zstd|zst|json|txt|log|compact|inprogress))*",
    re.ASCII | re.DOTALL,
)
STATUS_NAME = re.compile(r"(?:.*/)?appstatus_[^/]+", re.DOTALL)
CONTAINER = re.compile(r"https?://([^/\s]{1,255})/node/containerlogs/(container_\w{1,100})/", re.ASCII)
COMPACTED = ".compact"  # RollingEventLogFilesFileReader: it has what is left of those before it
MAX_LINE_BYTES = 64 * 2**20  # a job's start names every stage with its RDDs
MAX_REASON = 200  # characters of a reason that are kept
MAX_FAULTS = 5  # told of a file
DRIVERS = ("driver", "<driver>")
RESULT_TASK = "ResultTask"  # of a ResultStage, a job's last; adaptive plans have jobs without
KILLED_REASONS = ("TaskKilled", "TaskCommitDenied")
DECODER, PLAIN = msgspec.json.Decoder(Event), msgspec.json.Decoder()
FAULTS = (msgspec.MsgspecError, ValueError, RecursionError)


def is_event_log(head: bytes) -> bool:
    """Whether a file that begins so is an event log, or one of a rolled log's files."""
    return EVENT.match(head) is not None


def is_status_file(name: str) -> bool:
    """Whether a file is that which says, by its name, that a rolled log is or was written: it is empty."""
    return STATUS_NAME.fullmatch(name) is not None


def add_event_log(history: History, source: Source, name: str) -> int:
    """Adds the application of a log, or of a file of a rolled one, and returns how many attempts of tasks it
    has; what can't be read of it is told in `history.notes`. FormatError where nothing of it is an event log,
    TooLarge as `Source` says.
    """
    if is_status_file(name):
        return 0
    folder, faults = _Fold(), _Faults()
    try:
        folder.take_all(source, faults)
    except FormatError as error:
        faults.add(str(error), is_cause=True)
    if not folder.count:
        raise FormatError(
            msg("scenario.event_log.no_event", name=name) + (f": {faults.first[0]}" if faults.first else "")
        )
    match = NAME.fullmatch(name.rpartition("/")[2])
    record = folder.put(history, match["id"] if match else name, (match["attempt"] or "") if match else "")
    if match and match["part"]:
        record.parts[int(match["part"])] = name.endswith(COMPACTED)
    history.notes += [f"{name}: {fault}" for fault in faults.first]
    if faults.count > MAX_FAULTS:
        history.notes.append(
            msg("shared.more_lines_cant_be_read", name=name, faults=faults.count - MAX_FAULTS)
        )
    return folder.task_count


class _Faults:
    """The first sentences of what can't be read, and how many there are."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.count = 0

    def add(self, sentence: str, is_cause: bool = False) -> None:
        """is_cause: others, told before, come of it."""
        self.count += 1
        if is_cause:
            self.first = [sentence, *self.first][:MAX_FAULTS]
        elif self.count <= MAX_FAULTS:
            self.first.append(sentence)


class _Fold:
    """Folds the events of one file; count: of them."""

    def __init__(self) -> None:
        self.count = 0
        self._app = SparkApplication("")
        self._id_of_jobs = ""  # the application's, as jobs name it
        self._takers: dict[str, Callable[[Event], None]] = {
            "LogStart": self._log_start,
            "ApplicationStart": self._application_start,
            "ApplicationEnd": self._application_end,
            "EnvironmentUpdate": self._environment,
            "BlockManagerAdded": self._block_manager,
            "ExecutorAdded": self._executor_added,
            "ExecutorRemoved": self._executor_removed,
            "JobStart": self._job_start,
            "JobEnd": self._job_end,
            "StageSubmitted": self._stage,
            "StageCompleted": self._stage,
            "TaskStart": self._task_start,
            "TaskEnd": self._task_end,
        }

    @property
    def task_count(self) -> int:
        """Attempts of tasks that have ended."""
        return len(self._app.tasks)

    def take_all(self, source: Source, faults: _Faults) -> None:
        """All events of a file; `faults` gets a sentence for each line that can't be read."""
        for number, (line, is_whole) in enumerate(file_lines(source, b"", MAX_LINE_BYTES), 1):
            match = EVENT.match(line)
            kind = match[1].decode() if match else ""
            if match and kind not in USED_EVENTS:
                self.count += 1
                continue
            if not line.strip():
                continue
            event = _event(line, number, is_whole, faults)
            if event is None:
                continue
            self.count += 1
            if event.type in USED_EVENTS:
                self._takers[event.type.removeprefix(PREFIX)](event)

    def put(self, history: History, id: str, attempt: str) -> SparkApplication:
        """What was found, into the record of its application, which other files may have begun; id, attempt:
        as the file's name says, for a file that does not say itself.
        """
        app = self._app
        known_id = app.id or app.properties.get("spark.app.id", "") or self._id_of_jobs
        key = (known_id or id, app.attempt or (attempt if known_id in ("", id) else ""))
        record = history.spark.setdefault(key, SparkApplication(*key))
        for name in ("name", "user", "version", "driver_host"):
            setattr(record, name, getattr(app, name) or getattr(record, name))
        for name in ("start_ms", "ready_ms", "end_ms", "last_ms"):
            setattr(record, name, max(getattr(app, name), getattr(record, name)))
        record.properties |= app.properties
        if spark_properties.is_client_of_yarn(record.properties):
            record.driver_host = ""  # it runs where it was submitted, on no node that is known
        record.resubmitted += app.resubmitted
        record.tasks |= app.tasks
        record.running |= app.running
        for ours, theirs in (
            (record.executors, app.executors),
            (record.jobs, app.jobs),
            (record.stages, app.stages),
        ):
            _join(ours, theirs)
        return record

    def _time(self, value: int | None) -> int:
        """A time of the log, which it lasts at least until."""
        time = timestamp(value) if value else UNKNOWN
        self._app.last_ms = max(self._app.last_ms, time)
        return time

    def _log_start(self, event: Event) -> None:
        self._app.version = plain_text(event.version)

    def _application_start(self, event: Event) -> None:
        app = self._app
        app.id, app.attempt = plain_text(event.app_id), plain_text(event.app_attempt)
        app.name, app.user = plain_text(event.app_name), plain_text(event.user)
        app.start_ms = self._time(event.timestamp)
        app.driver_host = _node(event.driver_logs)[0] or app.driver_host

    def _application_end(self, event: Event) -> None:
        self._app.end_ms = self._time(event.timestamp)

    def _environment(self, event: Event) -> None:
        pairs = event.spark_properties
        if isinstance(pairs, list):
            pairs = dict(pair for pair in pairs if isinstance(pair, list) and len(pair) == 2)
        if isinstance(pairs, dict):
            self._app.properties |= {
                str(name): plain_text(value) for name, value in pairs.items() if isinstance(value, str)
            }

    def _block_manager(self, event: Event) -> None:
        manager = event.block_manager
        if manager and manager.executor in DRIVERS:
            self._app.ready_ms = self._time(event.timestamp)
            self._app.driver_host = self._app.driver_host or intern(plain_text(manager.host))
        elif manager:
            executor = self._app.executor(intern(manager.executor))
            executor.host = executor.host or intern(plain_text(manager.host))
            if executor.registered_ms == UNKNOWN:
                executor.registered_ms = self._time(event.timestamp)

    def _executor_added(self, event: Event) -> None:
        info = event.executor_info
        if not info:
            return
        executor = self._app.executor(intern(event.executor))
        node, executor.container = _node(info.logs)
        executor.host = node or intern(plain_text(info.host))
        executor.cores = info.cores if info.cores > 0 else UNKNOWN
        executor.registered_ms = self._time(event.timestamp)
        executor.requested_ms = self._time(info.requested)

    def _executor_removed(self, event: Event) -> None:
        executor = self._app.executor(intern(event.executor))
        executor.removed_ms = self._time(event.timestamp)
        executor.removal = plain_text(event.removal)[:MAX_REASON]

    def _job_start(self, event: Event) -> None:
        job, properties = self._app.job(event.job), event.properties or {}
        job.submitted_ms = self._time(event.submitted)
        job.stages = tuple(event.stage_ids or [info.id for info in event.stage_infos])
        job.pool = _text(properties.get("spark.scheduler.pool"))
        job.execution = _text(properties.get("spark.sql.execution.id"))
        self._id_of_jobs = _text(properties.get("spark.app.id")) or self._id_of_jobs
        for info in event.stage_infos:
            self._take_stage(info)

    def _job_end(self, event: Event) -> None:
        job = self._app.job(event.job)
        job.completed_ms = self._time(event.completed)
        job.result = event.job_result.result if event.job_result else ""

    def _stage(self, event: Event) -> None:
        if event.stage_info:
            self._take_stage(event.stage_info)

    def _take_stage(self, info: StageInfo) -> None:
        stage = self._app.stage(info.id, info.attempt)
        stage.name = plain_text(info.name) or stage.name
        stage.tasks = max(info.tasks, stage.tasks)
        stage.parents = tuple(info.parents) or stage.parents
        stage.rdd = info.rdds[0].id if info.rdds else stage.rdd
        stage.is_barrier = stage.is_barrier or any(rdd.is_barrier for rdd in info.rdds)
        stage.submitted_ms = max(self._time(info.submitted), stage.submitted_ms)
        stage.completed_ms = max(self._time(info.completed), stage.completed_ms)
        stage.failure = plain_text(info.failure)[:MAX_REASON] or stage.failure

    def _task_start(self, event: Event) -> None:
        if event.task_info:
            self._app.running[event.task_info.id] = self._task(event, RUNNING, "")

    def _task_end(self, event: Event) -> None:
        info, reason = event.task_info, event.end_reason
        if not info:
            return
        name = reason.reason if reason else ""
        if name == "Resubmitted":  # its output was lost with its executor; it had finished
            self._app.resubmitted += 1
            return
        if event.task_type == RESULT_TASK:
            self._app.stage(event.stage, event.stage_attempt).is_result = True
        outcome = FINISHED
        if info.is_killed or name in KILLED_REASONS:
            outcome = KILLED
        elif info.is_failed or name not in ("", "Success"):
            outcome = FAILED
        text = ""
        if outcome != FINISHED and reason:
            text = ": ".join(
                part for part in (name, reason.kill_reason or reason.loss_reason or reason.class_name) if part
            )
        self._app.running.pop(info.id, None)
        self._app.tasks[info.id] = self._task(event, outcome, intern(plain_text(text)[:MAX_REASON]))

    def _task(self, event: Event, outcome: str, reason: str) -> SparkTask:
        info, metrics = event.task_info, event.task_metrics or TaskMetrics()
        assert info
        read = metrics.shuffle_read
        return SparkTask(
            event.stage,
            event.stage_attempt,
            info.id,
            info.partition if info.partition >= 0 else info.index,
            info.number,
            intern(plain_text(info.executor)),
            intern(plain_text(info.host)),
            self._time(info.launch),
            self._time(info.finish),
            outcome,
            reason,
            info.is_speculative,
            intern(plain_text(info.locality)),
            metrics.run,
            metrics.gc,
            read.fetch_wait if read else UNKNOWN,
            read.local_bytes if read else UNKNOWN,
            read.remote_bytes if read else UNKNOWN,
        )


def _event(line: bytes, number: int, is_whole: bool, faults: _Faults) -> Event | None:
    """The event of a line; what is null in it is unknown."""
    try:
        return DECODER.decode(line)
    except FAULTS:
        pass
    try:
        return msgspec.convert(_without_nulls(PLAIN.decode(line)), Event, strict=False)
    except msgspec.ValidationError as error:
        faults.add(msg("scenario.event_log.line_not_as_spark", number=number, error=error))
    except FAULTS:
        faults.add(
            msg("scenario.event_log.line_no_event", number=number)
            if is_whole
            else msg("scenario.event_log.ends_in_line", number=number)
        )
    return None


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nulls(item) for item in value if item is not None]
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return value


def _join(ours: dict[Any, Any], theirs: dict[Any, Any]) -> None:
    """What another file of the log says of the same things: what it knows stands."""
    for key, new in theirs.items():
        old = ours.setdefault(key, new)
        for name, value in vars(new).items() if old is not new else ():
            if value not in (UNKNOWN, "", 0, (), False):
                setattr(old, name, value)


def _text(value: Any) -> str:
    return plain_text(value) if isinstance(value, str) else ""


def _node(logs: dict[str, str] | None) -> tuple[str, str]:
    """(address of the NodeManager's web page, container), which the address of a container's log names."""
    for address in (logs or {}).values():
        if match := CONTAINER.match(address):
            return intern(match[1]), match[2]
    return "", ""

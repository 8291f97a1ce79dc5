"""The events of a MapReduce job history, and which of their fields are used; both forms of the file give them
as `EventFields`.

Source: org.apache.hadoop.mapreduce.jobhistory (EventType, Events.avpr).
"""

from __future__ import annotations

import re

import msgspec

from engine.codes import UNKNOWN

Text = str | dict[str, str] | None  # of a union: {"string": …} in JSON
MAX_TIMESTAMP_MS = 10**14  # some three thousand years
USED_EVENTS = frozenset(
    (
        "AM_STARTED",
        "JOB_SUBMITTED",
        "JOB_QUEUE_CHANGED",
        "JOB_PRIORITY_CHANGED",
        "JOB_INITED",
        "JOB_INFO_CHANGED",
        "JOB_FINISHED",
        "JOB_FAILED",
        "JOB_KILLED",
        "JOB_ERROR",
        "TASK_STARTED",
        "MAP_ATTEMPT_STARTED",
        "MAP_ATTEMPT_FINISHED",
        "MAP_ATTEMPT_FAILED",
        "MAP_ATTEMPT_KILLED",
        "REDUCE_ATTEMPT_STARTED",
        "REDUCE_ATTEMPT_FINISHED",
        "REDUCE_ATTEMPT_FAILED",
        "REDUCE_ATTEMPT_KILLED",
    )
)
# TaskCounter
MOVED_COUNTERS = {
    "MAP_ATTEMPT_FINISHED": "MAP_OUTPUT_MATERIALIZED_BYTES",
    "REDUCE_ATTEMPT_FINISHED": "REDUCE_SHUFFLE_BYTES",
}
COUNTER_PATTERNS = {
    kind: re.compile(b'"%b"[^}]{0,400}?"value"\\s*:\\s*([0-9]{1,18})' % name.encode())
    for kind, name in MOVED_COUNTERS.items()
}


class EventFields(msgspec.Struct):
    """The fields of any event that are used, by their names in Hadoop; what one does not have is as unknown.
    Times: ms since 1970.
    """

    jobid: Text = ""
    jobName: Text = ""
    userName: Text = ""
    jobQueueName: Text = ""
    priority: Text = ""
    jobStatus: Text = ""
    submitTime: int = UNKNOWN
    launchTime: int = UNKNOWN
    startTime: int = UNKNOWN
    finishTime: int = UNKNOWN
    shuffleFinishTime: int = UNKNOWN
    sortFinishTime: int = UNKNOWN
    totalMaps: int = 0
    totalReduces: int = 0
    uberized: bool = False
    applicationAttemptId: Text = ""
    containerId: Text = ""
    nodeManagerHost: Text = ""
    nodeManagerHttpPort: int = UNKNOWN
    taskid: Text = ""
    attemptId: Text = ""
    trackerName: Text = ""
    hostname: Text = ""
    rackname: Text = ""
    httpPort: int = UNKNOWN
    locality: Text = ""


class Event(msgspec.Struct):
    """One event as JSON has it: its type, and its fields under the name of its record. moved: bytes of
    MOVED's counter, UNKNOWN where none is in it.
    """

    type: str
    event: dict[str, EventFields]
    moved: int = UNKNOWN


def plain_text(value: Text) -> str:
    """The text, of a union or plain, without NUL, which no scenario may hold."""
    if isinstance(value, dict):
        value = next(iter(value.values()), "")
    return (value or "").replace("\0", "").strip()


def timestamp(value: int) -> int:
    """Milliseconds since 1970; UNKNOWN for what can be none."""
    return value if 0 < value < MAX_TIMESTAMP_MS else UNKNOWN

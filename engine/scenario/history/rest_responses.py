"""REST answers of the ResourceManager and the JobHistory server as plain objects, one by one: only what is
named here is built.

An answer has one key at its top, such as "apps" or "tasks". Lists stand as they are, or as their one object,
as Hadoop 2 writes them. What is of another type than Hadoop gives is passed over, and what stands before a
broken place is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any

import ijson

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.formats.json_stream import BYTE_ORDER_MARK, HEAD_BYTES, Source, has_long_number
from engine.scenario.formats.packed_streams import GZIP

MAX_DEPTH = 200  # objects and lists one inside the other, of a tree of queues
MAX_VALUES = 2_000_000  # of one answer `scheduler`, which is built as a whole
MAX_TEXT_LENGTH = 4_000  # characters of a text that is kept
SIZE = dict.fromkeys(("memory", "vCores"))
APP = dict.fromkeys(
    (
        "id",
        "user",
        "name",
        "queue",
        "state",
        "finalStatus",
        "applicationType",
        "priority",
        "startedTime",
        "launchTime",
        "finishedTime",
        "elapsedTime",
        "memorySeconds",
        "vcoreSeconds",
        "allocatedMB",
        "allocatedVCores",
        "runningContainers",
    )
)
NODE = dict.fromkeys(
    (
        "id",
        "rack",
        "state",
        "nodeHostName",
        "nodeHTTPAddress",
        "usedMemoryMB",
        "availMemoryMB",
        "usedVirtualCores",
        "availableVirtualCores",
    )
) | {"totalResource": SIZE}
JOB = dict.fromkeys(
    (
        "id",
        "name",
        "user",
        "queue",
        "state",
        "submitTime",
        "startTime",
        "finishTime",
        "mapsTotal",
        "reducesTotal",
        "uberized",
        "avgShuffleTime",
        "avgMergeTime",
        "avgReduceTime",
    )
)
TASK = dict.fromkeys(("id", "type", "state", "startTime", "finishTime"))
ATTEMPT = dict.fromkeys(
    (
        "id",
        "type",
        "state",
        "startTime",
        "finishTime",
        "shuffleFinishTime",
        "mergeFinishTime",
        "nodeHttpAddress",
        "rack",
        "assignedContainerId",
    )
)
MASTER = dict.fromkeys(
    (
        "id",
        "appAttemptId",
        "appAttemptState",
        "containerId",
        "nodeHttpAddress",
        "nodeId",
        "startTime",
        "finishedTime",
    )
)
COUNTER = dict.fromkeys(("name", "totalCounterValue", "mapCounterValue", "reduceCounterValue"))

# By the place of an object, keys from the top with lists left out: what it is called here and which of its
# keys are kept.
OBJECT_PATHS: dict[tuple[str, ...], tuple[str, dict[str, Any]]] = {
    ("apps", "app"): ("app", APP),
    ("app",): ("app", APP),
    ("nodes", "node"): ("node", NODE),
    ("node",): ("node", NODE),
    ("appAttempts", "appAttempt"): ("appAttempt", MASTER),
    ("appAttempt",): ("appAttempt", MASTER),
    ("jobs", "job"): ("job", JOB),
    ("job",): ("job", JOB),
    ("tasks", "task"): ("task", TASK),
    ("task",): ("task", TASK),
    ("taskAttempts", "taskAttempt"): ("taskAttempt", ATTEMPT),
    ("taskAttempt",): ("taskAttempt", ATTEMPT),
    ("jobAttempts", "jobAttempt"): ("jobAttempt", MASTER),
    ("conf", "property"): ("property", dict.fromkeys(("name", "value"))),
    ("jobCounters", "counterGroup", "counter"): ("counter", COUNTER),
    ("clusterInfo",): (
        "clusterInfo",
        dict.fromkeys(("hadoopVersion", "resourceManagerVersion", "startedOn")),
    ),
}
SCHEDULER = "scheduler"  # is kept as it stands
# known, with nothing that is used
IGNORED = (
    "clusterMetrics",
    "jobTaskAttemptCounters",
    "jobTaskCounters",
    "historyInfo",
    "containers",
)
# single values: of which job an answer is, and what the manifest of gantry-collect says it could not get
LEAVES: dict[tuple[str, ...], str] = {
    ("conf", "path"): "id",
    ("jobCounters", "id"): "id",
    ("gantry_collect", "missing"): "missing",
}
PATH_PREFIXES = frozenset(
    place[:end] for place in (*OBJECT_PATHS, *LEAVES) for end in range(1, len(place))
) | {()}
TOP_KEYS = frozenset(place[0] for place in (*OBJECT_PATHS, *LEAVES)) | {SCHEDULER, *IGNORED}
# digits of a number; what is left of them is no number that anything takes
LONG_NUMBER, SHORT_NUMBER = (
    re.compile(rb"[0-9]{300,}"),
    b"9" * 30,
)
TOO_LONG = msg("scenario.rest_responses.too_long")  # told once for a file that holds such a number
FIRST_KEY = re.compile(rb'\s*\{\s*"(\w{1,30})"\s*:\s*(?:\{|null)')


def is_rest_response(head: bytes) -> bool:
    """Whether a file that begins so, gzip or plain, seems to be a REST answer: its first key is one of theirs
    and holds an object or null.
    """
    if head.startswith(GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
        except zlib.error:
            return False
    match = FIRST_KEY.match(head.removeprefix(BYTE_ORDER_MARK))
    return match is not None and match[1].decode() in TOP_KEYS


def iter_objects(source: Source, faults: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what it is, its values) for each object of the answers in a file, one after another; `faults` gets a
    sentence where the rest can't be read.

    FormatError when nothing in it is a REST answer; TooLarge as `Source` says, and for a tree of queues
    beyond all measure.
    """
    shortened = _ShortenedNumbers(source)
    walk = _ObjectWalk()
    try:
        events = ijson.basic_parse(shortened, multiple_values=True, buf_size=HEAD_BYTES)
        yield from walk.iter_objects(events)
    except FormatError as error:
        faults.append(str(error))
    except (ijson.JSONError, ValueError, ArithmeticError):
        if source.is_ended:
            faults.append(msg("scenario.rest_responses.file_cut_off_ends_in_middle", count=source.count))
        else:
            faults.append(msg("scenario.rest_responses.not_json_within_first_bytes", count=source.count))
    if shortened.has_shortened:
        yield TOO_LONG, {}
    if not walk.is_rest_answer:
        detail = f": {faults[-1]}" if faults else ""
        raise FormatError(
            msg("scenario.rest_responses.not_answer_resourcemanager_or_jobhistory_ser", detail=detail)
        )


class _ObjectWalk:
    """A walk over the events of a file; `is_rest_answer` once it met a key of the answers at the top."""

    def __init__(self) -> None:
        self.is_rest_answer = False

    def iter_objects(self, events: Iterator) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects at the paths that are read; what stands elsewhere is skipped."""
        path: list[str] = []
        current_key = ""
        for event, value in events:
            if event == "map_key":
                current_key = value
                if not path:
                    self.is_rest_answer = self.is_rest_answer or current_key in TOP_KEYS
                    if current_key == SCHEDULER:
                        yield SCHEDULER, {SCHEDULER: _build_value(events)}
            elif event == "start_map":
                object_path = (*path, current_key) if current_key else ()
                if object_path in OBJECT_PATHS:
                    kind, fields = OBJECT_PATHS[object_path]
                    yield kind, _read_fields(events, fields)
                elif object_path in PATH_PREFIXES:
                    path += [current_key] if current_key else []
                else:
                    _skip_value(events)
            elif event == "end_map":
                current_key = path.pop() if path else ""
            elif event == "start_array" and not path:
                _skip_value(events)
            elif event == "string" and (*path, current_key) in LEAVES:
                yield LEAVES[*path, current_key], {"value": value[-MAX_TEXT_LENGTH:]}


class _ShortenedNumbers:
    """A source whose numbers of hundreds of digits are cut: ijson's C parser does not check that int() took
    them, and the process would die.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.has_shortened = False

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        if has_long_number(data):
            self.has_shortened = True
            # at its beginning digits go on with the last part's
            data = LONG_NUMBER.sub(lambda run: SHORT_NUMBER if run.start() else b"", data) or b" "
        return data


def _read_fields(events: Iterator, fields: dict[str, Any]) -> dict[str, Any]:
    """The values of an object under the keys to keep; of another type they are left out."""
    values: dict[str, Any] = {}
    for event, key in events:
        if event == "end_map":
            break
        event, value = next(events)
        if event == "start_map" and isinstance(fields.get(key), dict):
            values[key] = _read_fields(events, fields[key])
        elif event in ("start_map", "start_array"):
            _skip_value(events)
        elif key in fields and fields[key] is None:
            values[key] = value[:MAX_TEXT_LENGTH] if isinstance(value, str) else value
    return values


def _skip_value(events: Iterator) -> None:
    """Past the object or list that has just begun."""
    depth = 1
    for event, _ in events:
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if not depth:
            return


def _build_value(events: Iterator) -> Any:
    """The next value as it stands. TooLarge beyond what one may hold, FormatError for one that is nested too
    deeply.
    """
    builder, depth = ijson.ObjectBuilder(), 0
    for count, (event, value) in enumerate(events):
        builder.event(event, value)
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if depth > MAX_DEPTH:
            raise FormatError(msg("scenario.rest_responses.nested_more_than_deep", max_depth=MAX_DEPTH))
        if count > MAX_VALUES:
            raise TooLarge(
                msg("scenario.rest_responses.schedulers_answer_holds_more_than_values", max_values=MAX_VALUES)
            )
        if not depth:
            break
    return builder.value

"""REST answers of the ResourceManager and the JobHistory server as plain objects, one by one: only what is named here is built.

An answer has one key at its top, such as "apps" or "tasks". Lists stand as they are, or as their one object, as Hadoop 2 writes them.
What is of another type than Hadoop gives is passed over, and what stands before a broken place is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any

import ijson

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.stream import BYTE_ORDER_MARK, GZIP, HEAD_BYTES, Source, has_long_number

MOST_DEPTH = 200  # objects and lists one inside the other, of a tree of queues
MOST_VALUES = 2_000_000  # of one answer `scheduler`, which is built as a whole
LONGEST = 4_000  # characters of a text that is kept
SIZE = dict.fromkeys(("memory", "vCores"))
APP = dict.fromkeys((
    "id", "user", "name", "queue", "state", "finalStatus", "applicationType", "priority", "startedTime", "launchTime", "finishedTime", "memorySeconds",
    "vcoreSeconds",
))  # fmt: skip
NODE = dict.fromkeys(
    ("id", "rack", "state", "nodeHostName", "nodeHTTPAddress", "usedMemoryMB", "availMemoryMB", "usedVirtualCores", "availableVirtualCores")
) | {"totalResource": SIZE}
JOB = dict.fromkeys((
    "id", "name", "user", "queue", "state", "submitTime", "startTime", "finishTime", "mapsTotal", "reducesTotal", "uberized", "avgShuffleTime", "avgMergeTime",
    "avgReduceTime",
))  # fmt: skip
TASK = dict.fromkeys(("id", "type", "state", "startTime", "finishTime"))
ATTEMPT = dict.fromkeys((
    "id", "type", "state", "startTime", "finishTime", "shuffleFinishTime", "mergeFinishTime", "nodeHttpAddress", "rack", "assignedContainerId",
))  # fmt: skip
MASTER = dict.fromkeys(("id", "appAttemptId", "appAttemptState", "containerId", "nodeHttpAddress", "nodeId", "startTime", "finishedTime"))
COUNTER = dict.fromkeys(("name", "totalCounterValue", "mapCounterValue", "reduceCounterValue"))

# By the place of an object, keys from the top with lists left out: what it is called here and which of its keys are kept.
PLACES: dict[tuple[str, ...], tuple[str, dict[str, Any]]] = {
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
    ("clusterInfo",): ("clusterInfo", dict.fromkeys(("hadoopVersion", "resourceManagerVersion", "startedOn"))),
}
WHOLE = "scheduler"  # is kept as it stands
OTHER = ("clusterMetrics", "jobTaskAttemptCounters", "jobTaskCounters", "historyInfo", "containers")  # known, with nothing that is used
LEAVES = {  # single values: of which job an answer is, and what the manifest of gantry-collect says it could not get
    ("conf", "path"): "id",
    ("jobCounters", "id"): "id",
    ("gantry_collect", "missing"): "missing",
}
ON_THE_WAY = frozenset(place[:end] for place in (*PLACES, *LEAVES) for end in range(1, len(place))) | {()}
TOPS = frozenset(place[0] for place in (*PLACES, *LEAVES)) | {WHOLE, *OTHER}
LONG, SHORT = re.compile(rb"[0-9]{300,}"), b"9" * 30  # digits of a number; what is left of them is no number that anything takes
TOO_LONG = "too long"  # told once for a file that holds such a number
FIRST_KEY = re.compile(rb'\s*\{\s*"(\w{1,30})"\s*:\s*(?:\{|null)')


def is_answer(head: bytes) -> bool:
    """Whether a file that begins so, gzip or plain, seems to be a REST answer: its first key is one of theirs and holds an object or null."""
    if head.startswith(GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
        except zlib.error:
            return False
    found = FIRST_KEY.match(head.removeprefix(BYTE_ORDER_MARK))
    return bool(found) and found[1].decode() in TOPS


def objects_of(source: Source, faults: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what it is, its values) for each object of the answers in a file, one after another; `faults` gets a sentence where the rest can't be read.

    FormatError when nothing in it is a REST answer; TooLarge as `Source` says, and for a tree of queues beyond all measure.
    """
    known = False
    shortened = _Shortened(source)
    try:
        events = ijson.basic_parse(shortened, multiple_values=True, buf_size=HEAD_BYTES)
        place: list[str] = []
        key = ""
        for event, value in events:
            if event == "map_key":
                key = value
                known = known or (not place and key in TOPS)
                if not place and key == WHOLE:
                    yield WHOLE, {WHOLE: _built(events)}
            elif event == "start_map":
                here = (*place, key) if key else ()
                if here in PLACES:
                    name, keep = PLACES[here]
                    yield name, _kept(events, keep)
                elif here in ON_THE_WAY:
                    place += [key] if key else []
                else:
                    _pass_over(events)
            elif event == "end_map":
                key = place.pop() if place else ""
            elif event == "start_array" and not place:
                _pass_over(events)
            elif event == "string" and (*place, key) in LEAVES:
                yield LEAVES[*place, key], {"value": value[-LONGEST:]}
    except FormatError as error:
        faults.append(str(error))
    except (ijson.JSONError, ValueError, ArithmeticError):
        if source.ended:
            faults.append(f"the file is cut off: it ends in the middle, after {source.count:,} bytes")
        else:
            faults.append(f"it is not JSON within the first {source.count:,} bytes")
    if shortened.found:
        yield TOO_LONG, {}
    if not known:
        because = f": {faults[-1]}" if faults else ""
        raise FormatError(f"not an answer of the ResourceManager or the JobHistory server as JSON{because}")


class _Shortened:
    """A source whose numbers of hundreds of digits are cut: ijson's C parser does not check that int() took them, and the process would die."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.found = False

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        if has_long_number(data):
            self.found = True
            data = LONG.sub(lambda run: SHORT if run.start() else b"", data) or b" "  # at its beginning digits go on with the last part's
        return data


def _kept(events: Iterator, keep: dict[str, Any]) -> dict[str, Any]:
    """The values of an object under the keys to keep; of another type they are left out."""
    found = {}
    for event, key in events:
        if event == "end_map":
            break
        event, value = next(events)
        if event == "start_map" and isinstance(keep.get(key), dict):
            found[key] = _kept(events, keep[key])
        elif event in ("start_map", "start_array"):
            _pass_over(events)
        elif key in keep and keep[key] is None:
            found[key] = value[:LONGEST] if isinstance(value, str) else value
    return found


def _pass_over(events: Iterator) -> None:
    """Past the object or list that has just begun."""
    depth = 1
    for event, _ in events:
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if not depth:
            return


def _built(events: Iterator) -> Any:
    """The next value as it stands. TooLarge beyond what one may hold, FormatError for one that is nested too deeply."""
    builder, depth = ijson.ObjectBuilder(), 0
    for count, (event, value) in enumerate(events):
        builder.event(event, value)
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        if depth > MOST_DEPTH:
            raise FormatError(f"it is nested more than {MOST_DEPTH} deep")
        if count > MOST_VALUES:
            raise TooLarge(f"the scheduler's answer holds more than {MOST_VALUES:,} values")
        if not depth:
            break
    return builder.value

"""The recorded runs of a real Hadoop 3.4.1 cluster in ../shared/data/mini-cluster as scenarios with the times
that were measured.

Four nodes of 4,096 MB and 4 vcores, FairScheduler, two queues. Steps of what is known of a run, each with
those before it:

- durations: of the history: a map's from its attempt's start to its finish, a reduce's from then or the last
  map's finish, whichever is later
- start-up: of each master, from its container's allocation to its first request
- launch: each task lasts from the allocation of its own container. A scenario has one launch for the whole
  cluster, so that what was measured for each container alone stands in the duration here: the wait for the
  master's heartbeat, the launch and what was localized
- lingering: each master outlives its job by 6.3 s
- heartbeats: masters have a heartbeat a second, each task lasts from when its container was handed to the
  master on, and nodes heartbeat out of band
"""

from __future__ import annotations

import gzip
import json
import re
import struct
from calendar import timegm
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.scenario.model import Scenario

STEPS = ("durations", "start-up", "launch", "lingering", "beats")
LINGER_S = 6.3
FIRST_ASK_MS = 990  # after the job was initialized: one heartbeat of its master, where the master left no log
TRANSITION = re.compile(
    r"(\S+ \S+) INFO RMContainerImpl: (container_\S+) Container Transitioned from \S+ to (\S+)"
)


@dataclass
class Attempt:
    """Of a task; ms."""

    kind: str
    start: int
    container: str
    finish: int = 0


@dataclass
class Recorded:
    """A job as its history tells it; ms."""

    name: str = ""
    user: str = ""
    queue: str = ""
    submit: int = 0
    ready: int = 0  # its master asks
    finish: int = 0
    master: str = ""  # its container
    attempts: dict[str, Attempt] = field(default_factory=dict)
    conf: dict[str, str] = field(default_factory=dict)

    def of(self, kind: str) -> list[Attempt]:
        return [attempt for _, attempt in sorted(self.attempts.items()) if attempt.kind == kind]


@dataclass(frozen=True)
class RecordedRun:
    """Jobs in the order of submission; containers: when each came to each of its states."""

    jobs: list[Recorded]
    containers: dict[str, dict[str, int]]

    @property
    def first(self) -> int:
        return self.jobs[0].submit

    def finish_s(self) -> dict[str, float]:
        """Each job's, from the first submission on."""
        return {job.name: (job.finish - self.first) / 1000 for job in self.jobs}

    def scenario(self, step: str) -> Scenario:
        """With all that is known up to a step of STEPS."""
        steps = STEPS[: STEPS.index(step) + 1]
        cluster = {
            "nodes": [{"name": "nm", "count": 4, "memory_mb": 4096, "vcores": 4}],
            "heartbeat_ms": 1000,
        }
        cluster["out_of_band_heartbeats"] = "beats" in steps
        queues = [{"name": "root.a", "weight": 2.0}, {"name": "root.b", "weight": 1.0}]
        return Scenario.of(
            {
                "version": 1,
                "cluster": cluster,
                "queues": queues,
                "jobs": [self._job(job, steps) for job in self.jobs],
            }
        )

    def _job(self, job: Recorded, steps: tuple[str, ...]) -> dict[str, Any]:
        allocated = self.containers[job.master]["ALLOCATED"]
        am = {"memory_mb": int(job.conf["yarn.app.mapreduce.am.resource.mb"]), "vcores": 1}
        if "start-up" in steps:
            am["startup_s"] = (job.ready - allocated) / 1000
        if "lingering" in steps:
            am["linger_s"] = LINGER_S
        if "beats" in steps:
            am["heartbeat_s"] = 1.0
        maps_end = max(attempt.finish for attempt in job.of("MAP"))
        begins = {
            "MAP": lambda one: self._begins(one, steps),
            "REDUCE": lambda one: max(self._begins(one, steps), maps_end),
        }
        stages = {}
        for kind, begin in begins.items():
            durations = [(attempt.finish - begin(attempt)) / 1000 for attempt in job.of(kind)]
            size = int(job.conf[f"mapreduce.{kind.lower()}.memory.mb"])
            stages[f"{kind.lower()}s"] = {
                "count": len(durations),
                "memory_mb": size,
                "vcores": 1,
                "duration_s": {"values": durations},
            }
        slowstart = float(job.conf["mapreduce.job.reduce.slowstart.completedmaps"])
        about = {
            "name": job.name,
            "user": job.user,
            "queue": f"root.{job.queue}",
            "arrival_s": (job.submit - self.first) / 1000,
        }
        return {**about, "slowstart": slowstart, "am": am, **stages}

    def _begins(self, attempt: Attempt, steps: tuple[str, ...]) -> int:
        states = self.containers[attempt.container]
        return (
            states["ACQUIRED"]
            if "beats" in steps
            else states["ALLOCATED"]
            if "launch" in steps
            else attempt.start
        )


def recorded(folder: Path) -> RecordedRun:
    """One run of ../shared/data/mini-cluster."""
    containers: dict[str, dict[str, int]] = {}
    for line in _lines(folder / "logs" / "rm.log.gz"):
        if result := TRANSITION.match(line):
            containers.setdefault(result[2], {})[result[3]] = _ms(result[1])
    jobs = [_job(path) for path in sorted((folder / "history").glob("*.jhist.gz"))]
    for job in jobs:
        log = folder / "logs" / f"{job.master}.syslog.gz"
        job.ready = next(
            (_ms(line) for line in (_lines(log) if log.exists() else ()) if "Before Scheduling" in line),
            job.ready,
        )
    return RecordedRun(sorted(jobs, key=lambda job: job.submit), containers)


def _job(path: Path) -> Recorded:
    job = Recorded()
    for kind, event in events(gzip.decompress(path.read_bytes())):
        if kind == "JOB_SUBMITTED":
            job.name, job.user, job.queue, job.submit = (
                event["jobName"],
                event["userName"],
                event["jobQueueName"],
                event["submitTime"],
            )
        elif kind == "AM_STARTED":
            job.master = event["containerId"]
        elif kind == "JOB_INITED":
            job.ready = event["launchTime"] + FIRST_ASK_MS
        elif kind == "JOB_FINISHED":
            job.finish = event["finishTime"]
        elif kind.endswith("_ATTEMPT_STARTED"):
            job.attempts[event["attemptId"]] = Attempt(
                event["taskType"], event["startTime"], event["containerId"]
            )
        elif kind.endswith("_ATTEMPT_FINISHED"):
            job.attempts[event["attemptId"]].finish = event["finishTime"]
    conf = gzip.decompress(
        next(path.parent.glob(f"{path.name.partition('-')[0]}_conf.xml.gz")).read_bytes()
    ).decode()
    job.conf = dict(re.findall(r"<name>([^<]*)</name><value>([^<]*)</value>", conf))
    return job


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt") as file:
        yield from file


def _ms(line: str) -> int:
    moment = datetime.strptime(line[:23], "%Y-%m-%d %H:%M:%S,%f")
    return timegm(moment.timetuple()) * 1000 + moment.microsecond // 1000


def events(history: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """(type, fields) of each event of a .jhist as Hadoop 3 writes it: a line "Avro-Binary", the schema in one
    line, then Avro's binary encoding.
    """
    _, schema, rest = history.split(b"\n", 2)
    avro = _Avro(json.loads(schema), rest)
    while avro.at < len(rest):
        event = avro.read(avro.schema)
        yield event["type"], event["event"]


class _Avro:
    """Reads values of a schema, one after another."""

    def __init__(self, schema: Any, data: bytes) -> None:
        self.schema = schema
        self.data = data
        self.at = 0
        self.named: dict[str, Any] = {}
        self._name(schema)

    def _name(self, schema: Any) -> None:
        if isinstance(schema, list):
            for one in schema:
                self._name(one)
        elif isinstance(schema, dict):
            if "name" in schema:
                self.named[schema["name"]] = schema
            for inner in [
                schema["type"],
                schema.get("items"),
                schema.get("values"),
                *(one["type"] for one in schema.get("fields", ())),
            ]:
                self._name(inner)

    def _long(self) -> int:
        shift = value = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return (value >> 1) ^ -(value & 1)

    def _bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def read(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return self.read(schema[self._long()])
        kind = schema["type"] if isinstance(schema, dict) else schema
        if kind == "record":
            return {one["name"]: self.read(one["type"]) for one in schema["fields"]}
        if kind == "enum":
            return schema["symbols"][self._long()]
        if kind in ("array", "map"):
            return self._block(schema)
        if kind in ("int", "long"):
            return self._long()
        if kind in ("string", "bytes"):
            return self._bytes(self._long()).decode()
        if kind == "boolean":
            return self._bytes(1) == b"\1"
        if kind in ("float", "double"):
            return struct.unpack("<f" if kind == "float" else "<d", self._bytes(4 if kind == "float" else 8))[
                0
            ]
        return (
            None
            if kind == "null"
            else self.read(self.named[kind.rpartition(".")[2]] if isinstance(kind, str) else kind)
        )

    def _block(self, schema: dict) -> list:
        """The items of an array or a map, of which there are so many at a time until there are none."""
        items = []
        while count := self._long():
            if count < 0:
                count = -count
                self._long()
            for _ in range(count):
                items.append(
                    self.read(schema["items"])
                    if schema["type"] == "array"
                    else (self.read("string"), self.read(schema["values"]))
                )
        return items

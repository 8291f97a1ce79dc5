"""Job histories made in tests, in both forms that Hadoop writes: the same events as JSON lines and as Avro
datums.
"""

from __future__ import annotations

import io
import json
from typing import Any

import fastavro

from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.history.jhist import add_jhist
from engine.scenario.history.job_properties import add_conf
from engine.scenario.history.records import History, JobRecord

SPACE = "org.apache.hadoop.mapreduce.jobhistory"
ZERO = 1_700_000_000_000  # ms since 1970
ID = "1699999999999_0001"
OPTIONAL = ["null", "string"]
COUNTERS = {
    "type": "record",
    "name": "JhCounters",
    "fields": [
        {"name": "name", "type": "string"},
        {
            "name": "groups",
            "type": {
                "type": "array",
                "items": {
                    "type": "record",
                    "name": "JhCounterGroup",
                    "fields": [
                        {"name": "name", "type": "string"},
                        {"name": "displayName", "type": "string"},
                        {
                            "name": "counts",
                            "type": {
                                "type": "array",
                                "items": {
                                    "type": "record",
                                    "name": "JhCounter",
                                    "fields": [
                                        {"name": "name", "type": "string"},
                                        {"name": "displayName", "type": "string"},
                                        {"name": "value", "type": "long"},
                                    ],
                                },
                            },
                        },
                    ],
                },
            },
        },
    ],
}
LIST = {"type": "array", "items": "int"}
RECORDS: dict[str, dict[str, Any]] = {
    "AMStarted": {
        "applicationAttemptId": "string",
        "startTime": "long",
        "containerId": "string",
        "nodeManagerHost": "string",
        "nodeManagerPort": "int",
        "nodeManagerHttpPort": "int",
    },
    "JobSubmitted": {
        "jobid": "string",
        "jobName": "string",
        "userName": "string",
        "submitTime": "long",
        "acls": {"type": "map", "values": "string"},
        "jobQueueName": "string",
        "workflowId": OPTIONAL,
    },
    "JobQueueChange": {"jobid": "string", "jobQueueName": "string"},
    "JobInited": {
        "jobid": "string",
        "launchTime": "long",
        "totalMaps": "int",
        "totalReduces": "int",
        "jobStatus": "string",
        "uberized": "boolean",
    },
    "TaskStarted": {
        "taskid": "string",
        "taskType": "string",
        "startTime": "long",
        "splitLocations": "string",
    },
    "TaskAttemptStarted": {
        "taskid": "string",
        "taskType": "string",
        "attemptId": "string",
        "startTime": "long",
        "trackerName": "string",
        "httpPort": "int",
        "shufflePort": "int",
        "containerId": "string",
        "locality": OPTIONAL,
        "avataar": OPTIONAL,
    },
    "MapAttemptFinished": {
        "taskid": "string",
        "attemptId": "string",
        "mapFinishTime": "long",
        "finishTime": "long",
        "hostname": "string",
        "port": "int",
        "rackname": "string",
        "state": "string",
        "counters": COUNTERS,
        "clockSplits": LIST,
    },
    "ReduceAttemptFinished": {
        "taskid": "string",
        "attemptId": "string",
        "shuffleFinishTime": "long",
        "sortFinishTime": "long",
        "finishTime": "long",
        "hostname": "string",
        "port": "int",
        "rackname": "string",
        "state": "string",
        "counters": "JhCounters",
        "clockSplits": LIST,
    },
    "TaskAttemptUnsuccessfulCompletion": {
        "taskid": "string",
        "taskType": "string",
        "attemptId": "string",
        "finishTime": "long",
        "hostname": "string",
        "port": "int",
        "rackname": "string",
        "status": "string",
        "error": "string",
        "counters": ["null", "JhCounters"],
    },
    "TaskFinished": {
        "taskid": "string",
        "finishTime": "long",
        "status": "string",
        "counters": "JhCounters",
        "successfulAttemptId": OPTIONAL,
    },
    "JobFinished": {"jobid": "string", "finishTime": "long", "totalCounters": "JhCounters"},
    "JobUnsuccessfulCompletion": {
        "jobid": "string",
        "finishTime": "long",
        "jobStatus": "string",
        "diagnostics": OPTIONAL,
    },
}
TYPES = (
    "AM_STARTED",
    "JOB_SUBMITTED",
    "JOB_QUEUE_CHANGED",
    "JOB_INITED",
    "TASK_STARTED",
    "MAP_ATTEMPT_STARTED",
    "MAP_ATTEMPT_FINISHED",
    "MAP_ATTEMPT_FAILED",
    "MAP_ATTEMPT_KILLED",
    "REDUCE_ATTEMPT_STARTED",
    "REDUCE_ATTEMPT_FINISHED",
    "REDUCE_ATTEMPT_FAILED",
    "REDUCE_ATTEMPT_KILLED",
    "TASK_FINISHED",
    "JOB_FINISHED",
    "JOB_FAILED",
    "JOB_KILLED",
)
SCHEMA = {
    "type": "record",
    "name": "Event",
    "namespace": SPACE,
    "fields": [
        {"name": "type", "type": {"type": "enum", "name": "EventType", "symbols": list(TYPES)}},
        {
            "name": "event",
            "type": [
                {
                    "type": "record",
                    "name": name,
                    "fields": [{"name": field, "type": kind} for field, kind in fields.items()],
                }
                for name, fields in RECORDS.items()
            ],
        },
    ],
}
PARSED = fastavro.parse_schema(SCHEMA)
Events = list[tuple[str, str, dict[str, Any]]]


def counters(name: str, value: int, more: int = 0) -> dict[str, Any]:
    """A task's counters, this one among `more` others."""
    others = [
        {"name": f"OTHER_{number}", "displayName": f"Other {number}", "value": number}
        for number in range(more)
    ]
    return {
        "name": "COUNTERS",
        "groups": [
            {
                "name": "g",
                "displayName": "G",
                "counts": [*others, {"name": name, "displayName": "Bytes", "value": value}],
            }
        ],
    }


class Job:
    """Events of one job, in seconds from ZERO; what is not given is as of a job that went well."""

    def __init__(
        self,
        number: int = 1,
        at: float = 0,
        name: str = "daily",
        user: str = "ann",
        queue: str = "a",
        uberized: bool = False,
        maps: int = 0,
    ) -> None:
        self.id = f"1699999999999_{number:04}"
        self.events: Events = []
        self.uberized, self.maps, self.at = uberized, maps, at
        self.add(
            "JOB_SUBMITTED",
            "JobSubmitted",
            jobName=name,
            userName=user,
            submitTime=ms(at),
            jobQueueName=queue,
        )

    def add(self, type: str, record: str, **fields: Any) -> Job:
        """One event."""
        known = {"jobid": f"job_{self.id}", **fields}
        self.events.append(
            (
                type,
                record,
                {name: known.get(name, EMPTY.get(repr(kind), "")) for name, kind in RECORDS[record].items()},
            )
        )
        return self

    def master(self, at: float, host: str = "n1", port: int = 8042, attempt: int = 1) -> Job:
        """Its master's start."""
        id = f"appattempt_{self.id}_{attempt:06}"
        return self.add(
            "AM_STARTED",
            "AMStarted",
            applicationAttemptId=id,
            startTime=ms(at),
            nodeManagerHost=host,
            nodeManagerHttpPort=port,
        )

    def inited(self, at: float, maps: int, reduces: int = 0) -> Job:
        """Its beginning, with the tasks it has."""
        return self.add(
            "JOB_INITED",
            "JobInited",
            launchTime=ms(at),
            totalMaps=maps,
            totalReduces=reduces,
            uberized=self.uberized,
        )

    def task(
        self, kind: str, index: int, start: float | None, end: float | None, host: str = "n1", attempt: int = 0, shuffled: float | None = None,  # noqa: E501
        outcome: str = "FINISHED", moved: int = 2**20, port: int = 8042, scheduled: float | None = None, more: int = 0,  # noqa: E501
    ) -> Job:  # fmt: skip
        """One attempt; end None: it never ended, start None: it never started."""
        letter, big = kind[0], kind.upper()
        task, id = f"task_{self.id}_{letter}_{index:06}", f"attempt_{self.id}_{letter}_{index:06}_{attempt}"
        if not attempt and start is not None:
            self.add(
                "TASK_STARTED",
                "TaskStarted",
                taskid=task,
                taskType=big,
                startTime=ms(self.at + 3 if scheduled is None else scheduled),
            )
        own = {"taskid": task, "attemptId": id, "taskType": big}
        if start is not None:
            self.add(
                f"{big}_ATTEMPT_STARTED",
                "TaskAttemptStarted",
                **own,
                startTime=ms(start),
                trackerName=host,
                httpPort=port,
                locality="NODE_LOCAL",
            )
        if end is None:
            return self
        own |= {"finishTime": ms(end), "hostname": host, "rackname": "/default-rack", "port": 45454}
        if outcome != "FINISHED":
            return self.add(
                f"{big}_ATTEMPT_{outcome}", "TaskAttemptUnsuccessfulCompletion", **own, status=outcome
            )
        if kind == "map":
            result = counters("MAP_OUTPUT_MATERIALIZED_BYTES", moved, more)
            return self.add(
                "MAP_ATTEMPT_FINISHED", "MapAttemptFinished", **own, mapFinishTime=ms(end), counters=result
            )
        result = counters("REDUCE_SHUFFLE_BYTES", moved, more)
        times = {
            "shuffleFinishTime": ms(end if shuffled is None else shuffled),
            "sortFinishTime": ms(end if shuffled is None else shuffled),
        }
        return self.add("REDUCE_ATTEMPT_FINISHED", "ReduceAttemptFinished", **own, **times, counters=result)

    def finished(self, at: float, status: str = "SUCCEEDED") -> Job:
        """Its end."""
        if status == "SUCCEEDED":
            return self.add("JOB_FINISHED", "JobFinished", finishTime=ms(at))
        return self.add(f"JOB_{status}", "JobUnsuccessfulCompletion", finishTime=ms(at), jobStatus=status)

    def json(self) -> bytes:
        """The file as JSON, unions wrapped as Avro's JsonEncoder does."""
        lines = [
            json.dumps(
                {"type": type, "event": {f"{SPACE}.{record}": _wrapped(record, fields)}},
                separators=(",", ":"),
            )
            for type, record, fields in self.events
        ]
        return "\n".join(("Avro-Json", json.dumps(SCHEMA), *lines, "")).encode()

    def binary(self) -> bytes:
        """The file as Avro datums."""
        out = io.BytesIO()
        for type, record, fields in self.events:
            fastavro.schemaless_writer(out, PARSED, {"type": type, "event": (f"{SPACE}.{record}", fields)})
        return b"Avro-Binary\n" + json.dumps(SCHEMA).encode() + b"\n" + out.getvalue()

    @property
    def file(self) -> str:
        """Its name in JobHistory's folder."""
        return f"job_{self.id}-{ZERO}-ann-daily-{ZERO}-1-1-SUCCEEDED-root.a-{ZERO}.jhist"


EMPTY = {
    "'string'": "",
    "'long'": -1,
    "'int'": -1,
    "'boolean'": False,
    repr(OPTIONAL): None,
    repr(LIST): [],
    repr(["null", "JhCounters"]): None,
    repr(COUNTERS): counters("NONE", 0),
    "'JhCounters'": counters("NONE", 0),
    repr({"type": "map", "values": "string"}): {},
}


def _wrapped(record: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {"string": value} if RECORDS[record][name] == OPTIONAL and value is not None else value
        for name, value in fields.items()
    }


def ms(seconds: float) -> int:
    """Since 1970."""
    return ZERO + round(1000 * seconds)


def plain_job(number: int = 1, at: float = 0, **named: Any) -> Job:
    """Two maps and a reduce on two hosts: submitted at 0, its master from 1 on, its first ask at 4, done at
    40.
    """
    job = Job(number, at, **named).master(at + 1).inited(at + 3, 2, 1)
    job.task("map", 0, at + 5, at + 15).task("map", 1, at + 6, at + 18, host="n2").task(
        "reduce", 0, at + 20, at + 38, shuffled=at + 26, moved=2 * 2**20
    )
    return job.finished(at + 40)


def conf(**changed: str) -> bytes:
    """A job's configuration, as JobHistory keeps it; __ stands for a dot."""
    values = {
        "mapreduce.map.memory.mb": "2048",
        "mapreduce.reduce.memory.mb": "3072",
        "yarn.app.mapreduce.am.resource.mb": "1024",
    }
    values |= {name.replace("__", "."): value for name, value in changed.items()}
    rows = "".join(
        f"<property><name>{name}</name><value>{value}</value><final>false</final><source>job.xml</source></property>\n"
        for name, value in values.items()
    )
    return f'<?xml version="1.0" encoding="UTF-8" standalone="no"?><configuration>\n{rows}</configuration>'.encode()  # noqa: E501


def record(data: bytes, name: str = "job.jhist") -> tuple[JobRecord, list[str]]:
    """The one job of a file, and what is told."""
    history = History()
    add_jhist(history, Source(io.BytesIO(data), is_json=False), name)
    return history.jobs[0], history.notes


def history_of(*jobs: Job, **properties: str) -> History:
    """Of these jobs; properties: of the configuration of each, __ for a dot."""
    history = History()
    for job in jobs:
        add_jhist(history, Source(io.BytesIO(job.json()), is_json=False), "one.jhist")
        if properties:
            add_conf(history, Source(io.BytesIO(conf(**properties))), f"job_{job.id}_conf.xml")
    return history


def told(found: ImportedScenario, words: str) -> bool:
    """Whether an assumption has these words."""
    return any(words in sentence for sentence in found.assumptions)

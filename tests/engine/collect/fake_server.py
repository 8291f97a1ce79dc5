"""A server of this process that answers as the ResourceManager and the JobHistory server do, from recorded
answers, as slowly and as badly as it is told.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

RM, JHS = "/ws/v1/cluster", "/ws/v1/history/mapreduce"
T0 = 1_700_000_000_000
T0_S = T0 // 1000
SECRETS = {
    "diagnostics": "SECRET reason",
    "trackingUrl": "http://SECRET/",
    "amContainerLogs": "http://SECRET/logs",
    "applicationTags": "SECRET",
    "logsLink": "SECRET",
    "token": "SECRET",
    "queueAcls": {"queueAcl": [{"accessType": "SUBMIT", "accessControlList": "SECRET"}]},
    "status": "hdfs://SECRET/part-0",
}


def app(number: int, **values: Any) -> dict[str, Any]:
    begin = T0 + number * 1000
    own = {
        "id": f"application_{T0}_{number:04d}",
        "user": "ann",
        "name": f"daily etl 2026-11-{number:02d}",
        "queue": "root.a",
        "state": "FINISHED",
    }
    times = {
        "startedTime": begin,
        "launchTime": begin + 300,
        "finishedTime": begin + 60_000,
        "memorySeconds": 1000,
        "vcoreSeconds": 10,
    }
    return {
        **own,
        **times,
        "finalStatus": "SUCCEEDED",
        "applicationType": "MAPREDUCE",
        "priority": 0,
        **SECRETS,
        **values,
    }


def answers(count: int = 2, maps: int = 2) -> dict[str, Any]:
    """Of a cluster with so many jobs of so many maps and one reduce, and one application of another type."""
    node = {
        "id": "n1.example.org:45454",
        "nodeHostName": "n1.example.org",
        "nodeHTTPAddress": "n1.example.org:8042",
        "rack": "/row1/rack1",
        "state": "RUNNING",
    }
    size = {"memory": 8192, "vCores": 8}
    leaf = {
        "type": "capacitySchedulerLeafQueueInfo",
        "queueName": "a",
        "queuePath": "root.a",
        "capacity": 100.0,
        "users": {"user": [{"username": "SECRET"}]},
    }
    top = {
        "type": "capacityScheduler",
        "queueName": "root",
        "maximumAllocation": size,
        "queues": {"queue": [{**leaf, **SECRETS}]},
        **SECRETS,
    }
    spark = app(90, applicationType="SPARK", name="notebook of bob", user="bob")
    result: dict[str, Any] = {
        f"{RM}/info": {"clusterInfo": {"id": T0, "hadoopVersion": "3.4.1", "rmStateStoreName": "SECRET"}},
        f"{RM}/metrics": {"clusterMetrics": {"totalNodes": 1, "totalMB": 8192}},
        f"{RM}/scheduler": {"scheduler": {"schedulerInfo": top}},
        f"{RM}/nodes": {"nodes": {"node": [{**node, "totalResource": size, "healthReport": "SECRET"}]}},
        f"{RM}/apps": {"apps": {"app": [*(app(number) for number in range(1, count + 1)), spark]}},
        f"{JHS}/jobs": {"jobs": {"job": []}},
        "/conf": {
            "properties": [
                {"key": "yarn.scheduler.minimum-allocation-mb", "value": "512", "resource": "yarn-site.xml"},
                {"key": "yarn.scheduler.fair.allocation.file", "value": "/etc/SECRET"},
                {"key": "yarn.resourcemanager.keytab", "value": "SECRET"},
                {"key": "hadoop.http.password", "value": "SECRET"},
                {"key": "yarn.scheduler.configuration.max.version", "value": "http://SECRET?"},
            ]
        },
    }
    for number in [*range(1, count + 1), 90]:
        identity = f"application_{T0}_{number:04d}"
        container = f"container_{T0}_{number:04d}_01_000001"
        one = {
            "id": 1,
            "startTime": T0,
            "containerId": container,
            "nodeHttpAddress": "n1.example.org:8042",
            **SECRETS,
        }
        result[f"{RM}/apps/{identity}/appattempts"] = {"appAttempts": {"appAttempt": [one]}}
    for number in range(1, count + 1):
        _add_job(result, number, maps)
    return result


def together(found: dict[str, Any]) -> dict[str, Any]:
    """All answers as one object with their keys, lists of the same key joined: it reads as they do."""
    made: dict[str, Any] = {}
    for answer in found.values():
        for outer, value in answer.items():
            inner = next(iter(value), None)
            if (
                isinstance(value, dict)
                and isinstance(value[inner], list)
                and isinstance(made.get(outer), dict)
            ):
                made[outer][inner] = [*made[outer][inner], *value[inner]]
            else:
                made[outer] = dict(value) if isinstance(value, dict) else value
    return made


def _add_job(found: dict[str, Any], number: int, maps: int) -> None:
    job, begin = f"job_{T0}_{number:04d}", T0 + number * 1000
    kinds = ["m"] * maps + ["r"]
    names = [
        f"{T0}_{number:04d}_{kind}_{index if kind == 'm' else 0:06d}" for index, kind in enumerate(kinds)
    ]
    output = {
        "id": job,
        "name": f"daily etl 2026-11-{number:02d}",
        "user": "ann",
        "queue": "a",
        "state": "SUCCEEDED",
        "submitTime": begin,
        "startTime": begin + 5000,
        "finishTime": begin + 59_000,
        "mapsTotal": maps,
        "reducesTotal": 1,
        "acls": [{"name": "mapreduce.job.acl-view-job", "value": "SECRET"}],
        **SECRETS,
    }
    found[f"{JHS}/jobs"]["jobs"]["job"].append(output)
    path = f"{JHS}/jobs/{job}"
    found[path] = {"job": output}
    master = {
        "id": 1,
        "startTime": begin + 2000,
        "containerId": f"container_{T0}_{number:04d}_01_000001",
        "nodeHttpAddress": "n1.example.org:8042",
        **SECRETS,
    }
    found[f"{path}/jobattempts"] = {"jobAttempts": {"jobAttempt": [master]}}
    values = {
        "mapreduce.map.memory.mb": "512",
        "mapreduce.job.queuename": "a",
        "mapreduce.job.user.name": "SECRET",
        "fs.s3a.secret.key": "SECRET",
    }
    found[f"{path}/conf"] = {
        "conf": {
            "path": "hdfs://SECRET",
            "property": [{"name": name, "value": value, "source": []} for name, value in values.items()],
        }
    }
    counters = [
        {"name": "REDUCE_SHUFFLE_BYTES", "totalCounterValue": 600},
        {"name": "SECRET", "totalCounterValue": 1},
    ]
    found[f"{path}/counters"] = {
        "jobCounters": {"id": job, "counterGroup": [{"counterGroupName": "SECRET", "counter": counters}]}
    }
    tasks = []
    for name in names:
        kind = "MAP" if "_m_" in name else "REDUCE"
        times = {
            "type": kind,
            "state": "SUCCEEDED",
            "startTime": begin + 10_000,
            "finishTime": begin + 20_000,
        }
        tasks.append({"id": f"task_{name}", **times, **SECRETS})
        one = {
            "id": f"attempt_{name}_0",
            **times,
            "nodeHttpAddress": "n1.example.org:8042",
            "rack": "/row1/rack1",
            **SECRETS,
        }
        ends = (
            {"shuffleFinishTime": begin + 15_000, "mergeFinishTime": begin + 16_000}
            if kind == "REDUCE"
            else {}
        )
        found[f"{path}/tasks/task_{name}/attempts"] = {"taskAttempts": {"taskAttempt": [{**one, **ends}]}}
    found[f"{path}/tasks"] = {"tasks": {"task": tasks}}


@dataclass
class FakeServer:
    """A server that runs. asked: (path with its query, headers) of each request; instead: by path what to do
    with it, True where it has answered.
    """

    url: str
    answers: dict[str, Any]
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    instead: dict[str, Callable[[BaseHTTPRequestHandler], bool]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def paths(self) -> list[str]:
        return [path.partition("?")[0] for path, _ in self.asked]


class FakeTime:
    """Instead of time, for who asks: a pause is over at once."""

    def __init__(self) -> None:
        self.now, self.pauses = 1000.0, []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)


class Clock(FakeTime):
    """Of which nothing passes but pauses."""

    def __init__(self) -> None:
        super().__init__()
        self.now = T0_S

    def time(self) -> float:
        return self.now


def in_time(found: list[dict[str, Any]], query: dict[str, str]) -> list[dict[str, Any]]:
    """As RMWebServices and HsWebServices take the times of a query, and its limit."""
    for key, names in (
        ("started", ("startedTime", "startTime")),
        ("finished", ("finishedTime", "finishTime")),
    ):
        first, last = int(query.get(f"{key}TimeBegin", 0)), int(query.get(f"{key}TimeEnd", 2**63))
        found = [one for one in found if first <= next(one[name] for name in names if name in one) <= last]
    if "states" in query:
        found = [one for one in found if one["state"] in query["states"].split(",")]
    return found[: int(query.get("limit", 2**31))]


def reply(handler: BaseHTTPRequestHandler, code: int, data: bytes, **headers: str) -> bool:
    packed = "gzip" in handler.headers.get("Accept-Encoding", "")
    data = gzip.compress(data, 1) if packed else data
    handler.send_response(code)
    own = {"Content-Type": "application/json", **({"Content-Encoding": "gzip"} if packed else {})}
    for name, value in {**own, **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)
    return True


@contextmanager
def serve(found: dict[str, Any]) -> Iterator[FakeServer]:
    """A server of these answers by path, on a free port of the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with server.lock:
                server.asked.append((self.path, dict(self.headers)))
            path, query = (
                urlsplit(self.path).path,
                {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()},
            )
            if path in server.instead and server.instead[path](self):
                return
            answer = server.answers.get(path)
            if path.endswith(("/apps", "/jobs")) and answer:
                ((outer, inner),) = ((key, next(iter(value))) for key, value in answer.items())
                answer = {outer: {inner: in_time(answer[outer][inner], query)}}
            reply(self, 404, b"{}") if answer is None else reply(self, 200, json.dumps(answer).encode())

        def log_message(self, *words: Any) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = FakeServer(f"http://127.0.0.1:{httpd.server_port}", found)
    threading.Thread(target=httpd.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()

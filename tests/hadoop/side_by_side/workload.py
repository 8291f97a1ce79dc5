"""The jobs that all three play, as a script of the referee; the engine reads it as a scenario, the Scheduler
Load Simulator as a Rumen trace.

The simulator sets bounds to what can be the same in all three: one size for masters and tasks, since a Rumen
trace has none; all jobs come at time 0, since it takes each job of a trace from its own submission on;
reduces wait for all maps of their job, since its masters know no slowstart.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.hadoop.scripts import HEARTBEAT_MS, MB, queue

# as the engine calls them, as a script does
SCHEDULERS = {
    "fifo": "fifo",
    "fair": "fair",
    "drf": "drf",
    "capacity": "capacity-drc",
}
TASK = [MB, 1]
NODE = [8 * MB, 8]
TASK_MS = (10_000, 30_000)
MAPS_PER_REDUCE = 9
UPDATE_MS = 500  # FairScheduler's default
# name, weight, capacity; jobs go to them in turn
QUEUES = (
    ("a", 3.0, "50"),
    ("b", 2.0, "30"),
    ("default", 1.0, "20"),
)


class Size(NamedTuple):
    """tasks: of a job, its master not counted."""

    nodes: int
    jobs: int
    tasks: int

    @property
    def containers(self) -> int:
        return self.jobs * (self.tasks + 1)


FULL = Size(200, 20, 1000)
SMALL = Size(10, 6, 30)


def script(scheduler: str, size: Size) -> dict[str, Any]:
    """The same jobs for each scheduler of SCHEDULERS, with Hadoop's reservations and FairScheduler's updates
    every 500 ms, and without limits of masters.
    """
    draw = random.Random("side by side")
    queues = QUEUES[-1:] if scheduler == "fifo" else QUEUES
    reduces = size.tasks // (MAPS_PER_REDUCE + 1)
    jobs = []
    for number in range(size.jobs):
        maps, waiting = (
            [draw.randint(*TASK_MS) for _ in range(count)] for count in (size.tasks - reduces, reduces)
        )
        jobs.append(
            {
                "queue": f"root.{queues[number % len(queues)][0]}",
                "user": "user",
                "arrival": 0,
                "am": TASK,
                "startup": 0,
                "map": TASK,
                "maps": maps,
                "reduce": TASK,
                "reduces": waiting,
                "slow": len(maps),
            }
        )
    return {
        "id": f"side by side/{scheduler}",
        "scheduler": SCHEDULERS[scheduler],
        "heartbeat_ms": HEARTBEAT_MS,
        "per_beat": 0 if scheduler == "fifo" else 1,
        "update_ms": UPDATE_MS if scheduler in ("fair", "drf") else 0,
        "reservations": scheduler != "fifo",
        "increment_mb": MB,
        "am_limit": None,
        "nodes": [NODE] * size.nodes,
        "queues": [
            queue("root"),
            *(
                queue(f"root.{name}", weight=weight, capacity="100" if scheduler == "fifo" else share)
                for name, weight, share in queues
            ),
        ],
        "jobs": jobs,
    }


def trace(script: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A script's jobs as Rumen has them, of which the Scheduler Load Simulator reads this much. Every attempt
    must name a host: its master ignores it.
    """
    for number, job in enumerate(script["jobs"]):
        name = f"1_{number + 1:04}"
        yield {
            "jobID": f"job_{name}",
            "user": job["user"],
            "queue": job["queue"],
            "submitTime": 0,
            "finishTime": 0,
            "mapTasks": [
                _task("MAP", f"{name}_m", place, length) for place, length in enumerate(job["maps"])
            ],
            "reduceTasks": [
                _task("REDUCE", f"{name}_r", place, length) for place, length in enumerate(job["reduces"])
            ],
        }


def _task(kind: str, name: str, place: int, length: int) -> dict[str, Any]:
    attempt = {
        "attemptID": f"attempt_{name}_{place:06}_0",
        "result": "SUCCESS",
        "hostName": "/rack/10.0.0.1",
        "startTime": 0,
        "finishTime": length,
    }
    return {
        "taskID": f"task_{name}_{place:06}",
        "taskType": kind,
        "taskStatus": "SUCCESS",
        "startTime": 0,
        "finishTime": length,
        "attempts": [attempt],
    }


def racks(script: dict[str, Any]) -> dict[str, Any]:
    """A script's nodes as the Scheduler Load Simulator reads them. Their names are addresses, so that none is
    looked up.
    """
    names = (f"10.0.{number // 250}.{number % 250 + 1}" for number in range(len(script["nodes"])))
    return {
        "rack": "rack",
        "nodes": [
            {"node": name, "memory-mb": memory, "vcores": vcores}
            for name, (memory, vcores) in zip(names, script["nodes"])
        ],
    }


def lines(rows: Iterator[dict[str, Any]]) -> str:
    """One JSON a line."""
    return "".join(json.dumps(row) + "\n" for row in rows)

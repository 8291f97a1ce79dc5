"""Runs written down by hand, and figures read back."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np

from engine.codes import FINISHED, NONE
from engine.scenario.model import Scenario
from engine.schedulers.view import MAP
from engine.simulation.run import Containers, JobTimes, Run, Waiting
from engine.simulation.workload import workload

NO_WAITING = Waiting(*(np.zeros(0, np.int64) for _ in Waiting._fields))


def run(
    containers: list[dict],
    nodes: int = 1,
    jobs: int = 1,
    status: str = "finished",
    names: list[str] | None = None,
    racks: list[str] | None = None,
) -> Run:
    """Each container: kind, start, end and what differs from the defaults; times in ms. A node has 4 GB and 4
    vcores, a task 1 GB and 1 vcore.

    Every job has as many maps as the one with the most has here, and a reduce fetches the output of one in
    100 ms.
    """
    names = names or [f"j{number}" for number in range(jobs)]
    task = {"memory_mb": 1024, "vcores": 1, "duration_s": 1.0}
    maps = [container.get("job", 0) for container in containers if container["kind"] == MAP]
    count = max((maps.count(job) for job in range(len(names))), default=1) or 1
    job = {
        "am": {"memory_mb": 512, "vcores": 1},
        "maps": task | {"count": count},
        "reduces": task | {"count": 3},
        "shuffle_mb_per_map": 0.3,
    }
    scenario = Scenario.of(
        {
            "version": 1,
            "cluster": {
                "nodes": [{"name": "n", "count": nodes, "memory_mb": 4096, "vcores": 4}],
                "shuffle_mb_s": 1.0,
            },
            "jobs": [{"name": name, **job} for name in names],
        }
    )
    defaults = {
        "job": 0,
        "stage": 1,
        "index": 0,
        "attempt": 1,
        "node": 0,
        "requested": 0,
        "shuffle_end": NONE,
        "outcome": FINISHED,
    }
    rows = [
        defaults | {"begin": container["start"]} | container
        for container in sorted(containers, key=lambda container: container["start"])
    ]
    fields = Containers(
        *(
            np.array([row[field] for row in rows], np.int8 if field in ("kind", "outcome") else np.int64)
            for field in Containers._fields
        )
    )
    work = workload(scenario)
    work = replace(work, node_racks=racks) if racks else work
    last = int(max(fields.start.max(initial=0), fields.end.max(initial=0)))
    finish = np.full(len(names), last if status == "finished" else NONE)
    nothing = np.zeros(len(names), np.int64)
    times = JobTimes(
        work.job_arrival, nothing, finish, finish, finish, nothing.astype(bool), nothing.astype(np.int8)
    )
    return Run(
        scenario,
        "fifo",
        status,
        last,
        None if status == "finished" else "nothing fits",
        work,
        fields,
        times,
        NO_WAITING,
    )


def numbers(array: dict) -> np.ndarray:
    """What a typed array of a figure holds."""
    return np.frombuffer(base64.b64decode(array["bdata"]), "<" + array["dtype"])

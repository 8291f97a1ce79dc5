"""A Spark application alone, with its executors as they came: a node for its driver, and for each executor
one that joins when it registered and is lost when it was.

What the scheduler decided, how long drivers and executors took to launch and what ran beside is so taken from
the record; what is simulated are its tasks in its slots. Executors that it removed when they were idle stay.
"""

from __future__ import annotations

import math

import numpy as np

from engine.codes import EXECUTOR, LOST
from engine.prediction.evidence import Evidence
from engine.scenario.model import VERSION, Job, Scenario
from engine.schedulers.scheduler import as_scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate

DRIVER, EXECUTOR_NODE = "driver", "executor"


def lone_finishes(record: Evidence, cancel_token: CancelToken) -> dict[int, int]:
    """When each application would have finished, ms from the record's time 0, by its index in the file; NONE
    of one that never does. Without those that failed, and those of which no executor is recorded.
    """
    finishes = {}
    for index in np.flatnonzero(record.spark & ~record.failed).tolist():
        begin_ms = int(record.masters_start[index])
        if begin_ms < 0 or not (_executors(record, index)).size:
            continue
        run = simulate(
            _lone_scenario(record, index, begin_ms), as_scheduler("fifo"), cancel_token=cancel_token
        )
        finish = int(run.jobs.finish[0])
        finishes[index] = finish + begin_ms if finish >= 0 else finish
    return finishes


def _executors(record: Evidence, index: int) -> np.ndarray:
    c = record.containers
    return np.flatnonzero((c.job == index) & (c.kind == EXECUTOR))


def _lone_scenario(record: Evidence, index: int, begin_ms: int) -> Scenario:
    """Its time 0 is the begin of the driver's container, at `begin_ms`."""
    job, c = record.scenario.jobs[index], record.containers
    assert job.am and job.executors
    driver = {"name": DRIVER, "count": 1, "memory_mb": job.am.memory_mb, "vcores": job.am.vcores}
    size = job.executors.container.model_dump()
    nodes, outages = [driver], []
    for place, row in enumerate(_executors(record, index).tolist(), 1):
        name = f"{EXECUTOR_NODE}{place}"
        joins_ms = max(1, int(c.begin[row]) - begin_ms)  # after the driver has its node
        nodes.append({"name": name, "count": 1, **size, "joins_s": joins_ms / 1000})
        if c.outcome[row] == LOST:
            lost_ms = max(joins_ms + 1, int(c.end[row]) - begin_ms)
            outages.append({"node": name, "lost_s": lost_ms / 1000})
    cluster = {"nodes": nodes, "heartbeat_ms": 0, "outages": outages}
    startup_ms = max(0, int(record.first_ask[index]) - begin_ms)
    plain = _lone_job(job, len(nodes) - 1, startup_ms)
    return Scenario.of({"version": VERSION, "cluster": cluster, "jobs": [plain]})


def _lone_job(job: Job, executors: int, startup_ms: int) -> dict:
    """It begins when as many executors have registered as on the cluster, however many it asks for here."""
    assert job.am and job.executors
    needed = math.ceil(job.executors.initial_count * job.executors.registered_ratio)
    count = max(executors, needed)
    plain = job.model_dump(exclude_defaults=True, exclude={"arrival_s", "queue", "priority"})
    plain["am"] |= {"startup_s": startup_ms / 1000, "heartbeat_s": 0.0}
    plain["executors"] = {key: value for key, value in plain["executors"].items() if key != "dynamic"} | {
        "launch_s": 0.0,
        "count": count,
        "registered_ratio": max(0.0, needed - 0.5) / count,  # a share times a number may exceed a whole one
    }
    return plain

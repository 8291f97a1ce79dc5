"""A Spark application alone, with its executors as they came and went: a node for its driver, and for each
executor one that joins when it registered and is lost when it was; one that ended before the application, as
one that was idle, gets no more task from then on. A task takes as long as the attempt that finished and those
that failed before it, of which the scenario knows nothing.

What the scheduler decided, how long drivers and executors took to launch, which the driver removed and what
ran beside is so taken from the record; what is simulated are its tasks in its slots.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from engine.codes import EXECUTOR, FAILED, FINISHED, LOST
from engine.prediction.evidence import Evidence
from engine.scenario.field_types import Listed
from engine.scenario.model import VERSION, Job, Scenario
from engine.schedulers.scheduler import as_scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate

DRIVER, EXECUTOR_NODE = "driver", "executor"

FailedTimes = dict[tuple[int, int], int]  # ms, by stage from 1 and task


def lone_finishes(record: Evidence, cancel_token: CancelToken) -> dict[int, int]:
    """When each application would have finished, ms from the record's time 0, by its index in the file; NONE
    of one that never does. Without those that failed, and those of which no executor is recorded.
    """
    finishes, failed = {}, _failed_times(record)
    for index in np.flatnonzero(record.spark & ~record.failed).tolist():
        begin_ms = int(record.masters_start[index])
        if begin_ms < 0 or not (_executors(record, index)).size:
            continue
        scenario = _lone_scenario(record, index, begin_ms, failed[index])
        run = simulate(scenario, as_scheduler("fifo"), cancel_token=cancel_token)
        finish = int(run.jobs.finish[0])
        finishes[index] = finish + begin_ms if finish >= 0 else finish
    return finishes


def _executors(record: Evidence, index: int) -> np.ndarray:
    c = record.containers
    return np.flatnonzero((c.job == index) & (c.kind == EXECUTOR))


def _excluded_s(record: Evidence, index: int, begin_ms: int) -> list[float]:
    """When each executor ended, from `begin_ms` on; 0 of one that was lost or stayed. The last that ended
    stays: where the tasks end later than they did, they have somewhere to end.
    """
    c, rows = record.containers, _executors(record, index)
    ends = c.end[rows]
    has_left = (c.outcome[rows] != LOST) & (ends < record.finish[index])
    has_left[np.argmax(ends)] = False
    return (np.where(has_left, np.maximum(ends - begin_ms, 1), 0) / 1000).tolist()


def _failed_times(record: Evidence) -> dict[int, FailedTimes]:
    """Of each application how long the attempts of a task failed, beside the one that stands in the scenario:
    that which finished, or else the longest. Without those on executors that are lost, as they fail anew.
    """
    times: dict[int, FailedTimes] = defaultdict(dict)
    assert record.scenario.measured is not None  # or there were no evidence
    tasks, c = record.scenario.measured.tasks, record.containers
    if tasks is None:
        return times
    rows = zip(tasks.container, tasks.stage, tasks.index, tasks.start_ms, tasks.end_ms, tasks.outcome)
    finished, attempts = set(), defaultdict(list)
    for container, stage, task, start, end, outcome in rows:
        key = int(c.job[container]), stage, task
        if outcome == FINISHED:
            finished.add(key)
        elif outcome == FAILED and c.outcome[container] != LOST:
            attempts[key].append(end - start)
    for key, lasted in attempts.items():
        job, *task_of_stage = key
        times[job][tuple(task_of_stage)] = sum(lasted) - (0 if key in finished else max(lasted))
    return times


def _lone_scenario(record: Evidence, index: int, begin_ms: int, failed: FailedTimes) -> Scenario:
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
    plain = _lone_job(job, _excluded_s(record, index, begin_ms), startup_ms)
    _add_failed(plain["stages"], job, failed)
    return Scenario.of({"version": VERSION, "cluster": cluster, "jobs": [plain]})


def _add_failed(stages: list[dict], job: Job, failed: FailedTimes) -> None:
    """To the tasks' times, where they are those of the record."""
    for number in {stage for stage, _ in failed}:
        given = job.stages[number - 1]
        own = given.duration_s.values if isinstance(given.duration_s, Listed) else given.duration_s
        if isinstance(own, (int, float)):
            own = [own] * given.tasks
        if isinstance(own, list):
            values = [s + failed.get((number, task), 0) / 1000 for task, s in enumerate(own)]
            stages[number - 1]["duration_s"] = {"values": values}


def _lone_job(job: Job, excluded_s: list[float], startup_ms: int) -> dict:
    """It begins when as many executors have registered as on the cluster, however many it asks for here.

    excluded_s: of each executor.
    """
    assert job.am and job.executors
    needed = math.ceil(job.executors.initial_count * job.executors.registered_ratio)
    count = max(len(excluded_s), needed)
    plain = job.model_dump(exclude_defaults=True, exclude={"arrival_s", "queue", "priority"})
    plain["am"] |= {"startup_s": startup_ms / 1000, "heartbeat_s": 0.0}
    plain["executors"] = {key: value for key, value in plain["executors"].items() if key != "dynamic"} | {
        "launch_s": 0.0,
        "excluded_s": excluded_s,
        "count": count,
        "registered_ratio": max(0.0, needed - 0.5) / count,  # a share times a number may exceed a whole one
    }
    return plain

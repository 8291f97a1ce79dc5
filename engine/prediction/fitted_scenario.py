"""A scenario with fitted numbers: each duration is the record's own, without what the numbers now stand
for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine.codes import FINISHED, MAP, NONE, REDUCE, requests_of
from engine.prediction.evidence import Evidence, shows_contention
from engine.prediction.executor_launch import launches
from engine.prediction.occupancy import work_done
from engine.prediction.slowdown import computing
from engine.scenario.field_types import Listed
from engine.scenario.model import Job, Scenario, Stage

STARTUP, LAUNCH, CONTENTION, LINGER = "startup", "launch", "contention", "linger"
ALL = frozenset((STARTUP, LAUNCH, CONTENTION, LINGER))


def fitted_scenario(
    record: Evidence,
    values: Mapping[str, float | None],
    unknown_jobs: Iterable[int],
    components: frozenset[str],
) -> Scenario:
    """values: by the keys of the fit, None where nothing is known. components: LAUNCH is launch, of tasks
    and of executors, masters' heartbeat, rate and latency of the shuffle.

    What is not in `components` is off, and contention beside applications of which it is not known when their
    tasks computed.
    unknown_jobs: whose masters start up, and whose executors launch, as the fit says, and where it knows none
    of the kind, as those of the other framework do.
    """
    scenario, has_launch = record.scenario, LAUNCH in components
    jvm_ms = 1000 * (values["jvm_s"] or 0.0) if has_launch else 0.0
    can_slow = CONTENTION in components and all(map(shows_contention, scenario.jobs))
    slowdown = (values["contention"] or 0.0) if can_slow else 0.0
    unknown = frozenset(unknown_jobs)
    rate = values["shuffle_mb_s"] or scenario.cluster.shuffle_mb_s
    extra_ms = (
        _extra_launch_ms(record, unknown, jvm_ms, 1000 * (values["shuffle_latency_s"] or 0.0), rate)
        if has_launch
        else np.zeros(len(record.containers.job))
    )
    durations = _durations(record, jvm_ms, slowdown, extra_ms)
    changes = _cluster_changes(values, has_launch, slowdown)
    own_launches = launches(record).medians(changes["launch_contention"])
    jobs = []
    for job_index, job in enumerate(scenario.jobs):
        of_job = {kind: durations.get((job_index, kind)) for kind in (MAP, REDUCE)}
        is_unknown = job_index in unknown
        master = _master(record, job_index, values, is_unknown, components)
        launch_s = _executors_launch_s(job, values, own_launches.get(job_index), is_unknown)
        jobs.append(_job(_with_launch(job, launch_s if has_launch else 0.0), of_job, master))
    # dict() has its cached digest too
    fields = {name: getattr(scenario, name) for name in type(scenario).model_fields} | (
        scenario.model_extra or {}
    )
    return scenario.model_construct(
        **{**fields, "cluster": scenario.cluster.model_copy(update=changes), "jobs": jobs}
    )


def _cluster_changes(
    values: Mapping[str, float | None], has_launch: bool, slowdown: float
) -> dict[str, float]:
    changes = {"launch_s": 0.0, "shuffle_latency_s": 0.0, "contention": slowdown, "launch_contention": 0.0}
    if has_launch:
        changes["launch_s"] = task_launch_s(values)
        changes["launch_contention"] = values["launch_contention"] or 0.0
        changes["shuffle_latency_s"] = round(values["shuffle_latency_s"] or 0.0, 3)
        if values["shuffle_mb_s"] is not None:
            changes["shuffle_mb_s"] = max(1e-6, min(1e9, values["shuffle_mb_s"]))
    return changes


def _extra_launch_ms(
    record: Evidence, unknown: frozenset[int], jvm_ms: float, latency_ms: float, rate: float
) -> np.ndarray:
    """ms by which each reduce of a known job took longer to its shuffle's end than launch and shuffle have
    it: its own launch, which its duration then holds.

    From its own begin and its job's last map's end, both as recorded.
    """
    c, extra_ms = record.containers, np.zeros(len(record.containers.job))
    is_known = ~np.isin(c.job, list(unknown)) & ~record.other[c.job]
    reduces = np.flatnonzero(
        is_known & (c.kind == REDUCE) & (c.shuffle_end >= 0) & (record.maps_end[c.job] >= 0)
    )
    fetching = 1000 * record.fetched_mb[reduces] / rate
    maps = record.maps_of_jobs[c.job[reduces]]
    expected = (
        np.maximum(c.begin[reduces] + jvm_ms + fetching, record.maps_end[c.job[reduces]] + fetching / maps)
        + latency_ms
    )
    extra_ms[reduces] = c.shuffle_end[reduces] - expected
    return extra_ms


def _durations(
    record: Evidence, jvm_ms: float, slowdown: float, extra_ms: np.ndarray
) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
    """(task, ms) of each job and kind: what the attempt that finished computed, at least 1 ms."""
    c = record.containers
    tasks, computing_events = computing(record, jvm_ms)
    took = np.maximum(work_done(computing_events, slowdown, len(tasks)), 1.0) if len(tasks) else np.zeros(0)
    took *= record.work.node_speed[c.node[tasks]]
    took = np.maximum(took + extra_ms[tasks], 1.0)
    done = c.outcome[tasks] == FINISHED
    tasks, took = tasks[done], took[done]
    order = np.lexsort((c.index[tasks], c.kind[tasks], c.job[tasks]))
    tasks, took = tasks[order], took[order]
    group = requests_of(record.work, c, tasks)
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    ends = np.append(begins[1:], len(group))
    return {
        (int(c.job[tasks[b]]), int(c.kind[tasks[b]])): (c.index[tasks[b:e]], took[b:e])
        for b, e in zip(begins, ends)
    }


def _job(
    job: Job, durations: dict[int, tuple[np.ndarray, np.ndarray] | None], master: dict[str, Any] | None
) -> Job:
    changes: dict[str, Any] = {}
    if job.maps:
        changes["maps"] = _stage(job.maps, durations[MAP])
    if job.reduces:
        changes["reduces"] = _stage(job.reduces, durations[REDUCE])
    if job.am and master is not None:
        changes["am"] = job.am.model_copy(update=master)
    return job.model_copy(update=changes)


def task_launch_s(values: Mapping[str, float | None]) -> float:
    """From a container's start to its task's, of MapReduce."""
    return round((values["handed_over_s"] or 0.0) + (values["jvm_s"] or 0.0), 3)


def _executors_launch_s(
    job: Job, values: Mapping[str, float | None], own_ms: float | None, is_unknown: bool
) -> Any:
    """Its own, where that is known, else the fit's, else that which it has."""
    if own_ms is not None and not is_unknown:
        return round(own_ms / 1000, 3)
    launch_s = values["executor_launch_s"]
    if launch_s is not None:
        return round(launch_s, 3)
    return task_launch_s(values) if is_unknown or not job.executors else job.executors.launch_s


def _with_launch(job: Job, launch_s: Any) -> Job:
    if not job.executors:
        return job
    return job.model_copy(update={"executors": job.executors.model_copy(update={"launch_s": launch_s})})


def _stage(stage: Stage, durations: tuple[np.ndarray, np.ndarray] | None) -> Stage:
    """With the recorded durations; where an attempt is missing, with the median of the others."""
    if durations is None:
        return stage
    tasks, took = durations
    values = np.full(stage.count, np.median(took))
    values[tasks[tasks < stage.count]] = took[tasks < stage.count]
    return stage.model_copy(
        update={"duration_s": Listed.model_construct(values=(np.floor(values + 0.5) / 1000).tolist())}
    )


def _master(
    record: Evidence,
    job_index: int,
    values: Mapping[str, float | None],
    unknown: bool,
    components: frozenset[str],
) -> dict[str, Any] | None:
    """The changes of a job's master."""
    master = record.scenario.jobs[job_index].am
    if not master or record.other[job_index]:
        return None
    first_ask, start = int(record.first_ask[job_index]), int(record.masters_start[job_index])
    recorded_startup = (
        (first_ask - start) / 1000 if first_ask != NONE and NONE != start <= first_ask else master.startup_s
    )
    is_driver = bool(record.spark[job_index])
    startup = startup_s(values, is_driver) if unknown else recorded_startup
    fitted_linger = None if is_driver else values["linger_s"]
    linger = master.linger_s if fitted_linger is None else round(fitted_linger, 3)
    return {
        "startup_s": startup if STARTUP in components else 0.0,
        "heartbeat_s": master.heartbeat_s if LAUNCH in components else 0.0,
        "linger_s": linger if LINGER in components else 0.0,
    }


def startup_s(values: Mapping[str, float | None], is_driver: bool) -> float:
    """A master's start-up by the fit; of the other framework's masters where it knows none of this one's."""
    own, other = ("driver_s", "startup_s") if is_driver else ("startup_s", "driver_s")
    return (values[other] or 0.0) if values[own] is None else values[own] or 0.0

"""A scenario with fitted numbers: each duration is the record's own, without what the numbers now stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from engine.prediction.evidence import Evidence, evidence
from engine.prediction.occupancy import worked
from engine.prediction.slowdown import computing
from engine.scenario.field_types import Listed
from engine.scenario.model import Job, Scenario, Stage
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import FINISHED, NONE

STARTUP, LAUNCH, CONTENTION, LINGER = "startup", "launch", "contention", "linger"
ALL = frozenset((STARTUP, LAUNCH, CONTENTION, LINGER))


def fitted_scenario(scenario: Scenario, values: Mapping[str, float | None], unknown_jobs: Iterable[int], with_: frozenset[str]) -> Scenario:
    """values: by the keys of the fit, None where nothing is known. with_: LAUNCH is launch, masters' heartbeat, rate and latency of the shuffle.

    What is not in `with_` is off. unknown_jobs: whose masters start up as the fit says.
    """
    of = evidence(scenario)
    launches = LAUNCH in with_
    jvm_ms = 1000 * (values["jvm_s"] or 0.0) if launches else 0.0
    slowed = (values["contention"] or 0.0) if CONTENTION in with_ else 0.0
    durations = _durations(of, jvm_ms, slowed)
    changes = {"launch_s": 0.0, "shuffle_latency_s": 0.0, "contention": slowed}
    if launches:
        changes["launch_s"] = round((values["handed_over_s"] or 0.0) + (values["jvm_s"] or 0.0), 3)
        changes["shuffle_latency_s"] = round(values["shuffle_latency_s"] or 0.0, 3)
        if values["shuffle_mb_s"] is not None:
            changes["shuffle_mb_s"] = max(1e-6, min(1e9, values["shuffle_mb_s"]))
    unknown = frozenset(unknown_jobs)
    jobs = []
    for place, job in enumerate(scenario.jobs):
        own = {kind: durations.get((place, kind)) for kind in (MAP, REDUCE)}
        jobs.append(_job(job, own, _master(of, place, values, place in unknown, with_)))
    return scenario.model_construct(**{**dict(scenario), "cluster": scenario.cluster.model_copy(update=changes), "jobs": jobs})


def _durations(of: Evidence, jvm_ms: float, slowed: float) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
    """(task, ms) of each job and kind: what the attempt that finished computed, at least 1 ms."""
    c = of.containers
    tasks, found = computing(of, jvm_ms)
    took = np.maximum(worked(found, slowed, len(tasks)), 1.0) if len(tasks) else np.zeros(0)
    took *= of.work.node_speed[c.node[tasks]]
    done = c.outcome[tasks] == FINISHED
    tasks, took = tasks[done], took[done]
    order = np.lexsort((c.index[tasks], c.kind[tasks], c.job[tasks]))
    tasks, took = tasks[order], took[order]
    group = 3 * c.job[tasks].astype(np.int64) + c.kind[tasks]
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    ends = np.append(begins[1:], len(group))
    return {(int(group[b]) // 3, int(group[b]) % 3): (c.index[tasks[b:e]], took[b:e]) for b, e in zip(begins, ends)}


def _job(job: Job, own: dict[int, tuple[np.ndarray, np.ndarray] | None], master: dict[str, float] | None) -> Job:
    changes = {"maps": _stage(job.maps, own[MAP])}
    if job.reduces:
        changes["reduces"] = _stage(job.reduces, own[REDUCE])
    if job.am and master is not None:
        changes["am"] = job.am.model_copy(update=master)
    return job.model_copy(update=changes)


def _stage(stage: Stage, own: tuple[np.ndarray, np.ndarray] | None) -> Stage:
    """With the recorded durations; where an attempt is missing, with the median of the others."""
    if own is None:
        return stage
    tasks, took = own
    values = np.full(stage.count, np.median(took))
    values[tasks[tasks < stage.count]] = took[tasks < stage.count]
    return stage.model_copy(update={"duration_s": Listed.model_construct(values=(np.floor(values + 0.5) / 1000).tolist())})


def _master(of: Evidence, place: int, values: Mapping[str, float | None], unknown: bool, with_: frozenset[str]) -> dict[str, float] | None:
    """The changes of a job's master."""
    master = of.scenario.jobs[place].am
    if not master or of.other[place]:
        return None
    asked, start = int(of.asked[place]), int(of.masters_start[place])
    own = (asked - start) / 1000 if asked != NONE and NONE != start <= asked else master.startup_s
    startup = values["startup_s"] if unknown and values["startup_s"] is not None else own
    linger = master.linger_s if values["linger_s"] is None else round(values["linger_s"], 3)
    return {
        "startup_s": startup if STARTUP in with_ else 0.0,
        "heartbeat_s": master.heartbeat_s if LAUNCH in with_ else 0.0,
        "linger_s": linger if LINGER in with_ else 0.0,
    }

"""The same batches with one thing changed, to test what we think the reason of a difference is. The times stay those of the fit."""

from __future__ import annotations

from engine.papers.autoadmin.workloads import VCORES
from engine.scenario.model import Scenario

SPREAD, DRAWN = 0.2, range(1, 6)  # standard deviation over mean of a task's time; seeds


def undivided(scenario: Scenario) -> Scenario:
    """One node with the memory and vcores of the eight, given as many containers a heartbeat as they were: whatever is free is free for every container."""
    (worker,) = scenario.model_dump()["cluster"]["nodes"]
    whole = {**worker, "count": 1, "memory_mb": worker["count"] * worker["memory_mb"], "vcores": VCORES}
    return _changed(scenario, cluster={"nodes": [whole], "containers_per_heartbeat": worker["count"]})


def contended(scenario: Scenario, contention: float) -> Scenario:
    """Each further task on a node slows its tasks by this share."""
    return _changed(scenario, cluster={"contention": contention})


def reduces_last(scenario: Scenario) -> Scenario:
    """A job asks for its reduces when all of its maps have finished (slowstart 1)."""
    return _changed(scenario, jobs=[{**job, "slowstart": 1.0} for job in scenario.model_dump()["jobs"]])


def spread(scenario: Scenario, seed: int) -> Scenario:
    """Maps and reduces whose times spread about their mean, so that they don't end in step."""
    jobs = [{**job, **{kind: _drawn(job[kind]) for kind in ("maps", "reduces")}} for job in scenario.model_dump()["jobs"]]
    return _changed(scenario, jobs=jobs, seed=seed)


def _drawn(stage: dict) -> dict:
    return {**stage, "duration_s": {"dist": "lognormal", "mean": stage["duration_s"], "sd": SPREAD * stage["duration_s"]}}


def _changed(scenario: Scenario, cluster: dict | None = None, **fields) -> Scenario:
    whole = scenario.model_dump()
    return Scenario.of({**whole, "cluster": {**whole["cluster"], **(cluster or {})}, **fields})

"""Ablations: the same batches with one thing changed, to test a suspected reason of a difference. All else
stays as fitted.
"""

from __future__ import annotations

from engine.papers.autoadmin.workloads import VCORES
from engine.scenario.model import Scenario


def on_one_node(scenario: Scenario) -> Scenario:
    """One node with the memory and vcores of the eight, given as many containers a heartbeat as they were:
    whatever is free is free for every container.

    Its tasks slow each other as if they were still spread over the eight: by an eighth of the contention
    each.
    """
    (worker,) = scenario.model_dump()["cluster"]["nodes"]
    merged = {**worker, "count": 1, "memory_mb": worker["count"] * worker["memory_mb"], "vcores": VCORES}
    contention = scenario.cluster.contention / worker["count"]
    return _changed(
        scenario,
        cluster={"nodes": [merged], "containers_per_heartbeat": worker["count"], "contention": contention},
    )


def with_contention(scenario: Scenario, contention: float) -> Scenario:
    """Each further task on a node slows its tasks by this share."""
    return _changed(scenario, cluster={"contention": contention})


def with_late_reduces(scenario: Scenario) -> Scenario:
    """A job asks for its reduces when all of its maps have finished (slowstart 1)."""
    return _changed(scenario, jobs=[{**job, "slowstart": 1.0} for job in scenario.model_dump()["jobs"]])


def _changed(scenario: Scenario, cluster: dict | None = None, **fields) -> Scenario:
    values = scenario.model_dump()
    return Scenario.of({**values, "cluster": {**values["cluster"], **(cluster or {})}, **fields})

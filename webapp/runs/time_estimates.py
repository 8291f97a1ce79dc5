"""How long a run is thought to take, by which it is answered at once or waits in the queue."""

from __future__ import annotations

from engine import Scenario
from engine.dashboard import container_count

RUN_S, CONTAINER_S = 0.005, 3e-6  # that a run is thought to take: for itself, and for each container
CONTENTION_S = 1e-8  # besides for each that runs on the same node, where they slow each other


def estimate_seconds(scenario: Scenario, times: int = 1) -> float:
    """That so many runs of a scenario are thought to take: by its containers, and with contention by how many
    may run beside each.
    """
    count, cluster = container_count(scenario.plain()), scenario.cluster
    container_s = CONTAINER_S
    if cluster.contention:
        stages = (stage for job in scenario.jobs for stage in (job.maps, job.reduces) if stage)
        min_memory_mb = min((stage.memory_mb for stage in stages), default=1)
        fit_on_node = max(node.memory_mb for node in cluster.nodes) / min_memory_mb
        container_s += CONTENTION_S * min(fit_on_node, count / sum(node.count for node in cluster.nodes))
    return times * (RUN_S + container_s * count)

"""(e) Time per container as the batch, or the cluster, grows tenfold with load and active jobs held."""

from __future__ import annotations

from tests.bench.engine import best, shape
from tests.bench.scenarios import stream

MAX_RATIO = 1.5
ACTIVE = 50
STEPS = {
    "containers": [(containers, 100) for containers in (10_000, 100_000, 1_000_000)],
    "nodes": [(1_000_000, nodes) for nodes in (100, 1_000, 10_000)],
}


def growth(order: str) -> list[dict]:
    """One row a step: nanoseconds per container, and how many times those of the step before."""
    measured: dict[tuple[int, int], tuple[float, dict]] = {}
    rows = []
    for dimension, steps in STEPS.items():
        before = None
        for containers, nodes in steps:
            if (containers, nodes) not in measured:
                seconds, run = best(
                    stream(containers, nodes, ACTIVE, waves=2, backlog=0.6, pace=0.93),
                    order,
                    2 if containers == 1_000_000 else 5,
                )
                measured[containers, nodes] = seconds / len(run.containers.job), shape(run)
            per_container, run_shape = measured[containers, nodes]
            ratio = per_container / before if before else None
            title = f"growth with {dimension}: {containers:,} containers, {nodes:,} nodes"
            rows.append(
                {
                    "part": "e",
                    "title": title,
                    "order": order,
                    "ns_per_container": per_container * 1e9,
                    "per_second": 1 / per_container,
                    "ratio": ratio,
                    **run_shape,
                }
            )
            rows[-1] |= {"target": f"within {MAX_RATIO:g}x", "met": ratio <= MAX_RATIO} if ratio else {}
            before = per_container
    return rows

"""(e) Time per container as the batch, or the cluster, grows tenfold with load and active jobs held."""

from __future__ import annotations

from tests.bench.engine import best, shape
from tests.bench.scenarios import stream

MOST = 1.5
ACTIVE = 50
STEPS = {
    "containers": [(containers, 100) for containers in (10_000, 100_000, 1_000_000)],
    "nodes": [(1_000_000, nodes) for nodes in (100, 1_000, 10_000)],
}


def growth(order: str) -> list[dict]:
    """One row a step: nanoseconds per container, and how many times those of the step before."""
    measured: dict[tuple[int, int], tuple[float, dict]] = {}
    rows = []
    for what, steps in STEPS.items():
        before = None
        for containers, nodes in steps:
            if (containers, nodes) not in measured:
                seconds, run = best(stream(containers, nodes, ACTIVE, waves=2, backlog=0.6, pace=0.93), order, 2 if containers == 1_000_000 else 5)
                measured[containers, nodes] = seconds / len(run.containers.job), shape(run)
            each, like = measured[containers, nodes]
            ratio = each / before if before else None
            title = f"growth with {what}: {containers:,} containers, {nodes:,} nodes"
            rows.append({"part": "e", "title": title, "order": order, "ns_per_container": each * 1e9, "per_second": 1 / each, "ratio": ratio, **like})
            rows[-1] |= {"target": f"within {MOST:g}x", "met": ratio <= MOST} if ratio else {}
            before = each
    return rows

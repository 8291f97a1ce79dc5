"""Tasks of Spark a second: a million on 4,000 nodes, dynamically allocated executors of 4 slots each."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Scenario
from tests.bench.engine import HADOOP, best

APPLICATIONS, NODES, MIN_PER_S = 50, 4_000, 5e5
STAGES = (("scan", 10_000, 20.0), ("lookup", 6_000, 10.0), ("join", 3_800, 10.0), ("sum", 200, 5.0))
AFTER = {"join": ["scan", "lookup"], "sum": ["join"]}


def applications() -> Scenario:
    """Of 20,000 tasks each, one every ten seconds."""
    stages = [
        {
            "name": name,
            "tasks": tasks,
            "after": AFTER.get(name, []),
            "duration_s": {"dist": "lognormal", "mean": mean, "sd": mean / 2},
        }
        for name, tasks, mean in STAGES
    ]
    executors = {
        "memory_mb": 3072,
        "vcores": 4,
        "launch_s": {"dist": "normal", "mean": 8.0, "sd": 2.0},
        "dynamic": {"maximum": 400},
    }
    application = {
        "name": "etl",
        "framework": "spark",
        "count": APPLICATIONS,
        "interval_s": 10,
        "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 5, "heartbeat_s": 3},
        "executors": executors,
        "stages": stages,
    }
    nodes = [{"name": "worker", "count": NODES, "memory_mb": 8192, "vcores": 8}]
    cluster = {"nodes": nodes, "containers_per_heartbeat": 4}
    return Scenario.of({"version": 1, "seed": 1, "cluster": cluster, "jobs": [application]})


def spark(order: str) -> Iterator[dict]:
    """A row for one of Hadoop's orders; the papers' weigh maps and reduces, and refuse."""
    if order in HADOOP:
        seconds, run = best(applications(), order, 3)
        tasks = 0 if run.tasks is None else len(run.tasks.start)
        yield {
            "part": "spark",
            "title": f"{tasks:,} tasks of Spark on {NODES:,} nodes, tasks a second",
            "order": order,
            "seconds": seconds,
            "ratio": tasks / seconds / MIN_PER_S,
            "target": f"at least {MIN_PER_S:,.0f}/s, 1x",
            "met": tasks / seconds >= MIN_PER_S,
        }

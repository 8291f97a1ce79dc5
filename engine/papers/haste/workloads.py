"""HaSTE's workloads. The digits of its tables are lost, so all but the simple workload are stand-ins of ours.

They were written down before any scheduler ran on them; a later change needs a reason that is not drawn from
results.

The paper's (through SAF, Table 5, which declares itself identical): nodes of 8 vcores and 8 GB, the simple
workload's tasks and requests; 2 GB a node in the cluster of small nodes; the names of TeraSort, WordCount,
Scan, PageRank and KMeans. Ours: WordMean and Pi, eight nodes, all durations, masters of 1 vcore and 1 GB,
counts and requests of the other benchmarks, 4 vcores a small node and as many of them as hold the same
memory. A duration spreads by a fifth of its mean, so that no order gains from tasks that end at one instant.
Maps' output: as OMO, Table 4, prints it for input of 116 MB a map, or a quarter of it (scan, pi: none).
Masters start up in 4 to 10 s, and the order of a batch is drawn (see `calibration`).

Intervals between submissions, of which the paper leaves only that there were a shorter and a longer range: by
the load. A job brings as much work as the cluster does in so many seconds (`work_s`); the short intervals are
half of that on average, so that jobs compete, the long ones twice that. Before, they were 0 to 60 and 0 to
180 s, loads of .9 and .3, under which FIFO came within about a percent of the least that any order can reach,
and nothing was to be told.
"""

from __future__ import annotations

import random
from typing import Any

from engine.scenario.model import Scenario

GB = 1024
NODES: dict[str, Any] = {"name": "worker", "count": 8, "vcores": 8, "memory_mb": 8 * GB}
SMALL_NODES = {"name": "worker", "count": 32, "vcores": 4, "memory_mb": 2 * GB}
MAP_S, REDUCE_S, SPREAD = 20.0, 30.0, 0.2
STARTUP_S: dict[str, Any] = {"dist": "uniform", "low": 4.0, "high": 10.0}
TERASORT_MB, WORDCOUNT_MB, OTHER_MB = 116.0, 23.0, 29.0
TERASORT_MAPS, TERASORT_REDUCES = 30, 8
TERASORT_REDUCE_MB = TERASORT_MAPS * TERASORT_MB / TERASORT_REDUCES
LOADS = {"short": 2.0, "long": 0.5}  # work that is submitted, of what the cluster can do


def simple(seed: int, mb_s: float) -> Scenario:
    """Four WordCount jobs, cpu-bound: SAF's Table 5."""
    sizes = (((2, 1), (2, 1)), ((3, 1), (2, 1)), ((4, 1), (3, 1)), ((5, 1), (3, 1)))
    jobs = [
        _job(f"wordcount{number}", (31, *map_size), (5, *reduce_size), WORDCOUNT_MB)
        for number, (map_size, reduce_size) in enumerate(sizes, start=1)
    ]
    return _scenario("HaSTE: four WordCount jobs", NODES, _shuffled(jobs, seed), seed, mb_s)


def mixed(seed: int, mb_s: float) -> Scenario:
    """Cpu-bound and memory-bound benchmarks together."""
    return _scenario(
        "HaSTE: mixed workload",
        NODES,
        _shuffled([_terasort(), _wordcount(), _wordmean(), _pi()], seed),
        seed,
        mb_s,
    )


def iterative(seed: int, mb_s: float) -> Scenario:
    """Three benchmarks that run once, two that iterate."""
    return _scenario("HaSTE-A: iterative workload", NODES, _shuffled(_iterative(), seed), seed, mb_s)


def small_nodes(seed: int, mb_s: float) -> Scenario:
    """The iterative workload where a node holds at most two tasks of 1 GB."""
    return _scenario("HaSTE: small nodes", SMALL_NODES, _shuffled(_iterative(), seed), seed, mb_s)


def successive(seed: int, mb_s: float, interval: str) -> Scenario:
    """The iterative workload, each job submitted some time after the one before; interval: a key of LOADS,
    uniform from 0 on.
    """
    rng, at, jobs = random.Random(seed), 0.0, []
    for job in _shuffled(_iterative(), seed):
        jobs.append({**job, "arrival_s": round(at, 3)})
        at += rng.uniform(0.0, longest_s(interval))
    return _scenario(f"HaSTE: submitted in succession, {interval} intervals", NODES, jobs, seed, mb_s)


def longest_s(interval: str) -> float:
    """The longest of these intervals, twice their mean."""
    return round(2 * work_s() / LOADS[interval])


def work_s() -> float:
    """How long the whole cluster is busy with a job of the iterative workload on average: by the resource of
    which all its tasks together need more.
    """
    jobs = _iterative()
    by_resource = {}
    for resource, node in (("vcores", NODES["vcores"]), ("memory_mb", NODES["memory_mb"])):
        demands = [
            job["iterations"] * tasks["count"] * tasks[resource] * tasks["duration_s"]["mean"]
            for job in jobs
            for tasks in (job["maps"], job["reduces"])
        ]
        by_resource[resource] = sum(demands) / (NODES["count"] * node)
    return max(by_resource.values()) / len(jobs)


def packing() -> Scenario:
    """Tasks of 1, 1, 3 and 3 GB of one minute each on a node of 4 GB: three rounds in file order, two if the
    largest go first.
    """
    jobs = [
        {"name": f"task{number}", "maps": _tasks(1, 1, size, 60.0)}
        for number, size in enumerate((1, 1, 3, 3), start=1)
    ]
    return _drawn_by_hand("HaSTE: four tasks on one node", jobs)


def alignment(once: int = 6) -> Scenario:
    """Six tasks of 2 GB, or so many, and three iterations of two tasks of 1 GB, one minute each, on a node of
    4 GB.

    With the iterations last it takes 3 + 3 minutes; with an iteration beside a large task each minute, 3 + 2.
    """
    jobs: list[dict[str, Any]] = [
        {"name": "once", "maps": _tasks(once, 1, 2, 60.0)},
        {"name": "iterative", "iterations": 3, "maps": _tasks(2, 1, 1, 60.0)},
    ]
    return _drawn_by_hand("HaSTE-A: iterations beside other tasks", jobs)


def _iterative() -> list[dict[str, Any]]:
    pagerank = _job("pagerank", (10, 2, 2), (4, 1, 2), OTHER_MB, iterations=5)
    kmeans = _job("kmeans", (10, 3, 1), (1, 1, 1), OTHER_MB, iterations=5)
    return [_wordcount(), _terasort(), _job("scan", (30, 1, 1), (4, 1, 1), 0.0), pagerank, kmeans]


def _terasort() -> dict:
    return _job("terasort", (TERASORT_MAPS, 2, 1), (TERASORT_REDUCES, 1, 2), TERASORT_MB)


def _wordcount() -> dict:
    return _job("wordcount", (30, 1, 2), (8, 1, 1), WORDCOUNT_MB)


def _wordmean() -> dict:
    return _job("wordmean", (30, 2, 2), (4, 1, 1), OTHER_MB)


def _pi() -> dict:
    return _job("pi", (30, 4, 1), (1, 1, 1), 0.0)


def _job(
    name: str,
    maps: tuple[int, int, int],
    reduces: tuple[int, int, int],
    output_mb: float,
    iterations: int = 1,
) -> dict:
    """maps, reduces: tasks, vcores and GB of one; output_mb: of one map."""
    job = {
        "name": name,
        "am": {"vcores": 1, "memory_mb": GB, "startup_s": STARTUP_S},
        "maps": _tasks(*maps, _spread(MAP_S)),
        "reduces": _tasks(*reduces, _spread(REDUCE_S)),
    }
    return {**job, "shuffle_mb_per_map": output_mb, "iterations": iterations}


def _tasks(count: int, vcores: int, memory_gb: int, duration: float | dict) -> dict:
    return {"count": count, "vcores": vcores, "memory_mb": memory_gb * GB, "duration_s": duration}


def _spread(mean: float) -> dict:
    return {"dist": "lognormal", "mean": mean, "sd": SPREAD * mean}


def _drawn_by_hand(name: str, jobs: list[dict]) -> Scenario:
    node = {"name": "node", "count": 1, "vcores": 4, "memory_mb": 4 * GB}
    cluster = {"nodes": [node], "heartbeat_ms": 0, "containers_per_heartbeat": None}
    return Scenario.of({"version": 1, "name": name, "cluster": cluster, "jobs": jobs})


def _shuffled(jobs: list[dict], seed: int) -> list[dict]:
    """In the order in which they reach the ResourceManager."""
    random.Random(f"order {seed}").shuffle(jobs)
    return jobs


def _scenario(name: str, nodes: dict, jobs: list[dict], seed: int, mb_s: float) -> Scenario:
    return Scenario.of(
        {
            "version": 1,
            "name": name,
            "seed": seed,
            "cluster": {"nodes": [nodes], "shuffle_mb_s": mb_s},
            "jobs": jobs,
        }
    )

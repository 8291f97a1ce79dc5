"""OMO's two test beds and its workloads, written down before a scheduler ran on them; a later change needs a
reason that is not drawn from results.

The paper's: nodes, containers, slots and the 2 s between jobs (section V-A, B and D; Tables 2 and 3), counts
of tasks, input and shuffle (Tables 2, 4 and 5). 30 and 40 GB (Table 5) are Table 4's in proportion; where Set
B is 8 jobs in Table 5 and 8 jobs of each benchmark in the text, Table 5 is taken. No ApplicationMaster:
Hadoop 0.20 has none.

Hadoop 1's: a node reports every 3 s and is given one container then, as its Fair does unless told otherwise;
a node takes its part of the tasks there are and no more (CapBasedLoadManager), also where a container takes
either kind: of each kind at most its four containers.

Ours: a container is 1 vcore and 1 GB of a node that holds four; the jobs of a set come in the order of Table
4, for each benchmark the larger input first; a duration spreads by a fifth of its mean (lognormal), as in
HaSTE's workloads here, so that maps don't end in step; slow start where none is named is Hadoop's 0.05. A
reduce that fetches counts on its node as a task that computes does, and its shuffle takes 8 s more than the
fetching. What a reduce computes is in proportion to what it fetches; a map takes as long in all benchmarks,
for the text gives no factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.scenario.model import Scenario

GB = 1024
BEAT_MS = 3000
GAP_S = 2.0
SPREAD = 0.2
CONTAINERS, MAP_SLOTS, REDUCE_SLOTS = 4, 2, 2  # of a node
SHUFFLE_GB = {  # Table 4, for 20 GB of input
    "Terasort": 20,
    "SeqCount": 17.5,
    "WordCount": 3.9,
    "InvertedIndex": 3.45,
    "HistMovies": 22 / GB / GB,
    "Classification": 6 / GB,
}
MAP_GB = 0.25  # input of a map in Tables 4 and 5: 20 GB are 80 maps and 2 reduces
FETCH_WEIGHT, LATENCY_S = 1.0, 8.0
MIN_DURATION_S = 0.001  # of a task
WIKI_GB, WIKI_MAPS, WIKI_REDUCES = 8, 80, 4  # of a Terasort job of Tables 2 and 3

Values = Mapping[
    str, float
    # map_s, contention, mb_s, reduce_s: the parameters of a test bed's fit; reduce_s of 10 GB (CloudLab) or 2
    # GB (AWS)
]
Job = dict[str, Any]


class Benchmark(NamedTuple):
    """So many jobs of a benchmark with so much input."""

    name: str
    input_gb: int
    count: int = 1  # type: ignore[assignment]  # hides tuple.count


ALL = tuple(SHUFFLE_GB)
SETS = {  # Table 5
    "A": [Benchmark(name, size) for name in ALL for size in (20, 10)],
    "B": [Benchmark(name, size, 2) for name in ("Terasort", "SeqCount") for size in (20, 10)],
    "C": [Benchmark(name, 20, 2) for name in ALL],
    "D": [Benchmark(name, 30, 2) for name in ALL],
    "E": [Benchmark(name, 40, 2) for name in ALL],
    "F": [Benchmark(name, 20, 3) for name in ALL],
    "G": [Benchmark(name, 20, 4) for name in ALL],
    "H": [Benchmark(name, size, 2) for name in ALL for size in (20, 10)],
}


def mixed(name: str) -> list[Benchmark]:
    """The jobs of a set of Table 5, one by row: all benchmarks, and again."""
    rows = SETS[name]
    return [
        Benchmark(row.name, row.input_gb)
        for round_number in range(max(row.count for row in rows))
        for row in rows
        if round_number < row.count
    ]


def simple(benchmark: str) -> list[Benchmark]:
    """Eight jobs of 20 GB of one benchmark (section V-D)."""
    return [Benchmark(benchmark, 20)] * 8


def cloudlab(
    title: str,
    jobs: Iterable[Benchmark],
    values: Values,
    seed: int,
    nodes: int = 20,
    typed: bool = False,
    capped: bool = False,
) -> Scenario:
    """Jobs on CloudLab, 2 s apart. typed: 2 containers of a node for maps and 2 for reduces, else all four
    for either.

    capped: for a scheduler without the load cap on containers of either kind, `fair`; a node takes no more
    than its part of all reduces.
    """
    job_specs = [cloudlab_job(benchmark, number, values) for number, benchmark in enumerate(jobs)]
    if not capped:
        return scenario(title, cluster(nodes, values, typed), job_specs, seed)
    slots = CONTAINERS, math.ceil(sum(job["reduces"]["count"] for job in job_specs) / nodes)
    return scenario(title, cluster(nodes, values, True, slots), job_specs, seed)


def cloudlab_job(benchmark: Benchmark, number: int, values: Values) -> Job:
    """The job in this place of its set; 20 GB are 80 maps and 2 reduces, and other sizes in proportion
    (Tables 4 and 5).

    A reduce of Terasort fetches 10 GB in all of them.
    """
    maps, reduces = benchmark.input_gb * 4, benchmark.input_gb // 10
    job = {
        "name": f"{number + 1}-{benchmark.name}-{benchmark.input_gb}GB",
        "arrival_s": number * GAP_S,
        "input_mb": benchmark.input_gb * GB,
    }
    tasks = {
        "maps": task(maps, values["map_s"]),
        "reduces": task(reduces, values["reduce_s"] * SHUFFLE_GB[benchmark.name] / SHUFFLE_GB["Terasort"]),
    }
    return {**job, **tasks, "shuffle_mb_per_map": SHUFFLE_GB[benchmark.name] / 20 * MAP_GB * GB}


def aws(title: str, jobs: int, nodes: int, values: Values, seed: int, typed: bool = False) -> Scenario:
    """Terasort jobs of 8 GB, 80 maps and 4 reduces on AWS (Tables 2 and 3), 2 s apart. typed: as for
    `cloudlab`.

    Else all four containers take either kind, and of the reduces a node takes its part when all of them wait:
    the load cap is no part of the `fair` that shares all that jobs hold.
    """
    tasks = {"maps": task(WIKI_MAPS, values["map_s"]), "reduces": task(WIKI_REDUCES, values["reduce_s"])}
    common = {"input_mb": WIKI_GB * GB, **tasks, "shuffle_mb_per_map": WIKI_GB * GB / WIKI_MAPS}
    job_specs = [
        {"name": f"terasort-{number + 1}", "arrival_s": number * GAP_S, **common} for number in range(jobs)
    ]
    slots = (MAP_SLOTS, REDUCE_SLOTS) if typed else (CONTAINERS, math.ceil(jobs * WIKI_REDUCES / nodes))
    return scenario(title, cluster(nodes, values, True, slots), job_specs, seed)


def cluster(
    nodes: int, values: Values, typed: bool, slots: tuple[int, int] = (MAP_SLOTS, REDUCE_SLOTS)
) -> dict[str, Any]:
    """Nodes of four containers. typed: so many slots for maps and for reduces; else all four for either."""
    maps, reduces = slots if typed else (CONTAINERS, CONTAINERS)
    node = {
        "name": "slave",
        "count": nodes,
        "vcores": CONTAINERS,
        "memory_mb": CONTAINERS * GB,
        "map_slots": maps,
        "reduce_slots": reduces,
    }
    return {"nodes": [node], "heartbeat_ms": BEAT_MS, **physics(values)}


def physics(values: Values) -> dict[str, float]:
    """Of a cluster: how fast reduces fetch, and how tasks slow each other."""
    return {
        "shuffle_mb_s": values["mb_s"],
        "contention": values["contention"],
        "fetch_weight": FETCH_WEIGHT,
        "shuffle_latency_s": LATENCY_S,
    }


def task(count: int, mean_s: float) -> Job:
    """So many tasks in a container each, whose durations spread."""
    mean_s = max(mean_s, MIN_DURATION_S)
    return {
        "count": count,
        "vcores": 1,
        "memory_mb": GB,
        "duration_s": {"dist": "lognormal", "mean": mean_s, "sd": SPREAD * mean_s},
    }


def scenario(title: str, on: dict[str, Any], jobs: list[Job], seed: int) -> Scenario:
    return Scenario.of({"version": 1, "name": f"OMO: {title}", "seed": seed, "cluster": on, "jobs": jobs})

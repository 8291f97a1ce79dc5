"""What no order of the same tasks can do better than, on a bed of CloudLab: arithmetic, with nothing run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import quantities
from engine.papers.judge import average
from engine.papers.omo.simulations import MAKESPAN, Samples
from engine.papers.omo.workloads import CONTAINERS, GB, LATENCY_S, SHUFFLE_GB, Benchmark, Values, cloudlab_job

Jobs = Sequence[Benchmark]


def least_s(jobs: Jobs, values: Values, nodes: int = 20) -> float:
    """Seconds that these jobs take at least, by their mean times.

    Four maps on a node slow each other, but a node ends most maps in a second so; after the last map a reduce
    of its job has still to compute. And no job ends before a map of it, and then a reduce that fetches its
    whole input and computes, have run alone.
    """
    maps = sum(cloudlab_job(job, 0, values)["maps"]["count"] for job in jobs)
    shares = [SHUFFLE_GB[job.name] / SHUFFLE_GB["Terasort"] for job in jobs]
    crowded = values["map_s"] * (1 + (CONTAINERS - 1) * values["contention"])
    fetch_s = SHUFFLE_GB["Terasort"] / 2 * GB / values["mb_s"]  # of 20 GB of input, two reduces
    return max(
        maps * crowded / (CONTAINERS * nodes) + min(shares) * values["reduce_s"],
        values["map_s"] + LATENCY_S + max(shares) * (fetch_s + values["reduce_s"]),
    )


def most_gained_pct(jobs: Jobs, values: Values, makespan_s: float, nodes: int = 20) -> float:
    """The change in percent from this makespan to the least one."""
    return 100 * (least_s(jobs, values, nodes) / makespan_s - 1)


def bounds_note(workloads: Mapping[str, Jobs], values: Values, samples: Samples, name: str) -> str:
    """By workload, and on average: how much shorter than under a scheduler any order could be at most."""
    gained = {
        title: most_gained_pct(jobs, values, average(samples[f"{title}, {name}/{MAKESPAN}"]))
        for title, jobs in workloads.items()
    }
    rows = ", ".join(f"{title} {quantities.percent(-change / 100)}" for title, change in gained.items())
    mean = -sum(gained.values()) / len(gained) / 100
    return (
        f"No order of the same tasks is shorter than {name} here by more than: {rows}; on average "
        f"{quantities.percent(mean)}."
    )

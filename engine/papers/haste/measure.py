"""What HaSTE's evaluation measures, under the names its figures have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from engine.analysis.metrics import summary
from engine.papers.measuring import change_pct, series
from engine.papers.schema import Picture, Samples
from engine.simulation.run import Run

NAMES = {
    "fifo": "FIFO",
    "fair": "Fair",
    "capacity": "Capacity",
    "drf": "DRF",
    "ffd-dp": "FFD-DP",
    "haste": "HaSTE",
    "haste-a": "HaSTE-A",
}
MAKESPAN, RESPONSE, MEMORY, VCORES = "makespan_s", "response_s", "memory_pct", "vcores_pct"
AXES = {
    MAKESPAN: "Makespan (s)",
    RESPONSE: "Average response time (s)",
    MEMORY: "Average memory usage (%)",
    VCORES: "Average vcore usage (%)",
}


def evaluated(run: Run) -> dict[str, float]:
    """Makespan; response time, from submission to completion; average amount of a resource allocated to
    tasks, in percent of the cluster's.
    """
    metrics = summary(run)
    ended = run.status == "finished"
    times = {
        MAKESPAN: metrics["makespan_s"] if ended else math.inf,
        RESPONSE: metrics["mean_turnaround_s"] if ended else math.inf,
    }
    return {**times, MEMORY: 100 * metrics["memory_utilization"], VCORES: 100 * metrics["vcore_utilization"]}


def keys(metric: str, schedulers: Sequence[str]) -> tuple[str, ...]:
    """The names of a metric's samples under these schedulers."""
    return tuple(f"{scheduler}/{metric}" for scheduler in schedulers)


NO_GAIN = "no gain"  # the name of a sample of zeros: what shrinks must have been a gain
makespans = partial(keys, MAKESPAN)


def bars(
    samples: Samples, schedulers: Sequence[str], metrics: Sequence[str], prefix: str = ""
) -> tuple[Picture, ...]:
    """One picture a metric with a bar a scheduler; prefix: what stands before the names of the samples."""
    x = [NAMES[scheduler] for scheduler in schedulers]
    return tuple(
        Picture(
            AXES[metric].split(" (")[0],
            "bars",
            "",
            AXES[metric],
            (series("ours", x, samples, [prefix + key for key in keys(metric, schedulers)]),),
        )
        for metric in metrics
    )


def gain_pct(samples: Samples, over: str, by: str) -> list[float]:
    """By how much the makespan is shorter, in percent of the other's, seed by seed."""
    return [-change for change in change_pct(samples[f"{over}/{MAKESPAN}"], samples[f"{by}/{MAKESPAN}"])]

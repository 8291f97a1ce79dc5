"""AutoAdmin's workloads (sections 2.3 and 4, Table 4.2) on its cluster.

From the paper: 8 worker nodes of 8 vcores and 12 GB; all jobs of a batch are submitted at once; the vcores of
masters and tasks; 100 MB of input a job, or what Table 4.2 gives. Ours, decided before any of it was run, is
said to the reader in OURS.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from engine.scenario.model import Scenario

VCORES = 64  # of the cluster, section 4.1
SPLIT_MB, SMALL_MB = 128, 100  # HDFS's block, Hadoop's split; the input of sections 2.3 and 4.2.1
FILES = 2  # that Teragen writes: Hadoop's default of mapreduce.job.maps
PI_MAPS = 10
SPREAD = 0.2  # standard deviation over mean of a task's time
SIZES = (1, 2, 3, 4)  # vcores of a task (TC) and of a master (AMC)
STATIC_JOBS, SCORED_JOBS = 66, 72  # section 2.3; section 4.2.1
ASSUMPTIONS = (
    "A container has 1 GB, so that memory never binds: eight of them fill a node's vcores before its 12 "
    "GB. The paper counts cpu alone.",
    "Teragen writes two files (Hadoop's default of mapreduce.job.maps, which the paper doesn't mention), "
    "so that 100 MB of Terasort are two maps of 50 MB; "
    'other inputs are split by 128 MB. Section 4.2.1 speaks of "a 100MB randomly generated input file"; a '
    "note to Fig. 3.1 gives one map. "
    "A job has one reduce.",
    "A master's start-up, the mean time of a map and of a reduce, and contention are what the fit found. "
    "Task times are lognormal and spread by "
    f"{100 * SPREAD:g} %; the paper gives no spread.",
    "Else Hadoop's defaults: heartbeat 1 s, one container a heartbeat, slowstart 0.05. A reduce fetches "
    "100 MB/s, about the speed of gigabit Ethernet; "
    "Terasort's maps pass all of their input on.",
)


class Group(NamedTuple):
    """Equal jobs of Table 4.2; input_mb None: not applicable (Pi)."""

    benchmark: str
    jobs: int
    master: int
    map: int
    reduce: int
    input_mb: int | None


# Table 4.2
HETEROGENEOUS = {
    "Exp1": (
        Group("Terasort", 15, 1, 2, 1, 100),
        Group("Wordmean", 15, 2, 1, 2, 400),
        Group("Wordcount", 15, 3, 3, 2, 400),
        Group("Pi", 15, 1, 4, 1, None),
    ),
    "Exp2": (
        Group("Terasort", 15, 3, 4, 2, 400),
        Group("Wordmean", 15, 1, 3, 2, 200),
        Group("Wordcount", 15, 2, 3, 2, 200),
        Group("Pi", 15, 4, 2, 3, None),
    ),
    "Exp3": (
        Group("Terasort", 15, 4, 1, 3, 400),
        Group("Wordmean", 15, 3, 2, 4, 400),
        Group("Wordcount", 15, 2, 4, 1, 200),
        Group("Pi", 15, 1, 2, 2, None),
    ),
    "Exp4": (Group("Terasort", 30, 2, 3, 1, 200), Group("Wordcount", 30, 1, 3, 4, 800)),
    "Exp5": (
        Group("Terasort", 15, 3, 1, 1, 100),
        Group("Wordmean", 15, 4, 1, 2, 100),
        Group("Wordcount", 15, 4, 1, 1, 100),
        Group("Pi", 15, 2, 1, 1, None),
    ),
    "Exp6": (
        Group("Terasort", 20, 1, 1, 2, 200),
        Group("Wordmean", 20, 2, 3, 3, 400),
        Group("Pi", 20, 3, 2, 4, None),
    ),
}


def terasort(
    task: int, master: int, jobs: int, calibration: Mapping[str, float], files: int = FILES
) -> Scenario:
    """A batch of equal Terasort jobs of 100 MB. task, master: vcores; calibration: startup_s, task_s,
    contention; files: that Teragen wrote, a map each.
    """
    group = Group("Terasort", jobs, master, task, task, SMALL_MB)
    return _scenario(
        f"AutoAdmin: {jobs} Terasort jobs, {cell(task, master)}",
        [_job(group, calibration, files)],
        calibration,
    )


def heterogeneous(name: str, calibration: Mapping[str, float]) -> Scenario:
    """One of Table 4.2's six workloads, its benchmarks in the table's order."""
    return _scenario(
        f"AutoAdmin: heterogeneous workload {name}",
        [_job(group, calibration) for group in HETEROGENEOUS[name]],
        calibration,
    )


def cell(task: int, master: int) -> str:
    """A setting as the paper's tables name it."""
    return f"TC={task}, AMC={master}"


def _job(group: Group, calibration: Mapping[str, float], files: int = FILES) -> dict:
    """Every map takes the same mean time; a reduce of Terasort, whose output is its input, as much more as
    there is input than 100 MB.
    """
    input_mb = group.input_mb or 0
    sorts = group.benchmark == "Terasort"
    parts = files if sorts else 1
    maps = parts * math.ceil(input_mb / parts / SPLIT_MB) if input_mb else PI_MAPS
    larger = input_mb / SMALL_MB if sorts else 1.0
    return {
        "name": group.benchmark.lower(),
        "count": group.jobs,
        "input_mb": group.input_mb,
        "am": {"memory_mb": 1024, "vcores": group.master, "startup_s": calibration["startup_s"]},
        "maps": {
            "count": maps,
            "memory_mb": 1024,
            "vcores": group.map,
            "duration_s": _spread(calibration["task_s"]),
        },
        "reduces": {
            "count": 1,
            "memory_mb": 1024,
            "vcores": group.reduce,
            "duration_s": _spread(calibration["task_s"] * larger),
        },
        "shuffle_mb_per_map": input_mb / maps if sorts else 0.0,
    }


def _spread(mean_s: float) -> dict:
    return {"dist": "lognormal", "mean": mean_s, "sd": SPREAD * mean_s}


def _scenario(name: str, jobs: list[dict], calibration: Mapping[str, float]) -> Scenario:
    nodes = [{"name": "worker", "count": 8, "memory_mb": 12 * 1024, "vcores": 8}]
    cluster = {
        "nodes": nodes,
        "heartbeat_ms": 1000,
        "shuffle_mb_s": 100,
        "contention": calibration["contention"],
    }
    return Scenario.of({"version": 1, "name": name, "cluster": cluster, "jobs": jobs})

"""The jobs of two real workloads as scripts, for each scheduler, without reservations and with them where it
has them.

The data stand in ../shared/data beside a checkout and are not ours to keep: scripts are made where they are,
and a golden file holds Hadoop's decisions alone.

- Rumen sample: both jobs of 2jobs2min-rumen-jh.json as the engine reads that file, 96 maps each with the
  durations measured, in one queue on the trace's four nodes of 8,192 MB and 8 vcores.
- FB-2009: the first 50 jobs of a day at Facebook, of which SWIM's file tells submission and bytes. What it
  doesn't tell is assumed: 24 nodes of 8,192 MB and 8 vcores, Hadoop's defaults; three queues, to which jobs
  go in turn; a map for each 128 MB of the input, or of the output where a job writes more than it reads and
  doesn't reduce (it makes its data up); a reduce for each GB of shuffle; 1 s a task and 0.1 s for each MB it
  reads and writes. No job is cut: the largest has 640 maps.

Submissions are ten times as close, or most jobs would be alone on the cluster. Sizes are Hadoop's defaults:
1,024 MB and a vcore a task, 1,536 MB the master; that is 2,048 with reservations, where requests are rounded
to 1,024, and 1,024 under a CapacityScheduler that is not to reserve, for which there must be one size.
Reduces are asked for when 5 % of the maps have finished.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import read
from tests.hadoop.features import CAPACITY, NAMES
from tests.hadoop.scripts import HEARTBEAT_MS, MB, queue

DATA = Path(__file__).parents[3] / "shared" / "data"
ABSENT = (
    "../shared/data is not beside this checkout, so the scripts of the real workloads can't be made; the "
    "golden file holds what Hadoop decided on them."
)
BEGIN = "workload/"  # of these scripts' ids
NODE = [8 * MB, 8]
TASK = [MB, 1]
SLOWSTART = 0.05
BYTES_MB = 2**20
SPLIT = 128 * BYTES_MB
SHUFFLED = 2**30  # bytes a reduce
TASK_MS, MS_PER_MB = 1000, 100
CLOSER = 10
QUEUES = (("a", 3.0, "50"), ("b", 2.0, "30"), ("default", 1.0, "20"))


@dataclass(frozen=True)
class Workload:
    """A file of jobs. jobs: those of the file, with their queue, arrival, maps and reduces."""

    name: str
    file: str
    about: str
    nodes: int
    queues: tuple[tuple[str, float, str], ...]  # name, weight, capacity
    jobs: Callable[[Path], list[dict[str, Any]]]

    def row(self, reservations: bool) -> str:
        """What its row in the table is called."""
        return f"{self.name}, reservations" if reservations else self.name


def are_available() -> bool:
    """Are the data beside this checkout?"""
    return all((DATA / workload.file).is_file() for workload in WORKLOADS)


def rows() -> dict[str, str]:
    """The rows of the table with their sentences, wherever the data are."""
    return {
        workload.row(reservations): "The same jobs with reservations." if reservations else workload.about
        for workload in WORKLOADS
        for reservations in (False, True)
    }


def scripts() -> Iterator[dict[str, Any]]:
    """Of all workloads; FileNotFoundError where the data are not."""
    for workload in WORKLOADS:
        jobs = workload.jobs(DATA / workload.file)
        for scheduler in NAMES:
            for reservations in (False,) if scheduler == "fifo" else (False, True):
                yield _script(workload, jobs, scheduler, reservations)


def _script(
    workload: Workload, jobs: list[dict[str, Any]], scheduler: str, reservations: bool
) -> dict[str, Any]:
    master = 2 * MB if reservations else MB if scheduler in CAPACITY else 3 * MB // 2
    sizes = {"user": "user", "am": [master, 1], "startup": 0, "map": TASK}
    return {
        "id": f"{BEGIN}{workload.row(reservations)}/{scheduler}",
        "scheduler": scheduler,
        "heartbeat_ms": HEARTBEAT_MS,
        "per_beat": 0 if scheduler == "fifo" else 1,
        "update_ms": 0,
        "reservations": reservations,
        "increment_mb": MB if reservations else 1,
        "am_limit": None,
        "nodes": [NODE] * workload.nodes,
        "queues": [
            queue("root"),
            *(
                queue(f"root.{name}", weight=weight, capacity=capacity)
                for name, weight, capacity in workload.queues
            ),
        ],
        "jobs": [
            {
                **job,
                **sizes,
                "reduce": TASK if job["reduces"] else None,
                "slow": math.ceil(SLOWSTART * len(job["maps"])),
            }
            for job in jobs
        ],
    }


def _of_rumen(file: Path) -> list[dict[str, Any]]:
    with file.open("rb") as source:
        jobs = read("rumen", source, None).scenario.jobs
    times = [[round(1000 * time) for time in job.maps.duration_s.values] for job in jobs]
    return [
        {
            "queue": "root.default",
            "arrival": round(1000 * job.arrival_s / CLOSER),
            "maps": maps,
            "reduces": [],
        }
        for job, maps in zip(jobs, times, strict=True)
    ]


def _of_swim(file: Path) -> list[dict[str, Any]]:
    jobs = []
    for number, line in enumerate(file.read_text("utf-8").splitlines()):
        submitted, _, taken, shuffled, written = map(int, line.split("\t")[1:])
        reduces = math.ceil(shuffled / SHUFFLED)
        mapped = taken if reduces else max(taken, written)
        splits = [min(SPLIT, mapped - place * SPLIT) for place in range(max(1, math.ceil(mapped / SPLIT)))]
        # bytes that a map reads or writes beside its split
        more = (shuffled if reduces else min(taken, written)) / len(splits)
        maps = [_time(split + more) for split in splits]
        times = [_time((shuffled + written) / reduces) for _ in range(reduces)]
        jobs.append(
            {
                "queue": f"root.{QUEUES[number % len(QUEUES)][0]}",
                "arrival": 1000 * submitted // CLOSER,
                "maps": maps,
                "reduces": times,
            }
        )
    return jobs


def _time(size: float) -> int:
    """ms of a task that reads and writes so many bytes."""
    return round(TASK_MS + MS_PER_MB * size / BYTES_MB)


WORKLOADS = (
    Workload(
        "Rumen sample", "2jobs2min-rumen-jh.json",
        "Real jobs: the two of Hadoop's Rumen sample, 96 maps each with the durations measured, on the "
        "trace's four nodes, submitted ten times as close.",
        4, (("default", 1.0, "100"),), _of_rumen,
    ),
    Workload(
        "FB-2009", "FB-2009_samples_24_times_1hr_0_first50jobs.tsv",
        "Real jobs: the first 50 of SWIM's sample of a day at Facebook, their tasks made from their "
        "bytes, in three queues on 24 nodes, ten times as close.",
        24, QUEUES, _of_swim,
    ),
)  # fmt: skip

"""The paper's lab: twelve slaves, three benchmarks, jobs of 1 to 20 GB. Its task times have no printed
source.

The paper's: 12 slaves of 4 GB and 4 threads and 100 Mbps (Table 2), inputs of 1, 2, 3, 5, 10 and 20 GB,
splits of 128 MB, jobs at the same or at different times, four sets with a varying number of jobs, batches of
about 12 GB. Ours, chosen before a scheduler ran on them: everything else, by Hadoop 2.9.1's defaults where it
has one (containers of 1 GB and one vcore, masters of 1.5 GB rounded up to 2, one reduce a job, slowstart
0.05); maps of 20 s, spread by a fifth; maps' output in the proportions of OMO's Table 4; a reduce writes as
many MB/s as it fetches, for its output goes over the same network; 4, 8, 12 and 16 jobs, a job with the one
before or up to a minute after it. Limits on masters: sending.py.

Reduces a job: the paper prints none. Its benchmarks (PUMA) take their number from who runs them; Hadoop's
default is 1, its tutorial recommends .95 or 1.75 times what the nodes can hold. One is the calibration: the
paper compares itself with a default Hadoop and leaves optimizing its parameters to future work, and the
printed batches under the default scheduler (9 and 7.2 % of the CPU, an hour) are nearer to one reduce (10 %,
11 min) than to one a slave (43 %, 2 min), and no map time mends that: a longer map uses yet more of the CPU,
a shorter one takes yet less time. These cells are the default scheduler's.
"""

from __future__ import annotations

import math
import random
from typing import Any

from engine.scenario.model import Scenario

GB = 1024
SIZES_GB = (1, 2, 3, 5, 10, 20)
SPLIT_MB = 128
NETWORK_MB_S = 12.5  # 100 Mbps
OUTPUT = {"wordcount": 3.9 / 20, "terasort": 1.0, "inverted-index": 3.45 / 20}  # of a map, share of its input
MAP_S, SPREAD = 20.0, 0.2
SET_SIZES = (4, 8, 12, 16)  # of jobs in a set
SAME_TIME_SHARE, MEAN_GAP_S = (
    0.5,
    15.0,
    # how often a job comes with the one before; else it comes up to a minute later, on average of all this
    # much
)
REDUCES = 1
BATCH_GB = 12
CLUSTER = {
    "nodes": [{"name": "slave", "count": 12, "memory_mb": 4 * GB, "vcores": 4}],
    "shuffle_mb_s": NETWORK_MB_S,
}


def benchmark_set(
    seed: int, benchmark: str, number: int, reduces: int = REDUCES, mean_gap_s: float = MEAN_GAP_S
) -> Scenario:
    """Jobs of one benchmark, sizes drawn; some enter together, some one after another."""
    rng, at, jobs = random.Random(f"{seed} {benchmark} {number}"), 0.0, []
    for job_number in range(1, number + 1):
        jobs.append(_job(f"{benchmark}-{job_number}", benchmark, rng.choice(SIZES_GB), at, reduces))
        later, gap = rng.random() >= SAME_TIME_SHARE, rng.uniform(0.0, 2 * mean_gap_s / (1 - SAME_TIME_SHARE))
        at += gap if later else 0.0
    return _scenario(f"Dynamic priority: {number} jobs, {benchmark}", seed, jobs)


def random_test(seed: int, reduces: int = REDUCES, mean_gap_s: float = MEAN_GAP_S) -> Scenario:
    """One of the tests: its benchmark and its number of jobs are drawn."""
    rng = random.Random(f"{seed} test")
    return benchmark_set(seed, rng.choice(list(OUTPUT)), rng.choice(SET_SIZES), reduces, mean_gap_s)


def batch(seed: int, reduces: int = REDUCES) -> Scenario:
    """Jobs of 12 GB together, of any benchmark and of any size that still fits, all at once."""
    rng, left = random.Random(f"{seed} batch"), BATCH_GB
    jobs: list[dict[str, Any]] = []
    while left:
        size = rng.choice([allowed for allowed in SIZES_GB if allowed <= left])
        benchmark = rng.choice(list(OUTPUT))
        jobs.append(_job(f"{benchmark}-{len(jobs) + 1}", benchmark, size, 0.0, reduces))
        left -= size
    return _scenario(f"Dynamic priority: {BATCH_GB} GB of jobs", seed, jobs)


def _job(name: str, benchmark: str, size_gb: int, arrival: float, reduces: int) -> dict:
    """The work of the reduces is the job's, however many share it."""
    maps = math.ceil(size_gb * GB / SPLIT_MB)
    output = SPLIT_MB * OUTPUT[benchmark]
    container = {"memory_mb": GB, "vcores": 1}
    return {
        "name": name,
        "arrival_s": round(arrival, 3),
        "input_mb": size_gb * GB,
        "am": {"memory_mb": 2 * GB, "vcores": 1},
        "maps": {**container, "count": maps, "duration_s": _spread(MAP_S)},
        "reduces": {
            **container,
            "count": reduces,
            "duration_s": _spread(maps * output / NETWORK_MB_S / reduces),
        },
        "shuffle_mb_per_map": output,
    }


def _spread(mean: float) -> dict:
    return {"dist": "lognormal", "mean": mean, "sd": SPREAD * mean}


def _scenario(name: str, seed: int, jobs: list[dict]) -> Scenario:
    return Scenario.of({"version": 1, "name": name, "seed": seed, "cluster": CLUSTER, "jobs": jobs})

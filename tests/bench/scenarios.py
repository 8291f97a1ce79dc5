"""What is measured: the batches of the benchmark, built so that load and active jobs are what their names
say.
"""

from __future__ import annotations

from engine import Scenario

SLOTS = 8  # containers of 1 GB that a node holds
MAP_S, REDUCE_S = 20.0, 15.0
SHUFFLE_S = 5.0  # about what a reduce fetches for
REDUCES = 0.125  # for each map
SIZES = (0.6, 0.9, 1.1, 1.4)  # of the kinds of job, against the mean


def word_counts() -> Scenario:
    """(a) Four WordCount jobs on 8 nodes."""
    container = {"memory_mb": 1024, "vcores": 2}
    return Scenario.of(
        {
            "version": 1,
            "name": "Four WordCount jobs",
            "seed": 1,
            "cluster": {"nodes": [{"name": "worker", "count": 8, "memory_mb": 8192, "vcores": 8}]},
            "jobs": [
                {
                    "name": "wc",
                    "count": 4,
                    "interval_s": 10,
                    "am": {"memory_mb": 1024, "vcores": 1},
                    "maps": {"count": 31, **container, "duration_s": 20},
                    "reduces": {"count": 5, **container, "duration_s": 30},
                }
            ],
        }
    )


def physical(containers: int, nodes: int, active: int) -> Scenario:
    """A full cluster on which everything happens that may befall one; contention and what fetches counts
    in.
    """
    plain = stream(containers, nodes, active, contention=0.02, pace=0.8).plain()
    outages = [
        {"node": f"node-{nodes * at // 20}", "lost_s": 20.0 * at, "back_s": 20.0 * at + 60.0}
        for at in range(1, 20)
    ]
    plain["cluster"] |= {
        "fetch_weight": 0.25,
        "shuffle_latency_s": 0.2,
        "launch_s": {"dist": "exponential", "mean": 1.0},
        "out_of_band_heartbeats": True,
        "stragglers": {"share": 0.02, "factor": 2.0, "tail": 2.0},
        "failures": {"probability": 0.01},
        "outages": outages,
        "locality": {"rack_factor": 1.05, "off_rack_factor": 1.1},
    }
    for job in plain["jobs"]:
        job |= {"partitions": {"zipf": 0.3}, "speculation": "both"}
        job["am"] |= {
            "startup_s": {"dist": "uniform", "low": 1.0, "high": 5.0},
            "heartbeat_s": 1.0,
            "linger_s": 3.0,
        }
    return Scenario.of(plain)


def stream(
    containers: int,
    nodes: int,
    active: int,
    contention: float = 0.0,
    waves: float = 4,
    backlog: float = 0.5,
    pace: float = 1.0,
) -> Scenario:
    """A full cluster: a backlog at the start, then jobs as fast as the cluster works them off.

    A job has `waves` times the containers of its fair share when `active` are there; `backlog` of those wait
    at the start, and the others come at `pace` times the rate that the cluster can work off: at 1 it stays
    full, below it a long run stays as it is under every order.
    """
    size = waves * SLOTS * nodes / active
    jobs = round(containers / size)
    waiting = round(backlog * active)
    # of a job, its master with it
    gb_s = size / (1 + REDUCES) * (MAP_S + 2 * REDUCES * (REDUCE_S + SHUFFLE_S)) + 2 * MAP_S
    slowed = 1 + contention * (SLOTS - 2)
    gap_s = gb_s * slowed / (SLOTS * nodes) / pace
    kinds = []
    for place, share in enumerate(SIZES):
        maps = max(1, round(size * share / (1 + REDUCES)))
        kind = {
            "am": {"memory_mb": 1024, "vcores": 1},
            "maps": {
                "count": maps,
                "memory_mb": 1024,
                "vcores": 1,
                "duration_s": {"dist": "normal", "mean": MAP_S, "sd": 4},
            },
            "reduces": {
                "count": max(1, round(maps * REDUCES)),
                "memory_mb": 2048,
                "vcores": 1,
                "duration_s": {"dist": "lognormal", "mean": REDUCE_S, "sd": 3},
            },
            "shuffle_mb_per_map": 16,
            "slowstart": 1.0,
        }
        kinds.append({"name": f"waiting{place}", "count": max(1, waiting // len(SIZES)), **kind})
        rest = max(1, (jobs - waiting) // len(SIZES))
        kinds.append(
            {
                "name": f"stream{place}",
                "count": rest,
                "arrival_s": place * gap_s,
                "interval_s": len(SIZES) * gap_s,
                **kind,
            }
        )
    return Scenario.of(
        {
            "version": 1,
            "name": f"{containers} containers, {nodes} nodes, {active} jobs active",
            "seed": 1,
            "cluster": {
                "nodes": [{"name": "node", "count": nodes, "memory_mb": 1024 * SLOTS, "vcores": SLOTS}],
                "contention": contention,
            },
            "jobs": kinds,
        }
    )

"""Histories whose truth is known: a simulated cluster with a known launch, start-up and so on, and the record
that it would have left.
"""

from __future__ import annotations

import random
from typing import Any

from engine import Scenario, simulate
from tests.simulated_records import recorded


def truth(
    jobs: int = 12,
    seed: int = 1,
    startup: Any = None,
    linger_s: float = 6.0,
    shuffle_mb: float = 0.0,
    **cluster: Any,
) -> Scenario:
    """Jobs of equal maps and a few reduces on four nodes that they fill; those of every second job start
    late, so that they show what launching takes.
    """
    drawn = random.Random(seed)
    to_choices = []
    for number in range(jobs):
        maps = drawn.randrange(8, 24)
        am = {
            "memory_mb": 1024,
            "vcores": 1,
            "startup_s": startup or 6.0,
            "heartbeat_s": 1.0,
            "linger_s": linger_s,
        }
        job = {
            "name": f"job-{number}",
            "arrival_s": 40.0 * number,
            "am": am,
            "slowstart": number % 2 * 0.9 + 0.1,
            "shuffle_mb_per_map": shuffle_mb * drawn.randrange(1, 9),
        }
        job["maps"] = {
            "count": maps,
            "memory_mb": 1024,
            "vcores": 1,
            "duration_s": {"dist": "normal", "mean": drawn.uniform(15, 30), "sd": 1.0},
        }
        job["reduces"] = {
            "count": drawn.randrange(1, 4),
            "memory_mb": 1024,
            "vcores": 1,
            "duration_s": drawn.uniform(3, 9),
        }
        to_choices.append(job)
    nodes = [{"name": "nm", "count": 4, "memory_mb": 4096, "vcores": 4}]
    of = {"nodes": nodes, "out_of_band_heartbeats": True, **cluster}
    return Scenario.of({"version": 1, "seed": seed, "cluster": of, "jobs": to_choices})


def history(
    of: Scenario, scheduler: str = "fair", jvm_s: float = 0.0, master_ends_known: bool = True
) -> Scenario:
    """What a history of that cluster says, with nothing of launch, latency, rate and contention: an attempt
    starts `jvm_s` before its task computes.
    """
    plain = recorded(simulate(of, scheduler, plain=True)).plain()
    columns, finish = plain["measured"]["containers"], plain["measured"]["jobs"]["finish_ms"]
    for place, kind in enumerate(columns["kind"]):
        if kind:
            columns["begin_ms"][place] -= round(1000 * jvm_s)
            columns["start_ms"][place] = columns["begin_ms"][place]
            columns["requested_ms"][place] = min(columns["requested_ms"][place], columns["start_ms"][place])
        else:
            linger = of.jobs[columns["job"][place]].am.linger_s
            columns["end_ms"][place] = finish[columns["job"][place]] + round(
                1000 * linger if master_ends_known else 6000
            )
    order = sorted(range(len(columns["job"])), key=lambda place: columns["start_ms"][place])
    plain["measured"]["containers"] = {
        name: [values[place] for place in order] for name, values in columns.items()
    }
    for key in ("launch_s", "shuffle_latency_s", "shuffle_mb_s", "contention"):
        plain["cluster"].pop(key, None)
    for job in plain["jobs"]:
        job["am"] = {**job["am"], "startup_s": 0.0, "linger_s": 6.0}
        job["maps"]["duration_s"] = 1.0
    return Scenario.of(plain)

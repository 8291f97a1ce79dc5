"""Maps whose blocks lie on nodes of several racks: which node a job waits for, how long, and which map a
container there runs.
"""

from __future__ import annotations

import random
from typing import Any

from engine import Scenario
from tests.hadoop.features.feature import CAPACITY, EVERY, SHARING, Feature
from tests.oracle.blocks import blocks_of
from tests.oracle.workload import jobs_of, nodes_of

MB = 1024
PARTS = (-1, 0, 0.2, 0.34, 0.5, 0.75, 1)  # of the nodes
DELAYS = (-1, 0, 1, 2, 3, 5, 40)


def adds_localities(script: dict[str, Any], draw: random.Random) -> None:
    """More and smaller nodes, on racks; the blocks that Gantry draws for each map; thresholds."""
    least = (
        4
        if any(job[kind] not in (None, [MB, 1]) for job in script["jobs"] for kind in ("am", "map", "reduce"))
        else 2
    )
    script["nodes"] = [
        [MB * room, room] for room in draw.choices((least, least + 1, 2 * least), k=draw.randint(3, 12))
    ]
    racks = draw.randint(1, 4)
    script["racks"] = [f"/r{draw.randrange(racks)}" for _ in script["nodes"]]
    cluster = {
        "nodes": [
            {"count": 1, "memory_mb": memory, "vcores": vcores, "rack": rack[1:]}
            for (memory, vcores), rack in zip(script["nodes"], script["racks"])
        ],
        "locality": {"replication": draw.choice((1, 1, 2, 3))},
    }
    script["gantry"] = {"cluster": cluster, "scheduler": []}
    _add_blocks(script, cluster)
    if script["scheduler"] in SHARING:
        for part in ("node", "rack"):
            _set(
                script,
                "fair.locality.threshold." + part,
                "locality_" + part,
                draw.choice(PARTS if draw.random() < 0.5 else PARTS[1:]),
            )
    elif script["scheduler"] in CAPACITY:
        _set(script, "capacity.node-locality-delay", "node_locality_delay", draw.choice(DELAYS[1:]))
        _set(
            script,
            "capacity.rack-locality-additional-delay",
            "rack_locality_additional_delay",
            draw.choice((-1, -1, *DELAYS)),
        )


def _set(script: dict[str, Any], name: str, key: str, value: float) -> None:
    """Hadoop's property and Gantry's parameter."""
    script.setdefault("conf", {})["yarn.scheduler." + name] = str(value)
    script["gantry"]["scheduler"].append(f"{key}={value}")


def _add_blocks(script: dict[str, Any], cluster: dict[str, Any]) -> None:
    """Of each map the nodes, by their places, as they come from the scenario's seed and the job's name."""
    jobs = [
        {"maps": {"count": len(job["maps"]), "memory_mb": MB, "vcores": 1, "duration_s": 1}}
        for job in script["jobs"]
    ]
    result = Scenario.of(
        {
            "version": 1,
            "cluster": cluster,
            "queues": [{"name": "root"}, {"name": "root.default"}],
            "jobs": jobs,
        }
    )
    nodes = nodes_of(result)
    for job, own in zip(script["jobs"], jobs_of(result), strict=True):
        job["blocks"] = [[nodes.index(node) for node in block] for block in blocks_of(result, own, nodes)]


ABOUT = "Maps with blocks on nodes of up to four racks, and the delays of each scheduler."
FEATURES = tuple(
    Feature(
        name,
        schedulers,
        each,
        about,
        golden="localities",
        adds=adds_localities,
        tree=True,
        masters=True,
        **more,
    )
    for name, schedulers, each, about, more in (
        ("localities", EVERY, 40, ABOUT, {}),
        (
            "localities, reduces",
            ("fifo", *SHARING),
            24,
            ABOUT + " Sizes, and reduces while maps wait.",
            {"reduces": True, "slowstart": True, "sizes": True},
        ),
        (
            "localities, reduces",
            CAPACITY,
            24,
            ABOUT + " Sizes, and reduces while maps wait.",
            {"reduces": True, "slowstart": True},
        ),
        (
            "localities, several a beat",
            EVERY,
            24,
            ABOUT + " Several containers a heartbeat.",
            {"several": True, "reduces": True, "slowstart": True},
        ),
        (
            "localities, reservations",
            (*SHARING, *CAPACITY),
            40,
            "Reservations of nodes for maps with blocks; Fair limits them on each rack.",
            {"reservations": True, "sizes": True, "shares": True, "reduces": True, "slowstart": True},
        ),
        (
            "localities, ramp-up",
            EVERY,
            16,
            "Maps with blocks, and Hadoop's own MapReduce master.",
            {"reduces": True, "ramp_up": True},
        ),
        (
            "localities, all defaults",
            SHARING,
            16,
            (
                "Maps with blocks, updates every 500 ms, reservations, maxAMShare and Hadoop's own "
                "MapReduce master."
            ),
            {
                "reservations": True,
                "sizes": True,
                "shares": True,
                "reduces": True,
                "ramp_up": True,
                "am_limit": True,
                "update_ms": 500,
            },
        ),
        (
            "localities, all defaults",
            CAPACITY,
            16,
            (
                "Maps with blocks, reservations, limits of users and masters and Hadoop's own MapReduce "
                "master."
            ),
            {
                "reservations": True,
                "sizes": True,
                "shares": True,
                "reduces": True,
                "ramp_up": True,
                "am_limit": True,
                "users": True,
            },
        ),
    )
)
